"""The half of the connector in vLLM's scheduler. Nothing here waits: a store that is away makes shorter prefixes."""

from __future__ import annotations

import logging
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kvstore import BlockChain, Partition
from kvstore.agent import Agent, AgentSettings

from kvstore_vllm import compat
from kvstore_vllm.adapters import Adapters
from kvstore_vllm.cost import CostModel
from kvstore_vllm.events import StoredEvents
from kvstore_vllm.extras import Extras, Unnamed
from kvstore_vllm.messages import Handshake, Load, Orders, Piece, Report, Store
from kvstore_vllm.metrics import Tally
from kvstore_vllm.request import Geometry, Phase, RequestState
from kvstore_vllm.settings import Settings

log = logging.getLogger("vllm.kvstore")

#: Seconds after its deadline that the agent's answer is awaited, in case it does not keep it.
_GRACE = 1.0

#: Seconds that the engine's start waits for its agent, so that the first requests find it.
_START = 10.0

#: Seconds between two looks at the agent's counters.
_EACH = 1.0


class SchedulerHalf:
    """Decides for each request what is fetched, loaded and stored. For the scheduler's thread."""

    def __init__(
        self,
        settings: Settings,
        *,
        agent: Callable[[AgentSettings], Agent] = Agent,
        clock: Callable[[], float] = time.monotonic,
        events: bool = False,
        digests: bool = True,
    ) -> None:
        """``events``: whether routers are told of stored blocks. ``digests`` is that of :class:`Extras`."""
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
        self._pool: Any = None
        self._told = 0.0
        self._off = False
        self._tells = events
        self._events: StoredEvents | None = None
        self._digests = digests
        self._adapters = Adapters()
        self._logged: set[str] = set()

    # --- the engine starts ---

    def workers(self, handshakes: Mapping[Any, Any]) -> None:
        """Learns from all workers under which names they keep their blocks, and starts. Called once."""
        told = [one for one in handshakes.values() if isinstance(one, Handshake)]
        flaw = _flaw(told)
        if flaw:
            log.warning("KV Store is not used: %s. The engine goes on without it.", flaw)
            return
        first = told[0]
        by_name = {one.partition: one for one in told}
        self._partitions = [Partition(name, first.block_tokens) for name in by_name]
        self._lengths = [one.block_bytes for one in by_name.values()]
        self._geometry = Geometry(first.block_tokens, first.engine_block, self._settings.min_tokens)
        self._extras = Extras(first.block_tokens, digests=self._digests)
        self._agent = self._make(self._settings.agent(first.block_bytes))
        if self._tells:
            self._events = StoredEvents(self._partitions, self._geometry, self._agent.known)
        if not self._agent.wait(_START):
            log.warning("KV Store: the agent does not answer yet. The engine goes on, and uses it when it does.")
        where = self._settings.endpoints or self._settings.control_plane
        log.info(
            "KV Store: %s of %s at %s; blocks of %d tokens, %s bytes%s",
            ", ".join(by_name),
            self._settings.resource,
            ", ".join(where),
            first.block_tokens,
            f"{first.block_bytes:,}",
            ""
            if self._settings.read and self._settings.write
            else ", read only"
            if self._settings.read
            else ", write only",
        )

    def pool(self, pool: Any) -> None:
        """The blocks of vLLM, which are only asked what they have."""
        self._pool = pool

    def reset(self) -> None:
        """The engine's weights may be others from now on: nothing is fetched or stored until it starts again."""
        if self._agent is None or self._off:
            return
        log.warning("KV Store is not used any more: vLLM's caches were reset, as after an update of weights.")
        self._off = True
        for name, state in self._states.items():
            state.stores = False
            if state.phase in (Phase.FETCHING, Phase.READY):
                state.phase = Phase.OVER
                self._release(name, state)

    # --- a request ---

    def arrives(self, request: Any) -> None:
        """A new request: its blocks are looked up and fetched while it waits."""
        if self._agent is None or self._off or request.request_id in self._states or not _cacheable(request):
            return
        own = ((request.kv_transfer_params or {}).get("kvstore") or {}) if request.kv_transfer_params else {}
        state = RequestState(
            request, self._geometry, Phase.OVER, stores=self._settings.write and own.get("write", True) is not False
        )
        try:
            state.adapter = self._adapters.of(request)
        except Unnamed as e:
            self._unnamed(state, e)
            return
        self._states[request.request_id] = state
        reads = self._settings.read and own.get("read", True) is not False
        if reads and _reads(request) and request.num_prompt_tokens >= self._settings.min_tokens:
            self._fetch(request, state)

    def _fetch(self, request: Any, state: RequestState) -> None:
        assert self._agent is not None
        size = self._geometry.block
        state.whole = request.num_prompt_tokens // size
        state.skip = compat.local_blocks(self._pool, request) // self._geometry.per_block
        if state.whole == 0 or (state.whole - state.skip) * size < self._geometry.min_tokens:
            return
        if not self._cost.admits():
            self._tally.add("paused_requests")
            return
        chains = self._chains(request, state)
        if chains is None:
            return
        state.phase = Phase.FETCHING
        state.started = self._clock()
        state.give_up = state.started + self._settings.deadline + _GRACE
        self._agent.prefetch(
            request.request_id,
            chains,
            expected_bytes=self._lengths,
            deadline=self._settings.deadline,
            skip=state.skip,
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
        self._tally.add("errors", label="unnamed")
        kind = str(why) if isinstance(why, Unnamed) else type(why).__name__
        if kind not in self._logged:
            self._logged.add(kind)
            log.warning("KV Store: a request is not cached: %s. Others for this reason are only counted.", why)

    def matched(self, request: Any, computed: int) -> tuple[int | None, bool]:
        """How many tokens are to be loaded behind ``computed``; ``None`` while the fetch goes on."""
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
        if not progress.done:  # the agent's promise is broken: what is there counts, and no more of it is awaited
            self._tally.add("errors", label="agent_late")
        seconds = now - state.started
        tokens = progress.ready * state.geometry.block
        self._tally.observe("fetch_seconds", seconds)
        self._tally.add("fetched_bytes", progress.ready * sum(self._lengths))
        late = max(0, min(progress.found, state.whole) - state.skip - progress.ready)
        self._tally.add("late_tokens", late * state.geometry.block)
        self._tally.add("missed_tokens", max(0, state.whole - progress.found) * state.geometry.block)
        self._cost.fetched(tokens, seconds)
        return True

    def allocated(self, request: Any, blocks: Any, tokens: int) -> None:
        """A request got blocks from vLLM; ``tokens`` of them are to be loaded."""
        state = self._states.get(request.request_id)
        if state is None:
            return
        copies = state.admitted(tokens, compat.first_group(blocks))
        if not copies:
            if state.phase is Phase.OVER:
                self._release(request.request_id, state)
            return
        slots = state.progress.slots
        pieces = tuple(Piece(slots[copy.row], copy.first, copy.blocks) for copy in copies)
        self._loads.append(Load(request.request_id, state.progress.generation, pieces, state.adapter))
        self._tally.add("hit_tokens", tokens)

    def ends(self, request: Any) -> None:
        """A request ends. Its slots stay pinned while workers may still read them."""
        state = self._states.pop(request.request_id, None)
        if state is None:
            return
        if state.phase is Phase.LOADING:
            self._orphans.add(request.request_id)
        else:
            self._release(request.request_id, state)
        self._tally.add("dropped_saves", max(0, state.ordered - state.stored), "no_slot")
        if state.told:
            self._finished.append(request.request_id)

    def _release(self, name: str, state: RequestState) -> None:
        if state.started and self._agent is not None:
            state.started = 0.0
            self._agent.release(name)

    # --- a step ---

    def orders(self, output: Any) -> Orders:
        """What workers do in this step."""
        made = Orders(tuple(partition.name for partition in self._partitions), self._loads, [], self._finished)
        self._loads, self._finished = [], []
        if self._agent is None:
            return made
        self._cost.step_begins(self._clock(), output.total_num_scheduled_tokens)
        for new in output.scheduled_new_reqs:
            self._store(made, output, new.req_id, new.block_ids, True, new.num_computed_tokens)
        cached = output.scheduled_cached_reqs
        for i, name in enumerate(cached.req_ids):
            replaced = compat.resumed(cached, i)
            self._store(made, output, name, cached.new_block_ids[i], replaced, cached.num_computed_tokens[i])
        return made

    def _store(self, made: Orders, output: Any, name: str, blocks: Any, replace: bool, computed: int) -> None:
        state = self._states.get(name)
        if state is None:
            return
        state.table(compat.first_group(blocks) if blocks else [], replace)
        request = state.request
        # Tokens that are guessed (speculation) or not known yet (asynchronous scheduling) are not in all_token_ids.
        known = request.num_tokens if self._settings.store_output else request.num_prompt_tokens
        first, before = state.stored, state.ordered
        found = state.completed(min(computed + output.num_scheduled_tokens[name], known))
        if not found:
            return
        size, end = state.geometry.block, first + len(found)
        told = min(state.told, end)  # blocks that are ordered again were told of before
        try:
            extras = self._extras.of(request, told, end, state.adapter_digest)
        except ValueError as e:
            self._unnamed(state, e)
            return
        tokens = _pack(request.all_token_ids[told * size : end * size])
        state.told = max(state.told, end)
        self._tally.add("ordered_saves", end - max(first, min(before, end)))
        made.stores.append(Store(name, first, tokens, tuple(extras), tuple(found), state.adapter))
        if self._events and extras:
            self._events.ordered(request, tokens, extras, self._clock())

    def step_ended(self, output: Any) -> None:
        """Workers tell of a step that they ended."""
        self._cost.step_ends(self._clock())
        report = output.kv_connector_worker_meta
        if isinstance(report, Report):
            for name, first in report.postponed.items():
                if name in self._states:
                    self._states[name].postponed(first)
        for name in output.finished_recving or ():
            if name in self._orphans:
                self._orphans.discard(name)
                if self._agent is not None:
                    self._agent.release(name)
                continue
            state = self._states.get(name)
            if state is not None and state.phase is Phase.LOADING:
                state.phase = Phase.OVER
                self._release(name, state)

    def events(self) -> list[Any]:
        """What routers are told: blocks that are stored by now."""
        return self._events.take(self._clock()) if self._events else []

    def stats(self) -> Tally | None:
        """What was counted since the last call."""
        if self._agent is None:
            return None
        now = self._clock()
        if now >= self._told:
            self._told = now + _EACH
            self._tally.agent(self._agent.stats())
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
        self._adapters.close()
        if self._agent is not None:
            self._agent.close()
            self._agent = None


def _flaw(told: Sequence[Handshake]) -> str:
    if not told:
        return "no worker told of its cache"
    for one in told:
        if one.flaw:
            return one.flaw
    if len({one.host for one in told}) > 1:
        return "its workers are on several machines, which is not supported yet"
    if len({(one.block_tokens, one.block_bytes, one.engine_block) for one in told}) > 1:
        return "its workers have blocks of different lengths"
    return ""


def _cacheable(request: Any) -> bool:
    """Whether a request's cache may be kept at all. Sessions whose prompt grows are left out, and so is pooling."""
    return request.pooling_params is None and not getattr(request, "resumable", False)


def _reads(request: Any) -> bool:
    return not getattr(request, "skip_reading_prefix_cache", False) and not compat.asks_prompt_logprobs(request)


def _pack(tokens: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(tokens)}i", *tokens)
