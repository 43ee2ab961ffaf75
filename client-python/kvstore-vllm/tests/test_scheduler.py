"""The scheduler's half with vLLM's own classes, driven as vLLM drives it: chunks, preemption, aborts, a failing agent.

Engine blocks and slots hold labels in place of bytes: the tokens up to the block's end. So a wrong block is noticed.
"""

from __future__ import annotations

import contextlib
import logging
import random
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kvstore_client import BlockChain, Partition
from kvstore_client.agent import NO_SLOT, AgentSettings, Progress
from kvstore_client.client import MAX_BLOCKS

pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")

from vllm.multimodal.inputs import MultiModalFeatureSpec, PlaceholderRange
from vllm.sampling_params import SamplingParams
from vllm.v1.core.sched.output import CachedRequestData, NewRequestData, SchedulerOutput
from vllm.v1.outputs import KVConnectorOutput
from vllm.v1.request import Request

from kvstore_vllm.messages import NO_POOL, Handshake, Orders, Report
from kvstore_vllm.request import Group
from kvstore_vllm.scheduler import SchedulerHalf
from kvstore_vllm.settings import Settings

BLOCK, SIZE = 128, 32
PER = BLOCK // SIZE


class LabelAgent:
    """The agent's methods over a dictionary of labels. How fast it is, and what it loses, is drawn."""

    def __init__(self, draw: random.Random, stored: dict[bytes, list[str]]) -> None:
        self.draw = draw
        self.stored = stored
        self.slots: dict[int, list[str]] = {}
        self.pinned: dict[str, list[int]] = {}
        self.fetches: dict[str, Progress] = {}
        self.next = 0

    def prefetch(
        self,
        request: str,
        chains: Sequence[BlockChain],
        *,
        expected_bytes: Sequence[int],
        deadline: float,
        skip: int,
        windows: Sequence[int],
    ) -> None:
        assert len(chains) == len(expected_bytes)
        assert request not in self.fetches
        whole = [chain for chain, window in zip(chains, windows, strict=True) if not window]
        found = 0
        while found < len(chains[0]) and all(chain.location(found) in self.stored for chain in whole):
            found += 1

        def first(window: int, end: int) -> int:
            return max(skip, end - window) if window else skip

        def there(end: int) -> bool:
            wanted = zip(chains, windows, strict=True)
            return all(chain.location(i) in self.stored for chain, w in wanted for i in range(first(w, end), end))

        ends = [end for end in range(skip, found + 1) if there(end)] or [skip]
        ready = (self.draw.choice(ends) if self.draw.random() < 0.3 else ends[-1]) - skip
        rows = []
        for i in range(skip, skip + ready):
            row = []
            for chain, window in zip(chains, windows, strict=True):
                if i < first(window, skip + ready):
                    row.append(NO_SLOT)
                    continue
                self.next += 1
                self.slots[self.next] = self.stored[chain.location(i)]
                self.pinned.setdefault(request, []).append(self.next)
                row.append(self.next)
            rows.append(tuple(row))
        self.fetches[request] = Progress(True, found, ready, tuple(rows), 1)

    def progress(self, request: str) -> Progress:
        fate = self.draw.random()
        if fate < 0.4 or request not in self.fetches:
            return Progress(request not in self.fetches, 0, 0, (), 1)
        return self.fetches[request]

    def release(self, request: str) -> None:
        self.fetches.pop(request, None)
        for slot in self.pinned.pop(request, ()):
            self.slots[slot] = ["another block"] * PER

    def wait(self, seconds: float) -> bool:
        return True

    def stats(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        pass


class Simulation:
    """As much of vLLM as matters here: requests in steps, block tables, engine blocks by their labels."""

    def __init__(self, draw: random.Random, names: Sequence[str], hang: bool) -> None:
        self.draw = draw
        self.now = 0.0
        self.stored: dict[bytes, list[str]] = {}
        self.agent = LabelAgent(draw, self.stored)
        if hang:
            self.agent.progress = lambda request: Progress(False, 0, 0, (), 1)  # type: ignore[method-assign]
        made = Settings(resource="r", endpoints=("a:1",), min_tokens=draw.choice([1, 100, 300]), deadline=2.0)
        self.half = SchedulerHalf(made, agent=self._agent, clock=lambda: self.now)
        self.half.workers(
            {(0, i): Handshake((Group(name, 1000, SIZE),), BLOCK, True, "h") for i, name in enumerate(names)}
        )
        self.faults = False
        self.partitions = [Partition(name) for name in names]
        self.waiting: list[Any] = []
        self.loading: dict[str, int] = {}
        self.running: list[Any] = []
        self.tables: dict[str, list[int]] = {}
        self.computed: dict[str, int] = {}
        self.fresh: set[str] = set()
        self.engine: dict[int, str] = {}
        self.free = list(range(1, 400))
        self.told: dict[str, bytes] = {}
        self.orders: dict[str, set[int]] = {}
        self.none: dict[str, float] = {}

    def _agent(self, settings: AgentSettings) -> Any:
        assert settings.slot_bytes == 1000
        return self.agent

    def add(self, name: str, tokens: list[int]) -> None:
        request = Request(name, tokens, SamplingParams(max_tokens=400), None)
        self.waiting.append(request)
        self.half.arrives(request)

    def step(self) -> None:
        """One step of the engine."""
        self.now += 0.1
        new: list[Any] = []
        cached = CachedRequestData.make_empty()
        scheduled: dict[str, int] = {}
        for request in list(self.running):
            self._go_on(request, cached, scheduled)
        for request in list(self.waiting):
            self._admit(request, new, cached, scheduled)
        output = SchedulerOutput.make_empty()
        output.scheduled_new_reqs, output.scheduled_cached_reqs = new, cached
        output.num_scheduled_tokens = scheduled
        output.total_num_scheduled_tokens = sum(scheduled.values())
        self._work(self.half.orders(output), scheduled)

    def _need(self, name: str, tokens: int) -> list[int] | None:
        missing = -(-tokens // SIZE) - len(self.tables[name])
        if missing > len(self.free):
            return None
        self.draw.shuffle(self.free)
        fresh = [self.free.pop() for _ in range(missing)]
        for block in fresh:
            self.engine[block] = "garbage"
        self.tables[name] += fresh
        return fresh

    def _go_on(self, request: Any, cached: Any, scheduled: dict[str, int]) -> None:
        name = request.request_id
        if self.draw.random() < 0.1:
            self._preempt(request)
            return
        tokens = min(request.num_tokens - self.computed[name], self.draw.choice([1, 64, 256, 1000]))
        fresh = self._need(name, self.computed[name] + tokens)
        if fresh is None:
            self._preempt(request)
            return
        cached.req_ids.append(name)
        cached.new_block_ids.append((fresh,) if fresh else None)
        cached.num_computed_tokens.append(self.computed[name])
        scheduled[name] = tokens

    def _preempt(self, request: Any) -> None:
        name = request.request_id
        self.free += self.tables[name]
        self.tables[name] = []
        self.computed[name] = 0
        self.running.remove(request)
        self.waiting.append(request)

    def _admit(self, request: Any, new: list[Any], cached: Any, scheduled: dict[str, int]) -> None:
        name = request.request_id
        if name in self.loading:
            return
        resumed = name in self.fresh
        if not self.computed.get(name):
            tokens, later = self.half.matched(request, 0)
            if tokens is None:
                assert later is False
                self.none.setdefault(name, self.now)
                assert self.now - self.none[name] < 3.5, "None for ever"
                return
            assert later == (tokens > 0)
            assert tokens % SIZE == 0
            assert tokens <= request.num_prompt_tokens
            self.tables[name] = []
            if tokens:
                if self.draw.random() < 0.2 or self._need(name, tokens) is None:
                    return  # no room: asked again
                self.half.allocated(request, (self.tables[name],), tokens)
                self.loading[name] = tokens
                return
        chunk = min(request.num_tokens - self.computed.get(name, 0), self.draw.choice([64, 256, 1000]))
        if self._need(name, self.computed.get(name, 0) + chunk) is None:
            return
        self.half.allocated(request, (self.tables[name],), 0)
        at, table = self.computed.get(name, 0), (list(self.tables[name]),)
        if resumed:
            cached.req_ids.append(name)
            cached.resumed_req_ids.add(name)
            cached.new_block_ids.append(table)
            cached.num_computed_tokens.append(at)
        else:
            self.fresh.add(name)
            new.append(NewRequestData(name, None, [], None, None, table, at, None))
        self.computed[name] = at
        scheduled[name] = chunk
        self.waiting.remove(request)
        self.running.append(request)

    def _work(self, orders: Orders, scheduled: dict[str, int]) -> None:
        """What workers do: loads, the forward pass, snapshots."""
        by_name = {request.request_id: request for request in [*self.waiting, *self.running]}
        received = set()
        for load in orders.loads:
            received.add(load.request)
            if load.generation == NO_POOL:
                assert {block for piece in load.pieces for block in piece.blocks} in (
                    set(),
                    set(self.tables[load.request]),
                )
                self.loading[load.request] = 0
                continue
            for piece in load.pieces:
                for i, block in enumerate(piece.blocks):
                    assert block in self.tables[load.request]
                    self.engine[block] = self.agent.slots[piece.slots[0]][piece.first + i]
            request, count = by_name[load.request], self.loading[load.request]
            for i in range(count // SIZE):
                assert self.engine[self.tables[load.request][i]] == self._at(request, i), "a wrong block was loaded"
        for name, tokens in scheduled.items():
            end = self.computed[name] + tokens
            for i in range(self.computed[name] // SIZE, end // SIZE):
                self.engine[self.tables[name][i]] = self._at(by_name[name], i)
        postponed: dict[str, int] = {}
        for store in orders.stores:
            self._store(store, by_name[store.request], postponed)
        if orders.finished:
            assert not set(orders.finished) & set(by_name)
            for name in orders.finished:
                self.told.pop(name, None)
        report = Report(postponed, step=orders.step) if postponed or orders.step else None
        self.half.step_ended(KVConnectorOutput(finished_recving=received, kv_connector_worker_meta=report))
        for name in received:
            request, tokens = by_name[name], self.loading.pop(name)
            self.computed[name] = tokens - (1 if tokens == request.num_tokens else 0)
            if tokens == 0:
                self.free += self.tables[name]
                self.tables[name] = []
            assert self.faults or name not in self.agent.pinned, "slots stay pinned after their load"
        for name, tokens in scheduled.items():
            self.computed[name] += tokens
            if self.computed[name] == by_name[name].num_tokens:
                by_name[name].append_output_token_ids(self.draw.randint(0, 9))

    def _at(self, request: Any, engine_block: int) -> str:
        tokens = (engine_block + 1) * SIZE
        assert tokens <= request.num_tokens
        return f"{hash(tuple(request.all_token_ids[:tokens]))}:{tokens}"

    def _store(self, store: Any, request: Any, postponed: dict[str, int]) -> None:
        self.told[store.request] = self.told.get(store.request, b"") + store.tokens
        known = self.told[store.request]
        assert len(known) >= 4 * BLOCK * (store.first + len(store.blocks))
        assert known == struct.pack(f"<{len(known) // 4}i", *request.all_token_ids[: len(known) // 4])
        assert len(store.extras) * 4 * BLOCK == len(store.tokens)
        chains = [BlockChain.of(partition, known) for partition in self.partitions]
        for i, (blocks,) in enumerate(store.blocks, store.first):
            if self.draw.random() < 0.1:
                postponed[store.request] = i
                return
            mine = self.orders.setdefault(store.request, set())
            assert i not in mine, "stored twice"
            mine.add(i)
            held = [self.engine[block] for block in blocks]
            assert held == [self._at(request, i * PER + k) for k in range(PER)], "poison"
            for chain in chains:
                self.stored[chain.location(i)] = held

    def end(self, request: Any) -> None:
        """The request finished or was aborted."""
        name = request.request_id
        self.half.ends(request)
        for group in (self.waiting, self.running):
            if request in group:
                group.remove(request)
        self.free += self.tables.pop(name, [])
        assert self.faults or name not in self.agent.pinned


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 3), st.booleans())
def test_no_wrong_block_is_loaded_or_stored(seed: int, ranks: int, hang: bool) -> None:
    simulation = Simulation(random.Random(seed), [f"rank{i}" for i in range(ranks)], hang)
    history(simulation)
    assert simulation.agent.pinned == {}
    assert simulation.told == {}


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 3), st.integers(0, 12_000))
def test_a_failure_inside_reaches_no_engine_and_makes_no_wrong_block(seed: int, ranks: int, call: int) -> None:
    simulation = Simulation(random.Random(seed), [f"rank{i}" for i in range(ranks)], False)
    simulation.faults = True
    with failing(call) as failed:
        history(simulation)
    told = simulation.half.stats()
    assert told
    assert told.data["counters"].get("errors/internal", 0) == len(failed)


@contextlib.contextmanager
def failing(call: int) -> Iterator[list[str]]:
    """Call number ``call`` of a function of the connector raises. Calls by vLLM and by the guard do not count."""
    left, failed = [call], list[str]()

    def trace(frame: Any, event: str, _: object) -> None:
        module, caller = frame.f_globals.get("__name__", ""), frame.f_back
        inner = module.startswith("kvstore_vllm.") and module != "kvstore_vllm.guard" and caller is not None
        if not inner or caller.f_globals.get("__name__", "") == __name__ or _recovers(frame):
            return
        left[0] -= 1
        if left[0] == 0:
            failed.append(frame.f_code.co_qualname if hasattr(frame.f_code, "co_qualname") else frame.f_code.co_name)
            raise RuntimeError("of a test")

    sys.settrace(trace)
    try:
        yield failed
    finally:
        sys.settrace(None)


def _recovers(frame: Any) -> bool:
    """Whether a call is part of counting a failure, or was made by Python itself."""
    while frame is not None and frame.f_globals.get("__name__", "").startswith("kvstore_vllm"):
        if frame.f_code.co_name in ("_note", "_drop", "__init__", "<genexpr>"):
            return True
        frame = frame.f_back
    return False


def history(simulation: Simulation) -> None:
    """Requests that come, run and end; some are aborted."""
    draw = simulation.draw
    base = [draw.randint(0, 1000) for _ in range(1200)]
    for i in range(12):
        tokens = base[: draw.choice([0, 128, 300, 640, 1000])] + [
            draw.randint(0, 9) for _ in range(draw.randint(1, 300))
        ]
        simulation.add(f"r{i}", tokens)
        for _ in range(draw.randint(1, 8)):
            simulation.step()
        for request in [*simulation.running, *simulation.waiting]:
            if draw.random() < 0.1 and request.request_id not in simulation.loading:
                simulation.end(request)
    for _ in range(60):
        simulation.step()
    for request in [*simulation.running, *simulation.waiting]:
        simulation.end(request)
    simulation.step()


def request(tokens: int = 1000, **options: Any) -> Any:
    return Request("r", list(range(tokens)), options.pop("params", SamplingParams(max_tokens=8)), None, **options)


def half(**options: Any) -> tuple[SchedulerHalf, LabelAgent]:
    agent = LabelAgent(random.Random(1), {})
    made = Settings(**{"resource": "r", "endpoints": ("a:1",), "min_tokens": 1, **options})
    one = SchedulerHalf(made, agent=lambda _: agent)  # type: ignore[arg-type, return-value]
    one.workers({(0, 0): Handshake((Group("p", 1000, SIZE),), BLOCK, True, "h")})
    return one, agent


@pytest.mark.parametrize(
    "asked",
    [
        request(params=SamplingParams(max_tokens=8, prompt_logprobs=1)),
        request(params=SamplingParams(max_tokens=8, skip_reading_prefix_cache=True)),
        request(params=SamplingParams(max_tokens=8, extra_args={"kv_transfer_params": {"kvstore": {"read": False}}})),
        request(resumable=True),
        request(127),
    ],
)
def test_requests_that_are_not_looked_up(asked: Any) -> None:
    one, agent = half()
    one.arrives(asked)
    assert one.matched(asked, 0) == (0, False)
    assert agent.fetches == {}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), 1 << 63) | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KVSTORE = st.dictionaries(st.sampled_from(["read", "write", "wirte"]), st.booleans() | ANYTHING, max_size=3)


