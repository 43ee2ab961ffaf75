"""The backend with SGLang's own base class, factory and host pool, and a real store."""

from __future__ import annotations

import os
import pathlib
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from hicache import backend, fill, keys, page, pool, slots
from stack import Stack, blob, damage, own, wait

pytestmark = pytest.mark.engine

PAGES = 20


@pytest.fixture(autouse=True)
def key(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """The API key comes by the environment."""
    monkeypatch.setenv("KV_API_KEY", stack.key)


@contextmanager
def opened(stack: Stack, host: Any, **settings: Any) -> Iterator[Any]:
    made = backend(stack, host, **settings)
    try:
        yield made
    finally:
        made.close()


def stored(stack: Stack, model: str, layout: str = "page_first", **settings: Any) -> tuple[list[str], list[Any]]:
    """Keys that a first engine stored, and the bytes of their pages."""
    host = pool(layout)
    fill(host, 1)
    names = keys(model, PAGES)
    with opened(stack, host, model=model, **settings) as first:
        assert first.batch_set_v1(names, slots(*range(PAGES))) == [True] * PAGES
    return names, [page(host, i) for i in range(PAGES)]


@pytest.mark.parametrize("layout", ["page_first", "page_first_direct"])
def test_another_engine_finds_pages_byte_for_byte_in_other_slots(stack: Stack, layout: str) -> None:
    model = uuid4().hex
    names, contents = stored(stack, model, layout)
    host = pool(layout)
    fill(host, 2)
    with opened(stack, host, model=model) as second:
        wait(lambda: second.batch_exists(names) == PAGES)  # other data planes hear of pages a moment later
        lookups = second.counters()["lookup_count"]
        assert second.batch_exists([*names, *keys("other", 1)]) == PAGES
        into = [2 * i + 1 for i in range(PAGES)]
        untouched = page(host, 0)
        assert second.batch_get_v1(names, slots(*into)) == [True] * PAGES
        assert all(page(host, at).equal(content) for at, content in zip(into, contents, strict=True))
        assert page(host, 0).equal(untouched)
        counters = second.counters()
        assert (counters["lookup_count"], counters["fetched_blocks"]) == (lookups + 1, 2 * PAGES)  # keys and values


def test_what_must_not_meet_does_not(stack: Stack) -> None:
    import torch

    model = uuid4().hex
    names, _ = stored(stack, model)
    half = pool(kind=torch.float16)
    with opened(stack, pool(), model=model) as made:
        wait(lambda: made.batch_exists(names) == PAGES)
    with opened(stack, pool(), model=model, namespace="r2") as made:
        assert made.batch_exists(names) == 0
    with opened(stack, pool(), model=model, rank=(0, 2)) as made:
        assert made.batch_exists(names) == 0
    with opened(stack, half, model=model) as made:
        assert made.batch_exists(names) == 0
    with opened(stack, pool(), model=uuid4().hex) as made:
        assert made.batch_exists(names) == 0
        assert made.batch_get_v1(names[:2], slots(0, 1)) == [False, False]


def test_a_hole_ends_no_other_page(stack: Stack) -> None:
    model = uuid4().hex
    names, contents = stored(stack, model)
    host = pool()
    with opened(stack, host, model=model) as made:
        asked = [names[0], *keys("never stored", 1), names[2]]
        assert made.batch_get_v1(asked, slots(5, 6, 7)) == [True, False, True]
        assert page(host, 5).equal(contents[0])
        assert page(host, 7).equal(contents[2])


def test_pages_of_a_model_with_further_pools_are_not_stored(stack: Stack, caplog: pytest.LogCaptureFixture) -> None:
    from sglang.srt.mem_cache.hicache_storage import PoolName, PoolTransfer

    host = pool()
    names = keys("pools", 4)
    with opened(stack, host) as made:
        made.register_mem_host_pool_v2(host, PoolName.KV)
        assert "not used" not in caplog.text
        made.register_mem_host_pool_v2(pool(), PoolName.SWA)
        assert "KV Store is not used for these pages: models with a pool beside keys and values (swa)" in caplog.text
        assert made.batch_set_v2([PoolTransfer(PoolName.SWA, keys=names)]) == {PoolName.SWA: [False] * 4}
        assert made.batch_set_v1(names, slots(0, 1, 2, 3)) == [False] * 4
        assert made.batch_exists(names) == 0
        assert made.counters().get("stored_blocks", 0) == 0


def test_a_damaged_page_is_a_miss(stack: Stack) -> None:
    model = uuid4().hex
    writer, reader = stack.endpoints[:2]
    names, contents = stored(stack, model, endpoints=[writer])
    host = pool()
    with opened(stack, host, model=model, endpoints=[reader]) as made:
        kind = made._pages.kind
        damage(blob(stack.storage, kind.block(kind.pieces[1], names[3].encode()).hash(0).hex()))
        got = made.batch_get_v1(names, slots(*range(PAGES)))
        assert got == [i != 3 for i in range(PAGES)]
        assert all(page(host, i).equal(contents[i]) for i in range(PAGES) if i != 3)
        assert made.counters()["damaged_blocks"] == 1


def test_a_store_that_is_away_is_a_miss_and_left_alone(stack: Stack) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        away = f"127.0.0.1:{unused.getsockname()[1]}"
        with opened(stack, pool(), endpoints=[away], deadline_ms=2000) as made:
            names = keys("away", 4)
            for _ in range(6):
                assert made.batch_exists(names) == 0
                assert made.batch_get_v1(names, slots(0, 1, 2, 3)) == [False] * 4
                assert made.batch_set_v1(names, slots(0, 1, 2, 3)) == [False] * 4
            assert made.counters()["breaker_open"] == 1
            begun = time.monotonic()
            assert made.batch_exists(names) == 0
            assert time.monotonic() - begun < 2


def test_a_store_that_is_killed_is_a_miss(sglang: None, tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    with own(tmp_path) as harmed:
        monkeypatch.setenv("KV_API_KEY", harmed.key)
        host = pool()
        fill(host, 1)
        names = keys("killed", PAGES)
        with opened(harmed, host, model="m", deadline_ms=3000) as made:
            assert all(made.batch_set_v1(names, slots(*range(PAGES))))
            wait(lambda: made.batch_exists(names) == PAGES)
            for pid in harmed.pids:
                os.kill(pid, signal.SIGKILL)
            assert made.batch_exists(names) == 0
            assert made.batch_get_v1(names, slots(*range(PAGES))) == [False] * PAGES


def test_a_wrong_key_is_a_miss(stack: Stack, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    names, _ = stored(stack, "m")
    wrong = stack.key[:-1] + ("a" if stack.key[-1] != "a" else "b")
    monkeypatch.setenv("KV_API_KEY", wrong)
    with opened(stack, pool(), model="m") as made:
        assert made.batch_exists(names) == 0
        assert made.batch_set_v1(names, slots(*range(PAGES))) == [False] * PAGES
        assert made.counters()["errors.unauthenticated"] >= 2
    assert "UNAUTHENTICATED" in caplog.text
    assert wrong not in caplog.text


def test_a_layout_with_many_runs_is_left_alone_and_the_log_says_why(stack: Stack, caplog: Any) -> None:
    with opened(stack, pool("layer_first")) as made:
        names = keys("layers", 2)
        assert made.batch_exists(names) == 0
        assert made.batch_set_v1(names, slots(0, 1)) == [False, False]
        assert made.batch_get_v1(names, slots(0, 1)) == [False, False]
    assert "use --hicache-mem-layout page_first" in caplog.text


def test_what_sglang_gives_wrongly_is_a_miss(stack: Stack) -> None:
    with opened(stack, pool()) as made:
        assert made.batch_set_v1(keys("a", 2), slots(0)) == [False, False]
        assert made.batch_exists(["short"]) == 0
        assert made.batch_get_v1(["short"], slots(0)) == [False]


def test_the_interface_that_copies_is_refused(stack: Stack) -> None:
    with pytest.raises(ValueError, match="interface_v1: set it to 1"):
        backend(stack, pool(), interface_v1=0)
    with pytest.raises(ValueError, match="endpoint: is no setting"):
        backend(stack, pool(), endpoint="a:1")
    with pytest.raises(ValueError, match="write_queue: is no setting"):
        backend(stack, pool(), write_queue=1)


def test_nothing_is_touched_after_close(stack: Stack) -> None:
    model = uuid4().hex
    names, _ = stored(stack, model)
    host = pool()
    fill(host, 3)
    made = backend(stack, host, model=model)
    made.close()
    before = [page(host, i) for i in range(PAGES)]
    assert made.batch_exists(names) == 0
    assert made.batch_get_v1(names, slots(*range(PAGES))) == [False] * PAGES
    assert all(page(host, i).equal(one) for i, one in enumerate(before))
