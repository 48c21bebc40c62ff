"""A real house for tests: `python -m server serve` in a process of its own, which can be killed and started again."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

import pytest

from tests.forked_server import ForkedServer

START_SECONDS = 180
"""Far more than a start takes: a machine that is busy with other work is slow, not wrong."""
QUICK = {
    "RUMMY_SEEDS_WINDOW_MS": "1500",
    "RUMMY_COUNTDOWN_MS": "200",
    "RUMMY_MATCH_COUNTDOWN_MS": "1000",
    "RUMMY_RESULT_PAUSE_MS": "4000",
    "RUMMY_REJOIN_MS": "2000",
    "RUMMY_GUESTS_PER_MINUTE": "100000",
    "RUMMY_REQUESTS_PER_MINUTE": "1000000",
    "RUMMY_ACCOUNT_REQUESTS_PER_MINUTE": "1000000",
    "RUMMY_SOCKETS_PER_ADDRESS": "10000",
    "RUMMY_PRACTICE_BOTS": "0",
    "RUMMY_DRAIN_MS": "0",
    "RUMMY_PRACTICE_THINK_MS": "[50, 250]",
}
"""Short waits between hands; everything else as in production."""


class LiveHouse:
    """Start it with `start`; `url` and `operator_link` are known from then on."""

    def __init__(self, folder: Path, database_url: str | None, settings: dict[str, str], forked: bool = False) -> None:
        """forked: begin with the modules imported (tests/forked_server.py), to be started again and again."""
        self._folder = folder
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.operator_link = ""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("RUMMY_")}
        environment.pop("DATABASE_URL", None)
        self._environment = {
            **environment,
            **QUICK,
            "RUMMY_PORT": str(self.port),
            "RUMMY_DATA_DIR": str(folder / "data"),
            **({} if database_url is None else {"DATABASE_URL": database_url}),
            **settings,
        }
        self._spawn = ForkedServer if forked else _spawn
        self._process: subprocess.Popen[bytes] | ForkedServer | None = None
        self.log = folder / "server.log"

    def start(self) -> None:
        with self.log.open("ab") as log:
            begins_at = log.tell()
            self._process = self._spawn(self._environment, log)
        deadline = time.monotonic() + START_SECONDS
        while True:
            printed = self.log.read_bytes()[begins_at:].decode()
            found = re.search(r"http://\S+/operator/sign-in\?code=\S+", printed)
            if found:
                self.operator_link = found.group()
                return
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the house did not open:\n{printed}")
            time.sleep(0.05)

    def command(self, *arguments: str) -> str:
        """What `python -m server ARGUMENTS` prints beside this house, told nothing but its folder and database."""
        known = ("DATABASE_URL", "RUMMY_DATA_DIR")
        environment = {name: self._environment[name] for name in ("PATH", *known) if name in self._environment}
        done = subprocess.run(
            [sys.executable, "-m", "server", *arguments], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def kill(self) -> None:
        """SIGKILL: no goodbye, no cleaning up."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def pause(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def ask_to_stop(self) -> None:
        """SIGTERM, without waiting."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()

    def stop(self) -> int:
        """SIGTERM; returns the exit code."""
        self.ask_to_stop()
        return self.wait()

    def wait(self) -> int:
        """Until it has ended; returns the exit code."""
        assert self._process is not None
        return self._process.wait(30)


def _spawn(environment: Mapping[str, str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "server", "serve"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


OpenHouse = Callable[..., LiveHouse]


@pytest.fixture
def open_house(tmp_path: Path, database_url: str) -> Iterator[OpenHouse]:
    """Opens a house with RUMMY_* settings of the test's choice; closed when the test ends."""
    houses: list[LiveHouse] = []

    def opened(forked: bool = False, **settings: str) -> LiveHouse:
        house = LiveHouse(tmp_path, database_url, settings, forked)
        house.start()
        houses.append(house)
        return house

    yield opened
    for house in houses:
        house.stop()


@pytest.fixture
def live_house(open_house: OpenHouse) -> LiveHouse:
    return open_house()


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory, module_database_url: str) -> Iterator[LiveHouse]:
    """One house for all tests of a module that do not mind each other's guests."""
    yield from module_house(tmp_path_factory, module_database_url, {})


@pytest.fixture(scope="module")
def bots_house(tmp_path_factory: pytest.TempPathFactory, module_database_url: str) -> Iterator[LiveHouse]:
    """One house with practice bots for all tests of a module, as `make serve` opens it."""
    yield from module_house(tmp_path_factory, module_database_url, {"RUMMY_PRACTICE_BOTS": "12"})


def module_house(folders: pytest.TempPathFactory, url: str, settings: dict[str, str]) -> Iterator[LiveHouse]:
    house = LiveHouse(folders.mktemp("house"), url, settings)
    house.start()
    yield house
    house.stop()
