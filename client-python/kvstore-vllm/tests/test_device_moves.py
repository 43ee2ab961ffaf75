"""Blocks that are gathered together are those that are copied one by one, on tensors of the CPU."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="missing: torch, which comes with vLLM")

from test_layout import BLOCKS, ORDERS, caches  # noqa: E402

from kvstore_vllm import layout, moves  # noqa: E402
from kvstore_vllm.device_moves import gather, scatter, wide  # noqa: E402

SLOTS = [[1, 6], [0, 3], [5, 2]]


def one_by_one(laid: layout.Layout, slots: list[list[int]]) -> list[bytes]:
    copies = moves.HostMoves(laid, len(slots[0]))
    made = [bytearray(laid.block_bytes * len(slots[0])) for _ in slots]
    for slot, blocks in zip(made, slots, strict=True):
        copies.save(memoryview(slot), blocks, lambda _: None)
    return [bytes(slot) for slot in made]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.uint8])
@pytest.mark.parametrize("widen", [True, False])
def test_a_step_is_gathered_as_its_blocks_would_be_copied(order: str, dtype: Any, widen: bool) -> None:
    laid = layout.of(caches(order, 1, dtype), BLOCKS)
    runs = wide(laid.runs) if widen else list(laid.runs)
    assert (runs[0].dtype is torch.int64) == (widen and laid.runs[0].shape[1] % 8 == 0)
    staging = torch.zeros((len(SLOTS), laid.block_bytes * 2), dtype=torch.uint8)
    gather(runs, torch.tensor([1, 6, 0, 3, 5, 2]), staging)
    assert [row.numpy().tobytes() for row in staging] == one_by_one(laid, SLOTS)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("widen", [True, False])
def test_parts_of_slots_come_back_where_they_belong(order: str, widen: bool) -> None:
    source, target, expected = caches(order, 1), caches(order, 2), caches(order, 2)
    laid, back, same = (layout.of(one, BLOCKS) for one in (source, target, expected))
    staging = torch.stack([torch.frombuffer(bytearray(one), dtype=torch.uint8) for one in one_by_one(laid, SLOTS)])
    runs = wide(back.runs) if widen else list(back.runs)
    scatter(runs, 2, torch.tensor([4, 0, 1, 3]), staging, torch.tensor([1, 2, 3, 4]))
    copies = moves.HostMoves(same, 2)
    for first, blocks, row in ((1, [4], 0), (0, [0, 1], 1), (0, [3], 2)):
        copies.load(memoryview(staging[row].numpy()), first, blocks)
    for name in target:
        assert torch.equal(target[name], expected[name])


def test_two_kernels_a_layer_for_any_number_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = layout.of(caches("LBHNC", 1), BLOCKS)
    counted: list[str] = []
    select = torch.Tensor.index_select

    def counting(*one: Any) -> Any:
        counted.append("gather")
        return select(*one)

    monkeypatch.setattr(torch.Tensor, "index_select", counting)
    gather(laid.runs, torch.tensor([1, 6, 0, 3, 5, 2]), torch.zeros((3, laid.block_bytes * 2), dtype=torch.uint8))
    assert len(counted) == len(laid.runs)
