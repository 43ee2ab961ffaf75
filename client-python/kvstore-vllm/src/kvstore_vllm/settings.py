"""The connector's settings: ``kv_connector_extra_config`` of vLLM, then the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from kvstore_client.agent import AgentSettings
from kvstore_client.configuration import (
    addresses,
    count,
    flag,
    milliseconds,
    require,
    require_service,
    seconds,
    size,
    text,
)

_VARIABLES = {
    "resource": "KV_RESOURCE",
    "region": "KV_REGION",
    "key_file": "KV_API_KEY_FILE",
    "ca_file": "KV_CA_FILE",
}

_LEAST_QUEUE = 1 << 30


@dataclass(frozen=True)
class Settings:
    """What an admin may set; ``docs/engines/vllm.md`` describes each. Raises ``ValueError``, which names the setting.

    ``deadline`` is in seconds, sizes are in bytes. ``min_tokens`` is the shortest prompt that is looked up and the
    fewest tokens that are loaded. ``measure``: whether fetching pauses itself while computing is faster. Without
    ``host_memory``, the engine's :class:`kvstore_vllm.sizing.Sizing` says how much; without ``write_queue``, it is a
    quarter of that, and at least 1 GiB.
    """

    resource: str = ""
    endpoints: tuple[str, ...] = ()
    control_plane: tuple[str, ...] = ()
    region: str = ""
    key_file: str = ""
    ca_file: str = ""
    cert_file: str = ""
    cert_key_file: str = ""
    model_id: str = ""
    host_memory: int | None = None
    write_queue: int | None = None
    connections: int = 8
    deadline: float = 2.0
    linger: float = 300.0
    min_tokens: int = 512
    store_output: bool = True
    measure: bool = True
    read: bool = True
    write: bool = True

    @classmethod
    def of(cls, extra: Mapping[str, Any], role: str, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings of ``kv_connector_extra_config`` and ``kv_role``, with the environment where they are silent."""
        unknown = sorted(set(extra) - set(_READERS))
        if unknown:
            raise ValueError(f"{unknown[0]}: is no setting; known are {', '.join(sorted(_READERS))}")
        values: dict[str, Any] = {}
        for name, value in extra.items():
            field, read = _READERS[name]
            values[field] = read(name, value)
        if not values.get("endpoints") and not values.get("control_plane"):
            for field in ("endpoints", "control_plane"):
                values[field] = addresses(field, environment.get(f"KV_{field.upper()}", ""))
        for field, variable in _VARIABLES.items():
            values.setdefault(field, environment.get(variable, ""))
        settings = cls(**values)
        settings._check(environment)
        return settings._of_role(extra, role)

    def agent(self, slot_bytes: int, host_memory: int) -> AgentSettings:
        """The agent's settings for blocks of at most ``slot_bytes``, with ``host_memory`` where these do not say."""
        names = {field.name for field in fields(AgentSettings)} & {field.name for field in fields(self)}
        told = {name: getattr(self, name) for name in names}
        told["host_memory"] = memory = host_memory if self.host_memory is None else self.host_memory
        if self.write_queue is None:
            told["write_queue"] = max(_LEAST_QUEUE, memory // 4)
        return AgentSettings(slot_bytes=slot_bytes, **told)

    def _check(self, environment: Mapping[str, str]) -> None:
        require_service(self, environment.get("KV_API_KEY", ""))
        require(self.min_tokens >= 1, "min_tokens", "must be 1 or more")
        require(self.deadline > 0, "deadline_ms", "must be more than 0")

    def _of_role(self, extra: Mapping[str, Any], role: str) -> Settings:
        read_only, write_only = extra.get("read_only", False), extra.get("write_only", False)
        require(not (read_only and write_only), "read_only", "choose read_only or write_only")
        read = not write_only and role != "kv_producer"
        write = not read_only and role != "kv_consumer"
        require(read or write, "kv_role", f"is {role}, which leaves nothing to do")
        return Settings(**{**self.__dict__, "read": read, "write": write})


_READERS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    **{
        name: (name, text)
        for name in ("resource", "region", "key_file", "ca_file", "cert_file", "cert_key_file", "model_id")
    },
    "endpoints": ("endpoints", addresses),
    "control_plane": ("control_plane", addresses),
    "host_memory": ("host_memory", size),
    "write_queue": ("write_queue", size),
    "connections": ("connections", count),
    "min_tokens": ("min_tokens", count),
    "deadline_ms": ("deadline", milliseconds),
    "linger_s": ("linger", seconds),
    "store_output": ("store_output", flag),
    "measure": ("measure", flag),
    "read_only": ("read", flag),
    "write_only": ("write", flag),
}
