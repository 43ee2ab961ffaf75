"""Messages between engine and agent: a length, a header of JSON, and bytes.

A message is 4 bytes of its length, 4 bytes of its header's length, the header, and the body; numbers are in
little-endian order, and neither length counts itself. The header is an object whose ``t`` names the kind. Both ends are
of one version, which the first message tells; only ``hello``, ``status`` and ``refused`` must be understood by others.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

#: Longest message, in bytes.
MAX_MESSAGE_BYTES = 8 << 20

#: Longest header, in bytes.
MAX_HEADER_BYTES = 1 << 20

_LENGTHS = struct.Struct("<II")


class MalformedError(Exception):
    """A message that breaks its rules; the text says which."""


def encode(kind: str, body: bytes = b"", **header: Any) -> bytes:
    """A message."""
    head = json.dumps({"t": kind, **header}, separators=(",", ":")).encode()
    return _LENGTHS.pack(4 + len(head) + len(body), len(head)) + head + body


class Message:
    """A message that arrived. Its methods return a field, and raise ``MalformedError`` if it breaks its rule."""

    def __init__(self, header: dict[str, Any], body: bytes) -> None:
        """``header`` has a text ``t``."""
        self.kind: str = header["t"]
        self.body = body
        self._header = header

    def integer(self, name: str, least: int, most: int) -> int:
        """A whole number."""
        return whole_number(f"{self.kind}: {name}", self._header.get(name), least, most)

    def number(self, name: str, most: float) -> float:
        """A number from 0 on."""
        value = self._header.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
            raise MalformedError(f"{self.kind}: {name} must be a number from 0 to {most}")
        return value

    def text(self, name: str, most: int = 4096) -> str:
        """A text of at most ``most`` characters."""
        value = self._header.get(name)
        if not isinstance(value, str) or len(value) > most:
            raise MalformedError(f"{self.kind}: {name} must be a text of at most {most} characters")
        return value

    def true(self, name: str) -> bool:
        """A flag, false if it is left out."""
        return self._header.get(name) is True

    def integers(self, name: str, most: int, count: int) -> list[int]:
        """A list of at most ``count`` whole numbers, 0 to ``most``."""
        return [whole_number(f"{self.kind}: {name}", one, 0, most) for one in self.items(name, count)]

    def items(self, name: str, count: int) -> list[Any]:
        """A list of at most ``count`` values."""
        value = self._header.get(name)
        if not isinstance(value, list) or len(value) > count:
            raise MalformedError(f"{self.kind}: {name} must be a list of at most {count}")
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """An object."""
        value = self._header.get(name)
        if not isinstance(value, dict):
            raise MalformedError(f"{self.kind}: {name} must be an object")
        return value


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """The value, if it is one. Raises ``MalformedError`` otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise MalformedError(f"{name} must be a whole number from {least} to {most}")
    return value


class Frames:
    """Puts messages together from the bytes of a connection. Holds at most one message that is not whole."""

    def __init__(self) -> None:
        """Nothing has arrived."""
        self._data = bytearray()

    @property
    def empty(self) -> bool:
        """Whether no message is begun."""
        return not self._data

    def feed(self, data: bytes) -> Iterator[Message]:
        """More bytes; the messages that are whole by now. Raises ``MalformedError`` at the first bad one."""
        self._data += data
        while len(self._data) >= _LENGTHS.size:
            size, header = _LENGTHS.unpack_from(self._data)
            if size > MAX_MESSAGE_BYTES:
                raise MalformedError(f"a message has {size} bytes; at most {MAX_MESSAGE_BYTES} are allowed")
            if header > MAX_HEADER_BYTES or header + 4 > size:
                raise MalformedError(f"a header has {header} bytes in a message of {size}")
            if len(self._data) < 4 + size:
                return
            whole = bytes(self._data[_LENGTHS.size : 4 + size])
            del self._data[: 4 + size]
            yield _message(whole[:header], whole[header:])


def _message(head: bytes, body: bytes) -> Message:
    try:
        header = json.loads(head)
    except (ValueError, RecursionError):
        raise MalformedError("a header is not JSON") from None
    if not isinstance(header, dict) or not isinstance(header.get("t"), str):
        raise MalformedError("a header must be an object with a text t")
    return Message(header, body)
