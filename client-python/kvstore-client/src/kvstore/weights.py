"""What tells two models apart: their configurations, and their weights, without reading all of them."""

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

#: Bytes of an adapter's configuration that are looked at.
_MAX_CONFIGURATION = 1 << 20

_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".gguf")


class UnknownWeights(Exception):  # noqa: N818  it is a finding: connectors go on without a store
    """Nothing tells the weights of a model from others: one sentence, which names the setting ``model_id``."""


def identity(name: str, revision: str | None, configuration: str, model_id: str) -> str:
    """The model for the name of a partition: its name or ``model_id``, its configuration, and its weights.

    ``configuration`` is what :func:`configuration` told, with what else a connector knows. A path counts by its last
    part, so that copies of a model are equal. Raises :class:`UnknownWeights`.
    """
    if model_id:
        return f"{model_id}@{configuration}"
    place = folder(name, revision)
    try:
        weights = of_folder(place) if place else ""
    except (OSError, KeyError, TypeError, ValueError) as e:
        raise UnknownWeights(f"the weights in {place} cannot be read ({e}); set model_id") from None
    short = pathlib.PurePath(name).name if os.path.exists(name) else name
    if weights:
        return f"{short}@{configuration}-{weights[:32]}"
    if revision:
        return f"{short}@{configuration}-{revision}"
    raise UnknownWeights(f"nothing tells the weights of {name} from others; set model_id, or --revision to a commit")


def configuration(hf_config: Any) -> str:
    """16 hexadecimal digits of a model's configuration, of transformers or a dictionary."""
    told = hf_config.to_dict() if hasattr(hf_config, "to_dict") else dict(hf_config)
    # Where the model lies and which library wrote its configuration change nothing.
    plain = {key: value for key, value in told.items() if key not in ("_name_or_path", "transformers_version")}
    said = json.dumps(plain, sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def folder(name: str, revision: str | None) -> str:
    """Where a model lies on this machine; empty if it does not."""
    if os.path.exists(name):
        return name
    try:
        from huggingface_hub import try_to_load_from_cache  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return ""
    found = try_to_load_from_cache(name, "config.json", revision=revision)
    return os.path.dirname(found) if isinstance(found, str) else ""


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


def of_adapter(name: str, path: str) -> bytes:
    """32 bytes of an adapter's weights and configuration, or of its name and path where these cannot be read."""
    try:
        found = of_folder(path) if os.path.isdir(path) else ""
    except (OSError, KeyError, TypeError, ValueError):
        found = ""
    told = f"weights\0{found}\0{_of_configuration(path)}" if found else f"name\0{name}\0{path}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()


def _of_configuration(path: str) -> str:
    """Of the file with an adapter's rank and scale."""
    try:
        with open(os.path.join(path, "adapter_config.json"), "rb") as file:
            return hashlib.sha256(file.read(_MAX_CONFIGURATION)).hexdigest()
    except OSError:
        return ""


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
