"""The agent's process: accepts engines of its user, and ends when none was there for long."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import signal
import socket
import time
from collections.abc import Callable

from kvstore_client._version import __version__
from kvstore_client.agent import memory, peers
from kvstore_client.agent.memory import SlotPool
from kvstore_client.agent.messages import Frames, MalformedError, Message, encode
from kvstore_client.agent.prefetches import Prefetches
from kvstore_client.agent.session import Session, first_grant
from kvstore_client.agent.settings import PROTOCOL, AgentSettings
from kvstore_client.agent.shares import granted_slots, shares
from kvstore_client.agent.slots import Slots
from kvstore_client.agent.stats import Stats
from kvstore_client.agent.store import Store
from kvstore_client.agent.writes import Writes

_log = logging.getLogger("kvstore.agent")

#: Connections at a time, with processes that have lost theirs and still run.
MAX_SESSIONS = 64

_GREETING = 10.0  # seconds for the first message
_FIRST_ENGINE = 30.0  # seconds that an agent waits for the first engine, at least
_DRAIN = 10.0  # seconds for blocks that are to be written when the agent ends
_TOLD_EVERY = 1.0  # seconds between counters that engines are told


class TakenError(Exception):
    """Another agent has the socket."""


class Listener:
    """A socket at a path, and the lock that makes it the only one. Raises ``TakenError`` or ``OSError``."""

    def __init__(self, path: str) -> None:
        """Listens; takes the place of a socket whose agent is dead."""
        self._path = path
        self._lock = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise TakenError(f"{path}: another agent runs there") from None
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        self.socket = socket.socket(socket.AF_UNIX)
        before = os.umask(0o177)
        try:
            self.socket.bind(path)
        finally:
            os.umask(before)
        self.socket.listen(MAX_SESSIONS)
        self.socket.setblocking(False)

    def close(self) -> None:
        """Gives the path up. The lock's file stays: who removes it lets two agents in."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        self.socket.close()

    def unlock(self) -> None:
        """Lets another agent start."""
        os.close(self._lock)


