"""One operation of the application and the attempts it takes."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from kvstore_client.endpoints import Endpoint, Endpoints
from kvstore_client.errors import DeadlineExceededError, InternalError, KvError, UnavailableError
from kvstore_client.frames import ConnectionLostError
from kvstore_client.http2 import Connection
from kvstore_client.pool import Cancel

T = TypeVar("T")

#: The part of a server's own delay that is added at random, so that clients told together do not return together.
_HINT_SPREAD = 0.2


@dataclass(frozen=True)
class Retry:
    """When an operation is tried again. Every operation is idempotent, since blocks are named by their content.

    Only UNAVAILABLE and RESOURCE_EXHAUSTED are tried again, always inside the deadline. ``max_attempts`` counts the
    first one (of a read: since a block last arrived), 1 to 20. Pauses are random, up to ``initial_backoff`` seconds
    before the first retry and twice as long before each further one, ``max_backoff`` at most; a server's own delay
    replaces them. ``budget_percent`` retries are allowed per 100 operations of the client, and ``budget_burst`` on top.
    An operation that finds a data plane gone goes to another at once, outside of the budget.
    """

    max_attempts: int = 4
    initial_backoff: float = 0.05
    max_backoff: float = 2.0
    budget_percent: int = 10
    budget_burst: int = 10

    def __post_init__(self) -> None:
        if not 1 <= self.max_attempts <= 20:
            raise ValueError(f"retry: max_attempts must be 1 to 20, not {self.max_attempts}")
        if self.initial_backoff <= 0 or self.max_backoff <= 0:
            raise ValueError("retry: initial_backoff and max_backoff must be more than 0 s")
        if not 0 <= self.budget_percent <= 100 or not 0 <= self.budget_burst <= 1000:
            raise ValueError("retry: budget_percent must be 0 to 100 and budget_burst 0 to 1000")


class Budget:
    """How many retries a client may still make. Thread-safe."""

    def __init__(self, retry: Retry) -> None:
        """Holds the burst."""
        self._deposit = retry.budget_percent
        self._most = 1000 * max(1, retry.budget_burst)
        self._balance = 100 * retry.budget_burst
        self._lock = threading.Lock()

    def deposit(self) -> None:
        """An operation begins."""
        with self._lock:
            self._balance = min(self._most, self._balance + self._deposit)

    def withdraw(self) -> bool:
        """Takes one retry; whether there was one."""
        with self._lock:
            if self._balance < 100:
                return False
            self._balance -= 100
            return True


@dataclass(frozen=True)
class Policy:
    """Whether and when a failed attempt is repeated."""

    retry: Retry
    budget: Budget
    rng: random.Random

    def pause(self, attempts: int, failure: KvError, left: float) -> float | None:
        """How long to wait before the next attempt, in seconds; ``None`` to give up."""
        if not failure.retryable or attempts >= self.retry.max_attempts:
            return None
        if failure.retry_delay is not None:
            pause = failure.retry_delay * (1 + self.rng.random() * _HINT_SPREAD)
        else:
            doublings = min(max(attempts - 1, 0), 20)
            pause = self.rng.random() * min(self.retry.max_backoff, self.retry.initial_backoff * 2**doublings)
        return pause if pause < left and self.budget.withdraw() else None

    def may_move_on(self, failure: KvError) -> bool:
        """Whether another data plane is to be asked in place of one that is away; an overload is none of these."""
        return isinstance(failure, UnavailableError) and failure.retry_delay is None and self.retry.max_attempts > 1


class Operation:
    """One operation. For one thread, but for its ``cancel``."""

    def __init__(self, endpoints: Endpoints, policy: Policy, key: int, deadline: float, cancel: Cancel) -> None:
        """``key`` keeps operations of one conversation together; ``deadline`` is of ``time.monotonic``."""
        self.deadline = deadline
        self._endpoints = endpoints
        self._policy = policy
        self._key = key
        self._cancel = cancel
        self._tried: set[Endpoint] = set()
        self._attempts = 0
        self._progress = 0
        policy.budget.deposit()

    def progressed(self) -> None:
        """Something was achieved: attempts count anew."""
        self._attempts = 0
        self._progress += 1
        self._tried.clear()

    def attach(self, connection: Connection) -> None:
        """The attempt uses the connection, and the caller's memory, from now on, and may be given up meanwhile."""
        self._cancel.attach(connection)

    def run(self, call: Callable[[Connection, Endpoint], T], *, short: bool = False) -> T:
        """Makes attempts until one succeeds. Raises the last failure when there is to be no other.

        ``call`` attaches its connection before it touches the caller's memory.
        """
        while True:
            if self.deadline <= time.monotonic():
                raise DeadlineExceededError("no time left to begin an attempt")
            self._endpoints.wait(self.deadline, self._cancel)
            self._attempts += 1
            endpoint, trial = self._endpoints.begin(self._key, self._tried)
            began = time.monotonic()
            try:
                result = self._attempt(endpoint, call, short=short)
                self._endpoints.answered(endpoint, began)
                return result
            except KvError as e:
                failure = e
                self._endpoints.judge(endpoint, began, e)
            finally:
                self._endpoints.end(endpoint, trial=trial)
            try:
                self._retry_or_raise(endpoint, failure)
            finally:
                del failure  # its traceback has this frame: a cycle that would keep the caller's buffers in use

    def _attempt(self, endpoint: Endpoint, call: Callable[[Connection, Endpoint], T], *, short: bool) -> T:
        pool = endpoint.short if short else endpoint.long
        while True:
            connection = pool.acquire(self.deadline, self._cancel)
            fresh, progress = connection.calls == 0, self._progress
            try:
                return call(connection, endpoint)
            except ConnectionLostError as e:
                # A connection that was idle may have been closed meanwhile: that says nothing about the data plane.
                if fresh or e._answered or progress != self._progress:
                    raise
            except InternalError:
                connection.close()  # an end that breaks the rules is not trusted with another call
                raise
            finally:
                self._cancel.attach(None)
                pool.release(connection)

    def _retry_or_raise(self, endpoint: Endpoint, failure: KvError) -> None:
        self._cancel.check()
        self._tried.add(endpoint)
        if self._moves_on(failure):
            return
        if self._endpoints.all_tried(self._tried):
            self._tried.clear()
        pause = self._policy.pause(self._attempts, failure, self.deadline - time.monotonic())
        if pause is None:
            try:
                raise failure
            finally:
                del failure
        self._cancel.sleep(pause)

    def _moves_on(self, failure: KvError) -> bool:
        """Whether the operation goes to another data plane at once, and outside of the budget.

        One that could not be reached did no work, and does not count as an attempt.
        """
        if not self._policy.may_move_on(failure) or not self._endpoints.has_beyond(self._tried):
            return False
        if failure._local and not failure._answered:
            self._attempts -= 1
            return True
        return self._attempts < self._policy.retry.max_attempts
