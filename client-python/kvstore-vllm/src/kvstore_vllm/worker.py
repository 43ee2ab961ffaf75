"""The half of the connector in each of vLLM's workers."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from kvstore import BlockChain, Partition
from kvstore.agent import Agent
from kvstore.names import HASH_BYTES

from kvstore_vllm import identity, layout, moves
from kvstore_vllm.identity import Heads, Unsupported
from kvstore_vllm.messages import Handshake, Load, Orders, Report, Store
from kvstore_vllm.metrics import Tally
from kvstore_vllm.pools import MappedPools, pin
from kvstore_vllm.settings import Settings
from kvstore_vllm.sizing import Sizing, machine_memory
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
        self._prompts: dict[str, BlockChain] = {}  # of the first partition
        self._loading: dict[str, Callable[[], bool]] = {}
        self._bad: set[int] = set()
        self._pools = MappedPools(lambda _: lambda: None)
        self._lock = threading.Lock()
        self._postponed: dict[str, int] = {}
        self._step = 0
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
        engine_block = self._cache.kv_cache_groups[0].kv_cache_spec.block_size
        laid = layout.of(caches, self._cache.num_blocks)
        tokens = identity.block_tokens(engine_block, laid.block_bytes)
        per_slot = tokens // engine_block
        parallel, model = self._config.parallel_config, self._config.model_config
        heads = Heads(0, 0, 1, rank == 0)
        if not getattr(model, "use_mla", False):
            heads = Heads.of(rank, parallel.tensor_parallel_size, model.get_total_num_kv_heads())
        name = identity.partition(
            identity.model(model, self._settings.model_id),
            identity.precision(self._config),
            f"{laid.text}-bs{engine_block}{_processor(laid, self._config, engine_block)}",
            tokens,
            laid.layers,
            heads,
        )
        self._partition = Partition(name, tokens)
        self._length = laid.block_bytes * per_slot
        self._per_slot = per_slot
        self._writes = heads.writes and self._settings.write
        self._moves = moves.of(laid, per_slot)
        self._pools = MappedPools(partial(pin, laid.runs[0].device))
        sizing = self._sizing(tokens, min(heads.total, parallel.tensor_parallel_size))
        memory = sizing.memory(machine_memory())
        self._agent = self._make(
            self._settings.agent(self._length, memory),
            burst=sizing.burst if self._writes else 0,
            met=self._pools.met,
            lost=self._pools.lost,
        )
        self.handshake = Handshake(
            name,
            tokens,
            self._length,
            engine_block,
            heads.writes,
            socket.gethostname(),
            host_memory=memory,
            sizing=sizing,
        )

    def _sizing(self, tokens: int, partitions: int) -> Sizing:
        scheduler, parallel = self._config.scheduler_config, self._config.parallel_config
        return Sizing(
            self._length,
            tokens,
            partitions,
            scheduler.max_num_batched_tokens,
            scheduler.max_num_seqs,
            max(1, getattr(parallel, "data_parallel_size_local", 1)),
        )

    # --- a step ---

    def load(self, orders: Orders) -> None:
        """Begins the loads of a step; it is called once in each."""
        self._step = orders.step
        if not orders.loads or self._agent is None or self._partition is None:
            return
        column = orders.partitions.index(self._partition.name)
        for one in orders.loads:
            self._loading[one.request] = self._load(one, column)

    def _load(self, one: Load, column: int) -> Callable[[], bool]:
        pool = self._pools.begins(one.generation)
        if pool is None:  # the agent is another one by now: the engine computes these blocks
            return self._computed(one, "agent_restarted")
        for piece in one.pieces:
            self._moves.load(pool.view(piece.slots[column])[: self._length], piece.first, piece.blocks)
        try:
            loaded = self._moves.loaded()
        except RuntimeError as e:  # such as no memory on the device
            log.warning("KV Store: blocks of a request were not copied, and are computed (%s)", e)
            self._pools.ends(one.generation)
            return self._computed(one, "copy_failed")

        def over() -> bool:
            done = loaded()
            if done:
                self._pools.ends(one.generation)
            return done

        return over

    def _computed(self, one: Load, why: str) -> Callable[[], bool]:
        """A load that is over, and whose blocks the engine computes."""
        self._bad.update(block for piece in one.pieces for block in piece.blocks)
        with self._lock:
            self._tally.add("errors", label=why)
        return lambda: True

    def save(self, orders: Orders) -> None:
        """Copies the blocks that this step completed, and hands them to the agent."""
        for one in orders.stores:
            if one.heads and self._partition is not None:
                first = Partition(orders.partitions[0], self._partition.block_tokens)
                self._prompts[one.request] = BlockChain(first, one.heads, len(one.heads) // HASH_BYTES, b"", ())
            self._save(one)
        if orders.stores and self._agent is not None:
            self._moves.saved()
        for name in orders.finished:
            self._chains.pop(name, None)
            self._prompts.pop(name, None)

    def _save(self, one: Store) -> None:
        if self._agent is None or self._partition is None or not self._writes:
            return
        chain = self._chains.get(one.request) or BlockChain.of(self._partition, b"")
        chain = chain.extend(one.tokens, one.extras)
        self._chains[one.request] = chain
        known = self._agent.known(chain)
        for index, blocks in enumerate(one.blocks, one.first):
            if index < known:
                continue
            prompt = self._prompts.get(one.request, chain)
            if not self._save_block(self._agent, one.request, chain, index, blocks, prompt):
                self._postpone(one.request, index)
                return

    def _save_block(
        self, agent: Agent, name: str, chain: BlockChain, index: int, blocks: Sequence[int], prompt: BlockChain
    ) -> bool:
        slot = agent.reserve()
        if slot is None:
            return False
        generation = slot.pool.generation
        if self._pools.begins(generation) is None:  # the agent has ended meanwhile
            return False

        def then(copied: bool) -> None:
            if copied:
                agent.store(slot, self._length, chain, index, prompt=prompt)
            else:
                agent.cancel(slot)
                self._postpone(name, index)
                with self._lock:
                    self._tally.add("errors", label="copy_failed")
            self._pools.ends(generation)

        if self._moves.save(slot.view[: self._length], blocks, then):
            return True
        agent.cancel(slot)
        self._pools.ends(generation)
        return False

    def _postpone(self, name: str, index: int) -> None:
        """Blocks behind a hole would not be found: this one and those behind it wait for a later step."""
        with self._lock:
            self._postponed[name] = min(index, self._postponed.get(name, index))

    def report(self) -> Report | None:
        """What was postponed since the last call, and the number of a step that is measured."""
        if not self._postponed and not self._step:
            return None
        with self._lock:
            postponed, self._postponed = self._postponed, {}
        step, self._step = self._step, 0
        return Report(postponed, step)

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
        with self._lock:
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
    return f"-{isa}"
