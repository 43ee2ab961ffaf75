"""The worker's half with a cache in host memory: what it does when a copy or the agent fails."""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import Any

import pytest
from kvstore_client import BlockChain, Partition

pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")

import torch

from kvstore_vllm import fingerprint, layout, moves
from kvstore_vllm.messages import NO_POOL, Handshake, Load, Orders, Piece, Store
from kvstore_vllm.pools import MappedPools
from kvstore_vllm.request import Group
from kvstore_vllm.settings import Settings
from kvstore_vllm.worker import KeptGroup, WorkerHalf

BLOCKS, SIZE, SLOTS = 64, 32, 8
PER = 128 // SIZE


class MemoryAgent:
    """The agent's methods for workers, over memory of this process."""

    def __init__(self, length: int) -> None:
        self.memory = bytearray(SLOTS * length)
        self.generation, self.slots, self.address, self.size = 1, SLOTS, 0, len(self.memory)
        self.length = length
        self.free = list(range(SLOTS))
        self.stored: dict[bytes, bytes] = {}
        self.fails = ""

    @property
    def pool(self) -> Any:
        return self

    def view(self, slot: int) -> memoryview:
        return memoryview(self.memory)[slot * self.length : (slot + 1) * self.length]

    def _maybe(self, what: str) -> None:
        if self.fails == what:
            raise MemoryError(f"{what}, of a test")

    def known(self, chain: BlockChain) -> int:
        self._maybe("known")
        return 0

    def reserve(self) -> Any:
        self._maybe("reserve")
        number = self.free.pop()
        return SimpleNamespace(number=number, pool=self, view=self.view(number))

    def store(self, slot: Any, nbytes: int, chain: BlockChain, index: int, *, prompt: BlockChain) -> None:
        self._maybe("store")
        self.stored[chain.location(index)] = bytes(slot.view[:nbytes])
        self.free.append(slot.number)

    def cancel(self, slot: Any) -> None:
        self.free.append(slot.number)

    def close(self) -> None:
        self._maybe("close")


class Worker:
    """A worker whose cache has two layers; each engine block has its number in all of its bytes."""

    def __init__(self, late: bool = False) -> None:
        self.weights = torch.nn.Linear(4, 4)
        self.caches = {
            f"model.layers.{i}.attn": torch.arange(BLOCKS, dtype=torch.uint8).repeat(2 * SIZE * 4, 1).T.contiguous()
            for i in range(2)
        }
        laid = layout.of(self.caches, BLOCKS)
        settings = Settings(resource="r", endpoints=("a:1",), model_id="m")
        half = WorkerHalf(settings, None, SimpleNamespace(num_blocks=BLOCKS), late=late)
        length = PER * laid.block_bytes
        self.agent = MemoryAgent(length)
        self.partition = Partition("of m", PER * SIZE)
        half._groups = [KeptGroup(SIZE, 0, length, moves.of(laid, PER), "of {}".format, self.partition)]
        half._model = "m"
        half._weights, half._fingerprint = self.weights, fingerprint.of(self.weights)
        half._writes = True
        half._pools = MappedPools(lambda _: lambda: None)
        half._pools.met(self.agent)  # type: ignore[arg-type]
        half._agent = self.agent  # type: ignore[assignment]
        half.handshake = Handshake((Group(self.partition.name, length, SIZE),), PER * SIZE, True, "here")
        self.half = half

    def save(self, *stores: Store, finished: list[str] | None = None) -> None:
        self.half.save(Orders((self.partition.name,), [], list(stores), finished or []))

    def load(self, *loads: Load) -> tuple[set[str], set[int]]:
        self.half.load(Orders((self.partition.name,), list(loads), [], []))
        return self.half.finished(), self.half.failed_blocks()

    def counted(self) -> dict[str, float]:
        told = self.half.stats()
        return told.data["counters"] if told else {}


def store(request: str, first: int, blocks: int = 1) -> Store:
    """Blocks of a prompt whose tokens are all the number of their block."""
    tokens = struct.pack(f"<{128 * blocks}i", *(i for i in range(first, first + blocks) for _ in range(128)))
    rows = tuple((tuple(range(i * PER, (i + 1) * PER)),) for i in range(first, first + blocks))
    return Store(request, first, tokens, (b"",) * blocks, rows)


def chain(worker: Worker, blocks: int) -> BlockChain:
    return BlockChain.of(worker.partition, [i for i in range(blocks) for _ in range(128)])


def test_blocks_are_saved_under_the_names_of_their_tokens() -> None:
    worker = Worker()
    worker.save(store("a", 0, 2))
    worker.save(store("a", 2))
    assert list(worker.agent.stored) == [chain(worker, 3).location(i) for i in range(3)]
    assert len(worker.agent.free) == SLOTS


@pytest.mark.parametrize("fails", ["known", "reserve", "store"])
def test_a_save_that_fails_ends_the_saves_of_its_request_alone(fails: str) -> None:
    worker = Worker()
    worker.agent.fails = fails
    worker.save(store("a", 0, 2))
    worker.agent.fails = ""
    worker.save(store("a", 2), store("b", 0, 2))
    assert list(worker.agent.stored) == [chain(worker, 2).location(i) for i in range(2)]
    assert len(worker.agent.free) == SLOTS
    assert worker.counted() == {"errors/internal": 1, "dropped_saves/failed": 2}


