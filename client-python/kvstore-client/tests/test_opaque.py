"""Objects under opaque keys, against a scripted data plane: names, settings, and what never reaches the engine."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from plane import Plane, planes

from kvstore_client import (
    DeadlineExceededError,
    KvError,
    NotFoundError,
    Partition,
    UnauthenticatedError,
    UnavailableError,
)
from kvstore_client.opaque import Entry, ObjectKind, OpaqueStore, StoreSettings, partition_name
from kvstore_client.opaque.watch import Watch

ENVIRONMENT = {"KV_API_KEY": "kv_a_b", "KV_ENDPOINTS": "127.0.0.1:1, 127.0.0.1:2", "KV_RESOURCE": "demo"}
KIND = ObjectKind("model", 32, (1000, 600), affinity="model")


@pytest.fixture
def plane(pb: Any) -> Iterator[Plane]:
    with planes(pb) as made:
        yield made


def store(plane: Plane, **settings: Any) -> OpaqueStore:
    told = {"endpoints": (plane.address,), "resource": "demo", "key": "kv_a_b", "deadline": 30.0, **settings}
    return OpaqueStore(StoreSettings(**told))


def keys(count: int, kind: ObjectKind = KIND) -> list[bytes]:
    return [hashlib.sha512(bytes([i])).digest()[: kind.key_bytes] for i in range(count)]


def entries(count: int, kind: ObjectKind = KIND, fill: int = 0) -> list[Entry]:
    return [
        Entry(kind, key, tuple(bytearray([fill and fill + i]) * size for size in kind.runs))
        for i, key in enumerate(keys(count, kind))
    ]


def contents(some: list[Entry]) -> list[list[bytes]]:
    return [[bytes(run) for run in entry.runs] for entry in some]


# --- names ---


def test_a_key_is_the_tokens_of_a_first_block() -> None:
    key = bytes(range(32))
    piece = KIND.pieces[1]
    root = Partition("model/k32/1of2", 8).root
    name = hashlib.sha256(b"kvstore.block.v1" + root + bytes(4) + key).digest()
    assert piece.partition == Partition("model/k32/1of2", 8)
    assert KIND.location(piece, key) == b"\x01" + root + name
    block = KIND.block(piece, key)
    assert (block.location(0), block.tokens(0), block.parent(0)) == (KIND.location(piece, key), key, root)
    prompt = KIND.prompt(piece, [key, key[::-1]])
    assert prompt.locations() == [KIND.location(piece, one) for one in (key, key[::-1])]


def test_keys_of_other_lengths_do_not_meet() -> None:
    short, padded = ObjectKind("m", 5, (1,), "a"), ObjectKind("m", 8, (1,), "a")
    assert short.packed(b"abcde") == padded.packed(b"abcde\0\0\0")
    assert short.pieces[0].partition.root != padded.pieces[0].partition.root
    with pytest.raises(ValueError, match="key: has 4 bytes; keys of m have 5"):
        short.packed(b"abcd")


def test_a_run_beyond_64_mib_is_cut_into_equal_pieces() -> None:
    big = ObjectKind("m", 8, (100, (128 << 20) + 1), "a")
    assert [(piece.run, piece.start, piece.end) for piece in big.pieces] == [
        (0, 0, 100),
        (1, 0, 44_739_243),
        (1, 44_739_243, 89_478_486),
        (1, 89_478_486, 134_217_729),
    ]


@pytest.mark.parametrize(
    ("name", "key_bytes", "runs"),
    [("m", 8, ()), ("m", 8, (0,)), ("m", 0, (1,)), ("a" * 600, 8, (1,)), ("m\n", 8, (1,))],
)
def test_a_kind_that_breaks_a_rule_is_refused(name: str, key_bytes: int, runs: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=":"):
        ObjectKind(name, key_bytes, runs, "a")


def test_names_that_are_cut_or_changed_stay_apart() -> None:
    assert partition_name("a", "b") == "a/b"
    names = [
        partition_name("a" * 600, "b"),
        partition_name("a" * 600, "c"),
        partition_name("a\n"),
        partition_name("a\t"),
    ]
    assert len(set(names)) == 4
    assert all(len(ObjectKind(name, 32_768, (1,), "a").pieces) == 1 for name in names)


# --- operations ---


def test_what_was_written_is_read_byte_for_byte(plane: Plane) -> None:
    made = store(plane)
    written = entries(10, fill=1)
    assert made.write(written).result() == [True] * 10
    read = entries(10)
    assert made.read(read).result() == [True] * 10
    assert contents(read) == contents(written)
    assert made.stats()["write_queue_bytes"] == 0
    made.close()


def test_all_prompts_are_looked_up_in_one_call(plane: Plane) -> None:
    made = store(plane)
    other = ObjectKind("other", 32, (77,), "other")
    made.write(entries(3, fill=1)).result()
    made.write(entries(5, other, fill=1)).result()
    asked = [(KIND, keys(6)), (other, keys(6)), (ObjectKind("third", 32, (77,), ""), keys(6))]
    assert made.lookup(asked).result() == [3, 5, 0]
    assert plane.lookups == 1
    assert made.lookup([]).result() == []
    made.close()


def test_an_object_is_read_where_it_was_written(plane: Plane, pb: Any) -> None:
    with planes(pb) as second:
        made = store(plane, endpoints=(plane.address, second.address))
        assert all(made.write(entries(40, fill=1)).result())
        assert all(made.read(entries(40)).result())
        made.close()
        for one in (plane, second):
            assert sorted(one.reads) == sorted(one.writes) != []


def test_an_object_of_which_a_piece_is_missing_is_not_there(plane: Plane) -> None:
    made = store(plane)
    made.write(entries(4, fill=1)).result()
    piece = KIND.pieces[1]
    del plane._blocks[KIND.block(piece, keys(4)[2]).hash(0)]
    assert made.lookup([(KIND, keys(4))]).result() == [2]
    assert made.read(entries(4)).result() == [True, True, False, True]
    made.close()


def test_memory_of_another_length_is_a_miss(plane: Plane) -> None:
    made = store(plane)
    made.write(entries(1, fill=1)).result()
    wrong = [Entry(KIND, keys(1)[0], (bytearray(1000), bytearray(601)))]
    assert made.read(wrong).result() == [False]
    assert made.write(wrong).result() == [False]
    assert made.read([Entry(KIND, b"short", (bytearray(1000), bytearray(600)))]).result() == [False]
    assert made.stats()["errors.flaw"] == 3
    made.close()


def test_at_the_deadline_what_arrived_counts_and_nothing_is_touched_any_more(plane: Plane) -> None:
    made = store(plane, deadline=1.0)
    one = ObjectKind("one", 32, (5000,), "one")
    first = keys(1, one)[0]
    late = next(key for key in keys(200, one) if one.group(key) == one.group(first) and key != first)
    written = [Entry(one, key, (b"x" * 5000,)) for key in (first, late)]
    assert all(made.write(written).result())
    plane.hold_read[one.block(one.pieces[0], late).hash(0)] = threading.Event()
    memory = bytearray(5000), bytearray(5000)
    assert made.read([Entry(one, first, (memory[0],)), Entry(one, late, (memory[1],))]).result() == [True, False]
    assert made.stats()["errors.deadline_exceeded"] == 1  # and not given up for the silence of the data plane
    assert [bytes(one) for one in memory] == [b"x" * 5000, bytes(5000)]
    plane.hold_read.popitem()[1].set()
    made.close()
    assert bytes(memory[1]) == bytes(5000)


def test_writes_beyond_the_queue_are_dropped(plane: Plane) -> None:
    made = store(plane, write_queue=3 * 1600)
    plane.hold_writes.clear()
    call = made.write(entries(5, fill=1))
    assert made.stats()["dropped_writes.queue_full"] == 2
    plane.hold_writes.set()
    assert call.result()[3:] == [False, False]
    assert made.stats()["write_queue_bytes"] == 0
    made.close()


def test_a_write_that_waited_too_long_is_dropped(plane: Plane) -> None:
    now = [0.0]
    told = StoreSettings(endpoints=(plane.address,), resource="demo", key="kv_a_b", connections=1)
    made = OpaqueStore(told, clock=lambda: now[0])
    plane.hold_writes.clear()
    calls = [made.write([entry]) for entry in entries(2, fill=1)]
    assert plane.writing.wait(60)
    now[0] = 61.0  # the first write is under way, the second one waits
    plane.hold_writes.set()
    assert calls[1].result() == [False]
    assert made.stats()["dropped_writes.late"] == 1
    made.close()


def test_behind_a_write_that_failed_no_more_are_begun(plane: Plane) -> None:
    made = store(plane, connections=1)
    plane.away = True
    assert made.write(entries(20, fill=1)).result() == [False] * 20
    assert made.stats()["errors.unavailable"] == 1
    made.close()


def test_roles(plane: Plane) -> None:
    reader, writer = store(plane, write=False), store(plane, read=False)
    assert reader.write(entries(1, fill=1)).result() == [False]
    assert writer.write(entries(1, fill=1)).result() == [True]
    assert writer.read(entries(1)).result() == [False]
    assert writer.lookup([(KIND, keys(1))]).result() == [0]
    assert reader.lookup([(KIND, keys(1))]).result() == [1]
    reader.close()
    writer.close()


def test_after_close_all_is_a_miss(plane: Plane) -> None:
    made = store(plane)
    made.write(entries(1, fill=1)).result()
    made.close()
    assert made.lookup([(KIND, keys(1))]).result() == [0]
    assert made.read(entries(1)).result() == [False]
    assert made.write(entries(1, fill=1)).result() == [False]


def test_close_ends_what_is_under_way(plane: Plane) -> None:
    made = store(plane)
    made.write(entries(1, fill=1)).result()
    plane.hold_read[KIND.block(KIND.pieces[0], keys(1)[0]).hash(0)] = threading.Event()
    plane.reading.clear()
    call = made.read(entries(1))
    assert plane.reading.wait(60)
    begun = time.monotonic()
    made.close()
    assert call.result() == [False]
    assert time.monotonic() - begun < 25  # seconds; the deadline is 30


# --- away ---


def test_a_service_that_is_away_is_left_alone_until_a_trial_succeeds() -> None:
    now = [0.0]
    watch = Watch(lambda: now[0])
    for _ in range(5):
        assert watch.allows()
        watch.ended(UnavailableError("away"))
    assert not watch.allows()
    now[0] = 5.0
    assert watch.allows()  # one trial
    assert not watch.allows()
    watch.ended(DeadlineExceededError("away"))
    now[0] = 9.0
    assert not watch.allows()
    now[0] = 10.0
    assert watch.allows()
    watch.ended(None)
    assert watch.allows()
    assert watch.counters()["breaker_open"] == 0


def test_reads_that_are_always_late_open_the_breaker_though_lookups_are_in_time() -> None:
    now = [0.0]
    watch = Watch(lambda: now[0])
    for _ in range(5):
        assert watch.allows()
        watch.ended(None, "lookup")
        now[0] += 3
        watch.ended(DeadlineExceededError("late"), "read")
    assert not watch.allows()


def test_an_error_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    watch = Watch(lambda: now[0])
    failures: list[KvError] = [UnauthenticatedError("no such key"), NotFoundError("no such block")]
    with caplog.at_level(logging.WARNING, "kvstore.opaque"):
        for at in (0.0, 1.0, 59.0, 61.0):
            now[0] = at
            for failure in failures:
                watch.block_failed(failure)
    assert caplog.messages == ["KV Store: UNAUTHENTICATED: no such key"] * 2
    assert watch.counters()["errors.unauthenticated"] == 4


# --- settings ---


def test_the_environment_is_enough() -> None:
    made = StoreSettings.of({}, environment=ENVIRONMENT)
    assert (made.endpoints, made.resource, made.key) == (("127.0.0.1:1", "127.0.0.1:2"), "demo", "kv_a_b")
    assert (made.read, made.write, made.deadline, made.write_queue) == (True, True, 2.0, 1 << 30)
    assert "kv_a_b" not in repr(made)


def test_the_configuration_goes_before_the_environment() -> None:
    told = {"control_plane": ["c:3"], "resource": "other", "deadline_ms": 500, "write_queue": "2GiB", "read_only": True}
    made = StoreSettings.of({**told, "of_engine": 1}, others=("of_engine",), environment=ENVIRONMENT)
    assert (made.control_plane, made.endpoints, made.resource) == (("c:3",), (), "other")
    assert (made.deadline, made.write_queue, made.read, made.write) == (0.5, 2 << 30, True, False)


def test_a_key_file_goes_before_the_key(tmp_path: Any) -> None:
    file = tmp_path / "key"
    made = StoreSettings.of({"key_file": str(file)}, environment=ENVIRONMENT)
    assert made.key == ""
    with pytest.raises(ValueError, match="key_file"):
        made.client()
    file.write_text("kv_c_d\n", encoding="ascii")
    made.client().close()


@pytest.mark.parametrize(
    ("told", "missing", "message"),
    [
        ({"hosts": 1}, "", "hosts: is no setting; known are"),
        ({"key": "kv_x"}, "", "key: is no setting"),
        ({"write_queue": "much"}, "", "write_queue: must be a number of bytes"),
        ({"write_queue": True}, "", "write_queue"),
        ({"write_queue": 0}, "", "write_queue: must be more than 0"),
        ({"connections": 65}, "", "connections: must be 1 to 64"),
        ({"connections": "1"}, "", "connections: must be a whole number"),
        ({"deadline_ms": 0}, "", "deadline_ms: must be more than 0"),
        ({"deadline_ms": "1"}, "", "deadline_ms: must be a number"),
        ({"namespace": "a/b"}, "", "namespace: must not contain a slash"),
        ({"namespace": "a" * 65}, "", "namespace: must be at most 64 bytes"),
        ({"endpoints": [1]}, "", "endpoints: must be a list"),
        ({"endpoints": "a:1", "control_plane": "b:1"}, "", "endpoints: name data planes"),
        ({"read_only": True, "write_only": True}, "", "read_only: choose"),
        ({"read_only": "no"}, "", "read_only: must be true or false"),
        ({"cert_file": "a"}, "", "cert_file: give cert_key_file"),
        ({}, "KV_ENDPOINTS", "endpoints: name data planes"),
        ({}, "KV_RESOURCE", "resource: name the storage account"),
        ({}, "KV_API_KEY", "key_file: name a file"),
    ],
)
def test_flaws_are_named(told: dict[str, Any], missing: str, message: str) -> None:
    environment = {name: value for name, value in ENVIRONMENT.items() if name != missing}
    with pytest.raises(ValueError, match=f"^{message}"):
        StoreSettings.of(told, environment=environment)
