"""What a request asks of the store: ``kv_transfer_params`` of vLLM's API, which any caller fills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_NAME = "kvstore"


@dataclass(frozen=True)
class Wishes:
    """Whether a request may be read from the store, and stored."""

    read: bool = True
    write: bool = True

    @classmethod
    def of(cls, params: Any) -> Wishes:
        """The wishes of ``kv_transfer_params``, whose other fields are for others.

        Raises ``ValueError`` for anything that this class does not know: a caller that meant to keep a prompt out of
        the store, and misspelled it, must not have it stored.
        """
        if params is None:
            return cls()
        if not isinstance(params, Mapping):
            raise ValueError(f"kv_transfer_params: must be an object, not {_kind(params)}")
        told = params.get(_NAME)
        if told is None:
            return cls()
        if not isinstance(told, Mapping):
            raise ValueError(f"kv_transfer_params.{_NAME}: must be an object, not {_kind(told)}")
        for name, value in told.items():
            if name not in ("read", "write"):
                raise ValueError(f"kv_transfer_params.{_NAME}: has an unknown field; known are read and write")
            if not isinstance(value, bool):
                raise ValueError(f"kv_transfer_params.{_NAME}.{name}: must be true or false, not {_kind(value)}")
        return cls(told.get("read", True), told.get("write", True))


def _kind(value: Any) -> str:
    kinds: dict[type, str] = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list"}
    return kinds.get(type(value), type(value).__name__)