@settings(max_examples=400, deadline=None)
@given(ANYTHING | st.fixed_dictionaries({"kvstore": KVSTORE | ANYTHING, "remote_host": ANYTHING}))
def test_no_value_of_a_caller_harms_the_engine_and_a_wrong_one_stores_nothing(params: Any) -> None:
    one, _ = half()
    asked = request(params=SamplingParams(max_tokens=8, extra_args={"kv_transfer_params": params}))
    one.arrives(asked)
    while one.matched(asked, 0) == (None, False):
        pass
    one.allocated(asked, (list(range(32)),), 0)
    stores = one.orders(first_step()).stores
    one.ends(asked)

    told = params.get("kvstore") if isinstance(params, dict) else None
    right = params is None or isinstance(params, dict)
    if told is not None:
        right = isinstance(told, dict) and all(k in ("read", "write") and type(v) is bool for k, v in told.items())
    tally = one.stats()
    assert tally
    assert tally.data["counters"].get("errors/request", 0) == (not right)
    assert bool(stores) == (right and (told or {}).get("write", True))


def first_step() -> SchedulerOutput:
    """A step that computes all of request "r"."""
    output = SchedulerOutput.make_empty()
    output.scheduled_new_reqs = [NewRequestData("r", None, [], None, None, (list(range(32)),), 0, None)]
    output.num_scheduled_tokens = {"r": 1000}
    return output


