"""The connection of an engine's process to its agent: made, and made again, on a thread of its own."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import select
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator

from kvstore_client._version import __version__
from kvstore_client.agent import launch, peers, quick
from kvstore_client.agent.memory import SlotPool
from kvstore_client.agent.messages import Frames, MalformedError, Message, encode
from kvstore_client.agent.settings import PROTOCOL, AgentSettings

_log = logging.getLogger("kvstore.agent")

_GREETING = 10.0  # seconds for the agent's first answer, and for its end after the last message
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 10.0  # seconds between attempts
_STEADY = 5.0  # seconds after which a connection counts as good

#: Bytes that wait for an agent that does not read, before it is given up.
_MAX_UNSENT = 16 << 20

#: Pieces of 16 KiB that one call reads: the rest waits for the next one.
_MOST_READS = 64

#: Seconds after which messages are read that no call of the engine asked for.
_TICK = 1.0


class RefusedError(Exception):
    """The agent does not take this engine. ``other``: it is one for other engines."""

    def __init__(self, text: str, *, other: bool) -> None:
        """With the agent's reason."""
        super().__init__(text)
        self.other = other


class Link:
    """Sends and receives on the caller's thread, without waiting.

    A message costs no change of threads, which takes 5 ms where a thread keeps the interpreter's lock. The link's own
    thread sleeps but for the beginning and the end of a connection, and reads what came once a second.
    """

    def __init__(
        self,
        settings: AgentSettings,
        met: Callable[[SlotPool], None],
        look: Callable[[], None],
        lost: Callable[[], None],
    ) -> None:
        """``met`` hears of each connection, ``lost`` of its end. ``look`` takes :meth:`messages`. On one thread.

        None of them is called before :meth:`start`, since they may use this object.
        """
        self._settings = settings
        self._met = met
        self._look = look
        self._lost = lost
        self._lock = threading.Lock()
        self._frames = Frames()
        self._ended: Exception | None = None
        self._unsent = bytearray()
        self._more = threading.Condition(self._lock)
        self._socket: socket.socket | None = None
        self._closing = threading.Event()
        self._pool: weakref.ref[SlotPool] | None = None  # who uses it keeps it mapped
        self._other = False
        self._peer = 0
        self._thread = threading.Thread(target=self._run, name="kvstore-agent-link", daemon=True)

    def start(self) -> None:
        """Connects, in the background. Once."""
        self._thread.start()

    def send(self, message: bytes) -> None:
        """Sends; an agent that has not read for long is given up. Does nothing without a connection."""
        with self._lock:
            sock = self._socket
            if sock is None:
                return
            sent = 0
            if not self._unsent:
                try:
                    sent = quick.send(sock, message)
                except OSError:
                    return  # the thread sees the end, too
            if sent < len(message):
                self._unsent += message[sent:]
                self._more.notify()
            if len(self._unsent) > _MAX_UNSENT:
                _log.warning("the agent does not read; it is given up")
                _hang_up(sock)

    def messages(self) -> list[Message]:
        """The messages that came, in order. The caller holds a lock, so that one thread at a time handles messages."""
        came: list[Message] = []
        with self._lock:
            if self._socket is None or self._ended:
                return came
            try:
                data = b""  # more may have come with the first message
                for _ in range(_MOST_READS):
                    came += self._frames.feed(data)
                    data = quick.receive(self._socket)
                    if not data:
                        break
                else:
                    came += self._frames.feed(data)
            except EOFError:
                self._ended = ConnectionError("the agent has ended")
            except (OSError, MalformedError) as e:
                self._ended = e
            if self._ended:
                _hang_up(self._socket)
        return came

    def starved(self) -> bool:
        """Whether the agent would run, and waits for a processor."""
        return peers.wants_processor(self._peer)

    def give_up(self, why: Exception) -> None:
        """Ends this connection; another one is made."""
        with self._lock:
            if self._socket and not self._ended:
                self._ended = why
                _hang_up(self._socket)

    def close(self, last: bytes) -> None:
        """Sends a last message, as far as that needs no waiting, and ends."""
        self.send(last)
        self._closing.set()
        with self._lock:
            if self._socket:  # which is read until the agent hangs up: it would not take what a broken one brought
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_WR)
            self._more.notify()

    # --- its thread ---

    def _run(self) -> None:
        launch.use_all_processors()
        pause = _FIRST_PAUSE
        while not self._closing.is_set():
            began = time.monotonic()
            try:
                self._serve()
            except RefusedError as e:
                _log.warning("the agent refuses this engine: %s", e)
                if e.other and not self._other:
                    self._other = True
                    continue
            except (OSError, MalformedError) as e:
                if not self._closing.is_set():
                    _log.warning("no agent: %s", e)
            if time.monotonic() - began > _STEADY:
                pause = _FIRST_PAUSE
            self._closing.wait(pause * (0.5 + random.random()))
            pause = min(_LONGEST_PAUSE, 2 * pause)

    def _serve(self) -> None:
        """One connection, from its beginning to its end."""
        paths = peers.sockets(self._settings)
        path = paths[-1 if self._other else 0]
        with self._connected(path) as sock:
            self._peer, uid = peers.credentials(sock)
            if uid != os.getuid():
                raise RefusedError(f"{path} is a socket of user {uid}", other=True)
            frames = Frames()
            pool = self._greeted(sock, frames)
            self._pool = weakref.ref(pool)
            with self._lock:
                if self._closing.is_set():
                    return
                self._unsent.clear()
                self._frames, self._ended = frames, None
                self._socket = sock
            writer = threading.Thread(target=self._write, args=(sock,), name="kvstore-agent-send", daemon=True)
            writer.start()
            try:
                self._met(pool)
                del pool
                self._until_the_end(sock)
            finally:
                with self._lock:
                    self._socket = None
                    self._more.notify()
                writer.join()
                self._lost()

    def _until_the_end(self, sock: socket.socket) -> None:
        poll = select.poll()
        poll.register(sock, select.POLLRDHUP)  # not for messages: those wait for a call of the engine, or for a tick
        while self._ended is None:
            closing = self._closing.is_set()
            poll.poll(1000 * (_GREETING if closing else _TICK))
            self._look()
            if closing:
                return
        raise self._ended

    @contextlib.contextmanager
    def _connected(self, path: str) -> Iterator[socket.socket]:
        sock = self._dial(path)
        if sock is None:
            flaw = launch.start(self._settings, path)
            if flaw:
                raise ConnectionError(f"it does not start: {flaw}")
            sock = self._dial(path)
        if sock is None:
            raise ConnectionError(f"{path}: nobody answers yet")
        with sock:
            yield sock

    def _dial(self, path: str) -> socket.socket | None:
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.settimeout(_GREETING)
            sock.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            sock.close()
            return None
        except BaseException:
            sock.close()
            raise
        return sock

    def _greeted(self, sock: socket.socket, frames: Frames) -> SlotPool:
        settings = self._settings
        hello = encode(
            "hello", protocol=PROTOCOL, version=__version__, settings=settings.as_json(), digest=settings.digest
        )
        with contextlib.suppress(BrokenPipeError):  # an agent that refuses without asking has said why
            sock.sendall(hello)
        received: list[int] = []
        try:
            while True:
                data, fds, _, _ = socket.recv_fds(sock, 1 << 16, 1)
                received += fds
                if not data:
                    raise ConnectionError("the agent hung up")
                for message in frames.feed(data):
                    return self._welcomed(message, received)
        finally:
            for fd in received:
                os.close(fd)
            sock.settimeout(None)

    def _welcomed(self, message: Message, received: list[int]) -> SlotPool:
        if message.kind == "refused":
            raise RefusedError(message.text("text"), other=message.true("other"))
        if message.kind != "welcome" or len(received) != 1:
            raise MalformedError("the agent's first message is no welcome with its memory")
        generation = message.integer("generation", 1, 1 << 53)
        known = self._pool() if self._pool else None
        if known is not None and known.generation == generation:
            return known
        slots = message.integer("slots", 1, 1 << 40)
        slot_bytes = message.integer("slot_bytes", 1, 1 << 26)
        stride = message.integer("stride", slot_bytes, 1 << 27)
        if os.fstat(received[0]).st_size < slots * stride:
            raise MalformedError("the agent's memory is smaller than its slots")
        return SlotPool(received[0], slots, slot_bytes, stride, generation)

    def _write(self, sock: socket.socket) -> None:
        """Sends what could not be sent at once."""
        while True:
            with self._lock:
                while not self._unsent and self._socket is sock:
                    self._more.wait()
                if self._socket is not sock:
                    return
                piece = bytes(self._unsent[: 1 << 18])
            try:
                sent = sock.send(piece)
            except OSError:
                return
            with self._lock:
                del self._unsent[:sent]


def _hang_up(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
