"""Blocks come back byte for byte from every way in which vLLM lays its cache out."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="missing: torch, which comes with vLLM")

from kvstore_vllm import layout, moves  # noqa: E402
from kvstore_vllm.identity import Unsupported  # noqa: E402

LAYERS, BLOCKS, HEADS, TOKENS, CONTENT = 3, 7, 2, 4, 6

#: Physical orders of (layers, blocks, heads, tokens, content) that vLLM has.
ORDERS = ["LBHNC", "LBNHC", "LHBNC", "BLHNC", "BLNHC", "BHLNC"]


def caches(order: str, fill: int, dtype: Any = torch.float32, split: int = 1) -> dict[str, Any]:
    """Views of each layer in logical order; ``split``: kernel blocks of a manager's block."""
    sizes = {"L": LAYERS, "B": BLOCKS * split, "H": HEADS, "N": TOKENS // split, "C": CONTENT}
    generator = torch.Generator().manual_seed(fill)
    whole = torch.randn([sizes[axis] for axis in order], generator=generator).to(dtype)
    logical = whole.permute([order.index(axis) for axis in "LBHNC"])
    return {f"model.layers.{i}.self_attn.attn": logical[i] for i in range(LAYERS)}


def copy(source: dict[str, Any], target: dict[str, Any], pairs: list[tuple[int, int]], per_slot: int = 2) -> str:
    """Saves blocks of one cache into slots and loads them into another one."""
    out, back = layout.of(source, BLOCKS), layout.of(target, BLOCKS)
    assert out.text == back.text
    for chunk in itertools.batched(pairs, per_slot) if hasattr(itertools, "batched") else chunks(pairs, per_slot):
        slot = memoryview(bytearray(out.block_bytes * per_slot))
        full: list[bool] = []
        ids = [a for a, _ in chunk] + [0] * (per_slot - len(chunk))
        assert moves.of(out, per_slot).save(slot, ids, lambda good, full=full: full.append(good))  # type: ignore[misc]
        assert full == [True]
        moves.of(back, per_slot).load(slot, 0, [b for _, b in chunk])
    return out.text


def chunks(pairs: list[tuple[int, int]], size: int) -> list[list[tuple[int, int]]]:
    return [pairs[i : i + size] for i in range(0, len(pairs), size)]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.uint8])
def test_blocks_come_back(order: str, dtype: Any) -> None:
    source, target = caches(order, 1, dtype), caches(order, 2, dtype)
    before = {name: tensor.clone() for name, tensor in target.items()}
    copy(source, target, [(1, 6), (3, 0), (2, 5)])
    for name in source:
        for mine, theirs in ((1, 6), (3, 0), (2, 5)):
            assert torch.equal(source[name][mine], target[name][theirs])
        for untouched in (1, 2, 3, 4):
            assert torch.equal(before[name][untouched], target[name][untouched])


def test_a_part_of_a_slot_is_loaded() -> None:
    source, target = caches("LBNHC", 1), caches("LBNHC", 2)
    laid = layout.of(source, BLOCKS)
    slot = memoryview(bytearray(laid.block_bytes * 4))
    moves.of(laid, 4).save(slot, [1, 2, 3, 4], lambda _: None)
    moves.of(layout.of(target, BLOCKS), 4).load(slot, 2, [6, 5])
    for name in source:
        assert torch.equal(source[name][3], target[name][6])
        assert torch.equal(source[name][4], target[name][5])


def test_keys_and_values_apart_as_before_the_rework() -> None:
    def old(fill: int) -> dict[str, Any]:
        generator = torch.Generator().manual_seed(fill)
        return {f"layers.{i}": torch.randn(2, BLOCKS, TOKENS, HEADS, 3, generator=generator) for i in range(2)}

    source, target = old(1), old(2)
    copy(source, target, [(0, 3)])
    for name in source:
        assert torch.equal(source[name][:, 0], target[name][:, 3])
        assert not torch.equal(source[name][:, 1], target[name][:, 1])


def test_kernel_blocks_that_are_smaller_than_the_managers() -> None:
    source, target = caches("LBHNC", 1, split=2), caches("LBHNC", 2, split=2)
    text = copy(source, target, [(1, 5)])
    for name in source:
        assert torch.equal(source[name][2:4], target[name][10:12])
    assert text != layout.of(caches("LBHNC", 1), BLOCKS).text


def test_orders_of_a_blocks_bytes_have_names_of_their_own() -> None:
    text = {order: layout.of(caches(order, 1), BLOCKS).text for order in ORDERS}
    assert text["LBHNC"] == text["BLHNC"]  # the same bytes, wherever blocks lie
    assert text["LBNHC"] == text["BLNHC"]
    assert text["LBHNC"] != text["LBNHC"]
    assert layout.of(caches("LBHNC", 1, torch.bfloat16), BLOCKS).text != text["LBHNC"]


def test_layers_come_in_the_order_of_their_numbers() -> None:
    made = {f"model.layers.{i}.attn": torch.full((BLOCKS, 1, 1, 1), float(i)) for i in (10, 2, 0)}
    laid = layout.of(made, BLOCKS)
    assert laid.layers == (0, 10)
    assert [run.view(torch.float32)[0].item() for run in laid.runs] == [0, 2, 10]


def test_a_layer_that_uses_anothers_cache_counts_once() -> None:
    tensor = torch.zeros(BLOCKS, 2, 4, 6)
    assert len(layout.of({"layers.0": tensor, "layers.1": tensor}, BLOCKS).runs) == 1


@pytest.mark.parametrize(
    ("made", "why"),
    [
        ({}, "no key-value cache"),
        ({"layers.0": torch.zeros(5, 4)}, "no axis has the 7 blocks"),
        ({"layers.0": [torch.zeros(7, 4)]}, "no tensor"),
        ({"layers.0": torch.zeros(65, BLOCKS, 4).permute(1, 0, 2)}, "lies in 65 pieces"),
        ({"layers.0": torch.zeros(64).as_strided((BLOCKS, 4), (2, 1))}, "overlap"),
    ],
)
def test_what_is_not_known_is_refused(made: Any, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        layout.of(made, BLOCKS)
