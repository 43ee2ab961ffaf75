"""Raw TCP: blocks are received where they belong, without names, lengths or checksums. The most that Python can do.

A request is an operation (1 byte), the batch and the number of blocks (4 bytes each). A read is answered by the bytes
of the blocks; a write is followed by them, and answered by one byte.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.memory import Memory

REQUEST = struct.Struct(">cII")
READ, WRITE = b"r", b"w"


def receive(connection: socket.socket, targets: Sequence[memoryview]) -> None:
    """Fills the targets. Raises ``ConnectionError`` if the connection ends before."""
    for target in targets:
        at = 0
        while at < target.nbytes:
            got = connection.recv_into(target[at:], 0, socket.MSG_WAITALL)
            if not got:
                raise ConnectionError("the other end closed the connection")
            at += got


class TcpPeer(Memory):
    """One connection."""

    def __init__(self, blocks: WorkingSet, port: int) -> None:
        super().__init__(blocks)
        self._blocks = blocks
        self._connection = socket.create_connection(("127.0.0.1", port))
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def stock(self) -> None:
        """The server has them."""

    def read(self, batch: int) -> None:
        """A request for all blocks of a batch."""
        self._connection.sendall(REQUEST.pack(READ, batch, len(self.into)))
        receive(self._connection, self.into)

    def write(self) -> None:
        """A batch that the server receives and forgets."""
        self._connection.sendall(REQUEST.pack(WRITE, 0, len(self.source)))
        for block in self.source:
            self._connection.sendall(block)
        if self._connection.recv(1) != b"k":
            raise ConnectionError("the server did not acknowledge")


open_peer = TcpPeer
