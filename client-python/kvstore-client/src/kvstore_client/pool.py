"""Connections that are kept for the next call, and calls that are given up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from kvstore_client.errors import CancelledError, DeadlineExceededError
from kvstore_client.http2 import Connection

#: A connection that was idle longer is not used again, in seconds: the server's keepalive has ended it by then, since
#: nothing here answers pings while a connection is idle.
IDLE = 25.0

#: How often a wait looks whether it was given up, in seconds.
LOOK = 0.1


class Cancel:
    """Ends one operation from another thread, which stops touching the caller's memory before it returns."""

    def __init__(self) -> None:
        """Not cancelled."""
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    @property
    def cancelled(self) -> bool:
        """Whether the operation was given up."""
        return self._event.is_set()

    @property
    def attached(self) -> bool:
        """Whether the operation uses a connection. One that was given up and uses none touches no memory any more."""
        with self._lock:
            return self._connection is not None

    def cancel(self) -> None:
        """Gives the operation up."""
        with self._lock:
            self._event.set()
            if self._connection:
                self._connection.abort()

    def abandon(self) -> bool:
        """Gives the operation up if it uses no connection; whether it uses none."""
        with self._lock:
            if self._connection is None:
                self._event.set()
            return self._connection is None

    def attach(self, connection: Connection | None) -> None:
        """The connection that the operation uses from now on. Raises ``CancelledError`` if it was given up."""
        with self._lock:
            if connection and self.cancelled:
                raise CancelledError("the operation was given up")
            self._connection = connection

    def sleep(self, seconds: float) -> None:
        """Waits, unless the operation is given up."""
        self._event.wait(seconds)
        self.check()

    def check(self) -> None:
        """Raises ``CancelledError`` if the operation was given up."""
        if self.cancelled:
            raise CancelledError("the operation was given up")


class Pool:
    """Connections to one data plane; each serves one call at a time. Thread-safe."""

    def __init__(self, dial: Callable[[float], Connection], most: int) -> None:
        """``most`` connections at a time; more calls wait."""
        self._dial = dial
        self._most = most
        self._free = threading.Condition()
        self._idle: list[Connection] = []
        self._busy: set[Connection] = set()
        self._making = 0
        self._retired = False
        self._closed = False

    def acquire(self, deadline: float, cancel: Cancel) -> Connection:
        """A connection for one call, the one used last if any is idle. :meth:`release` gives it back."""
        with self._free:
            while True:
                cancel.check()
                if self._closed:
                    raise CancelledError("the client is closed")
                found = self._take_idle()
                if found:
                    return found
                if len(self._busy) + self._making < self._most:
                    self._making += 1
                    break
                left = deadline - time.monotonic()
                if left <= 0:
                    raise DeadlineExceededError("all connections were in use until the deadline")
                self._free.wait(min(left, LOOK))
        made: Connection | None = None
        try:
            made = self._dial(deadline)
        finally:
            with self._free:
                self._making -= 1
                if made and not self._closed:
                    self._busy.add(made)
                self._free.notify()
        if self._closed:
            made.close()
            raise CancelledError("the client is closed")
        return made

    def _take_idle(self) -> Connection | None:
        oldest = time.monotonic() - IDLE
        while self._idle:
            connection = self._idle.pop()
            if connection.idle_since > oldest and connection.usable():
                self._busy.add(connection)
                return connection
            connection.close()
        return None

    def release(self, connection: Connection) -> None:
        """The call is over; a connection that is not fit for another is closed."""
        connection.idle_since = time.monotonic()
        with self._free:
            self._busy.discard(connection)
            if connection.reusable() and not self._retired:
                self._idle.append(connection)
            else:
                connection.close()
            self._free.notify()

    def retire(self) -> None:
        """Calls under way go on; nothing is kept for others."""
        with self._free:
            self._retired = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        """Ends calls under way."""
        with self._free:
            self._closed = True
            for connection in self._busy:
                connection.abort()
            self._free.notify_all()
        self.retire()
