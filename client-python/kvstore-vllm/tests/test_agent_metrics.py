"""The agent's counters as counters of Prometheus."""

from __future__ import annotations

import pathlib
import re

from kvstore_client import agent

from kvstore_vllm.agent_metrics import COUNTERS, GAUGES, AgentCounts

#: What tells agents apart, and is no measure.
_IDENTITIES = {"generation"}


def test_counters_grow_by_what_was_counted_since_the_last_look() -> None:
    counts = AgentCounts()
    assert counts.take({"stored_bytes": 5, "errors.unavailable": 1}) == (
        {("agent_stored_bytes", ""): 5, ("agent_errors", "unavailable"): 1},
        {},
    )
    assert counts.take({"stored_bytes": 12, "errors.unavailable": 1, "breaker_open": 1}) == (
        {("agent_stored_bytes", ""): 7, ("agent_errors", "unavailable"): 0},
        {("agent_breaker_open", ""): 1},
    )


def test_an_agent_that_was_started_anew_counts_from_nothing() -> None:
    counts = AgentCounts()
    counts.take({"stored_bytes": 12})
    assert counts.take({"stored_bytes": 3})[0] == {("agent_stored_bytes", ""): 3}
    assert counts.take({"stored_bytes": 4})[0] == {("agent_stored_bytes", ""): 1}


def test_what_is_not_known_is_left_out() -> None:
    told = {"of a later version": 1, "errors": 1, "stored_bytes.odd": 1, "host_bytes": 1, "pid.odd": 1}
    assert AgentCounts().take(told) == ({}, {})


def test_names_are_as_prometheus_wants_them() -> None:
    for name in (*COUNTERS, *GAUGES):
        assert re.fullmatch(r"agent_[a-z_]+", name)
        assert not name.endswith(("_total", "_count", "_sum", "_bucket")), name
    assert not set(COUNTERS) & set(GAUGES)


def test_all_that_the_agent_counts_has_a_metric() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in pathlib.Path(agent.__path__[0]).glob("*.py"))
    counted = set(re.findall(r"""stats\.(?:add|set)\(f?"(\w+)""", sources))
    counted |= set(re.findall(r"""_count\(f?"(\w+)""", sources)) | set(re.findall(r"""values\[f?"(\w+)""", sources))
    counted |= {f"{kind}_{what}" for kind in ("lookup", "fetch", "write", "probe") for what in ("count", "seconds")}
    assert len(counted) > 25
    for name in sorted(counted - _IDENTITIES):
        for key in (name, f"{name}.x"):
            found = AgentCounts().take({key: 1.0})
            if found != ({}, {}):
                break
        else:
            raise AssertionError(f"{name} has no metric")
