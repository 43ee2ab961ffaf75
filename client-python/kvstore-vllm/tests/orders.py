"""A program in a process of its own that takes orders as lines of JSON, and answers with lines after ``RESULT``."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import threading
from typing import Any


class OrderedProgram:
    """Everything else that the program writes is in its log. For one thread."""

    def __init__(self, program: pathlib.Path, log: pathlib.Path, environment: dict[str, str]) -> None:
        self._log_file = log
        self._log = log.open("ab")
        self._process = subprocess.Popen(
            [sys.executable, str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
        )

    @property
    def log(self) -> str:
        """What the program wrote to its log."""
        return self._log_file.read_text(encoding="utf-8", errors="replace")

    def send(self, order: Any) -> None:
        """Gives an order."""
        assert self._process.stdin is not None
        self._process.stdin.write((json.dumps(order) + "\n").encode())
        self._process.stdin.flush()

    def answer(self, seconds: float) -> Any:
        """The next answer. A program that takes longer is killed, and fails the test."""
        assert self._process.stdout is not None
        alarm = threading.Timer(seconds, self._process.kill)
        alarm.start()
        try:
            for line in self._process.stdout:
                if line.startswith(b"RESULT "):
                    return json.loads(line.removeprefix(b"RESULT "))
                self._log.write(line)
                self._log.flush()
        finally:
            alarm.cancel()
        raise AssertionError(f"the program ended, or took more than {seconds} s:\n{self.log[-5000:]}")

    def close(self) -> None:
        """Ends the program, whose orders end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        end(self._process)
        self._log.close()


def end(process: subprocess.Popen[bytes]) -> None:
    """Waits a minute for a program that was told to end; then kills it."""
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
