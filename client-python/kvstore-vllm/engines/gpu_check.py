"""The checks of ``gpu-check.sh``: see there."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
import tempfile
import time
from typing import Any
from uuid import uuid4

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from engine import Batch, Engine
from kvstore_client import KvClient
from model import make
from stack import Stack, own

from kvstore_vllm import layout, moves

#: Prompts, and tokens of each.
_PROMPTS = [(seed, 1000) for seed in range(1, 21)]
_WHOLE = 896

#: The share of prompts whose first token must be equal on a GPU: batches of another size round otherwise in bfloat16.
_ALIKE = 0.9

#: Blocks that are copied to measure the rates, of 32 layers with 512 KiB each.
_COPIES, _LAYERS, _ROW = 32, 32, 1 << 19


def _say(text: str) -> None:
    print(text, flush=True)


def _rates(device: str) -> None:
    """Bytes a second from the engine's cache into slots, and back."""
    caches = {f"layers.{i}": torch.zeros(_COPIES, _ROW, dtype=torch.uint8, device=device) for i in range(_LAYERS)}
    copies = moves.of(layout.of(caches, _COPIES), 1)
    memory = torch.zeros(_COPIES * _LAYERS * _ROW, dtype=torch.uint8, pin_memory=device == "cuda")
    whole = memoryview(memory.numpy())
    slots = [whole[i * _LAYERS * _ROW : (i + 1) * _LAYERS * _ROW] for i in range(_COPIES)]
    for name in ("save", "load"):
        done: list[None] = []
        begun = time.monotonic()
        for i, slot in enumerate(slots):
            if name == "load":
                copies.load(slot, 0, [i])
            else:
                while not copies.save(slot, [i], lambda _, done=done: done.append(None)):  # type: ignore[misc]
                    copies.saved()
                    time.sleep(0.0001)
        copies.saved()
        over = copies.loaded() if name == "load" else lambda done=done: len(done) == _COPIES  # type: ignore[misc]
        while not over():
            time.sleep(0.0001)
        rate = len(whole) / (time.monotonic() - begun) / 1e9
        _say(f"{name}: {rate:.1f} GB/s between {device} and host memory, blocks of {_LAYERS * _ROW >> 20} MiB")
    copies.close()


def _runs(stack: Stack, model: pathlib.Path, folder: pathlib.Path, options: dict[str, Any]) -> list[Batch]:
    """Without a store; with an empty one; with a full one."""
    settings = {"model_id": uuid4().hex, "host_memory": "2GiB"}
    made: list[Batch] = []
    for name, where in (("without", None), ("first", stack), ("second", stack)):
        with Engine(model, folder / f"{name}.log", where, settings=settings, **options) as engine:
            made.append(engine.run(*_PROMPTS))
            if name == "first":
                with KvClient(endpoints=stack.endpoints, resource=stack.resource, key=stack.key) as client:
                    engine.wait_stored(client, *_PROMPTS)
            graphs = "CUDA graphs" if "Graph capturing finished" in engine.log else "no CUDA graphs"
            _say(f"{name}: {made[-1].hits} tokens hit, {made[-1].seconds:.2f} s, {graphs}")
    return made


def main(model: str = "") -> int:
    """The exit code: 0 only if all checks held."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    on_gpu = device == "cuda"
    options: dict[str, Any] = {"dtype": "bfloat16", "enforce_eager": False} if on_gpu else {}
    _say(torch.cuda.get_device_name() if on_gpu else "no CUDA device: this is NOT a check of a GPU")
    _rates(device)
    with tempfile.TemporaryDirectory(prefix="kv-gpu-check-") as name, contextlib.ExitStack() as open_now:
        folder = pathlib.Path(name)
        file = os.environ.get("KVSTORE_TEST_STACK")
        stack = Stack.of(pathlib.Path(file)) if file else open_now.enter_context(own(folder))
        chosen = pathlib.Path(model) if model else make(folder / "model")
        without, first, second = _runs(stack, chosen, folder, options)
    alike = [sum(a[0] == b[0] for a, b in zip(without.tokens, one.tokens, strict=True)) for one in (first, second)]
    least = _ALIKE * len(_PROMPTS) if on_gpu else len(_PROMPTS)
    holds = min(alike) >= least and first.hits == 0 and second.hits == _WHOLE * len(_PROMPTS)
    _say(f"equal first tokens: {alike[0]} and {alike[1]} of {len(_PROMPTS)}, at least {least:.0f} are needed")
    _say(f"hits: {second.hits} of {_WHOLE * len(_PROMPTS)} tokens")
    _say(f"{'passed' if holds else 'FAILED'} on {device}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
