"""The cost model hears of all fetches at the same time, by the times that the agent tells."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from kvstore_client.agent import Progress

from kvstore_vllm.cost import CostModel, Verdict
from kvstore_vllm.meter import FetchMeter

BLOCK, DEADLINE = 128, 2.0


def progress(ready: int, seconds: float, *, done: bool = True, broken: bool = False, found: int = 8) -> Progress:
    return Progress(done, found, ready, (), 1, None, broken, seconds)


def telling(of: Callable[[str], Progress]) -> Any:
    return SimpleNamespace(progress=of)


def prefills(model: CostModel, rate: float) -> None:
    for i in range(3):
        model.step_ends(model.step_begins(1000, float(i)), i + 1000 / rate)


def test_a_burst_that_ends_at_once_is_measured_as_a_whole_and_when_it_came() -> None:
    model = CostModel()
    prefills(model, 5000)
    told = {str(i): progress(8, 0.5) for i in range(16)}
    meter = FetchMeter(model, telling(told.__getitem__), BLOCK, DEADLINE)
    for name in told:
        meter.begins(name, Verdict.FETCH, 8, 0, 10.0)
    meter.ends("3", told["3"], 13.0)  # its request was asked for earlier than the others
    meter.ends("4", told["4"], 13.0)
    meter.ends("5", told["5"], 13.0)
    assert meter.look(13.0) == []  # the engine stood still for 2.5 s
    assert round(model.rates()[0]) == 16 * 8 * BLOCK / 0.5
    assert not model.paused


def test_a_deadline_that_the_agent_broke_says_nothing_about_the_store() -> None:
    for broken in (True, False):
        model = CostModel()
        told = progress(0, DEADLINE, found=0, broken=broken)
        meter = FetchMeter(model, telling(lambda _, told=told: told), BLOCK, DEADLINE)  # type: ignore[misc]
        for i in range(9):
            meter.begins(str(i), Verdict.FETCH, 8, 0, 10.0 + i)
            meter.look(12.0 + i)
        assert model.paused != broken


def test_probes_that_ended_are_told_once() -> None:
    model = CostModel()
    model.paused = True
    told = {"one": progress(2, 0.1, done=False), "two": progress(8, 0.2)}
    meter = FetchMeter(model, telling(told.__getitem__), BLOCK, DEADLINE)
    for name in told:
        meter.begins(name, Verdict.PROBE, 8, 0, 10.0)
    assert meter.look(10.2) == ["two"]
    assert model.paused, "one is under way"
    told["one"] = progress(8, 0.3)
    assert meter.look(10.4) == ["one"]
    assert not model.paused
    assert meter.look(10.5) == []
    meter.drops("one", 10.6)
