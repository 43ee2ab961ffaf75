"""SHA-256 of whole files, which is kept beside and made again when a file changes.

The digest stays below ``XDG_CACHE_HOME``, so that a file is read once. One that another user could have written is not
believed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

#: Files that are read at a time, if there are as many processor cores.
_MOST_THREADS = 16

#: Bytes that are read at once.
_PIECE = 8 << 20

#: A file that changed so recently may change again without another time of change: its digest is not kept.
_YOUNG_NS = 2 * 10**9

#: Bytes of the file that keeps a digest, at most: a path has up to 4,096 bytes, which JSON writes as up to 6 each.
_MAX_KEPT = 32 << 10

#: A digest; also the name of a large file in the cache of Hugging Face's hub.
_DIGEST = re.compile(r"[0-9a-f]{64}")

_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True)
class State:
    """What differs when a file has other content: nobody can set ``ctime``. Times are in nanoseconds."""

    path: str
    size: int
    mtime: int
    ctime: int
    inode: int

    @classmethod
    def of(cls, path: str) -> State:
        """Of a file, or of the one that a link leads to. Raises ``OSError``."""
        whole = os.path.realpath(path)
        told = os.stat(whole)
        return cls(whole, told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino)

    @property
    def changed(self) -> int:
        """When the file changed last."""
        return max(self.mtime, self.ctime)


def of_files(paths: Sequence[str]) -> list[str]:
    """64 hexadecimal digits for each file. Raises ``OSError`` if one is not readable, or changes while it is read.

    Another process of this user that wants the same files waits, and reads none of them.
    """
    if not paths:
        return []
    place = _place()
    with _alone(place, paths), ThreadPoolExecutor(min(len(paths), _MOST_THREADS, _cores())) as threads:
        return list(threads.map(lambda path: _of_file(path, place), paths))


def blob(path: str) -> str:
    """The SHA-256 that the hub's cache gives a large file as its name; empty for any other file.

    A blob that was written after the link to it was made may be something else than its name says.
    """
    whole = os.path.realpath(path)
    folder, name = os.path.split(whole)
    if not _DIGEST.fullmatch(name) or os.path.basename(folder) != "blobs" or not os.path.islink(path):
        return ""
    return name if os.stat(whole).st_mtime_ns <= os.lstat(path).st_mtime_ns else ""


def _of_file(path: str, place: str) -> str:
    if name := blob(path):
        return name
    began = time.time_ns()
    before = State.of(path)
    if known := _kept(place, before):
        return known
    found = _sha256(path)
    if State.of(path) != before:
        raise OSError(f"{path}: changed while it was read")
    if began - before.changed > _YOUNG_NS:
        _keep(place, before, found)
    return found


def _sha256(path: str) -> str:
    digest, piece = hashlib.sha256(), bytearray(_PIECE)
    with open(path, "rb", buffering=0) as file:
        while count := file.readinto(piece):
            digest.update(memoryview(piece)[:count])
    return digest.hexdigest()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- what is kept ---


def _place() -> str:
    """The folder of digests; empty if it cannot be made, or if others can write there."""
    root = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(root):
        root = os.path.join(os.path.expanduser("~"), ".cache")
    place = os.path.join(root, "kvstore", "digests")
    try:
        os.makedirs(root, exist_ok=True)
        for folder in (os.path.dirname(place), place):
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder, 0o700)
            told = os.lstat(folder)
            if not stat.S_ISDIR(told.st_mode) or not _is_ours(told):
                return ""
    except OSError:
        return ""
    return place


def _is_ours(told: os.stat_result) -> bool:
    return told.st_uid == os.geteuid() and not told.st_mode & _OTHERS_MAY_WRITE


@contextlib.contextmanager
def _alone(place: str, paths: Sequence[str]) -> Iterator[None]:
    """Holds a lock among the processes of this user that want the same files."""
    if not place:
        yield
        return
    name = hashlib.sha256("\0".join(map(os.path.realpath, paths)).encode("utf-8", "surrogateescape")).hexdigest()
    try:
        lock = os.open(os.path.join(place, f"{name}.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError:
        yield
        return
    try:
        with contextlib.suppress(OSError):  # a file system without locks: each process reads
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _name(state: State) -> str:
    return hashlib.sha256(json.dumps(asdict(state)).encode()).hexdigest() + ".sha256"


def _kept(place: str, state: State) -> str:
    """The digest of a file in this state; empty if none is kept, or if others could have written it."""
    if not place:
        return ""
    try:
        file = os.open(os.path.join(place, _name(state)), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        told = os.fstat(file)
        if not stat.S_ISREG(told.st_mode) or not _is_ours(told):
            return ""
        kept = json.loads(os.read(file, _MAX_KEPT))
        found = kept["sha256"] if kept["file"] == asdict(state) else ""
        return found if _DIGEST.fullmatch(found) else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    finally:
        os.close(file)


def _keep(place: str, state: State, found: str) -> None:
    """Writes a digest whole or not at all. One that cannot be written is made again the next time."""
    if not place:
        return
    with contextlib.suppress(OSError):
        file, part = tempfile.mkstemp(".part", dir=place)  # for this user alone
        try:
            with os.fdopen(file, "w", encoding="ascii") as out:
                json.dump({"file": asdict(state), "sha256": found}, out)
            os.replace(part, os.path.join(place, _name(state)))
        except BaseException:
            os.unlink(part)
            raise
