"""Damage that a test does to an engine on purpose, in the engine's process."""

from __future__ import annotations

import importlib
import os
import re
import signal
import time
from collections.abc import Sequence
from typing import Any


def flip_after_check() -> None:
    """Changes bytes of each block after its checksum was compared, before it is copied into the engine's cache."""
    from kvstore_vllm.moves import HostMoves

    load = HostMoves.load

    def damaged(self: HostMoves, slot: memoryview, first: int, blocks: Sequence[int]) -> None:
        # The highest bits of float32's exponent and fraction, in the middle of the block.
        for at in range(len(slot) // 2 + 2, len(slot) // 2 + 40_002, 4):
            slot[at] ^= 0x40
        load(self, slot, first, blocks)

    HostMoves.load = damaged  # type: ignore[method-assign]


def replace_agent_before_load() -> None:
    """Kills the agent when a request was admitted, before its blocks are copied, and waits for the next agent."""
    from kvstore_vllm.worker import WorkerHalf

    load = WorkerHalf._load
    killed: list[int] = []

    def replaced(self: WorkerHalf, one: Any, orders: Any) -> bool:
        agent = self._agent
        assert agent is not None
        if not killed:
            pid = agent.stats().get("pid", 0.0)
            while not pid:  # an agent tells its counters once a second
                time.sleep(0.01)
                pid = agent.stats().get("pid", 0.0)
            killed.append(int(pid))
            os.kill(killed[0], signal.SIGKILL)
            while agent.pool is None or agent.pool.generation == one.generation:
                time.sleep(0.01)
        return load(self, one, orders)

    WorkerHalf._load = replaced  # type: ignore[method-assign]


def leave_out(what: str) -> None:
    """Of windows, the first block that is needed is not loaded, or none is ("all")."""
    from kvstore_vllm.request import RequestState

    admitted = RequestState.admitted

    def lacking(self: RequestState, tokens: int, tables: Any) -> Any:
        copies = admitted(self, tokens, tables)
        windowed = [one for one in copies if self.geometry.groups[one.group].window]
        least = min(one.row for one in windowed)
        return [one for one in copies if one not in windowed or (what == "first" and one.row > least)]

    RequestState.admitted = lacking  # type: ignore[method-assign]


def drop(*names: str) -> None:
    """Leaves inputs of :data:`kvstore_vllm.inputs.TABLE` out of the names of blocks, or does not refuse them."""
    modules = ("extras", "identity", "inputs", "positions")
    extras, identity, inputs, positions = (_module(f"kvstore_vllm.{name}") for name in modules)
    inputs.TABLE = tuple(one for one in inputs.TABLE if one.of is None or one.name not in names)
    partition, form, precision, tagged = identity.partition, identity.form, identity.precision, extras.tagged_extra

    def no_place(*told: Any) -> str:
        *others, layers, heads, group = told
        layers = (0, 0) if "layers" in names else layers
        heads = identity.Heads(0, 0, 1, True) if "heads of a rank" in names else heads
        return str(partition(*others, layers, heads, "g0" if "cache group" in names else group))

    def no_form(layout: str, engine_block: int, isa: str, backends: Sequence[str]) -> str:
        layout = "" if "layout of the cache" in names else layout
        return str(form(layout, 0 if "engine's block" in names else engine_block, isa, backends))

    def no_precision(config: Any) -> str:
        told = str(precision(config))
        told = re.sub(r"^[^.]+", "", told) if "type of the model" in names else told
        return re.sub(r"\.kv-.*", "", told) if "type of the cache" in names else told

    left_out = {_EXTRAS.get(name, "") for name in names}
    identity.partition = no_place
    identity.form, identity.precision = no_form, no_precision
    extras.tagged_extra = lambda **told: tagged(**{name: told[name] for name in told if name not in left_out})
    if "RoPE that depends on other requests" in names:
        positions.flaw = lambda _: ""


def _module(name: str) -> Any:
    return importlib.import_module(name)


#: Inputs of a request by the names that its extra has for them.
_EXTRAS = {"adapter": "adapter", "images, audio and video": "images", "prompt embeddings": "embeddings"}
