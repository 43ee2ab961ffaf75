"""Settings of a connector for opaque keys: the engine's configuration, then the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from kvstore.agent.store import KeyFile
from kvstore.client import KvClient
from kvstore.errors import UnauthenticatedError
from kvstore.tls import Tls

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 1 << 10, "MI": 1 << 20, "GI": 1 << 30, "TI": 1 << 40}
_SIZE = re.compile(r"\s*(\d+)\s*([KMGT]I?|)B?\s*", re.IGNORECASE)
_VARIABLES = {
    "endpoints": "KV_ENDPOINTS",
    "control_plane": "KV_CONTROL_PLANE",
    "resource": "KV_RESOURCE",
    "region": "KV_REGION",
    "key_file": "KV_API_KEY_FILE",
    "ca_file": "KV_CA_FILE",
}


@dataclass(frozen=True)
class StoreSettings:
    """What an admin may set. Raises ``ValueError``, which names the setting.

    ``namespace`` is part of every name: change it with anything that the engine's keys do not say, such as the weights.
    ``deadline`` is how many seconds a lookup or a read may take; what has arrived by then counts. ``write_queue`` is
    how many bytes may wait to be written. ``key`` is the API key of the environment, if there is no ``key_file``.
    """

    resource: str
    endpoints: tuple[str, ...] = ()
    control_plane: tuple[str, ...] = ()
    region: str = ""
    key_file: str = ""
    key: str = ""
    ca_file: str = ""
    cert_file: str = ""
    cert_key_file: str = ""
    namespace: str = ""
    connections: int = 8
    deadline: float = 2.0
    write_queue: int = 1 << 30
    read: bool = True
    write: bool = True

    def __post_init__(self) -> None:
        _require(
            bool(self.endpoints) != bool(self.control_plane),
            "endpoints",
            "name data planes as host:port in KV_ENDPOINTS, or control planes in KV_CONTROL_PLANE; one of the two",
        )
        _require(bool(self.resource), "resource", "name the storage account in KV_RESOURCE")
        has_key = bool(self.key_file) or bool(self.key)
        _require(has_key, "key_file", "name a file with the API key, or put the key into KV_API_KEY")
        _require(bool(self.cert_file) == bool(self.cert_key_file), "cert_file", "give cert_key_file with it")
        _require(len(self.namespace.encode()) <= 64, "namespace", "must be at most 64 bytes")
        _require("/" not in self.namespace, "namespace", "must not contain a slash")
        _require(1 <= self.connections <= 64, "connections", "must be 1 to 64")
        _require(self.deadline > 0, "deadline_ms", "must be more than 0")
        _require(self.write_queue > 0, "write_queue", "must be more than 0 bytes")
        _require(self.read or self.write, "read_only", "choose read_only or write_only")

    def __repr__(self) -> str:
        """Without the key, which is a secret."""
        return f"StoreSettings(resource={self.resource!r}, endpoints={self.endpoints or self.control_plane})"

    @classmethod
    def of(
        cls,
        told: Mapping[str, Any],
        *,
        others: Collection[str] = (),
        without: Collection[str] = (),
        environment: Mapping[str, str] = os.environ,
    ) -> StoreSettings:
        """The settings in ``told``, and those of the environment where it is silent.

        Names in ``others`` are the engine's own, those in ``without`` mean nothing to it; any other name is refused.
        """
        known = set(_READERS) - set(without)
        unknown = sorted(set(told) - known - set(others))
        if unknown:
            raise ValueError(f"{unknown[0]}: is no setting; known are {', '.join(sorted(known))}")
        values: dict[str, Any] = {}
        for name, (field, read) in _READERS.items():
            if name in told:
                values[field] = read(name, told[name])
        where = {"endpoints", "control_plane"}
        chosen = where & set(values)
        for name, variable in _VARIABLES.items():
            if name not in values and not (name in where and chosen):
                values[name] = _READERS[name][1](name, environment.get(variable, ""))
        if not values["key_file"]:
            values["key"] = environment.get("KV_API_KEY", "")
        return cls(**values)

    def client(self) -> KvClient:
        """A client. Raises ``ValueError`` for settings that it refuses, and ``OSError`` for files."""
        key: Any = KeyFile(self.key_file) if self.key_file else self.key
        if self.key_file:
            try:
                key()  # a flaw of the file is told now
            except UnauthenticatedError as e:
                raise ValueError(e.message) from None
        certificate = self.cert_file or None, self.cert_key_file or None
        return KvClient(
            resource=self.resource,
            key=key,
            endpoints=self.endpoints,
            control_plane=self.control_plane,
            region=self.region,
            tls=Tls(self.ca_file or None, *certificate) if self.ca_file or self.cert_file else None,
            connections=self.connections,
        )


def _size(name: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if not match or match.group(2).upper() not in _UNITS:
        raise ValueError(f'{name}: must be a number of bytes or a text such as "8GiB", not {value!r}')
    return int(match.group(1)) * _UNITS[match.group(2).upper()]


def _names(name: str, value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)) or not all(isinstance(part, str) for part in parts):
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


def _milliseconds(name: str, value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise ValueError(f"{name}: must be a number, not {value!r}")
    return value / 1000


def _denied(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name}: must be true or false, not {value!r}")
    return not value


def _require(holds: bool, name: str, rule: str) -> None:
    if not holds:
        raise ValueError(f"{name}: {rule}")


_READERS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    **{
        name: (name, _text)
        for name in ("resource", "region", "key_file", "ca_file", "cert_file", "cert_key_file", "namespace")
    },
    "endpoints": ("endpoints", _names),
    "control_plane": ("control_plane", _names),
    "connections": ("connections", _count),
    "deadline_ms": ("deadline", _milliseconds),
    "write_queue": ("write_queue", _size),
    "read_only": ("write", _denied),
    "write_only": ("read", _denied),
}
