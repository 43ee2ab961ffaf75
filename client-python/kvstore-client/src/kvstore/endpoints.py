"""The data planes of the current route, their connections, and which of them an attempt goes to. Thread-safe."""

from __future__ import annotations

import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable

from kvstore import hosts, routing, tls
from kvstore.errors import CancelledError, DeadlineExceededError, KvError, UnauthenticatedError, UnavailableError
from kvstore.http2 import Connection, ConnectionLostError
from kvstore.wire import Route, RouteLevel, Target

LOG = logging.getLogger("kvstore")

#: Longest time for a connection to be made, its TLS included, in seconds.
CONNECT = 10.0

#: A connection that was idle longer is not used again, in seconds: the server's keepalive has ended it by then, since
#: nothing here answers pings while a connection is idle.
IDLE = 25.0

#: How often a wait looks whether it was given up, in seconds.
_LOOK = 0.1


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

    def cancel(self) -> None:
        """Gives the operation up."""
        with self._lock:
            self._event.set()
            if self._connection:
                self._connection.abort()

    def attach(self, connection: Connection | None) -> None:
        """The connection that the operation uses from now on."""
        with self._lock:
            self._connection = connection
            if connection and self._event.is_set():
                connection.abort()

    def sleep(self, seconds: float) -> None:
        """Waits, unless the operation is given up."""
        self._event.wait(seconds)
        self.check()

    def check(self) -> None:
        """Raises ``CancelledError`` if the operation was given up."""
        if self.cancelled:
            raise CancelledError("the operation was given up")


class Dialer:
    """Makes connections: plaintext on this machine, TLS elsewhere, unless told otherwise."""

    def __init__(self, secured: tls.Tls | None, *, plaintext_anywhere: bool, stall: float) -> None:
        """``stall``: seconds of silence after which a server is taken for frozen."""
        self._plaintext_anywhere = plaintext_anywhere
        self._forced = secured is not None
        self._contexts = tls.Contexts(secured or tls.Tls())
        self._stall = stall

    def encrypts(self, address: hosts.Address) -> bool:
        """Whether a connection there is encrypted."""
        return not self._plaintext_anywhere and (self._forced or not address.loopback)

    def check(self) -> None:
        """Reads the files for TLS. Raises ``OSError`` or ``ValueError`` if one is of no use."""
        self._contexts.context()

    def dial(self, address: hosts.Address, deadline: float, *, stall: bool = True) -> Connection:
        """A connection over which the key may go. Raises ``ConnectionLostError`` if there is none to be had."""
        left = min(CONNECT, deadline - time.monotonic())
        if left <= 0:
            raise DeadlineExceededError(f"no time left to connect to {address}")
        until = time.monotonic() + left
        try:
            sock = socket.create_connection((address.bare_host, address.port), timeout=left)
        except OSError as e:
            raise ConnectionLostError(f"no connection to {address}: {e}") from None
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            if self.encrypts(address):
                sock.settimeout(max(0.001, until - time.monotonic()))
                sock = tls.wrap(sock, self._context(), address.bare_host, str(address))
            else:
                self._require_near(sock, address)
                sock.settimeout(None)
            return Connection(sock, str(address), self._stall if stall else 0)
        except KvError as e:
            sock.close()
            if isinstance(e, UnavailableError):
                raise ConnectionLostError(e.message) from None
            raise
        except OSError as e:
            sock.close()
            raise ConnectionLostError(f"no connection to {address}: {e}") from None

    def _context(self) -> ssl.SSLContext:
        try:
            return self._contexts.context()
        except (OSError, ValueError) as e:
            raise UnavailableError(str(e)) from None

    def _require_near(self, sock: socket.socket, address: hosts.Address) -> None:
        """Even a ``localhost`` that some resolver sends elsewhere does not get the key in clear."""
        peer = ipaddress.ip_address(sock.getpeername()[0].partition("%")[0])
        if not self._plaintext_anywhere and not peer.is_loopback:
            failure = UnauthenticatedError(
                f"the API key was not sent: the connection to {address} is not encrypted and leaves this machine; use"
                " tls=Tls(...), or accept it with plaintext_anywhere=True"
            )
            failure._local = True
            raise failure


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
                self._free.wait(min(left, _LOOK))
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


class Endpoint:
    """One data plane: its connections, what is under way there, and its health."""

    def __init__(self, name: str, address: hosts.Address, dialer: Dialer, connections: int) -> None:
        """Connects to nothing yet."""
        self.name = name
        self.address = address
        self.tls = dialer.encrypts(address)
        self.seed = routing.seed(name)
        self.in_flight = 0
        self.health = routing.Health()
        # Lookups are short and do not wait behind blocks.
        self.short = Pool(lambda deadline: dialer.dial(address, deadline), connections)
        self.long = Pool(lambda deadline: dialer.dial(address, deadline), connections)

    def retire(self) -> None:
        """It is of no route any more."""
        self.short.retire()
        self.long.retire()

    def close(self) -> None:
        """Ends calls under way."""
        self.short.close()
        self.long.close()


