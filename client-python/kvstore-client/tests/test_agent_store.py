"""The agent's calls to the service."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from agents import BLOCK, a_chain, settings

from kvstore_client import CommonPrefix
from kvstore_client.agent.stats import Stats
from kvstore_client.agent.store import LOOKUPS, Store


def test_a_lookup_that_waited_for_a_thread_has_the_rest_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KV_API_KEY", "kv_test_secret")
    free = threading.Event()
    times: list[float] = []

    def look_up(chains: Any, *, timeout: float, **_: Any) -> CommonPrefix:
        times.append(timeout)
        free.wait(60)
        return CommonPrefix(0, (0,))

    async def main() -> None:
        store = Store(settings("127.0.0.1:1"), asyncio.get_running_loop(), Stats())
        monkeypatch.setattr(store._client, "lookup_all", look_up)
        answers: asyncio.Queue[Any] = asyncio.Queue()
        for _ in range(LOOKUPS + 1):
            store.lookup([a_chain(1)], [BLOCK], lambda: True, 30.0, lambda found, _: answers.put_nowait(found))
        await asyncio.sleep(0.5)
        free.set()
        for _ in range(LOOKUPS + 1):
            await answers.get()
        assert len(times) == LOOKUPS + 1
        assert times[-1] < 30 - 0.4
        store.close()

    asyncio.run(main())
