"""The half of the connector in vLLM's scheduler. Nothing here waits: a store that is away makes shorter prefixes."""

from __future__ import annotations

import logging
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kvstore_client import BlockChain, Partition
from kvstore_client.agent import NO_SLOT, Agent, AgentSettings
from kvstore_client.agent.chains import HEADS
from kvstore_client.client import MAX_BLOCKS, MAX_PARTITIONS
from kvstore_client.names import HASH_BYTES

from kvstore_vllm import compat
from kvstore_vllm.adapters import Adapters
from kvstore_vllm.agent_metrics import AgentCounts
from kvstore_vllm.cost import CostModel, Verdict
from kvstore_vllm.events import StoredEvents
from kvstore_vllm.extras import Extras, Unnamed
from kvstore_vllm.guard import Guard
from kvstore_vllm.messages import NO_POOL, Handshake, Load, Orders, Piece, Report, Store
from kvstore_vllm.meter import FetchMeter
from kvstore_vllm.metrics import Tally
from kvstore_vllm.request import Geometry, Group, Phase, RequestState
from kvstore_vllm.settings import Settings
from kvstore_vllm.wishes import Wishes

log = logging.getLogger("vllm.kvstore")

#: Seconds after its deadline that the agent's answer is awaited, in case it does not keep it.
_GRACE = 1.0

#: Seconds that the engine's start waits for its agent, so that the first requests find it.
_START = 10.0

#: Reasons of requests that are not cached, which are logged once each.
_MOST_WARNINGS = 100

#: Seconds between two looks at the agent's counters.
_EACH = 1.0


