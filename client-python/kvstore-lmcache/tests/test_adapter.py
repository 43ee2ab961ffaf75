"""The adapter with LMCache's own factory, keys and memory objects, and a real store."""

from __future__ import annotations

import os
import pathlib
import signal
import socket
import time
from typing import Any
from uuid import uuid4

import pytest
from l2 import adapter, content, keys, layouts, objects
from stack import Stack, blob, damage, own

from kvstore_lmcache import names

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("key")]

COUNT = 12


def test_another_adapter_finds_objects_byte_for_byte(stack: Stack) -> None:
    namespace, prompt = uuid4().hex, keys("a", COUNT)
    written = objects(COUNT, seed=1)
    with adapter(stack, namespace=namespace) as first:
        result = first.store(prompt, written)
        assert (result.is_successful(), result.bytes_transferred()) == (True, sum(map(len, content(written))))
    with adapter(stack, namespace=namespace) as second:
        second.wait_stored(prompt)
        lookups = second.status["lookup_count"]
        assert second.lookup([*prompt, *keys("b", 1)]) == [*[True] * COUNT, False]
        assert second.status["lookup_count"] == lookups + 1
        read = objects(COUNT)
        assert second.load(prompt, read) == [True] * COUNT
        assert content(read) == content(written)
        assert second.status["breaker_open"] == 0


def test_ranks_groups_and_salts_are_looked_up_in_one_call_and_do_not_meet(stack: Stack) -> None:
    namespace = uuid4().hex
    fields: list[dict[str, Any]] = [
        {"kv_rank": 0x02000200},
        {"kv_rank": 0x02010201},
        {"object_group_id": 1},
        {"cache_salt": "mine"},
        {"model_name": "other"},
    ]
    with adapter(stack, namespace=namespace) as made:
        rows = [keys("a", 3, **one) for one in fields]
        told = layouts(groups=(0, 1))
        for i, row in enumerate(rows):
            assert made.store(row[: i % 4], objects(i % 4, seed=i)).is_successful()
            made.wait_stored(row[: i % 4], told)
        everything = [key for row in rows for key in row]
        lookups = made.status["lookup_count"]
        got = made.lookup(everything, told)
        assert [got[3 * i : 3 * i + 3].count(True) for i in range(5)] == [0, 1, 2, 3, 0]
        assert made.status["lookup_count"] == lookups + 1
        assert made.lookup(keys("a", 3), told) == [False] * 3
        read = objects(3)
        assert made.load(rows[3], read) == [True] * 3
        assert content(read) == content(objects(3, seed=3))


def test_other_types_and_shapes_do_not_meet(stack: Stack) -> None:
    import torch

    with adapter(stack) as made:
        prompt = keys("a", 2)
        assert made.store(prompt, objects(2, seed=1)).is_successful()
        made.wait_stored(prompt)
        assert made.lookup(prompt, layouts(torch.int32)) == [False, False]
        assert made.lookup(prompt, layouts(shape=(2, 3, 8, 16))) == [False, False]
        assert made.load(prompt, objects(2, kind=torch.int32)) == [False, False]


def test_a_hole_ends_no_other_object(stack: Stack) -> None:
    with adapter(stack) as made:
        prompt = keys("a", 3)
        written = objects(3, seed=1)
        made.store([prompt[0], prompt[2]], [written[0], written[2]])
        read = objects(3)
        assert made.load(prompt, read) == [True, False, True]
        assert [content(read)[i] for i in (0, 2)] == [content(written)[i] for i in (0, 2)]


def test_an_object_beyond_64_mib_is_stored_in_pieces(stack: Stack) -> None:
    shape = (2, 3, 1024, 3000)  # 73.7 MB
    with adapter(stack, deadline_ms=60_000) as made:
        prompt, written = keys("a", 1), objects(1, seed=1, shape=shape)
        assert made.store(prompt, written).is_successful()
        made.wait_stored(prompt, layouts(shape=shape))
        read = objects(1, shape=shape)
        assert made.load(prompt, read) == [True]
        assert content(read) == content(written)
        assert made.status["stored_blocks"] == 2


def test_a_damaged_object_is_a_miss(stack: Stack) -> None:
    namespace, prompt, written = uuid4().hex, keys("a", COUNT), objects(COUNT, seed=1)
    writer, reader = stack.endpoints[:2]
    with adapter(stack, namespace=namespace, endpoints=[writer]) as made:
        assert made.store(prompt, written).is_successful()
    kind = names.kind(namespace, prompt[3], "a test", names.Layout.of(written[3].get_shapes(), written[3].get_dtypes()))
    damage(blob(stack.storage, kind.block(kind.pieces[0], prompt[3].chunk_hash).hash(0).hex()))
    with adapter(stack, namespace=namespace, endpoints=[reader]) as made:
        read = objects(COUNT)
        assert made.load(prompt, read) == [i != 3 for i in range(COUNT)]
        good = [i for i in range(COUNT) if i != 3]
        assert [content(read)[i] for i in good] == [content(written)[i] for i in good]
        assert made.status["damaged_blocks"] == 1


