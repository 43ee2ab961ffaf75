"""What the agent and the connectors share of their settings: how values are read, and a client that fits them."""

from __future__ import annotations

import os
import re
from typing import Any, Protocol

from kvstore_client.client import KvClient
from kvstore_client.errors import UnauthenticatedError
from kvstore_client.tls import Tls

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 1 << 10, "MI": 1 << 20, "GI": 1 << 30, "TI": 1 << 40}
_SIZE = re.compile(r"\s*(\d+)\s*([KMGT]I?|)B?\s*", re.IGNORECASE)


def size(name: str, value: Any) -> int:
    """Bytes: a number, or text such as ``8GiB``. Like all readers, raises ``ValueError``, which names the setting."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if not match or match.group(2).upper() not in _UNITS:
        raise ValueError(f'{name}: must be a number of bytes or a text such as "8GiB", not {value!r}')
    return int(match.group(1)) * _UNITS[match.group(2).upper()]


def addresses(name: str, value: Any) -> tuple[str, ...]:
    """Several host:port: a list, or a text with commas."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)) or not all(isinstance(part, str) for part in parts):
        raise ValueError(f"{name}: must be a list of host:port, or a text with commas between them")
    return tuple(part.strip() for part in parts if part.strip())


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{name}: must be a text, not {value!r}")
    return value


def count(name: str, value: Any) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name}: must be a whole number, not {value!r}")
    return value


def seconds(name: str, value: Any) -> float:
    """Seconds, whole or not."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise ValueError(f"{name}: must be a number, not {value!r}")
    return float(value)


def milliseconds(name: str, value: Any) -> float:
    """Seconds, given in milliseconds."""
    return seconds(name, value) / 1000


def flag(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{name}: must be true or false, not {value!r}")
    return value


def require(holds: bool, name: str, rule: str) -> None:
    """Raises ``ValueError`` with the setting's name and the rule, unless it holds."""
    if not holds:
        raise ValueError(f"{name}: {rule}")


class ServiceSettings(Protocol):
    """Where the service is, and who calls. Empty texts and tuples are settings that nobody gave."""

    @property
    def resource(self) -> str:
        """The storage account's registered name."""

    @property
    def endpoints(self) -> tuple[str, ...]:
        """Data planes as host:port."""

    @property
    def control_plane(self) -> tuple[str, ...]:
        """Control planes as host:port, in place of data planes."""

    @property
    def region(self) -> str:
        """Where the caller is."""

    @property
    def key_file(self) -> str:
        """A file with the API key."""

    @property
    def ca_file(self) -> str:
        """Authorities of the service, in PEM."""

    @property
    def cert_file(self) -> str:
        """The caller's certificate, in PEM."""

    @property
    def cert_key_file(self) -> str:
        """The certificate's key, in PEM."""

    @property
    def connections(self) -> int:
        """Connections to each data plane."""


def require_service(settings: ServiceSettings, key: str) -> None:
    """Raises ``ValueError`` unless service and key are named; ``key`` is the API key of the environment."""
    require(
        bool(settings.endpoints) != bool(settings.control_plane),
        "endpoints",
        "name data planes as host:port in KV_ENDPOINTS, or control planes in KV_CONTROL_PLANE; one of the two",
    )
    require(bool(settings.resource), "resource", "name the storage account in KV_RESOURCE")
    require_key(settings, key)


def require_key(settings: ServiceSettings, key: str) -> None:
    """Raises ``ValueError`` unless there is a file with the API key, or ``key``, that of the environment."""
    has_key = bool(settings.key_file) or bool(key)
    require(has_key, "key_file", "name a file with the API key, or put the key into KV_API_KEY")


def client_of(settings: ServiceSettings, key: str, *, plaintext_anywhere: bool = False) -> KvClient:
    """A client; ``key`` is the API key of the environment, which counts if there is no file with one.

    Raises ``ValueError`` for settings that a client refuses, and ``OSError`` for files.
    """
    require_key(settings, key)
    if settings.key_file:
        file = KeyFile(settings.key_file)
        try:
            file()  # a flaw of the file is told now
        except UnauthenticatedError as e:
            raise ValueError(e.message) from None
    certificate = settings.cert_file or None, settings.cert_key_file or None
    return KvClient(
        resource=settings.resource,
        key=file if settings.key_file else key,
        endpoints=settings.endpoints,
        control_plane=settings.control_plane,
        region=settings.region,
        tls=Tls(settings.ca_file or None, *certificate) if settings.ca_file or settings.cert_file else None,
        plaintext_anywhere=plaintext_anywhere,
        connections=settings.connections,
    )


class KeyFile:
    """The API key in a file, read again when the file changes. Thread-safe."""

    def __init__(self, path: str) -> None:
        """Reads nothing yet."""
        self._path = path
        self._read: tuple[tuple[int, int, int], str] | None = None

    def __call__(self) -> str:
        """The key. Raises ``UnauthenticatedError`` if the file has none."""
        try:
            now = os.stat(self._path)
            state = (now.st_mtime_ns, now.st_size, now.st_ino)
            read = self._read
            if read is None or read[0] != state:
                with open(self._path, encoding="ascii") as file:
                    read = state, file.read(4096).strip()
        except (OSError, ValueError) as e:
            reason = e.strerror if isinstance(e, OSError) else "its content is not ASCII"
            raise UnauthenticatedError(f"key_file {self._path}: {reason}; put the API key there") from None
        if not read[1]:
            raise UnauthenticatedError(f"key_file {self._path}: is empty; put the API key there")
        self._read = read
        return read[1]
