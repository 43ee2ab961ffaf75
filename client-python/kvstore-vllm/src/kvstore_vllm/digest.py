"""What tells two sets of weights apart, without reading all of them."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import struct
from typing import Any, BinaryIO

#: Bytes of each tensor that are read. Training changes every tensor that it trains, in all places.
_SAMPLE = 4096

#: Samples of a file of another format than safetensors.
_PIECES = 64

#: Largest header of safetensors, as its own reader has it.
_MAX_HEADER = 100_000_000

_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".gguf")


def of_folder(folder: str | os.PathLike[str]) -> str:
    """64 hexadecimal digits of all weights of a folder; empty if it has none. Raises ``OSError`` if it is not readable.

    Of safetensors: names, types, shapes and 4 KiB from the middle of each tensor. Of other formats: the length and 64
    pieces of 4 KiB. Names of files and folders are not part of it, so copies of a model are equal wherever they are.
    """
    root = pathlib.Path(folder)
    files = [root] if root.is_file() else sorted(file for file in root.iterdir() if file.is_file())
    tensors = [file for file in files if file.suffix == ".safetensors"]
    chosen = tensors or [file for file in files if file.suffix in _WEIGHTS]
    if not chosen:
        return ""
    parts: list[bytes] = []
    for file in chosen:
        with file.open("rb") as stream:
            parts += _safetensors(stream, file) if file.suffix == ".safetensors" else [_pieces(stream)]
    return hashlib.sha256(b"".join(sorted(parts))).hexdigest()


def _safetensors(stream: BinaryIO, file: pathlib.Path) -> list[bytes]:
    head = stream.read(8)
    length = struct.unpack("<Q", head)[0] if len(head) == 8 else 0
    if not 2 <= length <= _MAX_HEADER:
        raise OSError(f"{file}: is no file of safetensors")
    try:
        header: dict[str, Any] = json.loads(stream.read(length))
    except ValueError as e:
        raise OSError(f"{file}: is no file of safetensors: {e}") from None
    start = 8 + length
    parts = []
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        at = max(begin, (begin + end - _SAMPLE) // 2)
        stream.seek(start + at)
        said = json.dumps([name, entry["dtype"], entry["shape"]]).encode()
        parts.append(hashlib.sha256(said + b"\0" + stream.read(min(_SAMPLE, end - begin))).digest())
    return parts


def _pieces(stream: BinaryIO) -> bytes:
    size = stream.seek(0, os.SEEK_END)
    digest = hashlib.sha256(struct.pack("<Q", size))
    for piece in range(_PIECES):
        stream.seek(size * piece // _PIECES)
        digest.update(stream.read(_SAMPLE))
    return digest.digest()
