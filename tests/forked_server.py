"""A server process that begins with its modules imported: for tests that start the house hundreds of times.

Importing costs several times what a start itself does. A template process imports once and is forked for each start;
from there on the child is the server that `python -m server serve` runs, in a process of its own that can be killed.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing.context import ForkServerContext
from typing import IO


class ForkedServer:
    """As much of `subprocess.Popen` as a live house needs."""

    def __init__(self, environment: Mapping[str, str], log: IO[bytes]) -> None:
        context = multiprocessing.get_context("forkserver")
        assert isinstance(context, ForkServerContext)
        context.set_forkserver_preload(["server.__main__"])
        self._process = context.Process(target=_serve, args=(dict(environment), log.name))
        self._process.start()

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        self._process.join(seconds)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired("server", seconds or 0)
        return code

    def kill(self) -> None:
        self._process.kill()

    def terminate(self) -> None:
        self._process.terminate()

    def send_signal(self, number: int) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)


def _serve(environment: dict[str, str], log_name: str) -> None:
    from server.__main__ import main

    with open(log_name, "ab") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["server", "serve"]
    sys.exit(main())
