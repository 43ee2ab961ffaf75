"""System calls on a socket that keep the interpreter's lock.

``socket.send`` lets go of the lock, and beside a thread that wants it all the time, it gets the lock back only after
5 ms. A call that does not wait takes microseconds.
"""

from __future__ import annotations

import ctypes
import os
import socket

_PIECE = 1 << 14

# Functions of a PyDLL are called with the lock held.
_libc = ctypes.PyDLL(None, use_errno=True)
_libc.send.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int)
_libc.send.restype = _libc.recv.restype = ctypes.c_ssize_t
_libc.recv.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


def send(sock: socket.socket, data: bytes) -> int:
    """Sends as many bytes as the socket takes at once; how many. Raises ``OSError`` if the connection is broken."""
    sent: int = _libc.send(sock.fileno(), data, len(data), socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
    return _checked(sent)


def receive(sock: socket.socket) -> bytes:
    """Bytes that are there, at most 16 KiB. Raises ``OSError`` if the connection is broken, ``EOFError`` at its end."""
    buffer = ctypes.create_string_buffer(_PIECE)
    received: int = _libc.recv(sock.fileno(), buffer, _PIECE, socket.MSG_DONTWAIT)
    if received == 0:
        raise EOFError
    return bytes(memoryview(buffer)[: _checked(received)])


def _checked(result: int) -> int:
    """The result; 0 if the call would have waited."""
    if result >= 0:
        return result
    number = ctypes.get_errno()
    try:
        raise OSError(number, os.strerror(number))
    except (BlockingIOError, InterruptedError):
        return 0
