"""vLLM, LMCache's connector, LMCache's server, our adapter and a real store, each in a process of its own."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import signal
from typing import Any
from uuid import uuid4

import pytest
from server import Server, engine, free_port
from stack import Stack, damage, own

pytestmark = pytest.mark.engine

#: Two prompts of 1000 tokens: three whole chunks of 256 each.
PROMPTS = ((1, 1000), (2, 1000))
CHUNKS, HITS = 6, 2 * 768


@pytest.fixture(scope="module")
def tiny(lmcache: None, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A model of 4 layers with random weights: wrong bytes change its output."""
    from model import make

    return make(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def expected(tiny: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[int]]:
    """What an engine without a store computes."""
    with engine(tiny, tmp_path_factory.mktemp("without") / "engine.log", None) as plain:
        return plain.run(*PROMPTS).tokens


def filled(stack: Stack, tiny: pathlib.Path, folder: pathlib.Path, expected: Any, **settings: Any) -> None:
    """A first engine and a first server, which end after all chunks are durable."""
    with (
        Server(stack, folder / "first-server.log", **settings) as server,
        engine(tiny, folder / "first.log", server) as first,
    ):
        batch = first.run(*PROMPTS)
        assert (batch.tokens, batch.hits) == (expected, 0)
        server.wait_stored(CHUNKS)


def test_a_new_engine_and_a_new_server_hit_what_others_stored(
    stack: Stack, tiny: pathlib.Path, expected: Any, tmp_path: pathlib.Path
) -> None:
    settings = {"namespace": uuid4().hex}
    filled(stack, tiny, tmp_path, expected, **settings)
    with (
        Server(stack, tmp_path / "server.log", **settings) as server,
        engine(tiny, tmp_path / "e.log", server) as second,
    ):
        batch = second.run(*PROMPTS)
        assert (batch.tokens, batch.hits) == (expected, HITS)
        counters = server.counters
        assert (counters["fetched_blocks"], counters.get("stored_blocks", 0)) == (CHUNKS, 0)


def test_bytes_that_change_behind_the_check_change_the_output(
    stack: Stack, tiny: pathlib.Path, expected: Any, tmp_path: pathlib.Path
) -> None:
    settings = {"namespace": uuid4().hex}
    filled(stack, tiny, tmp_path, expected, **settings)
    damaged: dict[str, Any] = {"module": "flipping", "class_name": "FlippingAdapter", **settings}
    with (
        Server(stack, tmp_path / "server.log", **damaged) as server,
        engine(tiny, tmp_path / "e.log", server) as second,
    ):
        batch = second.run(*PROMPTS)
        assert batch.hits == HITS
        assert batch.tokens != expected


def test_an_object_that_is_damaged_in_storage_is_a_miss(
    stack: Stack, tiny: pathlib.Path, expected: Any, tmp_path: pathlib.Path
) -> None:
    settings = {"namespace": uuid4().hex}
    writer, reader = stack.endpoints[:2]
    before = {file for file in stack.storage.rglob("*") if file.is_file()}
    filled(stack, tiny, tmp_path, expected, endpoints=[writer], **settings)
    blobs = [file for file in stack.storage.rglob("*") if file.is_file() and file.stat().st_size > 100_000]
    for blob in set(blobs) - before:
        damage(blob)
    with (
        Server(stack, tmp_path / "server.log", endpoints=[reader], **settings) as server,
        engine(tiny, tmp_path / "e.log", server) as second,
    ):
        batch = second.run(*PROMPTS)
        assert (batch.tokens, batch.hits) == (expected, 0)
        assert server.counters["damaged_blocks"] == CHUNKS


def test_an_engine_computes_while_the_store_is_away(
    stack: Stack, tiny: pathlib.Path, expected: Any, tmp_path: pathlib.Path
) -> None:
    away = dataclasses.replace(stack, endpoints=(f"127.0.0.1:{free_port()}",))
    with (
        Server(away, tmp_path / "server.log", deadline_ms=2000) as server,
        engine(tiny, tmp_path / "e.log", server) as alone,
    ):
        batch = alone.run(*PROMPTS)
        assert (batch.tokens, batch.hits) == (expected, 0)


def test_a_store_that_is_killed_is_a_miss(
    lmcache: None, tiny: pathlib.Path, expected: Any, tmp_path: pathlib.Path
) -> None:
    with own(tmp_path) as harmed:
        settings: dict[str, Any] = {"namespace": "killed", "deadline_ms": 2000}
        filled(harmed, tiny, tmp_path, expected, **settings)
        with (
            Server(harmed, tmp_path / "server.log", **settings) as server,
            engine(tiny, tmp_path / "e.log", server) as second,
        ):
            assert second.run(PROMPTS[0]).hits == HITS // 2
            for pid in harmed.pids:
                os.kill(pid, signal.SIGKILL)
            batch = second.run(*PROMPTS)
            assert batch.tokens == expected
            assert batch.hits == HITS // 2  # of before; LMCache does not keep in L1 what it loaded
