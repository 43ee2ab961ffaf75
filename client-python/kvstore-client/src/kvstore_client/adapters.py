"""What tells two adapters (LoRA) apart: the bytes of their files, and whether these files changed."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import astuple

from kvstore_client import digests, weights

#: The file with an adapter's rank and scale.
_CONFIGURATION = "adapter_config.json"


def folder(path: str) -> str:
    """Where an adapter lies on this machine, as engines look for it: a path, or a name of the hub; empty if nowhere."""
    expanded = os.path.expanduser(path) if path.startswith("~") else path
    if os.path.isdir(expanded):
        return os.path.abspath(expanded)
    return "" if not path or os.path.isabs(expanded) or path.startswith("~") else weights.folder(path)


def state(path: str) -> str:
    """32 hexadecimal digits that differ once a file of the adapter has changed; empty if its files are not at hand.

    Reads no file. Equal for all processes of a machine that see the same files.
    """
    try:
        files = _files(folder(path))
        told = [astuple(digests.State.of(file)) for file in files]
    except OSError:
        return ""
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32] if told else ""


def changed(path: str) -> float:
    """When a file of the adapter changed last, in seconds since 1970; 0 for files whose names tell their content."""
    files = _files(folder(path))
    return max((digests.State.of(file).changed / 1e9 for file in files if not digests.blob(file)), default=0.0)


def digest(path: str) -> bytes:
    """32 bytes of an adapter's weights and configuration; none if it has no weights at hand. Raises ``OSError``."""
    place = folder(path)
    found = weights.of_folder(place) if place else ""
    if not found:
        return b""
    configuration = os.path.join(place, _CONFIGURATION)
    (told,) = digests.of_files([configuration]) if os.path.isfile(configuration) else [""]
    return hashlib.sha256(f"{found}\0{told}".encode()).digest()


def _files(folder: str) -> list[str]:
    """The files that :func:`digest` reads; none if there are no weights."""
    chosen, beside = weights.files(folder) if folder else ([], [])
    configuration = os.path.join(folder, _CONFIGURATION)
    return [*chosen, *beside, *([configuration] if os.path.isfile(configuration) else [])] if chosen else []
