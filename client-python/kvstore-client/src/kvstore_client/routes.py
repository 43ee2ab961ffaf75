"""Hears of routes for as long as the client is open, from one replica of the control plane or another."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Sequence

from kvstore_client import grpc, hosts, wire
from kvstore_client.dialer import Dialer, NobodyThereError
from kvstore_client.endpoints import Endpoints
from kvstore_client.errors import Code, KvError, UnavailableError, error
from kvstore_client.http2 import Connection

LOG = logging.getLogger("kvstore")

#: The answer comes at once; a replica that takes longer than a connection does is stuck.
FIRST_ANSWER = 5.0

#: The contract has a message every 10 s at least: three of them lost.
SILENCE = 30.0

#: After so many attempts in a row at which nothing listened, operations without a route fail at once: two to three
#: seconds, in which a replica that is started anew is back.
NOBODY_ATTEMPTS = 6

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0

_MOST_BYTES = 4 << 20
_FINAL = (
    Code.PERMISSION_DENIED,
    Code.UNAUTHENTICATED,
    Code.INVALID_ARGUMENT,
    Code.NOT_FOUND,
    Code.UNIMPLEMENTED,
)


class RouteWatch:
    """A thread that watches the route of one account."""

    def __init__(
        self,
        replicas: Sequence[hosts.Address],
        dialer: Dialer,
        endpoints: Endpoints,
        resource: str,
        region: str,
        key: Callable[[], bytes],
        rng: random.Random,
    ) -> None:
        """Starts the thread. ``key`` gives the value of ``authorization``."""
        self._replicas = replicas
        self._dialer = dialer
        self._endpoints = endpoints
        self._resource = resource
        self._region = region
        self._strange = False
        self._request = memoryview(wire.route_request(resource, region))
        self._key = key
        self._rng = rng
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._lost = False
        self._nobody_in_row = 0
        self._pause = FIRST_PAUSE
        self._thread = threading.Thread(target=self._run, name="kvstore-routes", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        turn = self._rng.randrange(len(self._replicas))  # otherwise all clients begin at the same one
        while not self._closed.is_set():
            replica = self._replicas[turn % len(self._replicas)]
            turn += 1
            failure = self._listen(replica)
            if self._closed.is_set():
                return
            self._nobody_in_row = self._nobody_in_row + 1 if isinstance(failure, NobodyThereError) else 0
            self._tell(replica, failure)
            self._closed.wait(self._pause * (0.5 + self._rng.random() / 2))
            self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _listen(self, replica: hosts.Address) -> KvError:
        """Until the replica says nothing more; why that is."""
        connection: Connection | None = None
        try:
            connection = self._dialer.dial(replica, time.monotonic() + FIRST_ANSWER, stall=False)
            with self._lock:
                self._connection = connection
            if self._closed.is_set():
                return UnavailableError("the client is closed")
            self._hear(connection, replica)
            return UnavailableError("it ended the watch")
        except KvError as e:
            return e
        except Exception as e:  # otherwise nothing would hear of routes any more
            LOG.exception("a route could not be dealt with; it is asked for again")
            return error(Code.INTERNAL, f"a route could not be dealt with: {e}")
        finally:
            with self._lock:
                self._connection = None
            if connection:
                connection.close()

    def _hear(self, connection: Connection, replica: hosts.Address) -> None:
        grpc.begin(
            connection,
            grpc.ROUTES + "WatchRoute",
            str(replica),
            [self._request],
            tls=self._dialer.encrypts(replica),
            authorization=self._key(),
            deadline=time.monotonic() + FIRST_ANSWER,
            tell_deadline=False,
        )
        while not self._closed.is_set():
            size = grpc.next_message(connection, _MOST_BYTES)
            if size is None:
                return
            route = wire.Route.decode(connection.take(size))
            self._endpoints.follow(route)
            if self._lost:
                LOG.info("the control plane tells of routes again")
            self._lost = False
            self._tell_strange_region(route.region)
            self._pause = FIRST_PAUSE
            connection.extend(time.monotonic() + SILENCE)

    def _tell_strange_region(self, assumed: str) -> None:
        """Once: without it, a typo sends calls far away."""
        now = bool(self._region) and assumed not in ("", self._region)
        if now and not self._strange:
            LOG.warning(
                'the control plane knows no region "%s", the region of this client; it assumes "%s", the home region of'
                " account %s",
                self._region,
                assumed,
                self._resource,
            )
        self._strange = now

    def _tell(self, replica: hosts.Address, failure: KvError) -> None:
        said = f"control plane {replica}: {failure}"
        if failure.code in _FINAL:
            self._pause = LONGEST_PAUSE
            text = f"the control plane at {replica} gives no route: {failure.message}"
            self._endpoints.refuse(error(failure.code, text))
        elif self._nobody_in_row >= max(NOBODY_ATTEMPTS, len(self._replicas)):
            named = ", ".join(map(str, self._replicas))
            text = f"{said}; nothing listens at {named}: is that the gRPC address of the control plane?"
            self._endpoints.refuse(UnavailableError(text))
        else:
            self._endpoints.waiting(said)
        if not self._lost:
            known = self._endpoints.ready
            LOG.warning("%s; %s", said, "the route known is used on" if known else "it is asked until it answers")
        self._lost = True

    def close(self) -> None:
        """Ends the watch; waits for the thread, 5 s at most."""
        self._closed.set()
        with self._lock:
            if self._connection:
                self._connection.abort()
        if self._thread is not threading.current_thread():
            self._thread.join(5.0)
