"""Which calls of an event loop have a thread, which wait for one, and how a call ends before its thread does."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from concurrent.futures import Executor
from functools import partial
from typing import Any, Protocol, TypeVar

from kvstore_client.errors import CancelledError, DeadlineExceededError, ResourceExhaustedError
from kvstore_client.pool import Cancel

T = TypeVar("T")
R = TypeVar("R", covariant=True)

#: An operation ends at its deadline by itself; one that has not so many seconds later is stuck.
_SLACK = 0.25


class Timed(Protocol[R]):
    """An operation of the client, with its arguments."""

    def __call__(self, *, timeout: float, cancel: Cancel) -> R:
        """Its result. ``timeout`` is in seconds."""


class Turns:
    """Runs operations on threads, in the order of the calls. For one event loop."""

    def __init__(self, executor: Executor, threads: int, most: int) -> None:
        """``threads`` operations run at a time, and ``most`` run or wait."""
        self._executor = executor
        self._free = threads
        self._threads = threads
        self._most = most
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._closed = False

    async def run(self, operation: Timed[T], deadline: float) -> T:
        """The operation's result. ``deadline`` is of ``time.monotonic``.

        Raises ``DeadlineExceededError`` at the deadline; an operation that has no thread by then never starts. Once
        this returns or raises, the operation neither fills nor sends the caller's buffers, even if its thread is busy.
        """
        await self._take(deadline)
        if self._closed:
            self._give()
            raise _closed()
        cancel = Cancel()
        running = asyncio.get_running_loop().run_in_executor(
            self._executor, partial(_in_time, operation, deadline, cancel)
        )
        running.add_done_callback(self._ended)
        try:
            while not running.done():
                await asyncio.wait([running], timeout=max(0.0, deadline - time.monotonic()) + _SLACK)
                if not running.done() and cancel.abandon():
                    raise DeadlineExceededError("the operation did not end in time")
            return running.result()
        except asyncio.CancelledError:
            cancel.cancel()
            while cancel.attached and not running.done():  # the abort wakes its thread, which is then done at once
                try:
                    await asyncio.wait([running], timeout=_SLACK)
                except asyncio.CancelledError:
                    continue
            raise
        finally:
            del running  # its failure has this frame in its traceback: a cycle that would keep the caller's buffers

    def close(self) -> None:
        """Calls that wait, and later ones, raise ``CancelledError``."""
        self._closed = True
        for turn in self._waiting:
            if not turn.done():
                turn.set_exception(_closed())

    async def _take(self, deadline: float) -> None:
        if self._closed:
            raise _closed()
        if self._threads - self._free + len(self._waiting) >= self._most:
            raise ResourceExhaustedError(f"max_async_calls: {self._most} operations run or wait for a thread")
        if self._free:
            self._free -= 1
            return
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        alarm = loop.call_later(deadline - time.monotonic(), _fail, turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._give()  # the thread came at the moment at which the caller gave up
            elif turn in self._waiting:
                self._waiting.remove(turn)
            raise
        finally:
            alarm.cancel()

    def _ended(self, running: asyncio.Future[Any]) -> None:
        self._give()
        if not running.cancelled():
            running.exception()  # is looked at, though its caller may be gone

    def _give(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


def _in_time(operation: Timed[T], deadline: float, cancel: Cancel) -> T:
    left = deadline - time.monotonic()
    if left <= 0:
        raise _late()
    return operation(timeout=left, cancel=cancel)


def _fail(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_exception(_late())


def _late() -> DeadlineExceededError:
    return DeadlineExceededError("no thread was free in time: all of threads= were busy")


def _closed() -> CancelledError:
    return CancelledError("the client is closed")
