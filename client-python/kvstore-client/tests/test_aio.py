"""The client for asyncio: deadlines, cancelled calls and calls that wait, against a scripted data plane."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from scripted import Peer, blocks_answer, serving

from kvstore_client import BlockChain, CancelledError, DeadlineExceededError, Partition, ResourceExhaustedError
from kvstore_client.aio import AsyncKvClient

CHAIN = BlockChain.of(Partition("client", 4), range(12))
CONTENTS = [bytes([i]) * 5000 for i in range(3)]
LONG = 50.0  # seconds; a call that holds a thread has so many
SOON = 10.0  # seconds; far less than LONG, and enough on busy cores


class Held:
    """A data plane that keeps each call without an answer until it may go on; it counts the calls."""

    def __init__(self, answer: bytes) -> None:
        self.address = ""
        self.calls = 0
        self.go_on = threading.Event()
        self._answer = answer

    def serve(self, peer: Peer) -> None:
        peer.start()
        while True:
            stream, _ = peer.request()
            self.calls += 1
            self.go_on.wait(60)
            peer.answer(stream, self._answer)


@contextmanager
def held(pb: Any) -> Iterator[Held]:
    answer = pb.LookupResponse(cached_blocks=2, last_hash=CHAIN.hash(1)).SerializeToString()
    plane = Held(answer)
    with serving(plane.serve) as server:
        plane.address = server.address
        try:
            yield plane
        finally:
            plane.go_on.set()


def a_client(address: str, **options: Any) -> AsyncKvClient:
    return AsyncKvClient(
        **{"resource": "demo", "key": "kv_a_b", "endpoints": [address], "stall_timeout": 0, "timeout": LONG, **options}
    )


@asynccontextmanager
async def one_running(plane: Held, **options: Any) -> AsyncIterator[tuple[AsyncKvClient, asyncio.Task[int]]]:
    """A client of one thread, which a call has."""
    async with a_client(plane.address, threads=1, **options) as client:
        first = asyncio.create_task(client.lookup(CHAIN))
        await until(lambda: plane.calls == 1)
        try:
            yield client, first
        finally:
            first.cancel()
            await asyncio.wait([first])


async def until(holds: Any) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


async def ends_soon(call: Awaitable[Any], kind: type[BaseException]) -> None:
    began = time.monotonic()
    with pytest.raises(kind):
        await call
    assert time.monotonic() - began < SOON


def test_a_deadline_counts_from_the_call_and_a_call_that_is_late_never_starts(pb: Any) -> None:
    async def main(plane: Held) -> None:
        async with one_running(plane) as (client, first):
            await ends_soon(client.lookup(CHAIN, timeout=0.2), DeadlineExceededError)
            plane.go_on.set()
            assert await first == 2
            assert await client.lookup(CHAIN) == 2
            assert plane.calls == 2, "the call that was late did not start when the thread was free"

    with held(pb) as plane:
        asyncio.run(main(plane))


def test_a_deadline_by_default_counts_from_the_call_too(pb: Any) -> None:
    async def main(plane: Held) -> None:
        async with a_client(plane.address, threads=1, timeout=1.0) as client:
            began = time.monotonic()
            failures = await asyncio.gather(*(client.lookup(CHAIN) for _ in range(20)), return_exceptions=True)
            assert [type(failure) for failure in failures] == [DeadlineExceededError] * 20
            assert time.monotonic() - began < SOON

    with held(pb) as plane:
        asyncio.run(main(plane))


def test_a_deadline_holds_where_a_thread_is_stuck(pb: Any) -> None:
    stuck = threading.Event()

    def key() -> str:
        stuck.wait(LONG)
        return "kv_a_b"

    async def main(plane: Held) -> None:
        async with a_client(plane.address, threads=1, key=key) as client:
            try:
                await ends_soon(client.lookup(CHAIN, timeout=0.2), DeadlineExceededError)
                await ends_soon(client.lookup(CHAIN, timeout=0.2), DeadlineExceededError)
            finally:
                stuck.set()
            plane.go_on.set()
            assert await client.lookup(CHAIN) == 2, "the thread is of use again"

    with held(pb) as plane:
        asyncio.run(main(plane))


def test_a_call_that_waits_is_cancelled_at_once(pb: Any) -> None:
    async def main(plane: Held) -> None:
        async with one_running(plane) as (client, first):
            waiting = [asyncio.create_task(client.lookup(CHAIN)) for _ in range(3)]
            await asyncio.sleep(0.05)
            waiting[1].cancel()
            await ends_soon(waiting[1], asyncio.CancelledError)
            await ends_soon(asyncio.wait_for(client.lookup(CHAIN), 0.1), asyncio.TimeoutError)
            assert not first.done()
            plane.go_on.set()
            assert list(await asyncio.gather(first, waiting[0], waiting[2])) == [2] * 3
            assert plane.calls == 3

    with held(pb) as plane:
        asyncio.run(main(plane))


def test_a_call_that_runs_is_cancelled_at_once(pb: Any) -> None:
    async def main(plane: Held) -> None:
        async with one_running(plane) as (_, first):
            first.cancel()
            await ends_soon(first, asyncio.CancelledError)

    with held(pb) as plane:
        asyncio.run(main(plane))


def test_a_call_whose_thread_is_stuck_is_cancelled_at_once_and_its_buffers_stay_as_they_are(pb: Any) -> None:
    asked, stuck = threading.Event(), threading.Event()

    def key() -> str:
        asked.set()
        stuck.wait(LONG)
        return "kv_a_b"

    async def main(address: str) -> None:
        async with a_client(address, key=key) as client:
            targets = [bytearray(5000) for _ in range(3)]
            task = asyncio.create_task(client.read_into(CHAIN, targets))
            await until(asked.is_set)
            task.cancel()
            try:
                await ends_soon(task, asyncio.CancelledError)
            finally:
                stuck.set()
        await asyncio.sleep(0.1)
        assert targets == [bytearray(5000)] * 3

    with serving(reading(pb)) as server:
        asyncio.run(main(server.address))
        assert not any(kind == 1 for peer in server.peers for kind, *_ in peer.frames), "nothing was sent"


def test_calls_at_a_time_are_limited_and_one_more_fails_at_once(pb: Any) -> None:
    async def main(plane: Held) -> None:
        async with one_running(plane, max_async_calls=2) as (client, first):
            second = asyncio.create_task(client.lookup(CHAIN))
            await asyncio.sleep(0.05)
            await ends_soon(client.lookup(CHAIN), ResourceExhaustedError)
            plane.go_on.set()
            assert list(await asyncio.gather(first, second)) == [2, 2]
            assert await client.lookup(CHAIN) == 2

    with held(pb) as plane:
        asyncio.run(main(plane))


def test_closing_ends_calls_that_wait_and_calls_that_run(pb: Any) -> None:
    async def main(plane: Held) -> None:
        client = a_client(plane.address, threads=1)
        calls = [asyncio.create_task(client.lookup(CHAIN)) for _ in range(3)]
        await until(lambda: plane.calls == 1)
        await client.close()
        for call in calls:
            await ends_soon(call, CancelledError)
        await ends_soon(client.lookup(CHAIN), CancelledError)
        await client.close()

    with held(pb) as plane:
        asyncio.run(main(plane))


def test_options_are_checked() -> None:
    for option in ("threads", "max_async_calls"):
        with pytest.raises(ValueError, match=f"^{option}: must be 1"):
            a_client("127.0.0.1:1", **{option: 0})

    async def main() -> None:
        async with a_client("127.0.0.1:1") as client:
            with pytest.raises(ValueError, match="^timeout: "):
                await client.lookup(CHAIN, timeout=0)

    asyncio.run(main())


def reading(pb: Any) -> Any:
    body = blocks_answer(pb, CHAIN, CONTENTS)

    def script(peer: Peer) -> None:
        peer.start()
        while True:
            stream, _ = peer.request()
            peer.headers(stream)
            peer.data(stream, body)
            peer.trailers(stream)

    return script


def test_operations_run_at_the_same_time(pb: Any) -> None:
    async def main(address: str) -> None:
        async with a_client(address, threads=4) as client:
            targets = [[bytearray(5000) for _ in range(3)] for _ in range(10)]
            found = await asyncio.gather(*(client.read_into(CHAIN, target) for target in targets))
            assert all(result.ok for results in found for result in results)
            assert targets == [CONTENTS] * 10

    with serving(reading(pb)) as server:
        asyncio.run(main(server.address))


def test_a_cancelled_task_has_let_go_of_its_buffers(pb: Any) -> None:
    begun, go_on = threading.Event(), threading.Event()
    body = blocks_answer(pb, CHAIN, CONTENTS)

    def script(peer: Peer) -> None:
        peer.start()
        stream, _ = peer.request()
        peer.headers(stream)
        peer.data(stream, body[:7000])
        begun.set()
        go_on.wait(20)
        peer.data(stream, body[7000:])

    async def main(address: str) -> None:
        async with a_client(address) as client:
            targets = [bytearray(5000) for _ in range(3)]
            task = asyncio.create_task(client.read_into(CHAIN, targets))
            while not begun.is_set():
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            began = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert time.monotonic() - began < 10
            before = [bytes(target) for target in targets]
            go_on.set()
            await asyncio.sleep(0.1)
            assert [bytes(target) for target in targets] == before

    with serving(script) as server:
        asyncio.run(main(server.address))