class Endpoints:
    """The data planes of the current route."""

    def __init__(self, connect: Callable[[Target, hosts.Address], Endpoint], trusted: hosts.RoutedHosts | None) -> None:
        """``trusted``: where a route may send this client; ``None`` if the caller named the data planes."""
        self._connect = connect
        self._trusted = trusted
        self._changed = threading.Condition()
        self._picker = routing.Picker()
        self._known: dict[str, tuple[Target, Endpoint]] = {}
        self._retired: list[Endpoint] = []
        self._ready = False
        self._closed = False
        self._refusal: KvError | None = None
        self._waiting_for = "the first route"
        self.version = ""

    @property
    def ready(self) -> bool:
        """Whether there is a route."""
        return self._ready

    def follow(self, route: Route) -> None:
        """From now on these are the data planes. Calls under way at others go on to their end.

        A route without any changes nothing where there are some: one that serves nowhere else may still serve here.
        """
        with self._changed:
            if self._closed:
                return
            usable = self._usable(route)
            addresses = {target.name: address for _, found in usable for target, address in found}
            if not addresses:
                self._empty(route)
                return
            levels = [
                RouteLevel(level.region, level.share, tuple(target for target, _ in found)) for level, found in usable
            ]
            known = {
                target.name: (target, self._keep(target, addresses[target.name]))
                for level in levels
                for target in level.targets
            }
            staying = {endpoint for _, endpoint in known.values()}
            gone = [endpoint for _, endpoint in self._known.values() if endpoint not in staying]
            self._picker.follow(levels, lambda target: known[target.name][1], time.monotonic())
            self._known = known
            self._retired = [e for e in self._retired if e.in_flight] + gone
            self.version = route.version
            self._ready, self._refusal = True, None
            self._changed.notify_all()
        for endpoint in gone:
            endpoint.retire()
        LOG.debug("route %s: %d data planes", route.version, len(known))

    def _usable(self, route: Route) -> list[tuple[RouteLevel, list[tuple[Target, hosts.Address]]]]:
        names: set[str] = set()
        levels = []
        for level in route.levels:
            found = []
            for target in level.targets:
                try:
                    address = hosts.parse("route", target.address)
                except ValueError:
                    LOG.warning('data plane %s is left out: "%s" is not host:port', target.name, target.address)
                    continue
                if target.name not in names and (not self._trusted or self._trusted.may_be(target.name, address)):
                    names.add(target.name)
                    found.append((target, address))
            levels.append((level, found))
        return levels

    def _empty(self, route: Route) -> None:
        if self._ready:
            LOG.warning("route %s has no data plane that can be used; those known are used on", route.version)
            return
        named = sum(len(level.targets) for level in route.levels)
        self._refusal = UnavailableError(
            f"none of the {named} data planes of the route is at a host that this client trusts: {self._trusted}"
            if named
            else "no data plane serves the resource at present, says the control plane"
        )
        self._changed.notify_all()

    def _keep(self, target: Target, address: hosts.Address) -> Endpoint:
        old, endpoint = self._known.get(target.name, (None, None))
        if old is None or endpoint is None or old.address != target.address:
            return self._connect(target, address)
        if old.instance != target.instance:
            endpoint.health.forget(time.monotonic())
        return endpoint

    def refuse(self, failure: KvError) -> None:
        """There is no route to be had, for a reason that trying again does not mend."""
        with self._changed:
            if not self._ready:
                self._refusal = failure
                self._changed.notify_all()

    def waiting(self, why: str) -> None:
        """Why there is no route yet."""
        with self._changed:
            self._waiting_for, self._refusal = why, None

    def wait(self, deadline: float, cancel: Cancel) -> None:
        """Waits for the first route. Raises the reason if there is to be none."""
        if self._ready:
            return
        with self._changed:
            while not self._ready:
                cancel.check()
                if self._closed:
                    raise CancelledError("the client is closed")
                if self._refusal:
                    raise type(self._refusal)(self._refusal.message, code=self._refusal.code)
                left = deadline - time.monotonic()
                if left <= 0:
                    raise DeadlineExceededError(f"there was no route in time: {self._waiting_for}")
                self._changed.wait(min(left, _LOOK))

    def begin(self, key: int, tried: set[Endpoint]) -> tuple[Endpoint, bool]:
        """Where an attempt goes, and whether it tries a data plane that failed; :meth:`end` ends it."""
        with self._changed:
            choice = self._picker.pick(key, set(tried), time.monotonic())
            if choice is None or not isinstance(choice[0], Endpoint):
                raise UnavailableError("there is no data plane to go to")
            choice[0].in_flight += 1
            return choice[0], choice[1]

    def end(self, endpoint: Endpoint, *, trial: bool) -> None:
        """The attempt is over."""
        with self._changed:
            endpoint.in_flight -= 1
            if trial:
                endpoint.health.end_trial()

    def answered(self, endpoint: Endpoint, began: float) -> None:
        """A data plane answered an attempt that began then."""
        with self._changed:
            back = endpoint.health.answered(began)
        if back:
            LOG.info("data plane %s answers again", endpoint.name)

    def judge(self, endpoint: Endpoint, began: float, failure: KvError) -> None:
        """What a failed attempt says about a data plane."""
        now = time.monotonic()
        with self._changed:
            ejected = False
            if isinstance(failure, UnavailableError):
                ejected = endpoint.health.failed(began, now, unreachable=failure._local)
            elif isinstance(failure, DeadlineExceededError) and failure._local:
                if not failure._answered:
                    ejected = endpoint.health.timed_out(began, now)
            elif not failure._local and not isinstance(failure, CancelledError):
                endpoint.health.answered(began)  # it is there to refuse
            first = ejected and endpoint.health.ejections == 1
        if first:
            LOG.warning("data plane %s is left alone for a while: %s", endpoint.name, str(failure))

    def has_beyond(self, tried: set[Endpoint]) -> bool:
        """Whether a data plane that is well, and not one of these, could take an operation."""
        with self._changed:
            return self._picker.has_beyond(tried, time.monotonic())

    def all_tried(self, tried: set[Endpoint]) -> bool:
        """Whether these are all there are."""
        with self._changed:
            return all(endpoint in tried for _, endpoint in self._known.values())

    def close(self) -> None:
        """Ends calls under way."""
        with self._changed:
            self._closed = True
            every = [endpoint for _, endpoint in self._known.values()] + self._retired
            self._changed.notify_all()
        for endpoint in every:
            endpoint.close()
