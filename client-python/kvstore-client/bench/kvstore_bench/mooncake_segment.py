"""A member of Mooncake Store that brings the memory for blocks, until its orders end."""

from __future__ import annotations

from typing import Any

from kvstore_bench.mooncake_client import open_store
from kvstore_bench.orders import Order, Say, serve

_KEPT: list[Any] = []


def _open(order: Order, say: Say) -> None:
    _KEPT.append(open_store(order["host"], order["segment"], 16 << 20, order["master"]))
    say({})


if __name__ == "__main__":
    serve({"open": _open})
