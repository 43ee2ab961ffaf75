"""The half of the connector in each of vLLM's workers."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from kvstore_client import BlockChain, Partition
from kvstore_client.agent import Agent, SlotPool
from kvstore_client.names import HASH_BYTES
from kvstore_client.weights import process_start

from kvstore_vllm import compat, fingerprint, groups, identity, loaded, model_name, moves
from kvstore_vllm.guard import Guard
from kvstore_vllm.identity import Unsupported
from kvstore_vllm.messages import Handshake, Load, Orders, Report, Store
from kvstore_vllm.metrics import Tally
from kvstore_vllm.moves import Moves
from kvstore_vllm.pools import MappedPools, pin
from kvstore_vllm.request import Group
from kvstore_vllm.settings import Settings
from kvstore_vllm.sizing import Sizing, machine_memory
from kvstore_vllm.support import check

log = logging.getLogger("vllm.kvstore")


@dataclass
class KeptGroup:
    """A cache group, and where its blocks go: ``length`` bytes each, into a partition by the name of the model."""

    engine_block: int
    window: int
    length: int
    moves: Moves
    named: Callable[[str], str]
    partition: Partition

    @classmethod
    def of(cls, kept: groups.Kept, named: Callable[[str], str], model: str) -> KeptGroup:
        """A group as it was found."""
        per_slot = kept.tokens // kept.engine_block
        made = moves.of(kept.laid, per_slot)
        partition = Partition(named(model), kept.tokens)
        return cls(kept.engine_block, kept.window, kept.laid.block_bytes * per_slot, made, named, partition)

    def rename(self, model: str) -> None:
        """The model is another one."""
        self.partition = Partition(self.named(model), self.partition.block_tokens)


class WorkerHalf:
    """Copies blocks between vLLM's cache and the agent's slots. For the worker's thread.

    vLLM ends its engine if one of these methods raises; none does. Blocks whose load failed are computed by the
    engine, and of a request whose save failed nothing more is saved.
    """

    def __init__(
        self,
        settings: Settings,
        vllm_config: Any,
        kv_cache_config: Any,
        *,
        agent: Callable[..., Agent] = Agent,
        late: bool = False,
    ) -> None:
        """``late``: the scheduler's half hears of this worker with the first step."""
        self._late = late
        self._settings = settings
        self._config = vllm_config
        self._cache = kv_cache_config
        self._make = agent
        self._agent: Agent | None = None
        self._groups: list[KeptGroup] = []
        self._chains: dict[str, list[BlockChain]] = {}
        self._prompts: dict[str, BlockChain] = {}  # of the first partition
        self._unsaved: set[str] = set()
        self._weights: Any = None
        self._loading: dict[str, Callable[[], bool]] = {}
        self._failing: dict[str, set[int]] = {}
        self._bad: set[int] = set()
        self._failed: set[str] = set()
        self._pools = MappedPools(lambda _: lambda: None)
        self._lock = threading.Lock()
        self._postponed: dict[str, int] = {}
        self._step = 0
        self._tally = Tally()
        self._guard = Guard(lambda _: self._tally.add("errors", label="internal"))
        self.handshake = Handshake(flaw="its cache was not registered")

    # --- the engine starts ---

    @property
    def early_handshake(self) -> Handshake | None:
        """What the scheduler's half hears of this worker before the first step."""
        return None if self._late else self.handshake

    def register(self, caches: Mapping[str, Any], rank: int) -> None:
        """Learns where vLLM keeps keys and values. ``rank`` is the tensor-parallel one."""
        try:
            self._register(caches, rank)
        except Unsupported as e:
            self.handshake = Handshake(flaw=str(e))
        except Exception as e:  # the engine goes on without the store
            log.warning("KV Store: the engine's cache could not be registered", exc_info=e)
            self.handshake = Handshake(flaw=f"its cache could not be registered: {type(e).__name__}: {e}")

    def _register(self, caches: Mapping[str, Any], rank: int) -> None:
        check(self._config, self._cache)
        if getattr(self._config, "lora_config", None) is not None:
            loaded.watch()
        found = groups.of(self._config, self._cache, caches, rank)
        tokens, heads = found[0].tokens, found[0].heads
        self._model = model_name.of(self._config, self._settings.model_id, loading_since=process_start())
        self._weights = compat.model()
        self._fingerprint = fingerprint.of(self._weights) if self._weights is not None else ""
        precision = identity.precision(self._config)
        self._groups = [KeptGroup.of(one, partial(one.partition, precision), self._model) for one in found]
        self._writes = heads.writes and self._settings.write
        self._pools = MappedPools(partial(pin, found[0].laid.runs[0].device))
        sizing = self._sizing(tokens, min(heads.total, self._config.parallel_config.tensor_parallel_size))
        memory = sizing.memory(machine_memory())
        self._agent = self._make(
            self._settings.agent(sizing.block_bytes, memory),
            burst=sizing.burst if self._writes else 0,
            met=self._pools.met,
            lost=self._pools.lost,
        )
        self.handshake = Handshake(
            self._told(),
            tokens,
            heads.writes,
            socket.gethostname(),
            host_memory=memory,
            sizing=sizing,
        )

    def _told(self) -> tuple[Group, ...]:
        return tuple(Group(one.partition.name, one.length, one.engine_block, one.window) for one in self._groups)

    def _sizing(self, tokens: int, partitions: int) -> Sizing:
        scheduler, parallel = self._config.scheduler_config, self._config.parallel_config
        return Sizing(
            max(one.length for one in self._groups),
            tokens,
            partitions,
            scheduler.max_num_batched_tokens,
            scheduler.max_num_seqs,
            max(1, getattr(parallel, "data_parallel_size_local", 1)),
            len(self._groups),
        )

    def _meets(self, orders: Orders) -> None:
        """Looks at the weights anew if they may be others, and tells their name until the scheduler's half knows it."""
        if orders.run != self.handshake.run:
            renewed = self._guard.run("a look at the weights", None, self._renewed)
            flaw = "the engine's weights may have been replaced since its start, and the worker cannot look at them"
            self.handshake = replace(renewed or Handshake(flaw=flaw), run=orders.run)
        self._late = not orders.met

    def _renewed(self) -> Handshake | None:
        if self._weights is None or not self._groups:
            return None
        seen = fingerprint.of(self._weights)
        for one in self._groups:
            one.rename(self._model if seen == self._fingerprint else f"{self._model}+{seen}")
        self._chains.clear()
        return replace(self.handshake, groups=self._told())

    # --- a step ---

    def load(self, orders: Orders) -> None:
        """Begins the loads of a step; it is called once in each."""
        self._step = orders.step
        self._meets(orders)
        for one in orders.loads:
            self._loading[one.request] = lambda: True
            if not self._guard.run("a load", False, partial(self._load, one, orders)):
                blocks = {block for piece in one.pieces for block in piece.blocks}
                self._failing[one.request] = blocks or set(range(self._cache.num_blocks))

    def _load(self, one: Load, orders: Orders) -> bool:
        if one.adapter and not loaded.may_compute_with(one.adapter):
            self._tally.add("errors", label="adapter_changed")
            return False
        columns = [orders.partitions.index(group.partition.name) for group in self._groups if one.pieces]
        pool = self._pools.begins(one.generation)
        if pool is None:  # the agent is another one by now: the engine computes these blocks
            self._tally.add("errors", label="agent_restarted")
            return False
        try:
            self._copy(one, pool, columns)
        except RuntimeError as e:  # such as no memory on the device
            log.warning("KV Store: blocks of a request were not copied, and are computed (%s)", e)
            with self._lock:
                self._tally.add("errors", label="copy_failed")
            return False
        return True

    def _copy(self, one: Load, pool: SlotPool, columns: Sequence[int]) -> None:
        try:
            for piece in one.pieces:
                group = self._groups[piece.group]
                slot = pool.view(piece.slots[columns[piece.group]])[: group.length]
                group.moves.load(slot, piece.first, piece.blocks)
        finally:  # pieces that have begun are waited for in any case: they must not end after the engine computed them
            self._loading[one.request] = partial(self._copied, self._begun(one.generation), one.generation)

    def _begun(self, generation: int) -> Callable[[], bool]:
        try:
            begun = [group.moves.loaded() for group in self._groups]
        except BaseException:
            self._pools.ends(generation)
            raise
        return lambda: all(over() for over in begun)

    def _copied(self, over: Callable[[], bool], generation: int) -> bool:
        done = over()
        if done:
            self._pools.ends(generation)
        return done

    def save(self, orders: Orders) -> None:
        """Copies the blocks that this step completed, and hands them to the agent."""
        for one in orders.stores:
            if one.request in self._unsaved:
                continue
            if not self._guard.run("a save", False, partial(self._save, one, orders)):
                # Later tokens of this request would go behind others in its chain than they do in the prompt.
                self._unsaved.add(one.request)
                self._tally.add("dropped_saves", len(one.blocks), "failed")
        if orders.stores and self._agent is not None:
            for group in self._groups:
                self._guard.run("the copies of a step", None, group.moves.saved)
        for name in orders.finished:
            self._chains.pop(name, None)
            self._prompts.pop(name, None)
            self._unsaved.discard(name)

    def _save(self, one: Store, orders: Orders) -> bool:
        if self._agent is None or not self._writes:
            return True
        if one.heads:
            first = Partition(orders.partitions[0], self._groups[0].partition.block_tokens)
            self._prompts[one.request] = BlockChain(first, one.heads, len(one.heads) // HASH_BYTES, b"", ())
        before = self._chains.get(one.request) or [BlockChain.of(group.partition, b"") for group in self._groups]
        chains = [chain.extend(one.tokens, one.extras) for chain in before]
        if len(chains[0]) != one.first + len(one.blocks):
            raise AssertionError(f"blocks {one.first} to {one.first + len(one.blocks)} of a chain of {len(chains[0])}")
        self._chains[one.request] = chains
        if one.adapter and not loaded.computed_with(one.adapter):
            self._tally.add("errors", label="adapter_changed")
            self._unsaved.add(one.request)  # blocks behind these depend on them
            return True
        known = [self._agent.known(chain) for chain in chains]
        prompt = self._prompts.get(one.request, chains[0])
        for index, parts in enumerate(one.blocks, one.first):
            for group, chain, blocks, past in zip(self._groups, chains, parts, known, strict=True):
                if not blocks or index < past:
                    continue
                if not self._save_block(self._agent, one.request, group, chain, index, blocks, prompt):
                    self._postpone(one.request, index)
                    return True
        return True

    def _save_block(
        self,
        agent: Agent,
        name: str,
        group: KeptGroup,
        chain: BlockChain,
        index: int,
        blocks: Sequence[int],
        prompt: BlockChain,
    ) -> bool:
        slot = agent.reserve()
        if slot is None:
            return False
        generation = slot.pool.generation
        if self._pools.begins(generation) is None:  # the agent has ended meanwhile
            return False

        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                self._pools.ends(generation)

        def then(copied: bool) -> None:
            try:
                if copied:
                    agent.store(slot, group.length, chain, index, prompt=prompt)
                else:
                    agent.cancel(slot)
                    self._postpone(name, index)
                    with self._lock:
                        self._tally.add("errors", label="copy_failed")
            finally:
                end()

        begun = False
        try:
            begun = group.moves.save(slot.view[: group.length], blocks, then)
        finally:
            if not begun:
                end()
                agent.cancel(slot)
        return begun

    def _postpone(self, name: str, index: int) -> None:
        """Blocks behind a hole would not be found: this one and those behind it wait for a later step."""
        with self._lock:
            self._postponed[name] = min(index, self._postponed.get(name, index))

    def report(self) -> Report | None:
        """What the scheduler's half is told after this step."""
        if not self._postponed and not self._step and not self._late:
            return None
        with self._lock:
            postponed, self._postponed = self._postponed, {}
        step, self._step = self._step, 0
        return Report(postponed, (self.handshake,) if self._late else (), step)

    def finished(self) -> set[str]:
        """The requests whose loads are done since the last call."""
        done = {name for name, over in self._loading.items() if self._is_over(name, over)}
        for name in done:
            del self._loading[name]
            bad = self._failing.pop(name, set())
            if self._whole:
                self._failed |= {name} if bad else set()
            else:
                self._bad |= bad
        return done

    @property
    def _whole(self) -> bool:
        """Whether a request of which a block fails is computed from its start: vLLM cannot keep a part of windows."""
        return len(self._groups) > 1 or any(group.window for group in self._groups)

    def _is_over(self, name: str, over: Callable[[], bool]) -> bool:
        try:
            return over()
        except Exception as e:  # the device tells of no copy any more: it lost them
            self._tally.add("errors", label="internal")
            log.warning("KV Store: whether a load is done cannot be told: %s", e)
            self._failing[name] = set(range(self._cache.num_blocks))
            return True

    def failed_requests(self) -> set[str]:
        """The requests whose blocks are all to be computed, since the last call."""
        failed, self._failed = self._failed, set()
        return failed

    def failed_blocks(self) -> set[int]:
        """The engine blocks that could not be loaded, since the last call."""
        bad, self._bad = self._bad, set()
        return bad

    def stats(self) -> Tally | None:
        """What was counted since the last call."""
        with self._lock:
            if self._tally.is_empty():
                return None
            taken, self._tally = self._tally, Tally()
        return taken

    def close(self) -> None:
        """Ends copies under way and leaves the agent."""
        agent, self._agent = self._agent, None
        if agent is not None:
            for group in self._groups:
                self._guard.run("the end of copies", None, group.moves.close)
            self._guard.run("the end", None, agent.close)
