"""A KV Store for tests: the one of KVSTORE_TEST_STACK, or one of its own that a test may harm."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

CHECKOUT = pathlib.Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Stack:
    """What ``kv up --json`` tells."""

    endpoints: tuple[str, ...]
    resource: str
    key: str = field(repr=False)
    storage: pathlib.Path
    pids: tuple[int, ...]
    rest: str = ""
    admin_token: str = field(default="", repr=False)

    @classmethod
    def of(cls, file: pathlib.Path) -> Stack:
        """Reads the file."""
        told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return cls(
            tuple(told["dataPlanes"]),
            told["resourceName"],
            told["apiKey"],
            pathlib.Path(told["storagePlace"]),
            tuple(told["pids"]),
            told["restUrl"],
            told["adminToken"],
        )


@contextlib.contextmanager
def own(folder: pathlib.Path, *options: str) -> Iterator[Stack]:
    """Starts a stack by ``kv up`` of this checkout, or of the one that KVSTORE_TEST_KV names, and ends it."""
    launcher = os.environ.get("KVSTORE_TEST_KV", str(CHECKOUT / "kv"))
    file = folder / "stack.json"
    ports = ("--port", "0", "--rest-port", "0", "--control-port", "0")
    command = [launcher, "up", "--data", str(folder / "stack"), "--json", str(file), *ports, *options]
    # The service refuses variables of its names that are no settings of its own.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("KVSTORE_", "KV_"))}
    with (folder / "stack.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=pathlib.Path(launcher).parent, env=environment)
    try:
        wait(lambda: file.exists() or process.poll() is not None, 300)
        assert process.poll() is None, (folder / "stack.log").read_text(encoding="utf-8")
        yield Stack.of(file)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)


def blob(storage: pathlib.Path, name: str) -> pathlib.Path:
    """The one stored file whose name begins so."""
    (found,) = (file for file in storage.rglob(name + "*") if file.is_file())
    return found


def damage(blob: pathlib.Path) -> None:
    """Changes a bit near the end of a file."""
    with blob.open("r+b") as file:
        file.seek(-1000, os.SEEK_END)
        byte = file.read(1)
        file.seek(-1000, os.SEEK_END)
        file.write(bytes((byte[0] ^ 1,)))


def wait(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Waits until a condition holds."""
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, f"did not hold within {seconds} s"
        time.sleep(0.02)
