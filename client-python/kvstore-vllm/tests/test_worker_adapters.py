"""A worker stores and loads the blocks of an adapter while they are those of the files that it loaded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")

from kvstore_client import Partition

from kvstore_vllm import loaded
from kvstore_vllm.adapters import Adapter
from kvstore_vllm.messages import Load, Orders, Piece, Store
from kvstore_vllm.settings import Settings
from kvstore_vllm.worker import KeptGroup, WorkerHalf

SERVED, NEXT = Adapter(1, "served", b"1"), Adapter(1, "next", b"2")


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A worker that notes what it copies."""
    monkeypatch.setattr(loaded, "_states", {1: "served"})
    half = WorkerHalf(Settings(resource="r", endpoints=("a:1",)), None, None)
    copied: list[Any] = []
    half.copied = copied  # type: ignore[attr-defined]
    half._writes = True
    half._agent = SimpleNamespace(known=lambda chain: 0, pool=None)  # type: ignore[assignment]
    half._pools = SimpleNamespace(  # type: ignore[assignment]
        begins={1: SimpleNamespace(view=lambda slot: bytearray(8))}.get, ends=lambda generation: None
    )
    made = SimpleNamespace(
        saved=lambda: None,
        load=lambda slot, first, blocks: copied.append(blocks),
        loaded=lambda: lambda: True,
    )
    half._groups = [KeptGroup(4, 0, 8, made, str, Partition("p", 4))]

    def save(agent: Any, name: str, group: Any, chain: Any, index: int, blocks: Any, prompt: Any) -> bool:
        copied.append(index)
        return True

    monkeypatch.setattr(half, "_save_block", save)
    return half


def store(adapter: Adapter | None, first: int = 0) -> Orders:
    return Orders(("p",), [], [Store("a", first, bytes(16), (b"x",), (((7,),),), adapter)], [])


@pytest.mark.parametrize(
    ("adapter", "saves"), [(None, True), (SERVED, True), (NEXT, False), (Adapter(2, "", b""), False)]
)
def test_only_blocks_of_the_loaded_adapter_are_stored(worker: Any, adapter: Adapter | None, saves: bool) -> None:
    worker.save(store(adapter))
    assert bool(worker.copied) is saves
    assert (worker.stats() is None) is saves


def test_blocks_behind_those_of_another_adapter_are_not_stored_either(worker: Any) -> None:
    worker.save(store(NEXT))
    loaded._states[1] = "next"
    worker.save(store(NEXT, 1))
    assert worker.copied == []


@pytest.mark.parametrize(
    ("adapter", "loads"), [(None, True), (SERVED, True), (NEXT, False), (Adapter(2, "x", b""), True)]
)
def test_only_blocks_of_the_loaded_adapter_are_loaded(worker: Any, adapter: Adapter | None, loads: bool) -> None:
    worker.load(Orders(("p",), [Load("a", 1, (Piece((0,), 0, (5, 6)),), adapter)], [], []))
    assert worker.copied == ([(5, 6)] if loads else [])
    assert worker.finished() == {"a"}
    assert worker.failed_blocks() == (set() if loads else {5, 6})
