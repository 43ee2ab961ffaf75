"""The half of the connector in each of vLLM's workers."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kvstore import BlockChain, Partition
from kvstore.agent import Agent
from kvstore.weights import process_start

from kvstore_vllm import identity, layout, loaded, model_name, moves
from kvstore_vllm.identity import Heads, Unsupported
from kvstore_vllm.messages import Handshake, Load, Orders, Report, Store
from kvstore_vllm.metrics import Tally
from kvstore_vllm.settings import Settings
from kvstore_vllm.support import check

log = logging.getLogger("vllm.kvstore")


class WorkerHalf:
    """Copies blocks between vLLM's cache and the agent's slots. For the worker's thread."""

    def __init__(
        self,
        settings: Settings,
        vllm_config: Any,
        kv_cache_config: Any,
        *,
        agent: Callable[..., Agent] = Agent,
    ) -> None:
        self._settings = settings
        self._config = vllm_config
        self._cache = kv_cache_config
        self._make = agent
        self._agent: Agent | None = None
        self._partition: Partition | None = None
        self._chains: dict[str, BlockChain] = {}
        self._loading: dict[str, Callable[[], bool]] = {}
        self._bad: set[int] = set()
        self._pools: dict[int, Any] = {}
        self._lock = threading.Lock()
        self._pending = 0  # saves that are not handed over yet
        self._postponed: dict[str, int] = {}
        self._tally = Tally()
        self.handshake = Handshake(flaw="its cache was not registered")

    # --- the engine starts ---

    def register(self, caches: Mapping[str, Any], rank: int) -> None:
        """Learns where vLLM keeps keys and values. ``rank`` is the tensor-parallel one."""
        try:
            self._register(caches, rank)
        except Unsupported as e:
            self.handshake = Handshake(flaw=str(e))

    def _register(self, caches: Mapping[str, Any], rank: int) -> None:
        check(self._config, self._cache)
        if getattr(self._config, "lora_config", None) is not None:
            loaded.watch()
        engine_block = self._cache.kv_cache_groups[0].kv_cache_spec.block_size
        laid = layout.of(caches, self._cache.num_blocks)
        tokens = identity.block_tokens(engine_block, laid.block_bytes)
        per_slot = tokens // engine_block
        parallel, model = self._config.parallel_config, self._config.model_config
        heads = Heads(0, 0, 1, rank == 0)
        if not getattr(model, "use_mla", False):
            heads = Heads.of(rank, parallel.tensor_parallel_size, model.get_total_num_kv_heads())
        name = identity.partition(
            model_name.of(self._config, self._settings.model_id, loading_since=process_start()),
            identity.precision(self._config),
            identity.form(
                laid.text,
                engine_block,
                _processor(laid, self._config, engine_block),
                identity.backends(self._config, sorted(caches)),
            ),
            tokens,
            laid.layers,
            heads,
        )
        self._partition = Partition(name, tokens)
        self._length = laid.block_bytes * per_slot
        self._per_slot = per_slot
        self._writes = heads.writes and self._settings.write
        self._moves = moves.of(laid, per_slot)
        self._device = laid.runs[0].device
        # Twice a step's blocks: those of the step before may not have been replaced yet.
        scheduler = self._config.scheduler_config
        burst = 2 * (scheduler.max_num_batched_tokens // tokens + scheduler.max_num_seqs) if self._writes else 0
        self._agent = self._make(self._settings.agent(self._length), burst=burst)
        self.handshake = Handshake(name, tokens, self._length, engine_block, heads.writes, socket.gethostname())

    # --- a step ---

    def load(self, orders: Orders) -> None:
        """Begins the loads of a step."""
        if not orders.loads or self._agent is None or self._partition is None:
            return
        column = orders.partitions.index(self._partition.name)
        for one in orders.loads:
            self._loading[one.request] = self._load(one, column)

    def _load(self, one: Load, column: int) -> Callable[[], bool]:
        pool = self._pool(one.generation)
        if pool is None:  # the agent is another one by now: the engine computes these blocks
            self._bad.update(block for piece in one.pieces for block in piece.blocks)
            self._tally.add("errors", label="agent_restarted")
            return lambda: True
        if one.adapter and not loaded.may_compute_with(one.adapter):
            self._bad.update(block for piece in one.pieces for block in piece.blocks)
            self._tally.add("errors", label="adapter_changed")
            return lambda: True
        for piece in one.pieces:
            self._moves.load(pool.view(piece.slots[column])[: self._length], piece.first, piece.blocks)
        return self._moves.loaded()

    def save(self, orders: Orders) -> None:
        """Copies the blocks that this step completed, and hands them to the agent."""
        for one in orders.stores:
            self._save(one)
        for name in orders.finished:
            self._chains.pop(name, None)

    def _save(self, one: Store) -> None:
        if self._agent is None or self._partition is None or not self._writes:
            return
        chain = self._chains.get(one.request) or BlockChain.of(self._partition, b"")
        chain = chain.extend(one.tokens, one.extras)
        self._chains[one.request] = chain
        if one.adapter and not loaded.computed_with(one.adapter):
            self._tally.add("errors", label="adapter_changed")
            return
        known = self._agent.known(chain)
        for index, blocks in enumerate(one.blocks, one.first):
            if index < known:
                continue
            if not self._save_block(self._agent, chain, index, blocks):
                # Blocks behind a hole would not be found: this one and those behind it wait for the next step.
                self._postponed[one.request] = index
                return

    def _save_block(self, agent: Agent, chain: BlockChain, index: int, blocks: Sequence[int]) -> bool:
        slot = agent.reserve()
        if slot is None:
            return False
        with self._lock:
            self._pinned(slot.pool)
            self._pending += 1

        def then() -> None:
            agent.store(slot, self._length, chain, index)
            self._handed()

        if self._moves.save(slot.view[: self._length], blocks, then):
            return True
        agent.cancel(slot)
        self._handed()
        return False

    def _handed(self) -> None:
        with self._lock:
            self._pending -= 1

    def _pool(self, generation: int) -> Any:
        """The slots of a run of the agent. Slots of a run that ended stay as they were while they are mapped."""
        assert self._agent is not None
        pool = self._agent.pool
        if pool is not None:
            self._pinned(pool)
        return self._pools.get(generation)

    def _pinned(self, pool: Any) -> None:
        """Remembers the slots of the agent that runs now, and of one before it while copies are under way."""
        if pool.generation in self._pools:
            return
        for generation in list(self._pools):
            if not self._loading and not self._pending:
                moves.unpin(self._device, self._pools.pop(generation))
        self._pools[pool.generation] = pool
        moves.pin(self._device, pool)

    def report(self) -> Report | None:
        """What was postponed since the last call."""
        if not self._postponed:
            return None
        postponed, self._postponed = self._postponed, {}
        return Report(postponed)

    def finished(self) -> set[str]:
        """The requests whose loads are done since the last call."""
        done = {name for name, over in self._loading.items() if over()}
        for name in done:
            del self._loading[name]
        return done

    def failed_blocks(self) -> set[int]:
        """The engine blocks that could not be loaded, since the last call."""
        bad, self._bad = self._bad, set()
        return bad

    def stats(self) -> Tally | None:
        """What was counted since the last call."""
        if self._tally.is_empty():
            return None
        taken, self._tally = self._tally, Tally()
        return taken

    def close(self) -> None:
        """Ends copies under way and leaves the agent."""
        if self._agent is not None:
            self._moves.close()
            self._agent.close()
            self._agent = None


def _processor(laid: layout.Layout, config: Any, engine_block: int) -> str:
    """On CPUs, keys are packed for the processor's vector unit: part of the name."""
    if laid.runs[0].device.type != "cpu" or getattr(config.model_config, "use_mla", False):
        return ""
    try:
        from vllm.v1.attention.backends.cpu_attn import _get_attn_isa

        model, cache = config.model_config, config.cache_config
        kept = None if cache.cache_dtype == "auto" else cache.cache_dtype
        try:
            isa = _get_attn_isa(model.dtype, engine_block, model.get_head_size(), kept)
        except TypeError:  # a version that does not ask for the type
            isa = _get_attn_isa(model.dtype, engine_block, model.get_head_size())
    except (ImportError, TypeError) as e:
        raise Unsupported(f"this version of vLLM does not tell how its CPU backend packs keys ({e})") from None
    return str(isa)
