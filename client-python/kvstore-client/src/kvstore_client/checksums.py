"""CRC32C: by the C function of google-crc32c, or else in Python, which is slow."""

from __future__ import annotations

import array
import ctypes
import logging
import sys
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

LOG = logging.getLogger("kvstore")

#: Up to here a copy is cheaper than a view that the checksum's C function takes.
_COPIED = 32 * 1024

#: A piece of read-only memory that is copied for its checksum; it stays in the processor's cache.
_PIECE = 256 * 1024

_CASTAGNOLI = 0x82F63B78


def _c_function() -> Callable[[int, Any], int] | None:
    """The C function of google-crc32c. Its place may have one in Python, which takes no memory but bytes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # warn_if_slow() says the same
            import google_crc32c

        extend: Callable[[int, Any], int] = google_crc32c.extend
        sample = (ctypes.c_char * 9).from_buffer(bytearray(b"123456789"))
        return extend if google_crc32c.implementation == "c" and extend(0, sample) == 0xE3069283 else None
    except (AttributeError, ImportError, TypeError):
        return None


_extend = _c_function()
_told: list[bool] = []


def warn_if_slow() -> None:
    """Says once for this process that there is no C function."""
    if _extend is None and not _told:
        _told.append(True)
        LOG.warning(
            "KV Store is slow: checksums are computed in Python, at some 20 MB/s and with the interpreter's lock held,"
            " since google-crc32c has no C implementation for this Python (%s %s); install a wheel of it, or build it"
            " with a C compiler: pip install --force-reinstall google-crc32c",
            sys.implementation.name,
            sys.version.split()[0],
        )


def crc32c(data: memoryview, before: int = 0) -> int:
    """CRC32C of bytes that follow others, whose checksum is ``before``."""
    size = data.nbytes
    if _extend is None:
        for at in range(0, size, _PIECE):
            before = _in_python(before, bytes(data[at : at + _PIECE]))
        return before
    if size <= _COPIED:
        return int(_extend(before, bytes(data)))
    if not data.readonly:
        # Its C function refuses a memoryview, and takes an array of ctypes over the same memory.
        return int(_extend(before, _array(size).from_buffer(data)))
    if isinstance(data.obj, bytes) and len(data.obj) == size:
        return int(_extend(before, data.obj))
    for at in range(0, size, _PIECE):
        before = int(_extend(before, bytes(data[at : at + _PIECE])))
    return before


@lru_cache(maxsize=256)
def _array(size: int) -> Any:
    return ctypes.c_char * size


def _in_python(before: int, data: bytes) -> int:
    """Two bytes at a time."""
    table = _table()
    pairs = array.array("H", data[: len(data) & ~1])
    if sys.byteorder == "big":
        pairs.byteswap()
    crc = before ^ 0xFFFFFFFF
    for pair in pairs:
        crc = table[(crc ^ pair) & 0xFFFF] ^ (crc >> 16)
    if len(data) & 1:
        # The table is for two bytes: that of one byte is the step of the byte in the place of the higher one.
        crc = table[((crc ^ data[-1]) & 0xFF) << 8] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


@lru_cache(maxsize=1)
def _table() -> list[int]:
    """The step of each pair of bytes; 65,536 numbers."""
    table = list(range(0x10000))
    for _ in range(16):
        table = [(crc >> 1) ^ _CASTAGNOLI if crc & 1 else crc >> 1 for crc in table]
    return table