def test_a_prompt_beyond_the_bound_of_a_question_is_loaded_up_to_it() -> None:
    ranks = 8
    agent = LabelAgent(random.Random(1), {})
    one = SchedulerHalf(Settings(resource="r", endpoints=("a:1",)), agent=lambda _: agent)  # type: ignore[arg-type, return-value]
    one.workers({(0, i): Handshake((Group(f"p{i}", 1000, SIZE),), BLOCK, True, "h") for i in range(ranks)})
    asked = Request("r", [0] * 1_100_000, SamplingParams(max_tokens=8), None)
    lengths: list[int] = []
    agent.prefetch = lambda name, chains, **_: lengths.extend(map(len, chains))  # type: ignore[method-assign]

    one.arrives(asked)

    assert lengths == [MAX_BLOCKS // ranks] * ranks


def test_slots_of_an_aborted_load_stay_pinned_until_workers_are_done() -> None:
    one, agent = half()
    asked = request()
    chain = BlockChain.of(Partition("p"), range(1000))
    agent.stored.update({chain.location(i): ["x"] * PER for i in range(7)})
    one.arrives(asked)
    while (got := one.matched(asked, 0)) == (None, False):
        pass
    tokens = got[0]
    assert tokens
    assert got[1]
    one.allocated(asked, (list(range(28)),), tokens)
    one.ends(asked)
    assert agent.pinned
    one.step_ended(KVConnectorOutput(finished_recving={"r"}))
    assert agent.pinned == {}


@pytest.mark.parametrize("reads", [True, False])
def test_workers_are_told_once_where_the_blocks_of_all_ranks_go(reads: bool) -> None:
    agent = LabelAgent(random.Random(1), {})
    made = Settings(resource="r", endpoints=("a:1",), min_tokens=1, read=reads)
    one = SchedulerHalf(made, agent=lambda _: agent)  # type: ignore[arg-type, return-value]
    one.workers({(0, i): Handshake((Group(f"p{i}", 1000, SIZE),), BLOCK, True, "h") for i in range(2)})
    one.arrives(request())
    told = []
    for computed in (0, 512):
        output = SchedulerOutput.make_empty()
        output.scheduled_new_reqs = [NewRequestData("r", None, [], None, None, (list(range(32)),), computed, None)]
        output.num_scheduled_tokens = {"r": 512 if computed == 0 else 488}
        told += [store.heads for store in one.orders(output).stores]
    assert told == [BlockChain.of(Partition("p0"), range(1000)).hashes, b""]


def test_a_store_that_is_always_late_is_left_out_and_a_probe_does_not_wait() -> None:
    one, agent = half(deadline=2.0)
    agent.progress = lambda request: Progress(True, 0, 0, (), 1, None, False, 2.0)  # type: ignore[method-assign]
    told, asked = [], []
    for i in range(40):
        asked.append(request())
        asked[-1].request_id = f"r{i}"
        one.arrives(asked[-1])
        told.append((f"r{i}" in agent.fetches, one.matched(asked[-1], 0)))
        output = SchedulerOutput.make_empty()
        output.scheduled_new_reqs = [NewRequestData(f"r{i}", None, [], None, None, (list(range(32)),), 0, None)]
        output.num_scheduled_tokens = {f"r{i}": 1000}
        if i == 34:
            agent.progress = lambda request: Progress(False, 0, 0, (), 1)  # type: ignore[method-assign]
            assert one.orders(output).stores == [], "what the engine computes would be found by the probe"
            agent.progress = lambda request: Progress(True, 0, 0, (), 1, None, False, 2.0)  # type: ignore[method-assign]
        assert one.orders(output).stores
    assert [i for i, (fetched, _) in enumerate(told) if fetched] == [0, 1, 2, 34]
    assert all(found == (0, False) for _, found in told)
    assert agent.fetches == {}, "they were released"
    tally = one.stats()
    assert tally is not None
    assert (tally.data["counters"]["paused_requests/"], tally.data["counters"]["probed_requests/"]) == (36, 1)
    assert tally.data["gauges"]["paused/"] == 1


def test_a_step_is_measured_by_the_report_that_has_its_number() -> None:
    now = [0.0]
    agent = LabelAgent(random.Random(1), {})
    made = Settings(resource="r", endpoints=("a:1",), min_tokens=1)
    one = SchedulerHalf(made, agent=lambda _: agent, clock=lambda: now[0])  # type: ignore[arg-type, return-value]
    one.workers({(0, 0): Handshake((Group("p", 1000, SIZE),), BLOCK, True, "h")})
    for i in range(3):
        steps = []
        for tokens, at in ((1, 0.0), (2048, 0.001)):  # the second one begins while the first one runs
            now[0] = i + at
            output = SchedulerOutput.make_empty()
            output.num_scheduled_tokens = {"r": tokens}
            steps.append(one.orders(output).step)
        assert steps[0] == 0
        for step, at in zip(steps, (0.003, 0.103), strict=True):
            now[0] = i + at
            one.step_ended(KVConnectorOutput(kv_connector_worker_meta=Report({}, step=step) if step else None))
    now[0] = 10.0
    tally = one.stats()
    assert tally is not None
    assert round(tally.data["gauges"]["prefill_rate/"]) == 20_480


def test_nothing_is_fetched_or_stored_after_weights_were_replaced() -> None:
    one, agent = half()
    chain = BlockChain.of(Partition("p"), range(1000))
    agent.stored.update({chain.location(i): ["x"] * PER for i in range(7)})
    before, after = request(), request()
    after.request_id = "after"
    one.arrives(before)
    one.reset()
    assert agent.pinned == {}
    one.arrives(after)
    assert [one.matched(asked, 0) for asked in (before, after)] == [(0, False)] * 2
    assert one.orders(first_step()).stores == []


def reported(name: str, run: int, flaw: str = "") -> KVConnectorOutput:
    told = Handshake((Group(name, 1000, SIZE),), BLOCK, True, "h", flaw, run)
    return KVConnectorOutput(kv_connector_worker_meta=Report({}, (told,)))


def named(number: int) -> Any:
    asked = request()
    asked.request_id = f"r{number}"
    return asked


def test_after_a_reset_the_store_is_used_again_under_the_name_that_workers_tell() -> None:
    one, agent = half()
    names: list[str] = []
    agent.prefetch = lambda name, chains, **_: names.append(chains[0].partition.name)  # type: ignore[method-assign]
    one.arrives(named(0))
    one.reset()
    told = one.orders(SchedulerOutput.make_empty())
    assert (told.run, told.met) == (1, False)
    one.step_ended(reported("p", 0))  # of the step before
    one.arrives(named(1))
    one.step_ended(reported("p+other", 1))
    one.arrives(named(2))
    assert one.orders(SchedulerOutput.make_empty()).met
    assert names == ["p", "p+other"]


def test_after_a_reset_the_store_stays_unused_if_workers_cannot_see_the_weights() -> None:
    one, agent = half()
    one.reset()
    one.orders(SchedulerOutput.make_empty())
    one.step_ended(reported("", 1, "the weights cannot be looked at"))
    one.arrives(named(1))
    assert agent.fetches == {}
    assert one.orders(SchedulerOutput.make_empty()).met


@pytest.mark.parametrize("resets", [True, False], ids=["done", "refused"])
def test_a_reset_of_which_vllm_tells_nobody_is_seen(resets: bool) -> None:
    class Pool:
        def reset_prefix_cache(self) -> bool:
            return resets

    one, agent = half()
    pool = Pool()
    one.pool(pool)
    one.arrives(named(0))
    assert list(agent.fetches) == ["r0"]
    assert pool.reset_prefix_cache() is resets
    one.arrives(named(1))
    assert agent.fetches == {}
    assert one.orders(SchedulerOutput.make_empty()).run == 1
    assert one.orders(SchedulerOutput.make_empty()).run == 1


def test_workers_that_are_met_with_the_first_step() -> None:
    agent = LabelAgent(random.Random(1), {})
    made = Settings(resource="r", endpoints=("a:1",), min_tokens=1)
    one = SchedulerHalf(made, agent=lambda _: agent, late=True)  # type: ignore[arg-type, return-value]
    one.workers({(0, 0): object()})
    one.arrives(named(0))
    assert not one.orders(SchedulerOutput.make_empty()).met
    one.step_ended(reported("p", 0))
    one.arrives(named(1))
    assert list(agent.fetches) == ["r1"]


def test_workers_that_are_met_after_a_reset_tell_the_name_of_the_weights_that_they_have_then() -> None:
    agent = LabelAgent(random.Random(1), {})
    made = Settings(resource="r", endpoints=("a:1",), min_tokens=1)
    one = SchedulerHalf(made, agent=lambda _: agent, late=True)  # type: ignore[arg-type, return-value]
    one.workers({(0, 0): object()})
    one.reset()
    assert one.orders(SchedulerOutput.make_empty()).run == 1
    one.step_ended(reported("old", 0))
    one.arrives(named(0))
    assert agent.fetches == {}
    one.step_ended(reported("new", 1))
    one.arrives(named(1))
    assert list(agent.fetches) == ["r1"]


def handshake(name: str, length: int, host: str) -> Handshake:
    return Handshake((Group(name, length, 32),), 128, True, host)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ([], "no worker told"),
        ([Handshake(flaw="a cache of MambaSpec is not supported yet")], "MambaSpec"),
        ([handshake("a", 1, "x"), handshake("b", 1, "y")], "several machines"),
        ([handshake("a", 1, "x"), handshake("b", 2, "x")], "different lengths"),
    ],
)
def test_an_engine_that_is_not_supported_goes_on_without(
    told: list[Handshake], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    made = Settings(resource="r", endpoints=("a:1",))
    one = SchedulerHalf(made, agent=lambda _: pytest.fail("an agent"))
    logging.getLogger("vllm").propagate = True
    one.workers({(0, i): worker for i, worker in enumerate(told)})
    assert [record.getMessage() for record in caplog.records if why in record.getMessage()]
    asked = request()
    one.arrives(asked)
    assert one.matched(asked, 0) == (0, False)
    one.allocated(asked, ([1],), 0)
    assert one.orders(SchedulerOutput.make_empty()).stores == []
    one.ends(asked)
    assert one.stats() is None
    one.close()


def test_a_request_without_names_is_counted_each_time_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    simulation = Simulation(random.Random(1), ["p"], hang=False)
    numbered = MultiModalFeatureSpec(None, "image", "renderer0-mm-1-image-0", PlaceholderRange(0, 10))
    for name in ("a", "b"):
        request = Request(name, list(range(512)), SamplingParams(max_tokens=1), None, mm_features=[numbered])
        simulation.half.arrives(request)
        assert simulation.half.matched(request, 0) == (0, False)
    assert [record.message for record in caplog.records if "not cached" in record.message] == [
        "KV Store: a request is not cached: identifiers of images, audio or video that callers chose are no digests of "
        'their content. Others like it are counted in vllm:kvstore_errors{code="unnamed"}.'
    ]
    tally = simulation.half.stats()
    assert tally is not None and tally.data["counters"] == {"errors/unnamed": 2}
