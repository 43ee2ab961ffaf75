"""The adapter that LMCache's server loads.

``lmcache server ... --l2-adapter '{"type":"plugin","module_path":"kvstore_lmcache.adapter",
"class_name":"KvStoreL2Adapter","adapter_params":{...}}'``
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from kvstore_client.configuration import text
from kvstore_client.opaque import Entry, ObjectKind, OpaqueStore, StoreSettings
from lmcache.lmcache_native import Bitmap
from lmcache.v1.distributed.internal_api import L2StoreResult
from lmcache.v1.distributed.l2_adapters.base import L2AdapterInterface
from lmcache.v1.platform import create_event_notifier

from kvstore_lmcache import compat, names
from kvstore_lmcache.models import Models
from kvstore_lmcache.names import Layout, Unsupported
from kvstore_lmcache.tasks import Tasks, at_once, mapped

_log = logging.getLogger("kvstore.lmcache")

#: In place of the bytes of a store task: some of its objects are not durable.
_FAILED = -1


class KvStoreL2Adapter(L2AdapterInterface):
    """Keeps LMCache's objects in KV Store. Called by LMCache's store and prefetch threads; thread-safe.

    No call waits for the network or raises because of the store. ``adapter_params`` are
    :class:`kvstore_client.opaque.StoreSettings`; the environment has what they do not say.
    """

    def __init__(self, params: Mapping[str, Any], **_: Any) -> None:
        """Raises ``ValueError`` or ``OSError``, which name the setting; then the server does not start."""
        super().__init__()
        compat.check()
        settings = StoreSettings.of(params, others=("model_id", "kv_cache_dtype"))
        self._models = Models(text("model_id", params.get("model_id", "")))
        self._cache_type = text("kv_cache_dtype", params.get("kv_cache_dtype", ""))
        self._namespace, self._writes = settings.namespace, settings.write
        self._store = OpaqueStore(settings)
        self._stores: Tasks[int] = Tasks(create_event_notifier())
        self._lookups: Tasks[list[bool]] = Tasks(create_event_notifier())
        self._loads: Tasks[list[bool]] = Tasks(create_event_notifier())
        self._unsupported = ""
        _log.info("KV Store: %s at %s", settings.resource, ", ".join(settings.endpoints or settings.control_plane))

    # --- what LMCache waits for ---

    def get_store_event_fd(self) -> int:
        """Readable when a store task is done."""
        return self._stores.fd

    def get_lookup_and_lock_event_fd(self) -> int:
        """Readable when a lookup is done."""
        return self._lookups.fd

    def get_load_event_fd(self) -> int:
        """Readable when a load is done."""
        return self._loads.fd

    # --- store ---

    def submit_store_task(self, keys: list[Any], objects: list[Any]) -> int:
        """Writes objects in the background. Objects for which the queue has no room are dropped, and counted."""
        if not self._writes:
            return self._stores.follow(at_once(0))
        entries = self._entries(keys, objects)
        size = sum(entry.size for entry in entries)
        if len(entries) < len(keys):
            return self._stores.follow(at_once(_FAILED))
        return self._stores.follow(mapped(self._store.write(entries), lambda stored: size if all(stored) else _FAILED))

    def pop_completed_store_tasks(self) -> dict[int, L2StoreResult]:
        """Tasks that are done, each with its bytes. A task succeeded if all of its objects are durable."""
        done = self._stores.take_all()
        return {task: L2StoreResult(size != _FAILED, max(size, 0)) for task, size in done.items()}

    # --- lookup ---

    def submit_lookup_and_lock_task(self, keys: list[Any], group_layout_descs: Mapping[int, Any]) -> int:
        """Looks all keys up in one call. Nothing is locked: an object that goes meanwhile is a failed load."""
        prompts: dict[ObjectKind, list[int]] = {}
        try:
            layouts = {
                group: Layout.of(told.shapes, told.dtypes, self._cache_type)
                for group, told in group_layout_descs.items()
            }
            for index, key in enumerate(keys):
                kind = self._kind(key, layouts[key.object_group_id])
                prompts.setdefault(kind, []).append(index)
        except (KeyError, Unsupported, ValueError) as e:
            self._leave_alone(e)
            prompts = {}

        def spread(counts: list[int]) -> list[bool]:
            there = [False] * len(keys)
            for indices, count in zip(prompts.values(), counts, strict=True):
                for index in indices[:count]:
                    there[index] = True
            return there

        found = self._store.lookup([(kind, [keys[i].chunk_hash for i in of]) for kind, of in prompts.items()])
        return self._lookups.follow(mapped(found, spread))

    def query_lookup_and_lock_result(self, task_id: int) -> Bitmap | None:
        """A bit for each key, once; ``None`` while the lookup is under way."""
        return _bitmap(self._lookups.take(task_id))

    def submit_unlock(self, keys: list[Any]) -> None:
        """Nothing was locked."""

    # --- load ---

    def submit_load_task(self, keys: list[Any], objects: list[Any]) -> int:
        """Reads objects into LMCache's memory in the background."""
        entries = self._entries(keys, objects)
        if len(entries) < len(keys):
            return self._loads.follow(at_once([False] * len(keys)))
        return self._loads.follow(self._store.read(entries))

    def query_load_result(self, task_id: int) -> Bitmap | None:
        """A bit for each key, once; ``None`` while the load is under way."""
        return _bitmap(self._loads.take(task_id))

    # --- life ---

    def report_status(self) -> dict[str, Any]:
        """For LMCache's status. A store that is away does not make the server unhealthy: ``breaker_open`` is 1 then."""
        return {"is_healthy": True, "type": type(self).__name__, **self._store.stats()}

    def close(self) -> None:
        """Ends what is under way; afterwards LMCache's memory is not touched any more."""
        self._store.close()
        for tasks in (self._stores, self._lookups, self._loads):
            tasks.close()

    def _entries(self, keys: Sequence[Any], objects: Sequence[Any]) -> list[Entry]:
        """Empty if one of the objects cannot be kept."""
        try:
            return [
                Entry(
                    self._kind(key, Layout.of(one.get_shapes(), one.get_dtypes(), self._cache_type)),
                    key.chunk_hash,
                    (one.byte_array,),
                )
                for key, one in zip(keys, objects, strict=True)
            ]
        except (NotImplementedError, Unsupported, ValueError) as e:
            self._leave_alone(e)
            return []

    def _kind(self, key: Any, layout: Layout) -> ObjectKind:
        return names.kind(self._namespace, key, self._models.of(key.model_name), layout)

    def _leave_alone(self, cause: Exception) -> None:
        if str(cause) != self._unsupported:
            self._unsupported = str(cause)
            _log.error("KV Store is not used for these objects: %s", cause)


def _bitmap(bits: list[bool] | None) -> Bitmap | None:
    if bits is None:
        return None
    made = Bitmap(len(bits))
    for index, bit in enumerate(bits):
        if bit:
            made.set(index)
    return made