class SchedulerHalf:
    """Decides for each request what is fetched, loaded and stored. For the scheduler's thread.

    vLLM ends its engine if one of these methods raises; none does. A request with which something went wrong is not
    cached any more, and others are.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        agent: Callable[[AgentSettings], Agent] = Agent,
        clock: Callable[[], float] = time.monotonic,
        events: bool = False,
        digests: bool = True,
        late: bool = False,
    ) -> None:
        """``events``: whether routers are told of stored blocks. ``digests`` is that of :class:`Extras`.

        ``late``: workers are met with the first step.
        """
        self._settings = settings
        self._make = agent
        self._clock = clock
        self._agent: Agent | None = None
        self._partitions: list[Partition] = []
        self._lengths: list[int] = []
        self._states: dict[str, RequestState] = {}
        self._orphans: set[str] = set()
        self._loads: list[Load] = []
        self._finished: list[str] = []
        self._cost = CostModel(settings.measure)
        self._tally = Tally()
        self._guard = Guard(lambda _: self._tally.add("errors", label="internal"))
        self._warned: set[str] = set()
        self._agent_counts = AgentCounts()
        self._pool: Any = None
        self._told = 0.0
        self._off = False
        self._late = late
        self._run = 0
        self._tells = events
        self._events: StoredEvents | None = None
        self._digests = digests
        self._adapters = Adapters()

    # --- the engine starts ---

    def workers(self, handshakes: Mapping[Any, Any]) -> None:
        """Learns from all workers under which names they keep their blocks, and starts. Called once."""
        if not self._late:
            self._guard.run("the start", None, lambda: self._start(handshakes, _START))

    def _start(self, handshakes: Mapping[Any, Any], patience: float) -> None:
        told = [one for one in handshakes.values() if isinstance(one, Handshake)]
        flaw = _flaw(told)
        if flaw:
            log.warning("KV Store is not used: %s. The engine goes on without it.", flaw)
            return
        first = told[0]
        kept: dict[str, tuple[int, Group]] = {}
        for one in told:
            for number, group in enumerate(one.groups):
                kept.setdefault(group.partition, (number, group))
        # Lookups and writes go to the data plane of the first partition, which must have whole prompts.
        columns = sorted(kept.values(), key=lambda column: column[1].window > 0)
        self._partitions = [Partition(group.partition, first.block_tokens) for _, group in columns]
        self._lengths = [group.block_bytes for _, group in columns]
        self._windows = [group.last(first.block_tokens) for _, group in columns]
        self._numbers = [number for number, _ in columns]
        self._geometry = Geometry(first.block_tokens, first.groups, self._settings.min_tokens)
        self._extras = Extras(first.block_tokens, digests=self._digests)
        self._most = MAX_BLOCKS // len(self._partitions)
        settings = self._settings.agent(max(self._lengths), first.host_memory)
        agent = self._agent or self._make(settings)
        self._meter = FetchMeter(self._cost, agent, first.block_tokens, self._settings.deadline)
        if self._tells:
            whole = [one for one, window in zip(self._partitions, self._windows, strict=True) if not window]
            self._events = StoredEvents(whole or self._partitions, self._geometry, agent.known)
        self._agent, self._off = agent, False
        if not agent.wait(patience) and patience:
            log.warning("KV Store: the agent does not answer yet. The engine goes on, and uses it when it does.")
        if first.sizing is not None:
            first.sizing.tell(log, settings.host_memory, writes=self._settings.write)
        where = self._settings.endpoints or self._settings.control_plane
        log.info(
            "KV Store: %s of %s at %s; blocks of %d tokens, %s bytes%s",
            ", ".join(one.name for one in self._partitions),
            self._settings.resource,
            ", ".join(where),
            first.block_tokens,
            " and ".join(f"{length:,}" for length in sorted(set(self._lengths))),
            ""
            if self._settings.read and self._settings.write
            else ", read only"
            if self._settings.read
            else ", write only",
        )

    def pool(self, pool: Any) -> None:
        """The blocks of vLLM, which are only asked what they have."""
        self._pool = pool
        compat.on_reset(pool, self.reset)

    def reset(self) -> None:
        """The engine's weights may be others from now on: the store waits until workers tell which ones they have."""
        self._guard.run("the reset", None, self._reset)

    def _reset(self) -> None:
        if self._agent is None and not self._late:
            return
        log.info("KV Store: vLLM's caches were reset, as after an update of weights; the workers look at the weights.")
        self._off = self._late = True
        self._run += 1
        for name, state in self._states.items():
            state.stores = False
            if state.phase in (Phase.FETCHING, Phase.READY):
                self._over(name, state)

    # --- a request ---

    def arrives(self, request: Any) -> None:
        """A new request: its blocks are looked up and fetched while it waits."""
        if not self._guard.run("a request's arrival", False, lambda: self._arrives(request)):
            self._drop(request)

    def _arrives(self, request: Any) -> bool:
        if self._agent is None or self._off or request.request_id in self._states or not _cacheable(request):
            return True
        try:
            wishes = Wishes.of(request.kv_transfer_params)
        except ValueError as e:
            self._uncached("request", e)
            return True
        state = RequestState(request, self._geometry, Phase.OVER, stores=self._settings.write and wishes.write)
        try:
            state.adapter = self._adapters.of(request)
        except Unnamed as e:
            self._unnamed(state, e)
            return True
        self._states[request.request_id] = state
        reads = self._settings.read and wishes.read
        if reads and _reads(request) and request.num_prompt_tokens >= self._settings.min_tokens:
            self._fetch(request, state)
        return True

    def _drop(self, request: Any) -> None:
        """Something went wrong with a request, of which nothing is being loaded: it is not cached any more."""
        name = request.request_id
        state = self._states.get(name)
        if state is not None:
            state.stores = False
            self._over(name, state)

    def _fetch(self, request: Any, state: RequestState) -> None:
        assert self._agent is not None
        size = self._geometry.block
        # The agent takes a bounded number of blocks in a prefetch; a longer prompt is loaded up to that bound.
        # The last token is computed in any case: if it is loaded too, its window begins before the one that is loaded.
        tokens = request.num_prompt_tokens - self._geometry.windowed
        state.whole = min(tokens // size, self._most)
        state.skip = self._local_blocks(request)
        if state.whole == 0 or (state.whole - state.skip) * size < self._geometry.min_tokens:
            return
        verdict = self._cost.admits(self._clock())
        if verdict is Verdict.SKIP:
            self._tally.add("paused_requests")
            state.paused = True
            return
        self._begin(request, state, verdict)
        if verdict is Verdict.PROBE:  # under the load that the store would have now
            for other in [one for one in self._states.values() if one.paused and not one.tables]:
                if self._cost.admits(self._clock()) is Verdict.PROBE:
                    self._begin(other.request, other, Verdict.PROBE)

    def _local_blocks(self, request: Any) -> int:
        groups = self._geometry.groups
        if len({group.engine_block for group in groups}) > 1:
            return 0
        tokens = compat.local_blocks(self._pool, request, len(groups)) * groups[0].engine_block
        return tokens // self._geometry.block

    def _begin(self, request: Any, state: RequestState, verdict: Verdict) -> None:
        assert self._agent is not None
        chains = self._chains(request, state)
        if chains is None:
            return
        state.heads = chains[0].hashes[: HEADS * HASH_BYTES]
        state.paused = False
        state.probe = verdict is Verdict.PROBE
        if state.probe:
            self._tally.add("probed_requests")
        else:
            state.phase = Phase.FETCHING
        state.started = self._clock()
        state.give_up = state.started + self._settings.deadline + _GRACE
        self._meter.begins(request.request_id, verdict, state.whole, state.skip, state.started)
        self._agent.prefetch(
            request.request_id,
            chains,
            expected_bytes=self._lengths,
            deadline=self._settings.deadline,
            skip=state.skip,
            windows=self._windows,
        )

    def _chains(self, request: Any, state: RequestState) -> list[BlockChain] | None:
        tokens = _pack(request.all_token_ids[: state.whole * self._geometry.block])
        try:
            extras = self._extras.of(request, 0, state.whole, state.adapter_digest)
        except ValueError as e:
            self._unnamed(state, e)
            return None
        return [BlockChain.of(partition, tokens, extras) for partition in self._partitions]

    def _unnamed(self, state: RequestState, why: Exception) -> None:
        """A request whose blocks have no name is not cached."""
        state.stores = False
        self._uncached("unnamed", why)

    def _uncached(self, code: str, why: Exception) -> None:
        self._tally.add("errors", label=code)
        kind = str(why) if isinstance(why, Unnamed) else code
        if kind not in self._warned and len(self._warned) < _MOST_WARNINGS:  # callers must not fill the log
            self._warned.add(kind)
            log.warning(
                'KV Store: a request is not cached: %s. Others like it are counted in vllm:kvstore_errors{code="%s"}.',
                why,
                code,
            )

    def matched(self, request: Any, computed: int) -> tuple[int | None, bool]:
        """How many tokens are to be loaded behind ``computed``; ``None`` while the fetch goes on."""
        found = self._guard.run("a request's match", None, lambda: self._matched(request, computed))
        if found is None:
            self._drop(request)
            return 0, False
        return found

    def _matched(self, request: Any, computed: int) -> tuple[int | None, bool]:
        state = self._states.get(request.request_id)
        if state is None:
            return 0, False
        if state.phase is Phase.FETCHING and not self._arrived(state, computed):
            return None, False
        tokens = state.loadable(computed)
        if tokens == 0:
            self._release(request.request_id, state)
        return tokens, tokens > 0

    def _arrived(self, state: RequestState, computed: int) -> bool:
        assert self._agent is not None
        name = state.request.request_id
        now = self._clock()
        if computed >= state.whole * state.geometry.block:  # the engine has all of it by now
            state.phase = Phase.OVER
            return True
        progress = self._agent.progress(name)
        if not progress.done and now < state.give_up:
            return False
        state.arrived(progress)
        self._meter.ends(name, progress, now)
        if progress.broken or not progress.done:  # what is there counts, and no more of it is awaited
            self._tally.add("errors", label="agent_late")
        seconds = now - state.started
        self._tally.observe("fetch_seconds", seconds)
        self._tally.add("fetched_bytes", progress.ready * sum(self._lengths))
        late = max(0, min(progress.found, state.whole) - state.skip - progress.ready)
        self._tally.add("late_tokens", late * state.geometry.block)
        self._tally.add("missed_tokens", max(0, state.whole - progress.found) * state.geometry.block)
        return True

    def allocated(self, request: Any, blocks: Any, tokens: int) -> None:
        """A request got blocks from vLLM; ``tokens`` of them are to be loaded."""
        unknown: list[list[int]] = []
        tables = self._guard.run("a request's blocks", unknown, lambda: compat.tables(blocks) if tokens else [])
        if not self._guard.run("a request's load", False, lambda: self._allocated(request, tables, tokens)):
            self._drop(request)
            if tokens:  # vLLM waits for this load: workers tell that it failed, and the engine computes these blocks
                pieces = (Piece((), 0, tuple(tables[0])),) if tables else ()
                self._loads.append(Load(request.request_id, NO_POOL, pieces))

    def _allocated(self, request: Any, tables: list[list[int]], tokens: int) -> bool:
        state = self._states.get(request.request_id)
        if state is None or (tokens and not tables):
            return not tokens
        copies = state.admitted(tokens, tables)
        if not copies:
            if state.phase is Phase.OVER:
                self._release(request.request_id, state)
            return True
        slots = state.progress.slots
        for copy in copies:
            needed = (slot for slot, number in zip(slots[copy.row], self._numbers, strict=True) if number == copy.group)
            assert NO_SLOT not in needed, f"a block of group {copy.group} is needed, and was not fetched"
        pieces = tuple(Piece(slots[copy.row], copy.first, copy.blocks, copy.group) for copy in copies)
        self._tally.add("hit_tokens", tokens)
        self._loads.append(Load(request.request_id, state.progress.generation, pieces, state.adapter))
        return True

    def ends(self, request: Any) -> None:
        """A request ends. Its slots stay pinned while workers may still read them."""
        self._guard.run("a request's end", None, lambda: self._ends(request))

    def _ends(self, request: Any) -> None:
        state = self._states.pop(request.request_id, None)
        if state is None:
            return
        state.probe = False
        if state.told:
            self._finished.append(request.request_id)
        self._tally.add("dropped_saves", max(0, state.ordered - state.stored), "no_slot")
        if state.phase is Phase.LOADING:
            self._orphans.add(request.request_id)
        else:
            self._release(request.request_id, state)

    def _over(self, name: str, state: RequestState) -> None:
        """Nothing more is fetched for a request. Slots of a load that began stay pinned until it is done."""
        if state.phase is not Phase.LOADING:
            state.phase = Phase.OVER
            self._release(name, state)

    def _release(self, name: str, state: RequestState) -> None:
        if state.started and not state.probe:
            state.started = 0.0
            self._guard.run("the meter", None, lambda: self._meter.drops(name, self._clock()))
            self._give_back(name)

    def _give_back(self, name: str) -> None:
        agent = self._agent
        if agent is not None:
            self._guard.run("a release", None, lambda: agent.release(name))

    # --- a step ---

    def orders(self, output: Any) -> Orders:
        """What workers do in this step."""
        names = tuple(partition.name for partition in self._partitions)
        made = Orders(names, self._loads, [], self._finished, self._run, not self._late)
        self._loads, self._finished = [], []
        if self._agent is not None:
            whole = self._guard.run("a step's orders", False, lambda: self._stores(made, output))
            for state in () if whole else self._states.values():  # their block tables lack the blocks of this step
                state.stores = False
        return made

    def _stores(self, made: Orders, output: Any) -> bool:
        now = self._clock()
        for name in self._meter.look(now):
            self._states[name].probe = False
            self._release(name, self._states[name])
        made.step = self._cost.step_begins(sum(n for n in output.num_scheduled_tokens.values() if n > 1), now)
        for new in output.scheduled_new_reqs:
            self._store(made, output, new.req_id, new.block_ids, True, new.num_computed_tokens)
        cached = output.scheduled_cached_reqs
        for i, name in enumerate(cached.req_ids):
            replaced = compat.resumed(cached, i)
            self._store(made, output, name, cached.new_block_ids[i], replaced, cached.num_computed_tokens[i])
        return True

    def _store(self, made: Orders, output: Any, name: str, blocks: Any, replace: bool, computed: int) -> None:
        state = self._states.get(name)
        if state is None or not state.stores:
            return
        saved = self._guard.run(
            "a request's save", False, lambda: self._store_of(state, made, output, name, blocks, replace, computed)
        )
        if not saved:  # its block table may be half changed
            state.stores = False

    def _store_of(
        self, state: RequestState, made: Orders, output: Any, name: str, blocks: Any, replace: bool, computed: int
    ) -> bool:
        if blocks:
            state.table(compat.tables(blocks), replace)
        if state.probe:
            return True
        request = state.request
        # Tokens that are guessed (speculation) or not known yet (asynchronous scheduling) are not in all_token_ids.
        known = request.num_tokens if self._settings.store_output else request.num_prompt_tokens
        first, before = state.stored, state.ordered
        tokens = min(computed + output.num_scheduled_tokens[name], known)
        if self._geometry.windowed and state.due(tokens):
            state.table(compat.exact_tables(output, name), True)
        found = state.completed(tokens)
        if not found:
            return True
        size, end = state.geometry.block, first + len(found)
        told = min(state.told, end)  # blocks that are ordered again were told of before
        try:
            extras = self._extras.of(request, told, end, state.adapter_digest)
            heads = b"" if told else state.heads or self._heads(state, end)
        except ValueError as e:
            self._unnamed(state, e)
            return True
        packed = _pack(request.all_token_ids[told * size : end * size])
        state.told = max(state.told, end)
        self._tally.add("ordered_saves", end - max(first, min(before, end)))
        made.stores.append(Store(name, first, packed, tuple(extras), tuple(found), state.adapter, heads))
        if self._events and extras:
            self._events.ordered(request, packed, extras, self._clock())
        return True

    def _heads(self, state: RequestState, end: int) -> bytes:
        """The names of the first blocks of a prompt that was not looked up, or at least of ``end`` blocks."""
        size, request = self._geometry.block, state.request
        count = min(HEADS, max(end, request.num_prompt_tokens // size))
        extras = self._extras.of(request, 0, count, state.adapter_digest)
        return BlockChain.of(self._partitions[0], _pack(request.all_token_ids[: count * size]), extras).hashes

    def step_ended(self, output: Any) -> None:
        """Workers tell of a step that they ended."""
        self._guard.run("the end of a step", None, lambda: self._step_ended(output))

    def _step_ended(self, output: Any) -> None:
        for name in output.finished_recving or ():
            self._guard.run("the end of a load", None, partial(self._loaded, name))
        report = output.kv_connector_worker_meta
        self._cost.step_ends(report.step if isinstance(report, Report) else 0, self._clock())
        if isinstance(report, Report):
            told = [one for one in report.handshakes if one.run == self._run]
            if self._late and told:
                self._late = False
                self._start(dict(enumerate(told)), 0)
            for name, first in report.postponed.items():
                if name in self._states:
                    self._states[name].postponed(first)

    def _loaded(self, name: str) -> None:
        if name in self._orphans:
            self._orphans.discard(name)
            self._give_back(name)
            return
        state = self._states.get(name)
        if state is not None and state.phase is Phase.LOADING:
            state.phase = Phase.OVER
            self._release(name, state)

    def events(self) -> list[Any]:
        """What routers are told: blocks that are stored by now."""
        events = self._events
        if events is None:
            return []
        return self._guard.run("the events", [], lambda: events.take(self._clock()))

    def stats(self) -> Tally | None:
        """What was counted since the last call."""
        return self._guard.run("the counters", None, self._stats)

    def _stats(self) -> Tally | None:
        if self._agent is None:
            return None
        now = self._clock()
        if now >= self._told:
            self._told = now + _EACH
            counters, gauges = self._agent_counts.take(self._agent.stats())
            for (name, label), grown in counters.items():
                self._tally.add(name, grown, label)
            for (name, label), value in gauges.items():
                self._tally.gauge(name, value, label)
            fetch, prefill = self._cost.rates()
            self._tally.gauge("paused", float(self._cost.paused))
            self._tally.gauge("fetch_rate", fetch)
            self._tally.gauge("prefill_rate", prefill)
        if self._tally.is_empty():
            return None
        taken, self._tally = self._tally, Tally()
        return taken

    def close(self) -> None:
        """Leaves the agent."""
        self._guard.run("the end of adapters", None, self._adapters.close)
        agent, self._agent = self._agent, None
        if agent is not None:
            self._guard.run("the end", None, agent.close)


def _flaw(told: Sequence[Handshake]) -> str:
    if not told:
        return "no worker told of its cache"
    for one in told:
        if one.flaw:
            return one.flaw
    if len({one.host for one in told}) > 1:
        return "its workers are on several machines, which is not supported yet"
    if len({(one.block_tokens, *(replace(group, partition="") for group in one.groups)) for one in told}) > 1:
        return "its workers have blocks of different lengths"
    if len({group.partition for one in told for group in one.groups}) > MAX_PARTITIONS:
        return f"its workers have more than {MAX_PARTITIONS} caches of several kinds"
    return ""


def _cacheable(request: Any) -> bool:
    """Whether a request's cache may be kept at all. Sessions whose prompt grows are left out, and so is pooling."""
    return request.pooling_params is None and not getattr(request, "resumable", False)


def _reads(request: Any) -> bool:
    return not getattr(request, "skip_reading_prefix_cache", False) and not compat.asks_prompt_logprobs(request)


def _pack(tokens: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(tokens)}i", *tokens)
