"""What tells weights in memory from others, whether they came from files or from a trainer."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import Any

#: Words of 32 bits that are looked at together: what is needed beside the weights is 24 times as many bytes.
_WORDS = 1 << 20

#: Odd multipliers of the generators of factors: those of splitmix64 and of MMIX.
_MULTIPLIERS = (0x9E3779B97F4A7C15, 0x5851F42D4C957F2D)


def of(model: Any) -> str:
    """32 hexadecimal digits of all parameters and kept buffers of a torch module: names, types, shapes, all bytes.

    The bytes are added up on their device in integers modulo 2^64, each word times a factor of its own (a multilinear
    hash, twice): exact, so equal weights have equal digests on each device and with any number of threads. A factor is
    odd, so that no single word can change unseen. Weights lie side by side for the device's memory, not for this.
    """
    import torch

    told = hashlib.sha256()
    factors: dict[Any, tuple[Any, Any]] = {}
    with torch.no_grad():
        for name, tensor in sorted(model.state_dict().items()):
            if not isinstance(tensor, torch.Tensor):
                continue
            told.update(f"{name}\0{tensor.dtype}\0{tuple(tensor.shape)}\0".encode())
            if tensor.device not in factors:
                factors[tensor.device] = _factors(tensor.device)
            sums = [
                torch.stack([(words * some[: len(words)]).sum() for some in factors[tensor.device]])
                for words in _words(tensor)
            ]
            if sums:
                for one in torch.stack(sums).flatten().tolist():
                    told.update(struct.pack("<q", one))
    return told.hexdigest()[:32]


def _factors(device: Any) -> tuple[Any, Any]:
    import torch

    made = []
    for multiplier in _MULTIPLIERS:
        mixed = torch.arange(1, _WORDS + 1, dtype=torch.int64, device=device) * _signed(multiplier)
        mixed = (mixed ^ (mixed >> 29)) * _signed(_MULTIPLIERS[0])
        made.append(mixed | 1)
    return made[0], made[1]


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _words(tensor: Any) -> Iterator[Any]:
    """A tensor's bytes in the order of its elements, as vectors of 64-bit integers with 32 bits each."""
    import torch

    flat = tensor.detach().contiguous().reshape(-1).view(torch.uint8)
    step = 4 * _WORDS
    for at in range(0, len(flat), step):
        piece = flat[at : at + step]
        if len(piece) % 4 or piece.storage_offset() % 4:
            piece = torch.nn.functional.pad(piece, (0, -len(piece) % 4)).clone()
        yield piece.view(torch.int32).to(torch.int64)
