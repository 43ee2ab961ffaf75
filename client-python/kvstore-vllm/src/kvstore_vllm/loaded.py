"""Which files a worker's adapters (LoRA) were loaded from: what vLLM computes with, whatever the files hold by now."""

from __future__ import annotations

import functools
import logging
from typing import Any

from kvstore_client import adapters

from kvstore_vllm.adapters import Adapter

log = logging.getLogger("vllm.kvstore")

#: By vLLM's number of an adapter, the state of its files when this process loaded it; empty if they changed meanwhile,
#: or had another state at an earlier load.
_states: dict[int, str] = {}

#: By an adapter's name and path, the state of its files at all loads; empty if they changed. By these, vLLM's own
#: prefix cache knows it: after a change it has blocks of both states, and so have requests that run.
_first: dict[tuple[str, str], str] = {}


def watch() -> None:
    """Has vLLM note the state of files whenever it loads an adapter in this process. May be called more than once.

    vLLM tells connectors of no load: at a request, before one, again after an adapter had to make room, in its place.
    """
    try:
        from vllm.lora.worker_manager import WorkerLoRAManager

        load = WorkerLoRAManager._load_adapter
    except (ImportError, AttributeError):
        log.warning("KV Store: this version of vLLM does not tell which adapters it loads; none of them is cached.")
        return
    if getattr(load, "of_kvstore", False):
        return

    @functools.wraps(load)
    def noting(self: Any, lora_request: Any) -> Any:
        number, path = lora_request.lora_int_id, lora_request.lora_path
        _states.pop(number, None)
        before = adapters.state(path)
        made = load(self, lora_request)
        after = adapters.state(path)
        state = after if before in ("", after) else ""  # nothing is there before a download
        name = lora_request.lora_name, path
        if _first.setdefault(name, state) != state:
            _first[name] = state = ""
        _states[number] = state
        return made

    noting.of_kvstore = True  # type: ignore[attr-defined]
    WorkerLoRAManager._load_adapter = noting


def computed_with(adapter: Adapter) -> bool:
    """Whether all blocks of an adapter in this process are of files in this state."""
    return bool(adapter.state) and _states.get(adapter.number) == adapter.state


def may_compute_with(adapter: Adapter) -> bool:
    """Like :func:`computed_with`; also true for an adapter that is not loaded yet."""
    return adapter.number not in _states or computed_with(adapter)
