"""The connector's metrics at ``/metrics``, without vLLM: a real agent moves blocks through a real service meanwhile.

``metrics_page.py PORT RESOURCE ENDPOINT`` takes the key from ``KV_API_KEY`` and ends when its standard input does.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from types import ModuleType, SimpleNamespace
from typing import Any

from kvstore_client import BlockChain, Partition
from kvstore_client.agent import Agent, AgentSettings
from prometheus_client import Counter, Gauge, Histogram, start_http_server

_SIZE, _TOKENS, _BLOCKS = 4096, 128, 4


class _Stats:
    """vLLM's base of what connectors count."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data


class _Shown:
    """vLLM's base of what connectors show."""

    def __init__(self, _: Any, types: dict[Any, Any], __: list[str], values: dict[int, list[object]]) -> None:
        self._gauge_cls, self._counter_cls, self._histogram_cls = types[Gauge], types[Counter], types[Histogram]
        self.per_engine_labelvalues = values


def _stand_in() -> None:
    name = "vllm"
    for part in ("", ".distributed", ".kv_transfer", ".kv_connector", ".v1", ".metrics"):
        name += part
        sys.modules[name] = ModuleType(name)
    vars(sys.modules[name]).update(KVConnectorStats=_Stats, KVConnectorPromMetrics=_Shown)


def _requests(agent: Agent) -> Iterator[tuple[float, int]]:
    """Stores prompts, and loads each when two others have taken its slots: how long that took, and how many blocks."""
    chains: list[BlockChain] = []
    for number in count():
        chain = BlockChain.of(Partition(f"metrics/{time.time_ns()}"), range(_BLOCKS * _TOKENS))
        for i in range(_BLOCKS):
            slot = agent.reserve()
            if slot is not None:
                slot.view[:_SIZE] = bytes([i]) * _SIZE
                agent.store(slot, _SIZE, chain, i)
        chains.append(chain)
        while agent.unwritten():
            time.sleep(0.01)
        begun = time.monotonic()
        agent.prefetch(str(number), [chains[max(0, number - 3)]], expected_bytes=[_SIZE], deadline=5)
        while not agent.progress(str(number)).done:
            time.sleep(0.01)
        ready = agent.progress(str(number)).ready
        agent.release(str(number))
        yield time.monotonic() - begun, ready


def _serve(port: int, resource: str, endpoint: str) -> None:
    from kvstore_vllm.agent_metrics import AgentCounts
    from kvstore_vllm.metrics import PromMetrics, Tally

    start_http_server(port, "127.0.0.1")
    types = {Gauge: Gauge, Counter: Counter, Histogram: Histogram}
    shown = PromMetrics(SimpleNamespace(), types, ["model_name", "engine"], {0: ["a-model", "0"]})
    # Room for two prompts: later ones come from the service, as earlier ones are gone.
    settings = AgentSettings(_SIZE, resource, (endpoint,), host_memory=2 * _BLOCKS * _SIZE, linger=0)
    with Agent(settings) as agent:
        assert agent.wait(60)
        counts = AgentCounts()
        for seconds, ready in _requests(agent):
            tally = Tally()
            tally.add("hit_tokens", ready * _TOKENS)
            tally.add("missed_tokens", (_BLOCKS - ready) * _TOKENS)
            tally.add("ordered_saves", _BLOCKS)
            tally.observe("fetch_seconds", seconds)
            for name in ("fetch_rate", "prefill_rate"):
                tally.gauge(name, ready * _TOKENS / seconds)
            tally.gauge("paused", 0)
            counters, gauges = counts.take(agent.stats())
            for (name, label), grown in counters.items():
                tally.add(name, grown, label)
            for (name, label), value in gauges.items():
                tally.gauge(name, value, label)
            shown.observe(tally.data)
            time.sleep(0.1)


if __name__ == "__main__":
    _stand_in()
    threading.Thread(target=_serve, args=(int(sys.argv[1]), *sys.argv[2:]), daemon=True).start()
    sys.stdin.read()
