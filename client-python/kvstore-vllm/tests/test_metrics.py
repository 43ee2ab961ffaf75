"""What is counted reaches Prometheus once, from any process."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")

from prometheus_client import REGISTRY, Counter, Gauge, Histogram

from kvstore_vllm.agent_metrics import AgentCounts
from kvstore_vllm.metrics import PromMetrics, Tally


def test_counts_are_added_up_and_shown() -> None:
    one, other, counts = Tally(), Tally(), AgentCounts()
    one.add("hit_tokens", 128)
    one.add("errors", 1, "late")
    one.observe("fetch_seconds", 0.2)
    other.add("hit_tokens", 256)
    other.add("errors", 2, "other")
    other.observe("fetch_seconds", 0.4)
    other.gauge("paused", 1)
    for stored in (3, 7):
        for (name, label), grown in counts.take({"stored_bytes": stored, "errors.unavailable": 2})[0].items():
            other.add(name, grown, label)
    other.gauge("agent_host_bytes", 4096, "free")
    sent = Tally(json.loads(json.dumps(other.data)))  # as between processes
    one.aggregate(sent)
    assert one.reduce()["kvstore hit_tokens"] == 384
    assert one.reduce()["kvstore fetch_seconds max"] == 0.4
    types = {Gauge: Gauge, Counter: Counter, Histogram: Histogram}
    shown = PromMetrics(SimpleNamespace(kv_transfer_config=None), types, ["model_name", "engine"], {0: ["m", "0"]})
    for _ in range(2):
        shown.observe(one.data)
    labels = {"model_name": "m", "engine": "0"}

    def value(name: str, **more: str) -> Any:
        return REGISTRY.get_sample_value(f"vllm:kvstore_{name}", {**labels, **more})

    assert value("hit_tokens_total") == 768
    assert value("errors_total", code="late") == 2
    assert value("errors_total", code="other") == 4
    assert value("paused") == 1
    assert value("fetch_seconds_count") == 4
    assert value("agent_stored_bytes_total") == 14
    assert value("agent_errors_total", code="unavailable") == 4
    assert value("agent_host_bytes", state="free") == 4096
    assert not any("agent" in name for name in one.reduce()), "what other engines' work added is not in this one's log"


def test_nothing_is_empty() -> None:
    tally = Tally()
    assert tally.is_empty()
    tally.add("hit_tokens", 0)
    assert tally.is_empty()
    tally.add("hit_tokens", 1)
    assert not tally.is_empty()
    tally.reset()
    assert tally.is_empty()


def test_names_that_are_not_shown_are_flaws() -> None:
    with pytest.raises(KeyError):
        Tally().add("something")
    with pytest.raises(AssertionError):
        Tally().add("errors")
