"""The agent's counters among the connector's metrics. Engines with equal settings share an agent: each shows them."""

from __future__ import annotations

from collections.abc import Mapping

_PREFIX = "agent_"

#: Counters of the agent: each one's metric without its prefix, what it counts, and its label if it has one.
_COUNTERS: dict[str, tuple[str, str, str]] = {
    "lookup_count": ("lookups", "Lookups at the service.", ""),
    "lookup_seconds": ("lookup_seconds", "Seconds that lookups took.", ""),
    "fetch_count": ("fetches", "Reads of blocks at the service.", ""),
    "fetch_seconds": ("fetch_seconds", "Seconds that reads took.", ""),
    "write_count": ("writes", "Writes of blocks to the service.", ""),
    "write_seconds": ("write_seconds", "Seconds that writes took.", ""),
    "probe_count": ("probes", "Tries of a service that was left alone.", ""),
    "probe_seconds": ("probe_seconds", "Seconds that these tries took.", ""),
    "found_blocks": ("found_blocks", "Blocks that lookups found, or that were in memory.", ""),
    "fetched_bytes": ("fetched_bytes", "Bytes of blocks that were read.", ""),
    "fetched_blocks": ("fetched_blocks", "Blocks that were read.", ""),
    "hit_blocks": ("hit_blocks", "Blocks that were in memory.", ""),
    "joined_blocks": ("joined_blocks", "Blocks that were on their way for another request.", ""),
    "late_blocks": ("late_blocks", "Blocks that a deadline cut off.", ""),
    "no_slot": ("no_slot", "Prefetches that were cut, since all slots were pinned.", ""),
    "prefetches_refused": ("refused_prefetches", "Prefetches beyond the most that an engine may have.", ""),
    "stored_bytes": ("stored_bytes", "Bytes of blocks that were written.", ""),
    "stored_blocks": ("stored_blocks", "Blocks that were written.", ""),
    "repeated_saves": ("repeated_saves", "Saves of blocks that were in memory already.", ""),
    "already_present": ("already_present", "Blocks that were stored before, with the same or other bytes.", "bytes"),
    "dropped_saves": ("dropped_saves", "Saves that were dropped.", "reason"),
    "errors": ("errors", "Errors of the service.", "code"),
    "crc_failures": ("crc_failures", "Blocks that were damaged.", ""),
    "evicted_blocks": ("evicted_blocks", "Blocks that made room for others.", ""),
    "agent_lost": ("losses", "Agents that went away.", ""),
    "agent_silent": ("silences", "Times that the agent stood still for a second, and was left alone.", ""),
    "late_prefetches": ("late_prefetches", "Prefetches for which nothing came before the deadline.", ""),
}

#: What the agent tells that is no count.
_GAUGES: dict[str, tuple[str, str]] = {
    "breaker_open": ("1 while the agent leaves the service alone after errors.", ""),
    "connected": ("1 while this engine is connected to an agent.", ""),
    "engines": ("Processes of engines that are connected to the agent.", ""),
    "host_bytes": ("Bytes of the agent's memory, by what they are used for.", "state"),
    "silent": ("1 while the agent does not answer, and is left alone.", ""),
    "service_late": ("1 while the service is not waited for, since it answers late.", ""),
    "pid": ("The agent's process: another one after it was started anew.", ""),
    "write_queue_bytes": ("Bytes of blocks that wait to be written.", ""),
}

COUNTERS: dict[str, tuple[str, str]] = {_PREFIX + name: (text, label) for name, text, label in _COUNTERS.values()}
GAUGES: dict[str, tuple[str, str]] = {_PREFIX + name: told for name, told in _GAUGES.items()}

#: Metric and value of its label, which is empty if it has none.
Told = tuple[str, str]


class AgentCounts:
    """What was counted since the last call. The agent tells counts since its start, and may be started anew."""

    def __init__(self) -> None:
        self._seen: dict[str, float] = {}

    def take(self, stats: Mapping[str, float]) -> tuple[dict[Told, float], dict[Told, float]]:
        """From ``Agent.stats()``: by how much counters grew, and the gauges."""
        counters: dict[Told, float] = {}
        gauges: dict[Told, float] = {}
        for key, value in stats.items():
            name, _, label = key.partition(".")
            if name in _GAUGES and bool(label) == bool(_GAUGES[name][1]):
                gauges[_PREFIX + name, label] = value
            elif name in _COUNTERS and bool(label) == bool(_COUNTERS[name][2]):
                before = self._seen.get(key, 0)
                # One that became smaller began anew, as Prometheus has it.
                counters[_PREFIX + _COUNTERS[name][0], label] = value - before if value >= before else value
                self._seen[key] = value
        return counters, gauges
