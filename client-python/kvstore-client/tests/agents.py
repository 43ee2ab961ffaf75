"""Agents of tests: real processes, in a folder of the test's own, which end with the test."""

from __future__ import annotations

import contextlib
import os
import pathlib
import select
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kvstore_client import BlockChain, Partition
from kvstore_client.agent import Agent, AgentSettings, Progress, ReservedSlot
from kvstore_client.agent.__main__ import ask
from kvstore_client.agent.messages import Frames, encode

BLOCK = 5000


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[pathlib.Path]:
    """A folder for sockets, short enough for their paths."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="kva"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(path))
    monkeypatch.setenv("KV_API_KEY", "kv_test_secret")
    monkeypatch.setattr("kvstore_client.agent.heartbeat.SILENT", 60.0)  # an agent of busy cores may take long
    yield path
    for pid in pids(path):
        with ending(pid):
            os.kill(pid, signal.SIGCONT)
            os.kill(pid, signal.SIGKILL)

    until(lambda: removed(path), "nothing is started there any more")


def settings(address: str, **changes: Any) -> AgentSettings:
    usual: dict[str, Any] = {
        "slot_bytes": BLOCK,
        "resource": "demo",
        "endpoints": [address],
        "host_memory": 64 * 8192,
        "connections": 4,
        "write_queue": 1 << 20,
        "deadline": 20.0,
    }
    return AgentSettings(**{**usual, **changes})


def a_chain(blocks: int, name: str = "agent", seed: int = 0) -> BlockChain:
    return BlockChain.of(Partition(name, 4), range(seed, seed + 4 * blocks))


def content(index: int) -> bytes:
    return bytes([index + 1]) * BLOCK


def until(holds: Callable[[], Any], why: str = "it holds within a minute") -> Any:
    end = time.monotonic() + 60
    while True:
        value = holds()
        if value:
            return value
        assert time.monotonic() < end, why
        time.sleep(0.005)


def done(agent: Agent, request: str) -> Progress:
    def look() -> Progress | None:
        found = agent.progress(request)
        return found if found.done else None

    found: Progress = until(look)
    return found


def read(progress: Progress, chain: int = 0) -> list[bytes]:
    return [bytes(progress.view(i, chain)) for i in range(progress.ready)]


def save(agent: Agent, chain: BlockChain, index: int, data: bytes) -> None:
    slot = reserved(agent)
    slot.view[: len(data)] = data
    agent.store(slot, len(data), chain, index)


def reserved(agent: Agent) -> ReservedSlot:
    slots: list[ReservedSlot] = []

    def look() -> bool:
        slot = agent.reserve()
        if slot is not None:
            slots.append(slot)
        return slot is not None

    until(look)
    return slots[0]


def sockets(home: pathlib.Path) -> list[pathlib.Path]:
    return sorted(home.rglob("*.socket"))


def values(path: pathlib.Path) -> dict[str, float]:
    return ask(str(path)).mapping("values")


def pids(home: pathlib.Path) -> list[int]:
    found = []
    for log in home.rglob("*.socket.log"):
        for line in log.read_text(encoding="utf-8").splitlines():
            if " serves " in line:
                found.append(int(line.partition(" agent ")[2].partition(":")[0]))
    return [pid for pid in found if str(home).encode() in command(pid)]


def command(pid: int) -> bytes:
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


@contextlib.contextmanager
def ending(pid: int) -> Iterator[None]:
    """Waits for a process, which may be gone, to end."""
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        with contextlib.suppress(ProcessLookupError):
            yield
        return
    try:
        with contextlib.suppress(ProcessLookupError):
            yield
        assert select.select([pidfd], [], [], 60)[0], f"process {pid} ends"
    finally:
        os.close(pidfd)


@contextlib.contextmanager
def raw(path: pathlib.Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(60)
        sock.connect(str(path))
        yield sock


def hello(of: AgentSettings) -> bytes:
    from kvstore_client import __version__
    from kvstore_client.agent.settings import PROTOCOL

    return encode("hello", protocol=PROTOCOL, version=__version__, settings=of.as_json(), digest=of.digest)


def heard(sock: socket.socket, kind: str) -> Any:
    """The next message of a kind; ``None`` if the agent hangs up before."""
    frames = Frames()
    while True:
        try:
            data = sock.recv(1 << 16)
        except ConnectionError:
            return None
        if not data:
            return None
        for message in frames.feed(data):
            if message.kind == kind:
                return message


def removed(path: pathlib.Path) -> bool:
    shutil.rmtree(path, ignore_errors=True)
    return not path.exists()
