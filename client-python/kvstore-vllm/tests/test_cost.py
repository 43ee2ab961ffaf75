"""Fetching pauses while computing is faster, and goes on when that changes: in virtual time, however many requests."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workload import Workload

from kvstore_vllm.cost import CostModel, Verdict

CLIENTS = st.sampled_from([1, 2, 5, 16, 48])
TOKENS = st.sampled_from([600, 1000, 3000, 9000])
ENGINE = st.sampled_from([700.0, 12_000.0, 40_000.0])


@settings(max_examples=40, deadline=None)
@given(CLIENTS, TOKENS, ENGINE, st.sampled_from([0.05, 0.3, 0.7, 1.4, 3.0, 16.0]), st.booleans(), st.booleans())
def test_fetching_pauses_if_and_only_if_it_is_slower(
    clients: int, tokens: int, engine: float, times: float, ahead: bool, decodes: bool
) -> None:
    work = Workload(clients, engine * times, engine, tokens, ahead=ahead, decoding=0.02 if decodes else 0.0)
    while work.model._prefill.count < 3:  # prompts that nobody had computed before
        work.model.paused = True
        work.run(4 * clients)
    work.model.paused = False
    work.run(100 + 4 * clients)
    work.run(4 * clients)
    assert work.model.paused == (times < 1), work.model.rates()
    fetched = work.verdicts.count(Verdict.FETCH)
    assert fetched == (0 if times < 1 else 4 * clients)


@settings(max_examples=15, deadline=None)
@given(CLIENTS, TOKENS, ENGINE, st.booleans())
def test_a_pause_ends_when_the_store_is_faster_and_begins_when_it_is_slower(
    clients: int, tokens: int, engine: float, ahead: bool
) -> None:
    work = Workload(clients, engine / 5, engine, tokens, ahead=ahead)
    work.model.paused = True
    work.run(4 * clients + 8)
    work.model.paused = False
    for times in (0.2, 4.0, 0.2, 4.0):
        work.store = times * engine
        work.run(500 + 8 * clients)
        assert work.model.paused == (times < 1), (times, work.model.rates())


@settings(max_examples=15, deadline=None)
@given(CLIENTS, TOKENS, ENGINE, st.booleans(), st.booleans())
def test_a_store_that_is_always_late_is_paused_after_a_few_requests_and_probes_do_not_wait(
    clients: int, tokens: int, engine: float, ahead: bool, was_fast: bool
) -> None:
    work = Workload(clients, 50 * engine, engine, tokens, deadline=2.0, ahead=ahead)
    if was_fast:
        work.run(100 + clients)
        assert not work.model.paused
    work.latency = 3.0
    work.run(200 + 4 * clients)
    assert work.model.paused
    assert len(work.waits) <= 3 + 2 * clients
    assert Verdict.PROBE in work.verdicts
    work.latency = 0.0
    work.run(200 + 4 * clients)
    assert not work.model.paused


@pytest.mark.parametrize("ahead", [False, True])
def test_it_counts_how_many_requests_there_are_at_the_moment(ahead: bool) -> None:
    """A store that takes 0.1 s for each, however many: slower than computing one prompt, faster than computing 16."""
    work = Workload(1, 1e9, 20_000.0, 1000, latency=0.1, ahead=ahead)
    work.model.paused = True
    work.run(8)
    work.model.paused = False
    for clients in (1, 16, 1, 16):
        work.clients = work._idle = clients
        work.run(200)
        assert work.model.paused == (clients == 1), work.model.rates()


def test_a_step_is_measured_by_its_own_output() -> None:
    model = CostModel()
    for i in range(3):
        # A step of decoding runs for 3 ms. Meanwhile a step of 2,048 tokens is scheduled, which takes 100 ms.
        at = float(i)
        assert model.step_begins(8, at) == 0
        number = model.step_begins(2048, at + 0.001)
        model.step_ends(0, at + 0.003)
        assert model.step_begins(8, at + 0.004) == 0
        model.step_ends(number, at + 0.103)
        model.step_ends(0, at + 0.106)
    assert model.rates()[1] == pytest.approx(20_480)


def test_outputs_that_never_come_are_forgotten() -> None:
    model = CostModel()
    numbers = [model.step_begins(1000, 0.1 * i) for i in range(200)]
    model.step_ends(numbers[0], 100.0)
    assert model.rates()[1] == 0, "it is too old"
    model.step_ends(numbers[-2], 101.0)
    model.step_ends(numbers[-1], 101.1)
    assert model.rates()[1] == pytest.approx(2000 / 1.1, rel=0.2)
    assert not model._steps


def test_a_store_that_has_nothing_is_not_slow_unless_the_prompt_were_computed_by_then() -> None:
    model = CostModel()
    for i in range(3):
        model.step_ends(model.step_begins(1000, float(i)), i + 0.1)
    for i in range(50):
        model.ends(model.begins(Verdict.FETCH, 3000, float(i)), i + 0.005, late=False)
        model.judge(i + 0.005)
    assert not model.paused
    for i in range(3):
        model.ends(model.begins(Verdict.FETCH, 3000, 100.0 + i), 100.9 + i, late=False)
    model.judge(103.0)
    assert model.paused


def test_a_probe_whose_request_ends_early_does_not_end_probes() -> None:
    model = CostModel()
    model.paused = True
    for i in range(20):
        now = 1000.0 * (i + 1)
        verdict = model.admits(now)
        assert verdict is Verdict.PROBE
        model.drops(model.begins(verdict, 1000, now), now + 1)
        model.judge(now + 1)
    assert model.paused


def test_one_request_of_32_is_a_probe() -> None:
    model = CostModel()
    for i in range(3):
        model.ends(model.begins(Verdict.FETCH, 1000, float(i)), i + 0.5, late=True)
    model.judge(3.0)
    assert model.paused
    verdicts = []
    for _ in range(96):
        verdicts.append(model.admits(3.0))
        if verdicts[-1] is Verdict.PROBE:
            model.ends(model.begins(Verdict.PROBE, 1000, 3.0), 3.001, late=False)
            model.judge(3.001)
    assert [i for i, one in enumerate(verdicts, 1) if one is Verdict.PROBE] == [32, 64, 96]


def test_it_can_be_switched_off() -> None:
    work = Workload(4, 10.0, 10_000.0, 1000, deadline=2.0, model=CostModel(enabled=False))
    work.run(100)
    assert not work.model.paused
    assert set(work.verdicts) == {Verdict.FETCH}
