"""The worker's half on a cache of the CPU: what it saves, loads, and lets go when an agent ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from kvstore_client import BlockChain, Partition

torch = pytest.importorskip("torch", reason="missing: torch, which comes with vLLM")
pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")

from kvstore_vllm import layout, moves  # noqa: E402
from kvstore_vllm.messages import Load, Orders, Piece, Store  # noqa: E402
from kvstore_vllm.pools import MappedPools  # noqa: E402
from kvstore_vllm.settings import Settings  # noqa: E402
from kvstore_vllm.worker import KeptGroup, WorkerHalf  # noqa: E402

PARTITIONS = ("first", "mine")
TOKENS, PER = 8, 2
TEXT = b"".join(i.to_bytes(4, "little") for i in range(3 * TOKENS))


class Pool:
    """Slots of one run of the agent."""

    def __init__(self, generation: int, length: int) -> None:
        self.generation = generation
        self.memory = [bytearray(length) for _ in range(8)]

    def view(self, slot: int) -> memoryview:
        return memoryview(self.memory[slot])


class Slot:
    """A reserved one."""

    def __init__(self, pool: Pool, number: int) -> None:
        self.pool = pool
        self.view = pool.view(number)


class SlotAgent:
    """The worker's part of an agent."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.free = [3, 2, 1, 0]
        self.stored: list[tuple[int, bytes, str]] = []
        self.cancelled = 0

    def known(self, chain: BlockChain) -> int:
        return 0

    def reserve(self) -> Slot | None:
        return Slot(self.pool, self.free.pop()) if self.free else None

    def store(self, slot: Slot, nbytes: int, chain: BlockChain, index: int, *, prompt: BlockChain) -> None:
        self.stored.append((index, bytes(slot.view[:nbytes]), prompt.partition.name))

    def cancel(self, slot: Slot) -> None:
        self.cancelled += 1


class LateMoves(moves.HostMoves):
    """Copies that arrive when the test says so, or fail."""

    thens: list[Callable[[bool], None]]

    def save(self, slot: memoryview, blocks: Sequence[int], then: Callable[[bool], None]) -> bool:
        self.thens = [*getattr(self, "thens", []), then]
        return super().save(slot, blocks, lambda _: None)


def worker(kind: type[moves.HostMoves] = moves.HostMoves) -> tuple[WorkerHalf, SlotAgent, list[str], Any]:
    caches = {f"layers.{i}": torch.arange(7 * 6, dtype=torch.float32).view(7, 6) + 100 * i for i in range(2)}
    laid = layout.of(caches, 7)
    made = WorkerHalf(Settings(resource="r", endpoints=("a:1",)), None, SimpleNamespace(num_blocks=7))
    length = PER * laid.block_bytes
    agent, given_up = SlotAgent(Pool(1, length)), []
    made._groups = [KeptGroup(1, 0, length, kind(laid, PER), str, Partition("mine", TOKENS))]
    made._writes = True
    made._agent = agent  # type: ignore[assignment]
    made._pools = MappedPools(lambda pool: lambda: given_up.append(f"pool {pool.generation}"))
    made._pools.met(agent.pool)  # type: ignore[arg-type]
    return made, agent, given_up, caches


def orders(*stores: Store, loads: Sequence[Load] = ()) -> Orders:
    return Orders(PARTITIONS, list(loads), list(stores), [], step=7)


def test_blocks_are_saved_in_order_and_those_without_a_slot_wait() -> None:
    half, agent, _, caches = worker()
    del agent.free[2:]
    heads = BlockChain.of(Partition("first", TOKENS), TEXT).hashes
    told = orders(Store("r", 0, TEXT, (b"",) * 3, (((0, 1),), ((2, 3),), ((4, 5),)), heads=heads))
    half.load(told)
    half.save(told)
    rows = [torch.cat([caches[f"layers.{i}"][a : a + 2].reshape(-1) for i in range(2)]) for a in (0, 2)]
    assert agent.stored == [(i, row.numpy().tobytes(), "first") for i, row in enumerate(rows)]
    report = half.report()
    assert report is not None
    assert (report.postponed, report.step) == ({"r": 2}, 7)
    assert half.report() is None


def test_a_copy_that_fails_drops_its_save_and_is_ordered_again() -> None:
    half, agent, given_up, _ = worker(LateMoves)
    half.save(orders(Store("r", 0, TEXT, (b"",) * 3, (((0, 1),), ((2, 3),), ((4, 5),)))))
    made = half._groups[0].moves
    assert isinstance(made, LateMoves)
    first, second, third = made.thens
    first(True)
    half._pools.lost()
    assert given_up == [], "copies are under way"
    third(False)
    second(False)
    assert given_up == ["pool 1"]
    assert ([index for index, *_ in agent.stored], agent.cancelled) == ([0], 2)
    report = half.report()
    assert report is not None and report.postponed == {"r": 1}
    tally = half.stats()
    assert tally is not None and tally.data["counters"] == {"errors/copy_failed": 2}


class RefusedMoves(moves.HostMoves):
    """A device without memory for loads."""

    def loaded(self) -> Callable[[], bool]:
        raise torch.cuda.OutOfMemoryError("out of memory")


def test_loads_that_the_device_refuses_are_computed() -> None:
    half, _, given_up, _ = worker(RefusedMoves)
    half.load(orders(loads=[Load("r", 1, (Piece((0, 5), 0, (1, 2)),))]))
    assert (half.finished(), half.failed_blocks()) == ({"r"}, {1, 2})
    half._pools.lost()
    assert given_up == ["pool 1"]


def test_blocks_of_an_agent_that_ended_are_computed_and_its_memory_is_free() -> None:
    half, agent, given_up, caches = worker()
    row = bytes(range(half._groups[0].length))
    agent.pool.memory[5][:] = row
    load = Load("r", 1, (Piece((0, 5), 0, (1, 2)),))
    half.load(orders(loads=[load]))
    half._pools.lost()
    assert half.finished() == {"r"}
    assert given_up == ["pool 1"]
    assert caches["layers.0"][1:3].numpy().tobytes() == row[: half._groups[0].length // 2]
    half.load(orders(loads=[load]))
    assert (half.finished(), half.failed_blocks()) == ({"r"}, {1, 2})
    tally = half.stats()
    assert tally is not None and tally.data["counters"] == {"errors/agent_restarted": 1}
