"""Answers that are not gRPC's, and answers that come while the request is still sent."""

from __future__ import annotations

import fcntl
import socket
import struct
import termios
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from scripted import Peer, Server, grpc_message, serving
from test_tls import Certificates, certificates

from kvstore_client import BlockChain, Code, KvClient, KvError, NotFoundError, Partition, Retry, Tls, WriteResult
from kvstore_client.frames import (
    ACK,
    DATA,
    END_STREAM,
    GOAWAY,
    HEADERS,
    PING,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    frame,
)

__all__ = ["certificates"]

CHAIN = BlockChain.of(Partition("answers", 4), range(12))
CONTENT = bytes(range(256)) * (64 << 12)  # 64 MiB: more than any socket holds
LARGEST_WINDOW = (1 << 31) - 1
SOON = 20.0  # seconds; a call has 60, and a server that takes nothing is given up after 40

Answer = Callable[[Peer, int], None]


def page(status: bytes, kind: bytes, *, end: bool = False) -> Answer:
    return lambda peer, stream: peer.headers(stream, [(b":status", status), (b"content-type", kind)], end=end)


def then(*answers: Answer) -> Answer:
    def all_of_them(peer: Peer, stream: int) -> None:
        for answer in answers:
            answer(peer, stream)

    return all_of_them


def body(peer: Peer, stream: int) -> None:
    peer.data(stream, b"<html>" * 1000)


def last(peer: Peer, stream: int) -> None:
    peer.data(stream, b"</html>", end=True)


def reset(code: int) -> Answer:
    return lambda peer, stream: peer.send(frame(RST_STREAM, 0, stream, struct.pack(">I", code)))


def hang_up(peer: Peer, stream: int) -> None:
    peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.sock.close()  # with a reset: the rest of the request was not read
    raise ConnectionError


ANSWERS: dict[str, tuple[Answer, Code, str]] = {
    "headers": (page(b"413", b"text/html"), Code.UNKNOWN, "HTTP 413, content-type text/html; a proxy"),
    "headers and the end": (page(b"503", b"text/plain", end=True), Code.UNAVAILABLE, "HTTP 503"),
    "without a type": (lambda p, s: p.headers(s, [(b":status", b"307")]), Code.UNKNOWN, "HTTP 307.*missing"),
    "a page": (then(page(b"403", b"text/html"), body, last), Code.PERMISSION_DENIED, "HTTP 403"),
    "half a page": (then(page(b"200", b"text/html"), body), Code.UNKNOWN, "HTTP 200, content-type text/html"),
    "of gRPC for browsers": (page(b"200", b"application/grpc-web+proto"), Code.UNKNOWN, "HTTP 200.*grpc-web"),
    "gRPC's type and another status": (page(b"502", b"application/grpc"), Code.UNAVAILABLE, "HTTP 502"),
    "a page and a reset": (
        then(page(b"413", b"text/html"), body, last, reset(0)),
        Code.UNKNOWN,
        "HTTP 413",
    ),
    "half a page and a reset": (then(page(b"413", b"text/html"), body, reset(8)), Code.UNKNOWN, "HTTP 413"),
    "a page and the end of the connection": (then(page(b"413", b"text/html"), last, hang_up), Code.UNKNOWN, "HTTP 413"),
}


def at_begin(peer: Peer) -> int:
    """The client has windows for 64 KiB, and waits for more of them."""
    peer.start()
    return peer.until(HEADERS)[2]


def unread_bytes(peer: Peer) -> int:
    """Bytes that have come and were not read."""
    return int(struct.unpack("i", fcntl.ioctl(peer.sock, termios.FIONREAD, b"1234"))[0])


