"""Fetching pauses while computing is faster, and finds out when that changes."""

from __future__ import annotations

from kvstore_vllm.cost import CostModel


def steps(model: CostModel, tokens: int, seconds: float, count: int = 3) -> None:
    for i in range(count):
        model.step_begins(100.0 * i, tokens)
        model.step_ends(100.0 * i + seconds)


def test_nothing_is_paused_before_it_was_measured() -> None:
    model = CostModel()
    steps(model, 1000, 0.1)
    assert model.admits()
    model.fetched(1000, 10)
    model.fetched(1000, 10)
    assert not model.paused


def test_slow_fetches_pause_and_are_tried_now_and_then() -> None:
    model = CostModel()
    steps(model, 1000, 0.1)
    for _ in range(3):
        model.fetched(1000, 1.0)
    assert model.paused
    assert [model.admits() for _ in range(64)].count(True) == 2
    for _ in range(20):
        model.fetched(1000, 0.05)
    assert not model.paused
    assert all(model.admits() for _ in range(64))


def test_steps_that_decode_say_nothing() -> None:
    model = CostModel()
    steps(model, 8, 0.0001, 50)
    assert model.rates() == (0, 0)


def test_it_can_be_switched_off() -> None:
    model = CostModel(enabled=False)
    steps(model, 1000, 0.1)
    for _ in range(3):
        model.fetched(1000, 1.0)
    assert not model.paused
    assert model.admits()
