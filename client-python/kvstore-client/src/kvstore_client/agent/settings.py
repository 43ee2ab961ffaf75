"""What an engine tells its agent, and the digest by which agents with equal settings are found."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from kvstore_client._version import __version__
from kvstore_client.parts import MAX_BUFFER_BYTES

#: The version of the messages between engine and agent.
PROTOCOL = 3

_FILES = ("key_file", "ca_file", "cert_file", "cert_key_file", "socket")
_KEY = "KV_API_KEY"


@dataclass(frozen=True)
class AgentSettings:
    """Engines with equal settings, the same version of this package and the same user share one agent.

    ``slot_bytes``: the largest block in bytes, 1 byte to 64 MiB. ``resource``, ``endpoints``, ``control_plane`` and
    ``region`` are those of :class:`kvstore_client.KvClient`. ``key_file``: a file with the API key, which is read again
    when it changes; empty: the environment variable ``KV_API_KEY`` of the process that starts the agent. ``ca_file``,
    ``cert_file`` and ``cert_key_file``: PEM files, as in :class:`kvstore_client.Tls`; empty: the system's authorities,
    and no certificate. ``plaintext_anywhere`` sends key and blocks unencrypted to other machines.

    ``host_memory``: bytes of the slots, at least two slots. ``connections``: threads that read and write, 1 to 64.
    ``deadline``: seconds that a prefetch may take if its caller does not say. ``write_queue``: bytes of blocks that
    wait to be written; blocks beyond are not written, and counted. ``linger``: seconds that the agent stays after the
    last engine left, so that a restarted engine finds its blocks in memory. ``socket``: the path of the agent's socket;
    empty: one in a private folder of this user, with the digest of the settings in its name.

    Raises ``ValueError`` if a setting breaks its rule; the message names it.
    """

    slot_bytes: int
    resource: str
    endpoints: tuple[str, ...] = ()
    control_plane: tuple[str, ...] = ()
    region: str = ""
    key_file: str = ""
    ca_file: str = ""
    cert_file: str = ""
    cert_key_file: str = ""
    plaintext_anywhere: bool = False
    host_memory: int = 8 << 30
    connections: int = 8
    deadline: float = 2.0
    write_queue: int = 1 << 30
    linger: float = 300.0
    socket: str = ""

    def __post_init__(self) -> None:
        for name in ("endpoints", "control_plane"):
            _require(not isinstance(getattr(self, name), str), name, "give a list of host:port")
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in _FILES:  # the agent runs in another folder
            path = getattr(self, name)
            object.__setattr__(self, name, os.path.abspath(path) if path else "")
        for name, kind in _KINDS.items():
            value = getattr(self, name)
            good = isinstance(value, kind) and not isinstance(value, bool)
            _require(good, name, f"must be a {kind if isinstance(kind, type) else 'number'}, not {value!r}")
        for name in ("deadline", "linger"):  # so that equal settings have equal digests
            object.__setattr__(self, name, float(getattr(self, name)))
        _require(1 <= self.slot_bytes <= MAX_BUFFER_BYTES, "slot_bytes", "must be 1 byte to 64 MiB")
        _require(bool(self.resource), "resource", "must be a storage account's registered name")
        _require(
            bool(self.endpoints) != bool(self.control_plane), "endpoints", "name data planes, or the control_plane"
        )
        _require(
            bool(self.cert_file) == bool(self.cert_key_file), "cert_file", "give cert_key_file with it, or neither"
        )
        _require(isinstance(self.plaintext_anywhere, bool), "plaintext_anywhere", "must be true or false")
        encrypted = bool(self.ca_file or self.cert_file)
        _require(
            not (encrypted and self.plaintext_anywhere),
            "plaintext_anywhere",
            "choose either it, or ca_file and cert_file",
        )
        _require(self.host_memory >= 2 * self.slot_bytes, "host_memory", "must hold at least two slots of slot_bytes")
        _require(1 <= self.connections <= 64, "connections", "must be 1 to 64")
        _require(0 < self.deadline < math.inf, "deadline", "must be more than 0 s")
        _require(self.write_queue >= self.slot_bytes, "write_queue", "must be at least slot_bytes")
        _require(0 <= self.linger < math.inf, "linger", "must be 0 s or more")

    @property
    def slots(self) -> int:
        """How many slots the memory is divided into, 2 or more."""
        return self.host_memory // self.stride

    @property
    def stride(self) -> int:
        """Bytes from one slot to the next: ``slot_bytes``, up to whole pages of 4 KiB where the memory has room."""
        aligned = -(-self.slot_bytes // 4096) * 4096
        return aligned if self.host_memory >= 2 * aligned else self.slot_bytes

    @property
    def digest(self) -> str:
        """What tells agents apart, 24 characters: version, all settings but ``socket``, a key of the environment."""
        key = "" if self.key_file else os.environ.get(_KEY, "")
        secret = hashlib.sha256(b"kvstore.agent.key" + key.encode()).hexdigest() if key else ""
        told = {**self.as_json(), "socket": "", "protocol": PROTOCOL, "version": __version__, "key": secret}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:24]

    def as_json(self) -> dict[str, Any]:
        """All settings as values of JSON."""
        return asdict(self) | {"endpoints": list(self.endpoints), "control_plane": list(self.control_plane)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> AgentSettings:
        """The settings of :meth:`as_json`. Raises ``ValueError`` for what is none."""
        unknown = set(values) - {one.name for one in fields(cls)}
        if unknown:
            raise ValueError(f"{min(unknown)}: is no setting of this version")
        try:
            return cls(**values)
        except TypeError as e:
            raise ValueError(str(e)) from None


_KINDS: dict[str, Any] = {
    "slot_bytes": int,
    "resource": str,
    "region": str,
    "host_memory": int,
    "connections": int,
    "deadline": (int, float),
    "write_queue": int,
    "linger": (int, float),
}


def _require(holds: bool, option: str, rule: str) -> None:
    if not holds:
        raise ValueError(f"{option}: {rule}")
