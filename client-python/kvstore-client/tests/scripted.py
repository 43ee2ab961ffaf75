"""A server that says, frame by frame, what a test has it say; and the answers of a data plane as bytes."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

from kvstore_client import checksums, names
from kvstore_client.frames import (
    ACK,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PADDED,
    PREFACE,
    SETTINGS,
    WINDOW_UPDATE,
    encode_headers,
    frame,
)

OK_HEADERS = [(b":status", b"200"), (b"content-type", b"application/grpc")]


class Peer:
    """One connection, seen from the server."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.frames: list[tuple[int, int, int, bytes]] = []

    def exactly(self, size: int) -> bytes:
        out = b""
        while len(out) < size:
            piece = self.sock.recv(size - len(out))
            if not piece:
                raise ConnectionError("the client hung up")
            out += piece
        return out

    def start(self, *settings: tuple[int, int]) -> None:
        """Takes the client's preface and says the server's."""
        if self.exactly(len(PREFACE)) != PREFACE:
            raise ConnectionError("the client does not speak HTTP/2")
        self.send(frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *one) for one in settings)))

    def read(self) -> tuple[int, int, int, bytes]:
        """The client's next frame: type, flags, stream, payload."""
        head = self.exactly(9)
        size = int.from_bytes(head[:3], "big")
        got = head[3], head[4], int.from_bytes(head[5:9], "big"), self.exactly(size)
        self.frames.append(got)
        return got

    def until(self, kind: int, flags: int = 0) -> tuple[int, int, int, bytes]:
        """The client's next frame of a type, with these flags."""
        while True:
            got = self.read()
            if got[0] == kind and got[1] & flags == flags:
                return got

    def request(self) -> tuple[int, bytes]:
        """The client's next call: its stream, and the message."""
        body, stream = b"", 0
        while True:
            kind, flags, stream, payload = self.read()
            if kind == DATA:
                body += payload
                if flags & END_STREAM:
                    return stream, body[5:]

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def headers(self, stream: int, fields: list[tuple[bytes, bytes]] | None = None, *, end: bool = False) -> None:
        flags = END_HEADERS | (END_STREAM if end else 0)
        self.send(frame(HEADERS, flags, stream, encode_headers(OK_HEADERS if fields is None else fields)))

    def data(self, stream: int, payload: bytes, *, end: bool = False) -> None:
        self.send(frame(DATA, END_STREAM if end else 0, stream, payload))

    def trailers(self, stream: int, code: int = 0, message: bytes = b"", *more: tuple[bytes, bytes]) -> None:
        fields = [(b"grpc-status", b"%d" % code), *more]
        if message:
            fields.append((b"grpc-message", message))
        self.headers(stream, fields, end=True)

    def answer(self, stream: int, message: bytes) -> None:
        """A whole good answer."""
        self.headers(stream)
        self.data(stream, grpc_message(message))
        self.trailers(stream)


class Server:
    """Accepts connections on loopback and runs a script for each, on a thread of its own."""

    def __init__(
        self, *scripts: Callable[[Peer], None], context: ssl.SSLContext | None = None, host: str = "127.0.0.1"
    ) -> None:
        """One script for each connection; the last one for all further ones."""
        self.peers: list[Peer] = []
        self.failures: list[BaseException] = []
        self._scripts = scripts
        self._context = context
        self._listener = socket.create_server((host, 0))
        self.address = f"{host}:{self._listener.getsockname()[1]}"
        self._threads: list[threading.Thread] = []
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.settimeout(60)
            script = self._scripts[min(len(self._threads), len(self._scripts) - 1)]
            thread = threading.Thread(target=self._serve, args=(sock, script), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, sock: socket.socket, script: Callable[[Peer], None]) -> None:
        with contextlib.ExitStack() as stack:
            stack.callback(lambda: sock.close())
            try:
                if self._context:
                    sock = self._context.wrap_socket(sock, server_side=True)
                peer = Peer(sock)
                self.peers.append(peer)
                script(peer)
            except (ConnectionError, ssl.SSLError, TimeoutError):
                pass  # the client hung up, as a test may have it
            except BaseException as e:
                self.failures.append(e)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # was closed before
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._acceptor.join(10)
        for peer in self.peers:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(peer.sock, socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        if self.failures:
            raise self.failures[0]


@contextlib.contextmanager
def serving(
    *scripts: Callable[[Peer], None], context: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> Iterator[Server]:
    server = Server(*scripts, context=context, host=host)
    try:
        yield server
    finally:
        server.close()


def grpc_message(message: bytes) -> bytes:
    return b"\x00" + len(message).to_bytes(4, "big") + message


def block_parts(pb: Any, chain: names.BlockChain, index: int, buffer: bytes, part: int = 1 << 20) -> list[Any]:
    """A block as a data plane sends it: ReadParts of protobuf's."""
    out = []
    for offset in range(0, len(buffer), part):
        piece = buffer[offset : offset + part]
        made = pb.ReadPart(
            index=index,
            offset=offset,
            last=offset + len(piece) == len(buffer),
            bytes=piece,
            crc32c=checksums.crc32c(memoryview(piece)),
        )
        if offset == 0:
            made.head.CopyFrom(block_head(pb, chain, index, buffer))
        out.append(made)
    return out


def block_head(pb: Any, chain: names.BlockChain, index: int, buffer: bytes) -> Any:
    tokens = memoryview(chain.tokens(index)).cast("I").tolist()
    return pb.BlockHead(
        tokens=tokens,
        extra=chain.extra(index),
        hash=chain.hash(index),
        parent_hash=chain.parent(index),
        buffer_bytes=len(buffer),
        crc32c=checksums.crc32c(memoryview(buffer)),
    )


def blocks_answer(pb: Any, chain: names.BlockChain, contents: list[bytes], part: int = 1 << 20) -> bytes:
    """All of a streaming read's answer: messages of one part each."""
    return b"".join(
        grpc_message(pb.StreamingReadResponse(parts=[one]).SerializeToString())
        for index, buffer in enumerate(contents)
        for one in block_parts(pb, chain, index, buffer, part)
    )


__all__ = ["ACK", "CONTINUATION", "PADDED", "WINDOW_UPDATE", "Peer", "Server", "serving"]
