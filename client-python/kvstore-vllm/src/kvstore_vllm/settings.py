"""The connector's settings: ``kv_connector_extra_config`` of vLLM, then the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from kvstore.agent import AgentSettings

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 1 << 10, "MI": 1 << 20, "GI": 1 << 30, "TI": 1 << 40}
_VARIABLES = {
    "resource": "KV_RESOURCE",
    "region": "KV_REGION",
    "key_file": "KV_API_KEY_FILE",
    "ca_file": "KV_CA_FILE",
}
_SIZE = re.compile(r"\s*(\d+)\s*([KMGT]I?|)B?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Settings:
    """What an admin may set; ``docs/engines/vllm.md`` describes each. Raises ``ValueError``, which names the setting.

    ``deadline`` is in seconds, sizes are in bytes. ``min_tokens`` is the shortest prompt that is looked up and the
    fewest tokens that are loaded. ``measure``: whether fetching pauses itself while computing is faster.
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
    host_memory: int = 8 << 30
    write_queue: int = 1 << 30
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
                values[field] = _names(field, environment.get(f"KV_{field.upper()}", ""))
        for field, variable in _VARIABLES.items():
            values.setdefault(field, environment.get(variable, ""))
        settings = cls(**values)
        settings._check(environment)
        return settings._of_role(extra, role)

    def agent(self, slot_bytes: int) -> AgentSettings:
        """The agent's settings for blocks of at most ``slot_bytes``."""
        names = {field.name for field in fields(AgentSettings)} & {field.name for field in fields(self)}
        return AgentSettings(slot_bytes=slot_bytes, **{name: getattr(self, name) for name in names})

    def _check(self, environment: Mapping[str, str]) -> None:
        _require(
            bool(self.endpoints) != bool(self.control_plane),
            "endpoints",
            "name data planes as host:port in KV_ENDPOINTS, or control planes in KV_CONTROL_PLANE; one of the two",
        )
        _require(bool(self.resource), "resource", "name the storage account in KV_RESOURCE")
        has_key = bool(self.key_file) or bool(environment.get("KV_API_KEY"))
        _require(has_key, "key_file", "name a file with the API key, or put the key into KV_API_KEY")
        _require(self.min_tokens >= 1, "min_tokens", "must be 1 or more")
        _require(self.deadline > 0, "deadline_ms", "must be more than 0")

    def _of_role(self, extra: Mapping[str, Any], role: str) -> Settings:
        read_only, write_only = extra.get("read_only", False), extra.get("write_only", False)
        _require(not (read_only and write_only), "read_only", "choose read_only or write_only")
        read = not write_only and role != "kv_producer"
        write = not read_only and role != "kv_consumer"
        _require(read or write, "kv_role", f"is {role}, which leaves nothing to do")
        return Settings(**{**self.__dict__, "read": read, "write": write})


def size(name: str, value: Any) -> int:
    """Bytes: a number, or text such as ``8GiB``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if not match or match.group(2).upper() not in _UNITS:
        raise ValueError(f'{name}: must be a number of bytes or a text such as "8GiB", not {value!r}')
    return int(match.group(1)) * _UNITS[match.group(2).upper()]


def _names(name: str, value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise ValueError(f"{name}: must be a list of host:port, or a text with commas between them")
    return tuple(part.strip() for part in parts if part.strip())


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name}: must be a text, not {value!r}")
    return value


def _count(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name}: must be a whole number, not {value!r}")
    return value


def _seconds(name: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"{name}: must be a number, not {value!r}")
    return float(value)


def _milliseconds(name: str, value: Any) -> float:
    return _seconds(name, value) / 1000


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name}: must be true or false, not {value!r}")
    return value


def _require(holds: bool, name: str, rule: str) -> None:
    if not holds:
        raise ValueError(f"{name}: {rule}")


_READERS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    **{
        name: (name, _text)
        for name in ("resource", "region", "key_file", "ca_file", "cert_file", "cert_key_file", "model_id")
    },
    "endpoints": ("endpoints", _names),
    "control_plane": ("control_plane", _names),
    "host_memory": ("host_memory", size),
    "write_queue": ("write_queue", size),
    "connections": ("connections", _count),
    "min_tokens": ("min_tokens", _count),
    "deadline_ms": ("deadline", _milliseconds),
    "linger_s": ("linger", _seconds),
    "store_output": ("store_output", _flag),
    "measure": ("measure", _flag),
    "read_only": ("read", _flag),
    "write_only": ("write", _flag),
}