class Server:
    """An agent. ``run`` returns when it ends."""

    def __init__(self, settings: AgentSettings, path: str) -> None:
        """Neither listens nor connects yet."""
        self.settings = settings
        self.slot_bytes = settings.slot_bytes
        self.stats = Stats()
        self._path = path
        self._sessions: set[Session] = set()
        self._greetings: set[asyncio.Task[None]] = set()
        self._running = 0
        self._scheduled = False
        self._stopping = False

    async def run(self, ready: Callable[[], None]) -> None:
        """Serves until a signal, or until no engine was there for long. ``ready`` hears when engines may connect.

        Raises ``TakenError``, ``OSError`` and ``ValueError`` if it cannot begin; the text says why.
        """
        settings, loop = self.settings, asyncio.get_running_loop()
        listener = Listener(self._path)
        try:
            self._loop = loop
            self._stop = asyncio.Event()
            self._idle_since = loop.time() + max(0.0, _FIRST_ENGINE - settings.linger)
            self._fd = memory.create(settings.slots * settings.stride)
            # Of two agents in one place one started later: the time tells their slots apart.
            self._pool = SlotPool(
                self._fd, settings.slots, settings.slot_bytes, settings.stride, time.time_ns() // 1000 % (1 << 53)
            )
            self.slots = Slots(settings.slots)
            self._store = Store(settings, loop, self.stats)
            self.writes = Writes(
                self.slots, self._pool, self._store, self.stats, settings.write_queue, self._told, self.soon
            )
            self.prefetches = Prefetches(
                loop,
                self.slots,
                self._pool,
                self._store,
                self.stats,
                settings.connections,
                self.writes.seen,
                self.soon,
            )
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, self._stop.set)
            loop.add_reader(listener.socket, self._accept, listener.socket)
            ready()
            _log.info("an agent of version %s serves %d slots at %s", __version__, settings.slots, self._path)
            await self._until_the_end()
            loop.remove_reader(listener.socket)
            listener.close()
            await self._drain()
            self._store.close()
            _log.info("the agent at %s ends", self._path)
        finally:
            listener.close()
            listener.unlock()

    # --- its life ---

    async def _until_the_end(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._stop.wait(), _TOLD_EVERY)
            if self._sessions:
                self._idle_since = self._loop.time()
                counters = encode("stats", values=self.values())
                for session in self._sessions:
                    session.send(counters)
            elif self._loop.time() - self._idle_since >= self.settings.linger:
                return

    async def _drain(self) -> None:
        self._stopping = True
        for greeting in self._greetings:
            greeting.cancel()
        until = self._loop.time() + _DRAIN
        while not self.writes.idle and self._loop.time() < until:
            self._drained = asyncio.Event()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._drained.wait(), until - self._loop.time())
        if not self.writes.idle:
            _log.warning("the agent ends with blocks that were not written")

    def values(self) -> dict[str, float]:
        """Counters, and how the memory is used."""
        values = self.stats.values()
        for state, slots in self.slots.counts().items():
            values[f"host_bytes.{state}"] = slots * self.slot_bytes
        values["evicted_blocks"] = self.slots.evicted
        values["engines"] = len(self._sessions)
        values["generation"] = self._pool.generation
        values["pid"] = os.getpid()
        return values

    # --- turns ---

    def soon(self) -> None:
        """Has grants topped up, work begun and reports sent, when what happens now is over."""
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._scheduled = False
        self._begin_work()
        self._top_up()
        for session in self._sessions:
            session.flush()
        if self._stopping and self.writes.idle:
            self._drained.set()

    def _begin_work(self) -> None:
        most = self.settings.connections
        while self._running < most:
            job = None
            may_write = self.writes.running < max(1, most // 2)
            if most > 1 and self._running == most - 1 and self.writes.waiting and not self.writes.running:
                job = self.writes.turn()  # reads leave writes a thread
            if job is None and not self._stopping:
                job = self.prefetches.turn()
            if job is None and may_write:
                job = self.writes.turn()
            if job is None:
                return
            self._running += 1
            job(self._free)

    def _free(self) -> None:
        self._running -= 1
        self.soon()

    def _top_up(self) -> None:
        """Grants slots, of which each engine has its share."""
        most = granted_slots(self.settings.slots)
        left = most - sum(len(session.granted) for session in self._sessions)
        connected = [session for session in self._sessions if session.connected]
        for session, share in zip(connected, shares(most, [one.wanted for one in connected]), strict=True):
            session.limit(share)
            granted: list[int] = []
            while len(granted) + len(session.granted) < share and len(granted) < left:
                slot = None if self._stopping else self.slots.take()
                if slot is None:
                    break
                granted.append(slot)
            if granted:
                left -= len(granted)
                session.grant(granted)

    def _told(self, name: bytes, stored: bool) -> None:
        message = encode("known" if stored else "forget", name[:16])
        for session in self._sessions:
            session.send(message)

    # --- engines ---

    def _accept(self, listening: socket.socket) -> None:
        try:
            sock, _ = listening.accept()
        except OSError:  # it hung up meanwhile
            return
        sock.setblocking(False)
        task = self._loop.create_task(self._greet(sock))
        self._greetings.add(task)
        task.add_done_callback(self._greetings.discard)

    async def _greet(self, sock: socket.socket) -> None:
        taken = False
        try:
            taken = await self._welcome(sock)
        except (OSError, MalformedError, asyncio.TimeoutError) as e:
            _log.warning("a connection ends: %s", str(e) or "no message came in time")
            with contextlib.suppress(OSError):
                sock.send(encode("refused", text=str(e), other=False))
        finally:
            if not taken:
                sock.close()

    async def _welcome(self, sock: socket.socket) -> bool:
        """Whether the socket is an engine's now."""
        pid, uid = peers.credentials(sock)
        if uid != os.getuid():
            raise MalformedError(f"this agent is for processes of user {os.getuid()}, not {uid}")
        if len(self._greetings) > MAX_SESSIONS:
            raise MalformedError(f"more than {MAX_SESSIONS} connections begin at the same time")
        message = await asyncio.wait_for(self._first(sock), _GREETING)
        if message.kind == "status":
            await self._loop.sock_sendall(sock, encode("stats", values=self.values(), settings=self.settings.as_json()))
            return False
        if message.kind != "hello":
            raise MalformedError("the first message must be hello or status")
        difference = self._difference(message)
        if difference:
            sock.send(encode("refused", text=difference, other=True))
            return False
        if len(self._sessions) >= MAX_SESSIONS:
            raise MalformedError(f"{MAX_SESSIONS} engines are connected, or were and still run")
        session = self._session(pid)
        self._sessions.add(session)
        settings = self.settings
        welcome = encode(
            "welcome",
            generation=self._pool.generation,
            slots=settings.slots,
            slot_bytes=settings.slot_bytes,
            stride=settings.stride,
        )
        try:
            socket.send_fds(sock, [welcome], [self._fd])
            await self._loop.connect_accepted_socket(lambda: session, sock)
        except BaseException:
            session.end()
            raise
        _log.info("process %d is connected", pid)
        return True

    def _left(self, session: Session) -> None:
        self._sessions.discard(session)
        self._idle_since = self._loop.time()

    def _session(self, pid: int) -> Session:
        if pid <= 0:
            raise MalformedError("the engine is in another process namespace than this agent")
        session = Session(self, pid, os.pidfd_open(pid), self._left)
        session.wanted = first_grant(self.settings.slots)
        return session

    async def _first(self, sock: socket.socket) -> Message:
        frames = Frames()
        while True:
            data = await self._loop.sock_recv(sock, 65536)
            if not data:
                raise MalformedError("it was closed before its first message")
            messages = list(frames.feed(data))
            if messages:
                if len(messages) > 1 or not frames.empty:
                    raise MalformedError("more than one message came before the answer to the first")
                return messages[0]

    def _difference(self, hello: Message) -> str | None:
        """Why the engine needs another agent."""
        version = hello.text("version")
        if hello.integer("protocol", 0, 1 << 31) != PROTOCOL or version != __version__:
            return f"this agent is of version {__version__}, and the engine of {version}"
        mine, others = self.settings.as_json(), hello.mapping("settings")
        for name, value in mine.items():
            if name != "socket" and others.get(name) != value:
                return f"{name} is {value!r} at this agent, and {str(others.get(name))[:200]!r} in the engine"
        if hello.text("digest") != self.settings.digest:
            return "this agent has another API key in its environment than the engine"
        return None
