"""LMCache's remote connectors as ``kv bench python`` drives them, with a server each."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from server import free_port
from stack import wait

pytestmark = pytest.mark.engine

CLIENT = pathlib.Path(__file__).resolve().parents[2] / "kvstore-client"
SET = {"block_bytes": 50_000, "batches": 2, "blocks_per_batch": 3}


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(params=["lm", "resp"])
def url(request: pytest.FixtureRequest, lmcache: None) -> Iterator[str]:
    """LMCache's own server, or Redis."""
    port = free_port()
    if request.param == "lm":
        command = [sys.executable, "-m", "lmcache.v1.server", "127.0.0.1", str(port)]
    elif redis := shutil.which("redis-server"):
        command = [redis, "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
    else:
        pytest.skip("missing: the Debian package redis-server")
    process = subprocess.Popen(command)
    try:
        wait(lambda: process.poll() is not None or listens(port), 180)
        yield f"{request.param}://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def peer() -> Iterator[subprocess.Popen[str]]:
    """The program of the benchmark."""
    path = os.pathsep.join(str(CLIENT / folder) for folder in ("src", "bench"))
    process = subprocess.Popen(
        [sys.executable, "-m", "kvstore_bench.peer"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    try:
        yield process
    finally:
        process.communicate(timeout=60)


def ask(peer: subprocess.Popen[str], **order: Any) -> Any:
    assert peer.stdin and peer.stdout
    peer.stdin.write(json.dumps(order) + "\n")
    peer.stdin.flush()
    return json.loads(peer.stdout.readline())


def test_blocks_come_back_as_they_were_put_and_writing_leaves_them(peer: subprocess.Popen[str], url: str) -> None:
    assert ask(peer, do="open", module="lmcache_client", options={"url": url}, **SET) == {}
    assert ask(peer, do="stock") == {}
    assert ask(peer, do="verify") == {"flaws": []}

    for operation in ("read", "write"):
        # More batches than LMCache's memory has room for.
        measured = ask(peer, do="measure", operation=operation, busy=False, seconds=60, most_batches=20)
        assert measured["bytes"] == 20 * 3 * 50_000

    assert ask(peer, do="verify") == {"flaws": []}


def test_blocks_that_are_not_there_are_a_failure_and_the_program_goes_on(peer: subprocess.Popen[str], url: str) -> None:
    ask(peer, do="open", module="lmcache_client", options={"url": url}, **SET)

    told = ask(peer, do="verify")

    assert told["failure"] == "verify: RuntimeError: batched_get_blocking: 0 blocks of 3"
    assert ask(peer, do="measure", operation="write", busy=False, seconds=60, most_batches=1)["bytes"] == 3 * 50_000


def test_a_block_that_cannot_be_a_chunk_is_told(peer: subprocess.Popen[str], lmcache: None) -> None:
    order = {**SET, "block_bytes": 1}

    told = ask(peer, do="open", module="lmcache_client", options={"url": "lm://127.0.0.1:1"}, **order)

    assert told["failure"] == ("open: ValueError: block_bytes: 1 is not a multiple of 500, which LMCache's chunks are")


def test_a_server_that_is_not_there_is_told(peer: subprocess.Popen[str], lmcache: None) -> None:
    url = f"lm://127.0.0.1:{free_port()}"

    told = ask(peer, do="open", module="lmcache_client", options={"url": url}, **SET)

    assert told["failure"] == f"open: RuntimeError: LMCache cannot connect to {url}"