def test_a_store_that_is_away_is_a_miss_and_left_alone(stack: Stack) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        away = f"127.0.0.1:{unused.getsockname()[1]}"
        with adapter(stack, endpoints=[away], deadline_ms=2000) as made:
            for i in range(6):
                prompt = keys(str(i), 3)
                assert made.lookup(prompt) == [False] * 3
                assert made.load(prompt, objects(3)) == [False] * 3
                assert not made.store(prompt, objects(3, seed=1)).is_successful()
            assert (made.status["is_healthy"], made.status["breaker_open"]) == (True, 1)
            begun = time.monotonic()
            assert made.lookup(keys("more", 3)) == [False] * 3
            assert time.monotonic() - begun < 2


def test_a_store_that_is_killed_is_a_miss(lmcache: None, tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    with own(tmp_path) as harmed:
        monkeypatch.setenv("KV_API_KEY", harmed.key)
        prompt, written = keys("a", COUNT), objects(COUNT, seed=1)
        with adapter(harmed, deadline_ms=3000) as made:
            assert made.store(prompt, written).is_successful()
            made.wait_stored(prompt)
            for pid in harmed.pids:
                os.kill(pid, signal.SIGKILL)
            assert made.load(prompt, objects(COUNT)) == [False] * COUNT
            assert made.lookup(prompt) == [False] * COUNT


def test_a_wrong_key_is_a_miss(stack: Stack, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    namespace, prompt = uuid4().hex, keys("a", 2)
    with adapter(stack, namespace=namespace) as made:
        assert made.store(prompt, objects(2, seed=1)).is_successful()
    wrong = stack.key[:-1] + ("a" if stack.key[-1] != "a" else "b")
    monkeypatch.setenv("KV_API_KEY", wrong)
    with adapter(stack, namespace=namespace) as made:
        assert made.lookup(prompt) == [False, False]
        assert made.load(prompt, objects(2)) == [False, False]
        assert not made.store(prompt, objects(2, seed=1)).is_successful()
        assert made.status["errors.unauthenticated"] >= 3
    assert wrong not in caplog.text


def test_a_slow_store_is_not_waited_for_beyond_the_deadline(
    lmcache: None, tmp_path: pathlib.Path, monkeypatch: Any
) -> None:
    with own(tmp_path, "--added-storage-latency", "get=1s,put=0ms") as slow:
        monkeypatch.setenv("KV_API_KEY", slow.key)
        writer, reader = slow.endpoints
        namespace, prompt = uuid4().hex, keys("a", COUNT)
        with adapter(slow, namespace=namespace, endpoints=[writer]) as made:
            assert made.store(prompt, objects(COUNT, seed=1)).is_successful()
        with adapter(slow, namespace=namespace, endpoints=[reader], deadline_ms=300) as made:
            assert made.load(prompt, objects(COUNT)) == [False] * COUNT
            assert made.status["errors.deadline_exceeded"] >= 1


def test_writes_beyond_the_queue_are_dropped(stack: Stack) -> None:
    size = len(content(objects(1))[0])
    with adapter(stack, write_queue=2 * size) as made:
        prompt = keys("a", 4)
        assert not made.store(prompt, objects(4, seed=1)).is_successful()
        assert made.status["dropped_writes.queue_full"] >= 1
        assert made.status["write_queue_bytes"] == 0
        assert made.store(prompt[:2], objects(2, seed=1)).is_successful()


def test_a_serde_is_left_alone_and_the_log_says_why(stack: Stack, caplog: Any) -> None:
    import torch

    with adapter(stack) as made:
        prompt, encoded = keys("a", 1), objects(1, seed=1, kind=torch.uint8, shape=(1000,))
        assert not made.store(prompt, encoded).is_successful()
        assert made.load(prompt, encoded) == [False]
    assert "take it out of --l2-adapter" in caplog.text


def test_read_only_and_write_only(stack: Stack) -> None:
    namespace, prompt = uuid4().hex, keys("a", 2)
    with adapter(stack, namespace=namespace, read_only=True) as made:
        result = made.store(prompt, objects(2, seed=1))
        assert (result.is_successful(), result.bytes_transferred()) == (True, 0)
        assert made.lookup(prompt) == [False, False]
    with adapter(stack, namespace=namespace, write_only=True) as made:
        assert made.store(prompt, objects(2, seed=1)).is_successful()
        assert made.lookup(prompt) == [False, False]
        assert made.load(prompt, objects(2)) == [False, False]


def test_a_wrong_setting_ends_the_server_and_is_named(stack: Stack) -> None:
    with pytest.raises(ValueError, match="endpoint: is no setting"), adapter(stack, endpoint="a:1"):
        pass


def test_nothing_is_touched_after_close(stack: Stack) -> None:
    namespace, prompt = uuid4().hex, keys("a", COUNT)
    with adapter(stack, namespace=namespace) as made:
        made.store(prompt, objects(COUNT, seed=1))
        read = objects(COUNT, seed=2)
        made.made.submit_load_task(prompt, read)
    after = content(read)
    time.sleep(1)  # what must not happen has a second to happen
    assert content(read) == after
