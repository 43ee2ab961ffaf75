from dataclasses import dataclass
from typing import Any

@dataclass
class KVConnectorStats:
    data: dict[str, Any] = ...

    def reset(self) -> None: ...
    def aggregate(self, other: KVConnectorStats) -> KVConnectorStats: ...
    def reduce(self) -> dict[str, int | float]: ...
    def is_empty(self) -> bool: ...

class KVConnectorPromMetrics:
    _gauge_cls: Any
    _counter_cls: Any
    _histogram_cls: Any
    per_engine_labelvalues: dict[int, list[object]]

    def __init__(
        self,
        vllm_config: Any,
        metric_types: dict[type[Any], type[Any]],
        labelnames: list[str],
        per_engine_labelvalues: dict[int, list[object]],
    ) -> None: ...
    def observe(self, transfer_stats_data: dict[str, Any], engine_idx: int = 0) -> None: ...