def test_a_copy_that_fails_gives_its_slot_back_and_is_counted() -> None:
    worker = Worker()
    copies = worker.half._groups[0].moves.save
    worker.half._groups[0].moves.save = lambda *_: (_ for _ in ()).throw(torch.OutOfMemoryError("of a test"))  # type: ignore[method-assign]
    worker.save(store("a", 0, 3))
    worker.half._groups[0].moves.save = copies  # type: ignore[method-assign]
    assert len(worker.agent.free) == SLOTS
    assert worker.counted() == {"errors/internal": 1, "dropped_saves/failed": 3}
    worker.save(finished=["a"])
    worker.save(store("a", 0))
    assert len(worker.agent.stored) == 1


def test_tokens_that_are_not_those_behind_the_last_ones_are_not_saved() -> None:
    worker = Worker()
    worker.save(store("a", 0))
    worker.save(store("a", 2))
    assert list(worker.agent.stored) == [chain(worker, 1).location(0)]


def a_load(worker: Worker, generation: int = 1, slot: int = 0) -> Load:
    return Load("a", generation, (Piece((slot,), 0, (8, 9, 10, 11)),))


def test_a_load_fills_its_blocks() -> None:
    worker = Worker()
    worker.save(store("a", 1 - 1))
    worker.agent.view(3)[:] = bytes([99]) * worker.agent.length
    assert worker.load(a_load(worker, slot=3)) == ({"a"}, set())
    assert {int(value) for cache in worker.caches.values() for value in cache[8:12].flatten()} == {99}


@pytest.mark.parametrize(
    ("fails", "code"), [("slot", "copy_failed"), ("orders", "internal"), ("generation", "agent_restarted")]
)
def test_a_load_that_fails_is_done_and_its_blocks_are_for_the_engine_to_compute(fails: str, code: str) -> None:
    worker = Worker()
    one = a_load(worker, NO_POOL if fails == "generation" else 1)
    if fails == "slot":
        worker.half._groups[0].moves.load = lambda *_: (_ for _ in ()).throw(RuntimeError("of a test"))  # type: ignore[method-assign]
    if fails == "orders":
        worker.half.load(Orders((), [one], [], []))
        told = worker.half.finished(), worker.half.failed_blocks()
    else:
        told = worker.load(one)
    assert told == ({"a"}, {8, 9, 10, 11})
    assert worker.counted() == {f"errors/{code}": 1}


def test_a_load_into_blocks_that_are_not_known_fails_for_all_blocks() -> None:
    assert Worker().load(Load("a", NO_POOL, ())) == ({"a"}, set(range(BLOCKS)))


def renewed(worker: Worker, run: int, met: bool = False) -> str:
    worker.half.load(Orders((), [], [], [], run, met))
    report = worker.half.report()
    assert report
    assert report.handshakes[0].run == run
    assert not report.handshakes[0].flaw
    return report.handshakes[0].groups[0].partition


def test_weights_that_are_others_after_a_reset_have_another_name_and_equal_ones_have_theirs() -> None:
    worker = Worker()
    assert worker.half.report() is None
    first = worker.partition.name
    assert renewed(worker, 1) == first
    with torch.no_grad():
        worker.weights.weight[1, 1] += 1
    other = renewed(worker, 2)
    assert other != first
    assert renewed(worker, 3) == other
    with torch.no_grad():
        worker.weights.weight[1, 1] += 1
    assert len({first, other, renewed(worker, 4)}) == 3
    worker.half.load(Orders((), [], [], [], 4, True))
    assert worker.half.report() is None


def test_blocks_that_were_admitted_before_other_weights_came_are_not_loaded() -> None:
    worker = Worker()
    with torch.no_grad():
        worker.weights.weight[1, 1] += 1
    worker.half.load(Orders((worker.partition.name,), [a_load(worker)], [], [], 1, False))
    assert worker.half.failed_blocks() == set()
    assert worker.half.finished() == {"a"}
    assert worker.half.failed_blocks() == {8, 9, 10, 11}


def test_weights_that_cannot_be_looked_at_after_a_reset_are_a_flaw() -> None:
    worker = Worker()
    worker.weights.state_dict = lambda: (_ for _ in ()).throw(RuntimeError("of a test"))
    worker.half.load(Orders((), [], [], [], 1, False))
    report = worker.half.report()
    assert report
    assert "cannot look at them" in report.handshakes[0].flaw


def test_beside_another_connector_a_worker_tells_its_name_with_its_steps_until_it_is_known() -> None:
    worker = Worker(late=True)
    assert worker.half.early_handshake is None
    assert renewed(worker, 0) == worker.partition.name
    assert renewed(worker, 0, met=False) == worker.partition.name
    worker.half.load(Orders((), [], [], [], 0, True))
    assert worker.half.report() is None


def test_an_engine_whose_cache_cannot_be_registered_goes_on_without() -> None:
    half = WorkerHalf(Settings(resource="r", endpoints=("a:1",)), SimpleNamespace(), SimpleNamespace())
    half.register({}, 0)
    assert "its cache could not be registered: AttributeError" in half.handshake.flaw
    half.save(Orders((), [], [store("a", 0)], []))
    half.close()


def test_an_agent_that_cannot_be_left_keeps_no_engine_from_its_end() -> None:
    worker = Worker()
    worker.agent.fails = "close"
    worker.half.close()
