"""The books of slots, the breaker and the memory of stored blocks, without a process."""

from __future__ import annotations

import mmap
import os
import platform
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kvstore_client.agent import memory
from kvstore_client.agent.memory import SlotPool
from kvstore_client.agent.recent import Recent
from kvstore_client.agent.slots import Slots
from kvstore_client.breaker import Breaker
from kvstore_client.errors import NotFoundError, UnavailableError

STEPS = st.lists(st.tuples(st.sampled_from(["take", "give", "fill", "pin", "unpin"]), st.integers(0, 99)), max_size=80)


def test_a_block_that_two_requests_hold_stays_until_both_released_it() -> None:
    slots = Slots(1)
    slot = slots.take()
    assert slot is not None
    slots.fill(slot, b"one", 1)
    slots.pin(slot)
    slots.pin(slot)
    slots.unpin(slot)
    assert slots.take() is None
    slots.unpin(slot)
    assert slots.take() == slot


@given(st.integers(1, 6), STEPS)
def test_a_slot_is_in_one_state_and_pinned_blocks_stay(size: int, steps: list[tuple[str, int]]) -> None:
    slots, number = Slots(size), 0
    taken: list[int] = []
    pins: dict[bytes, int] = {}
    held: dict[bytes, int] = {}
    for step, choice in steps:
        if step == "take":
            slot = slots.take()
            free = size - len(taken) - len(held)
            if slot is None:
                assert free == 0 and all(pins.get(name) for name in held)
                continue
            assert slot not in taken
            evicted = [name for name, where in held.items() if where == slot]
            assert not evicted or (free == 0 and not pins.get(evicted[0]))
            for name in evicted:
                del held[name]
                assert slots.find(name) is None
            taken.append(slot)
        elif step in ("give", "fill") and taken:
            slot = taken.pop(choice % len(taken))
            if step == "give":
                slots.give_back(slot)
            else:
                number += 1
                held[b"%d" % number] = slot
                slots.fill(slot, b"%d" % number, 1)
        elif step == "pin" and held:
            name = sorted(held)[choice % len(held)]
            pins[name] = pins.get(name, 0) + 1
            slots.pin(held[name])
        elif step == "unpin":
            names = sorted(name for name in held if pins.get(name))
            if names:
                name = names[choice % len(names)]
                pins[name] -= 1
                slots.unpin(held[name])
        assert {name: slots.find(name) for name in held} == held
        counts = slots.counts()
        assert sum(counts.values()) == size and counts["taken"] == len(taken)
        assert counts["pinned"] == sum(1 for name in held if pins.get(name))


def test_the_block_that_was_used_longest_ago_makes_room() -> None:
    slots = Slots(3)
    for name in (b"a", b"b", b"c"):
        slot = slots.take()
        assert slot is not None
        slots.fill(slot, name, 1)
    first = slots.find(b"a")
    assert first is not None
    slots.pin(first)
    slots.unpin(first)
    assert slots.take() is not None
    assert [slots.find(name) is None for name in (b"a", b"b", b"c")] == [False, True, False]


def test_five_errors_in_ten_seconds_open_the_breaker() -> None:
    breaker, error = Breaker(), UnavailableError("away")
    for second in range(5):
        assert not breaker.failed(error, 3.0 * second), "five errors in 12 s"
        breaker.succeeded()
    assert not any(breaker.failed(NotFoundError("none"), 12.0) for _ in range(9))
    assert breaker.failed(error, 13.0)
    assert breaker.open and not breaker.failed(error, 13.5), "it opens once"
    breaker.close()
    breaker.succeeded()
    assert not breaker.open and not breaker.failed(error, 14.0)


def test_few_blocks_are_remembered_and_from_the_start_on() -> None:
    recent = Recent(3)
    names = [bytes([i]) * 32 for i in range(5)]
    recent.add(b"".join(names[:3]))
    assert recent.prefix(b"".join(names)) == 3
    recent.discard(names[1][:16])
    assert recent.prefix(b"".join(names)) == 1
    recent.add(b"".join(names[3:]))
    assert recent.prefix(names[0]) == 0, "it was used longest ago"


@pytest.mark.skipif(
    tuple(map(int, platform.release().split(".")[:2])) < (5, 14),
    reason="Linux before 5.14 makes pages when they are used",
)
def test_pages_are_made_when_that_is_asked_for() -> None:
    fd = memory.create(1025 * mmap.PAGESIZE)
    try:
        pool = SlotPool(fd, 1025, mmap.PAGESIZE, mmap.PAGESIZE, 7)
        assert os.fstat(fd).st_blocks == 0
        given_up = threading.Event()
        given_up.set()
        pool.populate(given_up)
        assert os.fstat(fd).st_blocks == 0
        pool.populate(threading.Event())
        assert os.fstat(fd).st_blocks * 512 == pool.size
    finally:
        os.close(fd)


def test_the_memory_cannot_be_made_shorter_and_is_in_no_folder() -> None:
    fd = memory.create(4 * mmap.PAGESIZE)
    try:
        pool = SlotPool(fd, 4, 1000, mmap.PAGESIZE, 7)
        with pytest.raises(PermissionError):
            os.ftruncate(fd, 0)
        assert "memfd:" in os.readlink(f"/proc/self/fd/{fd}")
    finally:
        os.close(fd)
    pool.view(1)[:] = b"x" * 1000
    assert bytes(pool.view(1)) == b"x" * 1000 and bytes(pool.view(0)) == bytes(1000)
    assert (pool.size, pool.address % mmap.PAGESIZE) == (4 * mmap.PAGESIZE, 0)
    for slot in (-1, 4):
        with pytest.raises(IndexError):
            pool.view(slot)
