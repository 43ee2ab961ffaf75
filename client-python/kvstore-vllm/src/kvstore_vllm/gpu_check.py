"""``python -m kvstore_vllm.gpu_check``: whether the connector's copies are right on this machine's GPU, and how fast.

It needs torch and neither vLLM nor a service. Blocks of caches as vLLM lays them out go into memory like the agent's,
and come back at another place: each byte must be equal, also when the cache changes right behind the order to save.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kvstore_client.agent import SlotPool
from kvstore_client.agent.memory import create

from kvstore_vllm import layout, moves
from kvstore_vllm.pinning import Pinning

#: Layers, engine blocks, tokens of a block; and engine blocks of a stored block.
_LAYERS, _BLOCKS, _TOKENS, _PER_SLOT = 4, 24, 16, 8

#: What the forms of a cache are called, and the sizes of a layer's axes behind the block's. Axes of a layer in memory
#: are in the order of the digits.
_FORMS: Mapping[str, tuple[tuple[int, ...], str]] = {
    "heads behind tokens": ((2, _TOKENS, 8, 128), "0123"),
    "heads before tokens": ((2, 8, _TOKENS, 128), "0123"),
    "strided heads": ((2, 8, _TOKENS, 128), "0213"),
    "MLA": ((_TOKENS, 576), "01"),
}

_TYPES = ("bfloat16", "float16", "uint8", "float8_e4m3fn")

#: Blocks that are copied to measure rates on a GPU, and bytes of a layer of each; 32 layers.
_COPIES, _ROW, _RATE_LAYERS = 32, 1 << 19, 32

#: Seconds that copies may take, and memory may take to be locked.
_PATIENCE = 60.0


class Failed(Exception):  # noqa: N818  it is a finding
    """What does not hold: one sentence."""


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _wait(done: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + _PATIENCE
    while not done():
        if time.monotonic() > end:
            raise Failed(f"{what} did not end within {_PATIENCE:.0f} s")
        time.sleep(0.0001)


def _pool(slots: int, slot_bytes: int) -> SlotPool:
    """Memory like the agent's."""
    stride = -(-slot_bytes // 4096) * 4096
    fd = create(slots * stride)
    try:
        return SlotPool(fd, slots, slot_bytes, stride, 1)
    finally:
        os.close(fd)


def _caches(form: str, kind: str, device: str) -> dict[str, Any]:
    """Layers with random bytes."""
    import torch

    sizes, order = _FORMS[form]
    axes = [int(digit) for digit in order]
    width = getattr(torch, kind).itemsize
    made = {}
    for i in range(_LAYERS):
        sized = [_BLOCKS, *(sizes[axis] for axis in axes)]
        sized[-1] *= width
        whole = torch.randint(0, 256, sized, dtype=torch.uint8, device=device).view(getattr(torch, kind))
        made[f"model.layers.{i}.self_attn.attn"] = whole.permute(
            0, *(1 + axes.index(axis) for axis in range(len(axes)))
        )
    return made


def _save(copies: moves.Moves, orders: Sequence[tuple[memoryview, Sequence[int]]], behind: Callable[[], None]) -> None:
    done: list[bool] = []
    for slot, blocks in orders:
        while not copies.save(slot, blocks, done.append):
            copies.saved()
            time.sleep(0.0001)
    copies.saved()
    behind()
    _wait(lambda: len(done) == len(orders), "saving")
    if not all(done):
        raise Failed("the device refused to save blocks; why is in the log above")


def _load(copies: moves.Moves, orders: Sequence[tuple[memoryview, int, Sequence[int]]]) -> None:
    for order in orders:
        copies.load(*order)
    _wait(copies.loaded(), "loading")


def check_bytes(form: str, kind: str, device: str) -> None:
    """Saves two stored blocks, changes the cache, and loads one of them whole and the other in part.

    Raises :class:`Failed` with what was wrong.
    """
    import torch

    caches = _caches(form, kind, device)
    runs = layout.of(caches, _BLOCKS).runs
    before = [run.cpu().clone() for run in runs]
    laid = layout.of(caches, _BLOCKS)
    copies = moves.of(laid, _PER_SLOT)
    pool = _pool(2, laid.block_bytes * _PER_SLOT)
    sources = [list(range(1, 1 + _PER_SLOT)), list(range(15, 15 - _PER_SLOT, -1))]

    def change() -> None:
        for run in runs:
            run.fill_(0)

    try:
        _save(copies, [(pool.view(i), blocks) for i, blocks in enumerate(sources)], change)
        targets = list(range(16, 16 + _PER_SLOT))
        part = [0, 3, 2]
        _load(copies, [(pool.view(0), 0, targets), (pool.view(1), 2, part)])
    finally:
        copies.close()
    expected = [torch.zeros_like(run) for run in before]
    for run, old in zip(expected, before, strict=True):
        run[targets] = old[sources[0]]
        run[part] = old[sources[1][2:5]]
    wrong = sum(not torch.equal(run.cpu(), right) for run, right in zip(runs, expected, strict=True))
    if wrong:
        raise Failed(f"{wrong} of {len(runs)} runs of a cache do not have the bytes that were saved")


def rates(device: str, copies_at_all: int = _COPIES, row: int = _ROW, layers: int = _RATE_LAYERS) -> dict[str, float]:
    """Bytes a second from the cache into slots (``save``), and back (``load``): slots that are locked for a GPU."""
    import torch

    caches = {f"layers.{i}": torch.zeros(copies_at_all, row, dtype=torch.uint8, device=device) for i in range(layers)}
    pool = _pool(copies_at_all, layers * row)
    pinning = Pinning(torch.device(device), pool) if device != "cpu" else None
    copies = moves.of(layout.of(caches, copies_at_all), 1)
    slots = [pool.view(i) for i in range(copies_at_all)]
    found: dict[str, float] = {}
    try:
        for attempt in ("first", "counted"):  # the first has pages made, and memory locked
            for name in ("save", "load"):
                begun = time.monotonic()
                if name == "save":
                    _save(copies, [(slot, [i]) for i, slot in enumerate(slots)], lambda: None)
                else:
                    _load(copies, [(slot, 0, [i]) for i, slot in enumerate(slots)])
                found[name] = pool.size / (time.monotonic() - begun)
            if pinning and attempt == "first":
                _wait(pinning.settled.is_set, "locking the memory")
    finally:
        copies.close()
        if pinning:
            pinning.undo()
    return found


def main() -> int:
    """The exit code: 0 only if all bytes were equal."""
    try:
        import torch
    except ImportError:
        sys.stderr.write("torch is missing: run this in the Python environment that has vLLM, or pip install torch\n")
        return 2
    logging.basicConfig(format="%(message)s")
    on_gpu = torch.cuda.is_available()
    device = f"cuda:{torch.cuda.current_device()}" if on_gpu else "cpu"
    if on_gpu:
        _say(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    else:
        _say(f"torch {torch.__version__} sees no CUDA device: what follows is of the CPU, and NO check of a GPU")
    flaws = 0
    for form in _FORMS:
        for kind in _TYPES:
            try:
                check_bytes(form, kind, device)
                _say(f"equal bytes: {form}, {kind}")
            except (Failed, RuntimeError) as e:
                flaws += 1
                _say(f"FAILED: {form}, {kind}: {e}")
    try:
        for name, rate in (rates(device) if on_gpu else rates(device, 4, 1 << 16)).items():
            _say(f"{name}: {rate / 1e9:.1f} GB/s between {device} and memory like the agent's")
    except (Failed, RuntimeError) as e:
        flaws += 1
        _say(f"FAILED: rates: {e}")
    verdict = (
        f"FAILED on {device}: {flaws} of {len(_FORMS) * len(_TYPES) + 1} checks" if flaws else f"passed on {device}"
    )
    _say(verdict if on_gpu else f"{verdict}, which says nothing about a GPU")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
