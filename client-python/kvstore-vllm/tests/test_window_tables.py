"""The scheduler's half beside vLLM's own allocator, with windows: no wrong block is stored, loaded or attended to.

Engine blocks and slots hold labels in place of bytes: their group, and the tokens up to the block's end.
"""

from __future__ import annotations

import random
import struct
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kvstore_client import BlockChain, Partition

pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")

from kvstore_vllm import compat

if not compat.has_exact_tables():
    pytest.skip("missing: vLLM 0.32 or newer", allow_module_level=True)

import torch
from test_scheduler import LabelAgent
from vllm.sampling_params import SamplingParams
from vllm.utils.hashing import sha256
from vllm.v1.core.kv_cache_manager import KVCacheManager
from vllm.v1.core.kv_cache_utils import get_request_block_hasher, init_none_hash
from vllm.v1.core.sched.output import CachedRequestData, NewRequestData, SchedulerOutput
from vllm.v1.kv_cache_interface import FullAttentionSpec, KVCacheConfig, KVCacheGroupSpec, SlidingWindowSpec
from vllm.v1.outputs import KVConnectorOutput
from vllm.v1.request import Request

from kvstore_vllm.messages import NO_POOL, Handshake, Orders, Report
from kvstore_vllm.request import NULL, Group
from kvstore_vllm.scheduler import SchedulerHalf
from kvstore_vllm.settings import Settings

BLOCK, SIZE = 128, 32
SHAPE: dict[str, Any] = {"num_kv_heads": 1, "head_size": 8, "dtype": torch.float32}

init_none_hash(sha256)


