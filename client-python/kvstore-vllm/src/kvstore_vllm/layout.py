"""Where the bytes of a block lie in vLLM's tensors.

vLLM's physical layouts differ between backends, devices and versions. Here each layer's tensor becomes one or more
*runs*: byte matrices with a row for each engine block, whose rows are without gaps. A stored block is, for each run in
order, the rows of its engine blocks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kvstore_vllm.identity import Unsupported

#: Runs of one layer: heads that lie apart, at most.
_MAX_RUNS = 64


@dataclass(frozen=True)
class Layout:
    """The runs of all layers, first layer first.

    ``runs`` are uint8 tensors of shape (engine blocks, bytes of a run), which are views of vLLM's own memory.
    ``block_bytes`` is the length of one engine block in all of them. ``text`` names the order of axes and the types,
    for the partition's name. ``layers`` are the numbers of the first and the last layer.
    """

    runs: tuple[Any, ...]
    block_bytes: int
    text: str
    layers: tuple[int, int]


def of(caches: Mapping[str, Any], blocks: int) -> Layout:
    """The layout of what ``register_kv_caches`` gets. Raises :class:`Unsupported` if it is none that is known."""
    if not caches:
        raise Unsupported("the model has no key-value cache")
    runs: list[Any] = []
    texts: list[str] = []
    seen: set[int] = set()
    numbers: list[int] = []
    for name in sorted(caches, key=_order):
        tensor = caches[name]
        if not hasattr(tensor, "data_ptr"):
            raise Unsupported(f"the cache of {name} is no tensor")
        if tensor.data_ptr() in seen:
            continue  # a layer that uses another layer's cache
        seen.add(tensor.data_ptr())
        own, text = _runs(name, tensor, blocks)
        runs += own
        texts.append(text)
        numbers.append(_order(name)[0])
    kinds = sorted(set(texts), key=texts.index)
    if len(kinds) > 8:
        raise Unsupported(f"the layers' caches have {len(kinds)} different forms")
    return Layout(tuple(runs), sum(run.shape[1] for run in runs), "+".join(kinds), (min(numbers), max(numbers)))


def _order(name: str) -> tuple[int, str]:
    numbers = re.findall(r"(?:^|\.)(\d+)(?=\.|$)", name)
    return (int(numbers[0]) if numbers else 0, name)


def _runs(name: str, tensor: Any, blocks: int) -> tuple[list[Any], str]:
    """The runs of one layer: the longest stretch without gaps at the end of the physical order is a run."""
    shape, strides = list(tensor.shape), list(tensor.stride())
    at = _block_axis(name, shape, blocks)
    factor = shape[at] // blocks
    # A manager's block may be several blocks of the kernel: these become an axis behind the block's.
    shape[at : at + 1] = [blocks, factor]
    strides[at : at + 1] = [strides[at] * factor, strides[at]]
    axes = [(strides[i], shape[i], i) for i in range(len(shape)) if i != at and shape[i] > 1]
    axes.sort(key=lambda axis: (-axis[0], axis[2]))
    inner, reach = [], 1
    while axes and axes[-1][0] == reach:
        inner.append(axes.pop())
        reach *= inner[-1][1]
    outer = axes
    if strides[at] < reach:
        raise Unsupported(f"the blocks of {name} overlap: shape {shape}, strides {strides}")
    offsets = _offsets(outer)
    if len(offsets) > _MAX_RUNS:
        raise Unsupported(f"the cache of {name} lies in {len(offsets)} pieces: shape {shape}, strides {strides}")
    item = tensor.element_size()
    base = tensor.storage_offset()
    runs = [_bytes(tensor.as_strided((blocks, reach), (strides[at], 1), base + offset)) for offset in offsets]
    order = "".join(_letter(axis[2], at) + str(axis[1]) for axis in [*outer, *reversed(inner)])
    assert sum(run.shape[1] for run in runs) * blocks == tensor.numel() * item
    return runs, f"{str(tensor.dtype).removeprefix('torch.')}.{order}"


def _block_axis(name: str, shape: Sequence[int], blocks: int) -> int:
    if len(shape) >= 2:
        if shape[0] and shape[0] % blocks == 0:
            return 0
        if shape[0] == 2 and shape[1] and shape[1] % blocks == 0:  # keys, then values, in versions before the rework
            return 1
    raise Unsupported(f"the cache of {name} has shape {list(shape)}, in which no axis has the {blocks} blocks")


def _offsets(outer: Sequence[tuple[int, int, int]]) -> list[int]:
    offsets = [0]
    for stride, length, _ in outer:
        offsets = [offset + i * stride for offset in offsets for i in range(length)]
        if len(offsets) > _MAX_RUNS:
            break
    return offsets


def _letter(axis: int, at: int) -> str:
    """Axes of the logical shape by letters, with the block's axis left out: a, b, c ..."""
    return chr(ord("a") + (axis if axis < at else axis - 1))


def _bytes(run: Any) -> Any:
    import torch

    return run.view(torch.uint8)