def when_full(peer: Peer) -> int:
    """The client may send all, and the sockets are full: it waits in a system call."""
    peer.start((4, LARGEST_WINDOW), (5, 1 << 20))
    peer.send(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", LARGEST_WINDOW - 65_535)))
    stream = peer.until(HEADERS)[2]
    before, unread = 0, 0
    while unread == 0 or unread > before:
        time.sleep(0.3)
        before, unread = unread, unread_bytes(peer)
    return stream


def when_read(peer: Peer) -> int:
    """The client has sent all of a small request."""
    peer.start((4, LARGEST_WINDOW))
    return peer.request()[0]


def serve(when: Callable[[Peer], int], answer: Answer) -> tuple[Callable[[Peer], None], threading.Event]:
    over = threading.Event()

    def script(peer: Peer) -> None:
        answer(peer, when(peer))
        over.wait(60)  # reads no more

    return script, over


def write(server: Server, content: bytes, tls: Tls | None = None) -> WriteResult:
    address = server.address.replace("127.0.0.1", "localhost") if tls else server.address
    with KvClient(
        resource="r",
        key="kv_a_b",
        endpoints=[address],
        tls=tls,
        timeout=60,
        stall_timeout=40,
        retry=Retry(max_attempts=1),
    ) as client:
        return client.write(CHAIN, 0, content)


def fails_at_once(when: Callable[[Peer], int], name: str, content: bytes, tls: Tls | None = None, **how: Any) -> None:
    answer, code, text = ANSWERS[name]
    script, over = serve(when, answer)
    with serving(script, **how) as server:
        began = time.monotonic()
        try:
            with pytest.raises(KvError, match=text) as raised:
                write(server, content, tls)
            assert raised.value.code is code
            assert time.monotonic() - began < SOON
        finally:
            over.set()


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_not_grpcs_is_an_error_at_once(name: str) -> None:
    fails_at_once(when_read, name, b"small")


@pytest.mark.parametrize("name", ANSWERS)
def test_it_is_an_error_at_once_while_the_client_waits_for_a_window(name: str) -> None:
    fails_at_once(at_begin, name, CONTENT[: 1 << 20])


@pytest.mark.parametrize("name", ["headers", "a page and a reset", "a page and the end of the connection"])
def test_it_is_an_error_at_once_while_sockets_are_full(name: str) -> None:
    fails_at_once(when_full, name, CONTENT)


def test_it_is_an_error_at_once_over_tls(certificates: Certificates) -> None:
    for when, name in ((at_begin, "half a page"), (when_full, "a page and a reset")):
        fails_at_once(when, name, CONTENT, Tls(ca=certificates.ca), context=certificates.server())


def good(pb: Any) -> bytes:
    answer = pb.WriteResponse(location=CHAIN.location(0), outcome=2)
    return bytes(answer.SerializeToString())


@pytest.mark.parametrize("when", [at_begin, when_full])
def test_a_good_answer_may_come_before_the_request_is_out(pb: Any, when: Callable[[Peer], int]) -> None:
    script, over = serve(when, lambda peer, stream: peer.answer(stream, good(pb)))
    with serving(script) as server:
        assert not write(server, CONTENT).stored
        over.set()


def test_a_good_answer_may_come_in_pieces_before_the_request_is_out(pb: Any) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        for byte in grpc_message(good(pb)):
            peer.data(stream, bytes((byte,)))
        peer.trailers(stream)

    script, over = serve(at_begin, answer)
    with serving(script) as server:
        assert not write(server, CONTENT).stored
        over.set()


def test_an_error_of_grpc_may_come_before_the_request_is_out() -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.trailers(stream, 5, b"no such resource")

    script, over = serve(when_full, answer)
    with serving(script) as server:
        with pytest.raises(NotFoundError, match="no such resource"):
            write(server, CONTENT)
        over.set()


@pytest.mark.parametrize("secure", [False, True])
def test_pings_and_settings_are_answered_behind_the_piece_that_is_on_its_way(
    pb: Any, certificates: Certificates, secure: bool
) -> None:
    heard: list[int] = []

    def script(peer: Peer) -> None:
        stream = when_full(peer)
        for _ in range(3):
            peer.send(frame(SETTINGS, 0, 0))
            peer.send(frame(PING, 0, 0, b"12345678"))
        got = 0
        while True:
            kind, flags, of, payload = peer.read()
            heard.extend([kind] if kind in (PING, SETTINGS) and flags & ACK else [])
            got += len(payload) if kind == DATA and of == stream else 0
            if kind == DATA and flags & END_STREAM:
                break
        assert got > len(CONTENT)
        peer.answer(stream, good(pb))
        peer.until(GOAWAY)

    with serving(script, context=certificates.server() if secure else None) as server:
        write(server, CONTENT, Tls(ca=certificates.ca) if secure else None)
    assert (heard.count(PING), heard.count(SETTINGS)) == (3, 4)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "does not speak HTTP/2: HTTP/1.1 400 Bad Request"),
        (b"HTTP/1.0 503 " + b"x" * 5000, "does not speak HTTP/2: HTTP/1.0 503 xxx"),
        (b"SSH-2.0-OpenSSH_9.2p1\r\n", "does not speak HTTP/2"),
        (frame(HEADERS, 4, 1, b""), "does not speak HTTP/2"),
    ],
)
def test_a_server_that_does_not_speak_http2_is_named_at_once(said: bytes, text: str) -> None:
    def script(peer: Peer) -> None:
        peer.send(said)
        over.wait(60)

    over = threading.Event()
    with serving(script) as server:
        began = time.monotonic()
        with pytest.raises(KvError, match=text) as raised:
            write(server, b"small")
        over.set()
    assert raised.value.code is Code.INTERNAL
    assert time.monotonic() - began < SOON


def test_a_type_of_grpc_may_have_a_format_and_parameters(pb: Any) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream, [(b":status", b"200"), (b"content-type", b"application/grpc+proto; charset=utf-8")])
        peer.data(stream, grpc_message(good(pb)))
        peer.trailers(stream)

    script, over = serve(when_read, answer)
    with serving(script) as server:
        assert not write(server, b"small").stored
        over.set()
