"""The data planes of the current route, and which of them an attempt goes to. Thread-safe."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from kvstore_client import hosts, routing
from kvstore_client.dialer import Dialer
from kvstore_client.errors import CancelledError, DeadlineExceededError, KvError, UnavailableError
from kvstore_client.health import Health
from kvstore_client.pool import LOOK, Cancel, Pool
from kvstore_client.rendezvous import seed
from kvstore_client.wire import Route, RouteLevel, Target

LOG = logging.getLogger("kvstore")


class Endpoint:
    """One data plane: its connections, what is under way there, and its health."""

    def __init__(self, name: str, address: hosts.Address, dialer: Dialer, connections: int) -> None:
        """Connects to nothing yet."""
        self.name = name
        self.address = address
        self.tls = dialer.encrypts(address)
        self.seed = seed(name)
        self.in_flight = 0
        self.health = Health()
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
                self._changed.wait(min(left, LOOK))

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
        """Draws the conclusions about a data plane from a failed attempt."""
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
