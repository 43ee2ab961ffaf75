"""The process at the other end of a socket, and where sockets are."""

from __future__ import annotations

import contextlib
import glob
import os
import socket
import stat
import struct
import tempfile

from kvstore_client.agent.settings import AgentSettings

_CREDENTIALS = struct.Struct("iII")
_LONGEST_PATH = 107


def credentials(sock: socket.socket) -> tuple[int, int]:
    """The process id and user id of the other end, when it connected, or listened."""
    packed = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(packed)
    return pid, uid


def wants_processor(pid: int) -> bool:
    """Whether a thread of a process runs, or waits for nothing but a processor; false for a process that is unknown."""
    for thread in glob.iglob(f"/proc/{pid}/task/*/stat"):
        with contextlib.suppress(OSError), open(thread, "rb") as file:
            if file.read(1024).rpartition(b") ")[2][:1] == b"R":
                return True
    return False


def folder() -> str:
    """A folder that only this user can enter; made if it is missing.

    Raises ``OSError`` if it is there and other users can, or it is theirs.
    """
    base = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    path = os.path.join(base, f"kvstore-agent-{os.getuid()}")
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        found = os.lstat(path)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
            raise PermissionError(f"{path}: must be a folder of this user with mode 0700; remove it") from None
    return path


def sockets(settings: AgentSettings) -> list[str]:
    """Where an agent may be, first choice first. Raises ``OSError`` if there is no place for a socket."""
    derived = os.path.join(folder(), f"{settings.digest}.socket")
    paths = [settings.socket, derived] if settings.socket else [derived]
    for path in paths:
        if len(os.fsencode(path)) > _LONGEST_PATH:
            raise OSError(f"socket: {path} has more than {_LONGEST_PATH} bytes; name a shorter path")
    return paths