class Vllm:
    """vLLM's allocator, requests in steps, and engine blocks by their labels.

    A window of 0 is full attention. ``last`` is the length of engine blocks of the last group; others have 32 tokens.
    """

    def __init__(self, draw: random.Random, windows: tuple[int, ...], caching: bool, last: int = SIZE) -> None:
        self.draw = draw
        self.windows = windows
        self.sizes = [SIZE] * (len(windows) - 1) + [last]
        specs = [
            SlidingWindowSpec(sliding_window=window, block_size=size, **SHAPE)
            if window
            else FullAttentionSpec(block_size=size, **SHAPE)
            for window, size in zip(windows, self.sizes, strict=True)
        ]
        groups = [KVCacheGroupSpec([f"layers.{i}"], spec) for i, spec in enumerate(specs)]
        config = KVCacheConfig(num_blocks=160, kv_cache_tensors=[], kv_cache_groups=groups)
        self.manager = KVCacheManager(config, 4096, max(self.sizes), min(self.sizes), enable_caching=caching)
        self.stored: dict[bytes, list[str]] = {}
        self.agent = LabelAgent(draw, self.stored)
        made = Settings(resource="r", endpoints=("a:1",), min_tokens=draw.choice([1, 300]), measure=False)
        self.half = SchedulerHalf(made, agent=lambda _: self.agent)  # type: ignore[arg-type, return-value]
        told = tuple(Group(f"p{i}", 1000, self.sizes[i], window) for i, window in enumerate(windows))
        self.half.workers({(0, 0): Handshake(told, BLOCK, True, "h")})
        self.half.pool(self.manager.block_pool)
        self.partitions = [Partition(group.partition) for group in told]
        self.engine: dict[int, str] = {}
        self.waiting: list[Request] = []
        self.loading: dict[str, int] = {}
        self.running: list[Request] = []
        self.seen: set[str] = set()
        self.told: dict[str, bytes] = {}

    def add(self, name: str, tokens: list[int]) -> None:
        hasher = get_request_block_hasher(min(self.sizes), sha256)
        request = Request(name, tokens, SamplingParams(max_tokens=400), None, block_hasher=hasher)
        self.waiting.append(request)
        self.half.arrives(request)

    def step(self) -> None:
        self.manager.new_step_starts()
        output = SchedulerOutput.make_empty()
        output.scheduled_cached_reqs = CachedRequestData.make_empty()
        output.kv_connector_block_state = SimpleNamespace(get_block_ids=self.manager.get_block_ids)
        for request in list(self.running):
            self._go_on(request, output)
        for request in list(self.waiting):
            if request.request_id not in self.loading:
                self._admit(request, output)
        self._work(self.half.orders(output), output.num_scheduled_tokens)

    def _go_on(self, request: Request, output: Any) -> None:
        tokens = min(request.num_tokens - request.num_computed_tokens, self.draw.choice([1, 64, 200, 1000]))
        made = self.manager.allocate_slots(request, tokens) if self.draw.random() < 0.95 else None
        if made is None:
            self._take_back(request)
            self.running.remove(request)
            self.waiting.append(request)
            return
        cached = output.scheduled_cached_reqs
        cached.req_ids.append(request.request_id)
        cached.new_block_ids.append(made.get_block_ids(allow_none=True))
        cached.num_computed_tokens.append(request.num_computed_tokens)
        output.num_scheduled_tokens[request.request_id] = tokens

    def _take_back(self, request: Request) -> None:
        self.manager.free(request)
        request.num_computed_tokens = 0

    def _admit(self, request: Request, output: Any) -> None:
        name, blocks, local = request.request_id, None, 0
        if request.num_computed_tokens == 0:
            blocks, local, *_ = self.manager.get_computed_blocks(request)
            tokens, later = self.half.matched(request, local)
            if tokens is None:
                return
            assert later == (tokens > 0) and local + tokens < request.num_tokens
            if tokens:
                if self.manager.allocate_slots(request, 0, local, blocks, 0, tokens, True) is None:
                    return
                self.half.allocated(request, self.manager.get_blocks(name), tokens)
                self.loading[name] = request.num_computed_tokens = local + tokens
                return
        at = request.num_computed_tokens + local
        chunk = min(request.num_tokens - at, self.draw.choice([64, 200, 1000]))
        if self.manager.allocate_slots(request, chunk, local, blocks) is None:
            return
        self.half.allocated(request, self.manager.get_blocks(name), 0)
        table = self.manager.get_block_ids(name)
        if name in self.seen:
            cached = output.scheduled_cached_reqs
            cached.req_ids.append(name)
            cached.resumed_req_ids.add(name)
            cached.new_block_ids.append(table)
            cached.num_computed_tokens.append(at)
        else:
            self.seen.add(name)
            output.scheduled_new_reqs.append(NewRequestData(name, None, [], None, None, table, at, None))
        request.num_computed_tokens = at
        output.num_scheduled_tokens[name] = chunk
        self.waiting.remove(request)
        self.running.append(request)

    def _work(self, orders: Orders, scheduled: dict[str, int]) -> None:
        by_name = {request.request_id: request for request in [*self.waiting, *self.running]}
        for name, tokens in scheduled.items():
            self._attend(by_name[name], tokens)
        postponed: dict[str, int] = {}
        for store in orders.stores:
            self._store(store, by_name[store.request], postponed)
        for name in orders.finished:
            self.told.pop(name, None)
        received = {load.request for load in orders.loads}
        for load in orders.loads:
            self._load(load, by_name[load.request], [one.name for one in self.partitions], orders.partitions)
        report = Report(postponed, step=orders.step) if postponed or orders.step else None
        self.half.step_ended(KVConnectorOutput(finished_recving=received, kv_connector_worker_meta=report))
        for name, tokens in scheduled.items():
            request = by_name[name]
            request.num_computed_tokens += tokens
            if request.num_computed_tokens == request.num_tokens:
                request.append_output_token_ids(self.draw.randint(0, 9))

    def _attend(self, request: Request, tokens: int) -> None:
        """A forward pass: it reads what is before it in each window, and fills the blocks that it completes."""
        tables, at = self.manager.get_block_ids(request.request_id), request.num_computed_tokens
        for group, window in enumerate(self.windows):
            size = self.sizes[group]
            first = max(0, at - window + 1) // size if window else 0
            for i in range(first, at // size):
                assert self.engine[tables[group][i]] == self._at(request, group, i), "attends to a wrong block"
            for i in range(at // size, (at + tokens) // size):
                self.engine[tables[group][i]] = self._at(request, group, i)

    def _load(self, load: Any, request: Request, names: list[str], partitions: tuple[str, ...]) -> None:
        assert load.generation != NO_POOL
        for piece in load.pieces:
            slot = self.agent.slots[piece.slots[partitions.index(names[piece.group])]]
            for i, block in enumerate(piece.blocks):
                self.engine[block] = slot[piece.first + i]
        end = self.loading.pop(load.request)
        for group, table in enumerate(self.manager.get_block_ids(load.request)):
            for i, block in enumerate(table[: end // self.sizes[group]]):
                assert block == NULL or self.engine[block] == self._at(request, group, i), "a wrong block was loaded"
        self.manager.cache_blocks(request, end)

    def _at(self, request: Request, group: int, engine_block: int) -> str:
        tokens = (engine_block + 1) * self.sizes[group]
        return f"{group}:{hash(tuple(request.all_token_ids[:tokens]))}:{tokens}"

    def _store(self, store: Any, request: Request, postponed: dict[str, int]) -> None:
        known = self.told[store.request] = self.told.get(store.request, b"") + store.tokens
        assert known == struct.pack(f"<{len(known) // 4}i", *request.all_token_ids[: len(known) // 4])
        chains = [BlockChain.of(partition, known) for partition in self.partitions]
        for i, parts in enumerate(store.blocks, store.first):
            if self.draw.random() < 0.1:
                postponed[store.request] = i
                return
            for group, (chain, blocks) in enumerate(zip(chains, parts, strict=True)):
                assert blocks or self.windows[group], "only windows leave blocks out"
                held, per = [self.engine[block] for block in blocks], BLOCK // self.sizes[group]
                assert held in ([], [self._at(request, group, i * per + k) for k in range(per)]), "poison"
                if held:
                    self.stored[chain.location(i)] = held

    def end(self, request: Request) -> None:
        self.half.ends(request)
        for some in (self.waiting, self.running):
            if request in some:
                some.remove(request)
        self.manager.free(request)


def history(vllm: Vllm, requests: int) -> None:
    """Prompts that share their beginnings, in steps; some end early."""
    for number in range(requests):
        length = vllm.draw.choice([130, 256, 400, 700, 1024])
        vllm.add(f"r{number}", [vllm.draw.choice([1, 2]) if i == 300 else i for i in range(length)])
        for _ in range(vllm.draw.randint(1, 12)):
            vllm.step()
        for request in [*vllm.running, *vllm.waiting]:
            if request.request_id not in vllm.loading and vllm.draw.random() < 0.3:
                vllm.end(request)
    for request in [*vllm.running, *vllm.waiting]:
        while request.request_id in vllm.loading:
            vllm.step()
        vllm.end(request)
    vllm.step()
    assert vllm.agent.pinned == {}


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 1 << 32),
    st.sampled_from([(0, 200), (128, 0, 300), (200,), (300, 300, 0, 0), (0, 97 + 32), (1024, 0)]),
    st.booleans(),
    st.sampled_from([SIZE, 2 * SIZE, BLOCK]),
)
def test_no_wrong_block_is_stored_loaded_or_attended_to(
    seed: int, windows: tuple[int, ...], caching: bool, last: int
) -> None:
    history(Vllm(random.Random(seed), windows, caching, last), 6)


def loaded(vllm: Vllm, name: str, length: int) -> int:
    """One prompt from its arrival to its end; the tokens that were loaded."""
    vllm.add(name, list(range(length)))
    request, before = vllm.waiting[0], 0
    while request in vllm.waiting or request.num_computed_tokens < length:
        vllm.step()
        before = request.num_computed_tokens if request in vllm.waiting else before
    vllm.end(request)
    return before


@pytest.mark.parametrize(
    ("windows", "last"), [((0, 200), SIZE), ((200, 0), 2 * SIZE), ((300, 300, 0), SIZE), ((200,), SIZE)]
)
def test_all_that_can_be_is_loaded(windows: tuple[int, ...], last: int) -> None:
    draw = random.Random(1)
    draw.random = lambda: 0.5  # type: ignore[method-assign]  # nothing is preempted, postponed or late
    vllm = Vllm(draw, windows, False, last)
    assert [loaded(vllm, f"r{i}", length) for i, length in enumerate((1000, 1000, 1024, 600))] == [0, 896, 896, 512]


@pytest.mark.parametrize("mutant", ["short", "all"])
def test_a_window_that_is_not_whole_is_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: one block less of each window is asked for, or none of its blocks is loaded."""
    from kvstore_vllm.request import RequestState

    admitted, last = RequestState.admitted, Group.last

    def lacking(self: RequestState, tokens: int, tables: Any) -> Any:
        return [one for one in admitted(self, tokens, tables) if not self.geometry.groups[one.group].window]

    if mutant == "short":
        monkeypatch.setattr(Group, "last", lambda self, block: max(0, last(self, block) - 1))
    else:
        monkeypatch.setattr(RequestState, "admitted", lacking)
    with pytest.raises(AssertionError):
        test_all_that_can_be_is_loaded((0, 200), SIZE)
