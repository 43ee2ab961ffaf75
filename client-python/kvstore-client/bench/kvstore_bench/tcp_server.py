"""The server of :mod:`kvstore_bench.tcp`, until its orders end."""

from __future__ import annotations

import socket
import threading

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.orders import Order, Say, serve
from kvstore_bench.tcp import READ, REQUEST, receive


def _answer(connection: socket.socket, batches: list[list[bytes]], scratch: memoryview) -> None:
    request = bytearray(REQUEST.size)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while True:
        receive(connection, [memoryview(request)])
        operation, batch, count = REQUEST.unpack(request)
        if operation == READ:
            for block in batches[batch][:count]:
                connection.sendall(block)
        else:
            receive(connection, [scratch] * count)
            connection.sendall(b"k")


def _listen(listener: socket.socket, batches: list[list[bytes]], scratch: memoryview) -> None:
    while True:
        connection, _ = listener.accept()
        try:
            _answer(connection, batches, scratch)
        except OSError:
            connection.close()  # the client is gone


def _open(order: Order, say: Say) -> None:
    blocks = WorkingSet(order["block_bytes"], order["batches"], order["blocks_per_batch"])
    content = [[blocks.content(b, i) for i in range(blocks.blocks_per_batch)] for b in range(blocks.batches)]
    listener = socket.create_server(("127.0.0.1", 0))
    scratch = memoryview(bytearray(blocks.block_bytes))
    threading.Thread(target=_listen, args=(listener, content, scratch), daemon=True).start()
    say({"port": listener.getsockname()[1]})


if __name__ == "__main__":
    serve({"open": _open})
