"""What tells two models apart: their configurations, and all bytes of their weights."""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kvstore_client import digests

_TENSORS = ".safetensors"
_WEIGHTS = (_TENSORS, ".bin", ".pt", ".pth", ".gguf")

#: Files that choose among a folder's weights, or say how they are quantised.
_BESIDE = ("*.index.json", "*quant*.json")

_COMMIT = re.compile(r"[0-9a-f]{40}")

#: Seconds that an engine's start waits for weights to be read. Engines give up their own start after minutes.
_PATIENCE = 120.0

#: When this module was loaded, in seconds since 1970.
_LOADED = time.time()


class UnknownWeights(Exception):  # noqa: N818  it is a finding: connectors go on without a store
    """Nothing tells the weights of a model from others: one sentence, which names the setting ``model_id``."""


@dataclass(frozen=True)
class Source:
    """Where an engine takes a model from: a path or the hub's ``name``, a ``revision``, a folder of downloads.

    ``model_id`` is an admin's own name for the weights, which are not looked at then. ``every``: the engine may take
    other files than safetensors although there are some.
    """

    name: str
    revision: str | None = None
    download_dir: str | None = None
    model_id: str = ""
    every: bool = False


def identity(source: Source, configuration: str, *, loading_since: float | None = None) -> str:
    """The model for the name of a partition: its name or ``model_id``, its configuration, and its weights.

    ``configuration`` is what :func:`configuration` told, with what else a connector knows. A path counts by its last
    part, so that copies of a model are equal. ``loading_since`` is the time from which on the engine may have read the
    weights, if it has read them: weights that changed later may be others.

    Reads all weights, once for each file, for two minutes at most: what takes longer goes on, and the next call finds
    it. Raises :class:`UnknownWeights`.
    """
    if source.model_id:
        return f"{source.model_id}@{configuration}"
    name, place = source.name, folder(source.name, source.revision, source.download_dir)
    try:
        weights = _in_time(place, source.every) if place else ""
        young = _changed_since(place, loading_since, source.every) if weights and loading_since is not None else ""
    except OSError as e:
        raise UnknownWeights(f"the weights in {place} cannot be read ({e}); set model_id") from None
    if young:
        raise UnknownWeights(
            f"{young} changed after this process began, which may have loaded it before; restart it, or set model_id"
        )
    short = pathlib.PurePath(name).name if os.path.exists(name) else name
    if weights:
        return f"{short}@{configuration}-{weights[:32]}"
    if source.revision and _COMMIT.fullmatch(source.revision):
        return f"{short}@{configuration}-{source.revision}"
    raise UnknownWeights(f"nothing tells the weights of {name} from others; set model_id, or --revision to a commit")


def _in_time(place: str, every: bool) -> str:
    """:func:`of_folder`, for as long as a start may wait."""
    found: list[str | Exception] = []

    def read() -> None:
        try:
            found.append(of_folder(place, every=every))
        except Exception as e:
            found.append(e)

    thread = threading.Thread(target=read, name="kvstore-weights", daemon=True)
    thread.start()
    thread.join(_PATIENCE)
    if not found:
        raise UnknownWeights(
            f"the weights in {place} are still being read, which goes on; start again later, or set model_id"
        )
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def configuration(hf_config: Any) -> str:
    """16 hexadecimal digits of a model's configuration, of transformers or a dictionary."""
    told = plain(hf_config)
    # Where the model lies and which library wrote its configuration change nothing.
    counts = {key: value for key, value in told.items() if key not in ("_name_or_path", "transformers_version")}
    said = json.dumps(counts, sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def plain(hf_config: Any) -> dict[str, Any]:
    """A model's configuration, of transformers or a dictionary, as a dictionary."""
    return hf_config.to_dict() if hasattr(hf_config, "to_dict") else dict(hf_config)


def folder(name: str, revision: str | None = None, download_dir: str | None = None) -> str:
    """Where a model lies on this machine; empty if it does not.

    A model of the hub is looked for in ``download_dir`` alone, or in the hub's usual cache if that is empty.
    """
    if os.path.exists(name):
        return name
    if os.environ.get("VLLM_USE_MODELSCOPE", "").lower() in ("1", "true") or os.environ.get("SGLANG_USE_MODELSCOPE"):
        return ""  # the hub's cache may have another model by this name
    try:
        from huggingface_hub import snapshot_download  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return ""
    try:
        return str(snapshot_download(name, revision=revision, cache_dir=download_dir or None, local_files_only=True))
    except Exception:  # it is not there, or the name is none of the hub's: the library raises many kinds
        return ""


def of_folder(folder: str | os.PathLike[str], *, every: bool = False, beside: Sequence[str] = ()) -> str:
    """64 hexadecimal digits of all weights of a folder, or of one file; empty if it has none. Raises ``OSError``.

    All bytes of all files of safetensors count; of other formats, if there are no safetensors or with ``every``. Names
    of these files and of folders are not part of it, so copies of a model are equal wherever they are. Nor are
    subfolders. Files that choose among weights, or say how these are quantised, count with their names, and so do those
    in ``beside``.
    """
    chosen, others = files(folder, every=every)
    if not chosen:
        return ""
    others += [file for name in beside if os.path.isfile(file := os.path.join(folder, name))]
    found = [f"weights {digest}" for digest in digests.of_files(chosen)]
    found += [
        f"{os.path.basename(file)} {digest}" for file, digest in zip(others, digests.of_files(others), strict=True)
    ]
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()


def files(folder: str | os.PathLike[str], *, every: bool = False) -> tuple[list[str], list[str]]:
    """The files with weights that :func:`of_folder` reads, and those beside. Raises ``OSError``."""
    root = pathlib.Path(folder)
    if root.is_file():
        return [str(root)], []
    found = sorted(file for file in root.iterdir() if file.is_file())
    tensors = [str(file) for file in found if file.suffix == _TENSORS]
    others = [str(file) for file in found if file.suffix in _WEIGHTS]
    beside = [str(file) for file in found if any(fnmatch.fnmatch(file.name, pattern) for pattern in _BESIDE)]
    return (others if every or not tensors else tensors), beside


def process_start() -> float:
    """When this process began, in seconds since 1970; where the system does not tell, when this module was loaded."""
    with contextlib.suppress(OSError, ValueError, IndexError, AttributeError):
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        since = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
        return time.time() - since
    return _LOADED


def _changed_since(folder: str, since: float, every: bool) -> str:
    """A file with weights that changed since then, unless its name in the hub's cache says what it is."""
    chosen, beside = files(folder, every=every)
    for path in (*chosen, *beside):
        if not digests.blob(path) and digests.State.of(path).changed > since * 1e9:
            return path
    return ""
