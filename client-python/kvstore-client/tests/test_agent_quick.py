"""System calls on a socket that keep the interpreter's lock."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator

import pytest

from kvstore_client.agent import quick

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    here, there = socket.socketpair()
    with here, there:
        yield here, there


def test_bytes_go_and_come(pair: Pair) -> None:
    here, there = pair
    assert quick.receive(here) == b""
    assert quick.send(there, b"one\x00two") == 7
    assert quick.receive(here) == b"one\x00two"


def test_a_socket_that_is_full_takes_nothing(pair: Pair) -> None:
    here, there = pair
    sent = 0
    while piece := quick.send(there, bytes(100_000)):
        sent += piece
    received = b""
    while len(received) < sent:
        received += quick.receive(here)
    assert received == bytes(sent)
    assert quick.receive(here) == b""


def test_the_end_and_a_broken_connection_are_told(pair: Pair) -> None:
    here, there = pair
    there.close()
    with pytest.raises(EOFError):
        quick.receive(here)
    with pytest.raises(BrokenPipeError):
        quick.send(here, b"x")


def test_no_other_thread_runs_meanwhile(pair: Pair) -> None:
    here, there = pair
    go = threading.Lock()
    ran: list[bool] = []

    def other() -> None:
        with go:
            ran.append(True)

    go.acquire()
    thread = threading.Thread(target=other)
    thread.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(3600)
    try:
        go.release()  # from here on the other thread wants the interpreter's lock
        for _ in range(10_000):
            quick.send(there, b"x")
            quick.receive(here)
        ran_meanwhile = bool(ran)
    finally:
        sys.setswitchinterval(before)
        thread.join()
    assert not ran_meanwhile
    assert ran
