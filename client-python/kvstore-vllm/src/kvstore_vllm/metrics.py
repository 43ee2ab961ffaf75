"""Counters of the connector, which vLLM shows at its own ``/metrics`` and in its log."""

from __future__ import annotations

from typing import Any

from vllm.distributed.kv_transfer.kv_connector.v1.metrics import KVConnectorPromMetrics, KVConnectorStats

from kvstore_vllm import agent_metrics

_PREFIX = "vllm:kvstore_"
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

#: Counters: what each counts, and the label that some have.
COUNTERS: dict[str, tuple[str, str]] = {
    "fetched_bytes": ("Bytes of blocks that arrived in host memory for requests.", ""),
    "hit_tokens": ("Tokens that were loaded instead of computed.", ""),
    "missed_tokens": ("Tokens of whole blocks that were asked for and are not stored.", ""),
    "late_tokens": ("Tokens that are stored, and had not arrived at the deadline.", ""),
    "paused_requests": ("Requests that were not looked up, since computing is faster than fetching.", ""),
    "probed_requests": ("Requests that did not wait for their blocks, which were fetched to measure that.", ""),
    "ordered_saves": ("Blocks that workers were told to store.", ""),
    "dropped_saves": (
        "Blocks that were not handed to the agent while their request ran: it had no free slot, or the save failed.",
        "reason",
    ),
    "errors": ("Failures, none of which harmed a request.", "code"),
    **agent_metrics.COUNTERS,
}

#: Values that are no counts, with the label that some have.
GAUGES: dict[str, tuple[str, str]] = {
    "paused": ("1 while computing is faster than fetching.", ""),
    "fetch_rate": ("Tokens a second that all fetches together brought while there was one: a moving mean.", ""),
    "prefill_rate": (
        "Tokens a second of all prompts that the engine computed in steps with prompts: a moving mean.",
        "",
    ),
    **agent_metrics.GAUGES,
}

_LOGGED = set(COUNTERS) - set(agent_metrics.COUNTERS)

OBSERVED: dict[str, str] = {"fetch_seconds": "Seconds from a request's arrival to the end of its fetch."}


class Tally(KVConnectorStats):
    """Counts since the last call of ``stats``. Its data is plain, so that vLLM can send it between its processes."""

    data: dict[str, Any]

    def __init__(self, data: dict[str, Any] | None = None) -> None:
        super().__init__(data=data or {"counters": {}, "gauges": {}, "observed": {}})

    def add(self, name: str, amount: float = 1, label: str = "") -> None:
        """Counts ``amount`` more. ``label`` is the value of the counter's label, if it has one."""
        assert bool(COUNTERS[name][1]) == bool(label), name
        if amount:
            key = f"{name}/{label}"
            self.data["counters"][key] = self.data["counters"].get(key, 0) + amount

    def gauge(self, name: str, value: float, label: str = "") -> None:
        """Sets a value that is no count."""
        assert bool(GAUGES[name][1]) == bool(label), name
        self.data["gauges"][f"{name}/{label}"] = value

    def observe(self, name: str, value: float) -> None:
        """Adds to a histogram."""
        assert name in OBSERVED, name
        self.data["observed"].setdefault(name, []).append(value)

    # --- vLLM's interface ---

    def reset(self) -> None:
        """Forgets everything."""
        self.data = Tally().data

    def aggregate(self, other: KVConnectorStats) -> KVConnectorStats:
        """Adds those of another worker, or later ones."""
        for key, value in other.data["counters"].items():
            self.data["counters"][key] = self.data["counters"].get(key, 0) + value
        for key, values in other.data["observed"].items():
            self.data["observed"].setdefault(key, []).extend(values)
        self.data["gauges"].update(other.data["gauges"])
        return self

    def reduce(self) -> dict[str, int | float]:
        """The numbers for vLLM's log, without those of the agent, which may serve other engines, too."""
        own = [(key, value) for key, value in self.data["counters"].items() if key.split("/")[0] in _LOGGED]
        told = {f"kvstore {key.rstrip('/')}": value for key, value in own}
        for key, values in self.data["observed"].items():
            told[f"kvstore {key} max"] = round(max(values), 3)
        return told

    def is_empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not any(self.data.values())


class PromMetrics(KVConnectorPromMetrics):
    """The metrics at ``/metrics``."""

    def __init__(self, config: Any, types: Any, labels: list[str], values: dict[int, list[object]]) -> None:
        super().__init__(config, types, labels, values)
        self._counters = {
            name: self._counter_cls(
                name=_PREFIX + name, documentation=text, labelnames=[*labels, *([label] if label else [])]
            )
            for name, (text, label) in COUNTERS.items()
        }
        self._gauges = {
            name: self._gauge_cls(
                name=_PREFIX + name, documentation=text, labelnames=[*labels, *([label] if label else [])]
            )
            for name, (text, label) in GAUGES.items()
        }
        self._observed = {
            name: self._histogram_cls(name=_PREFIX + name, documentation=text, labelnames=labels, buckets=_SECONDS)
            for name, text in OBSERVED.items()
        }

    def observe(self, transfer_stats_data: dict[str, Any], engine_idx: int = 0) -> None:
        """Adds what :class:`Tally` holds."""
        engine = self.per_engine_labelvalues[engine_idx]
        for key, value in transfer_stats_data["counters"].items():
            name, _, label = key.partition("/")
            self._counters[name].labels(*engine, *([label] if label else [])).inc(value)
        for key, value in transfer_stats_data["gauges"].items():
            name, _, label = key.partition("/")
            self._gauges[name].labels(*engine, *([label] if label else [])).set(value)
        for name, values in transfer_stats_data["observed"].items():
            for value in values:
                self._observed[name].labels(*engine).observe(value)
