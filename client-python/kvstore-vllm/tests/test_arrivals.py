"""Saves are told when they have arrived, and what fails drops nothing but itself."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import pytest

from kvstore_vllm.arrivals import Arrivals


class Memory:
    """Something that must not stay."""


def test_whatever_fails_the_next_saves_arrive_and_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    told: list[tuple[str, bool]] = []

    def fails(*_: Any) -> None:
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    def then(name: str) -> Any:
        return lambda arrived: told.append((name, arrived))

    arrivals = Arrivals()
    arrivals.expect(fails, None, [then("lost"), then("lost too")])
    arrivals.expect(lambda: None, None, [fails, then("beside it")])
    arrivals.expect(fails, None, [then("lost again")])
    arrivals.expect(lambda: None, None, [then("good")])
    arrivals.close()
    assert told == [
        ("lost", False),
        ("lost too", False),
        ("beside it", True),
        ("lost again", False),
        ("good", True),
    ]
    assert arrivals.waiting == 0
    assert [message for message in caplog.messages if "illegal memory access" in message] == [
        "KV Store: blocks were not copied and are not stored"
        " (RuntimeError: CUDA error: an illegal memory access was encountered)"
    ]


def test_nothing_stays_of_a_save_that_arrived() -> None:
    arrived = threading.Event()
    memory = Memory()
    gone = threading.Event()
    weakref.finalize(memory, gone.set)
    arrivals = Arrivals()
    arrivals.expect(lambda: None, memory, [lambda _, memory=memory: arrived.set()])  # type: ignore[misc]
    del memory
    assert arrived.wait(60)
    assert gone.wait(60)
    arrivals.close()
