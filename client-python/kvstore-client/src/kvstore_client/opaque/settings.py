"""Settings of a connector for opaque keys: the engine's configuration, then the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from kvstore_client.client import KvClient
from kvstore_client.configuration import (
    addresses,
    client_of,
    count,
    flag,
    milliseconds,
    require,
    require_service,
    size,
    text,
)

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
        require_service(self, self.key)
        require(bool(self.cert_file) == bool(self.cert_key_file), "cert_file", "give cert_key_file with it")
        require(len(self.namespace.encode()) <= 64, "namespace", "must be at most 64 bytes")
        require("/" not in self.namespace, "namespace", "must not contain a slash")
        require(1 <= self.connections <= 64, "connections", "must be 1 to 64")
        require(self.deadline > 0, "deadline_ms", "must be more than 0")
        require(self.write_queue > 0, "write_queue", "must be more than 0 bytes")
        require(self.read or self.write, "read_only", "choose read_only or write_only")

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
            raise ValueError(f"{unknown[0]}: is no setting; known are {', '.join(sorted(known.union(others)))}")
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
        return client_of(self, self.key)


def _denied(name: str, value: Any) -> bool:
    return not flag(name, value)


_READERS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    **{
        name: (name, text)
        for name in ("resource", "region", "key_file", "ca_file", "cert_file", "cert_key_file", "namespace")
    },
    "endpoints": ("endpoints", addresses),
    "control_plane": ("control_plane", addresses),
    "connections": ("connections", count),
    "deadline_ms": ("deadline", milliseconds),
    "write_queue": ("write_queue", size),
    "read_only": ("write", _denied),
    "write_only": ("read", _denied),
}
