"""The backend that SGLang loads.

``--hicache-storage-backend dynamic --hicache-storage-backend-extra-config '{"backend_name":"kvstore",
"module_path":"kvstore_sglang.backend","class_name":"KvStoreHiCache","interface_v1":1}'``
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kvstore_client.configuration import text
from kvstore_client.opaque import OpaqueStore, StoreSettings
from sglang.srt.mem_cache.hicache_storage import HiCacheStorage, PoolName, PoolTransferResult

from kvstore_sglang import identity
from kvstore_sglang.pages import Pages, Unsupported

_log = logging.getLogger("kvstore.sglang")

#: What SGLang itself reads in the backend's configuration.
_OF_SGLANG = ("backend_name", "module_path", "class_name", "interface_v1", "tp_lcm_size")


class KvStoreHiCache(HiCacheStorage):
    """Keeps the pages of one rank in KV Store. Called by SGLang's prefetch and backup threads; thread-safe.

    Methods block for ``deadline_ms`` at most, and for 90 s where they write. None raises or returns ``None``: older
    versions of SGLang would never start their thread again. Settings are :class:`kvstore_client.opaque.StoreSettings`,
    in SGLang's ``--hicache-storage-backend-extra-config``; the environment has what it does not say.
    """

    def __init__(self, storage_config: Any, kwargs: Any = None) -> None:
        """Raises ``ValueError`` or ``OSError``, which name the setting; then the server does not start."""
        told = dict(storage_config.extra_config or {})
        if not told.get("interface_v1"):
            raise ValueError("interface_v1: set it to 1, so that SGLang gives pages without copying them")
        # SGLang's one backup thread waits for its 128 pages, so nothing else has to bound them.
        settings = StoreSettings.of(told, others=(*_OF_SGLANG, "model_id"), without=("write_queue",))
        self._model_id = text("model_id", told.get("model_id", ""))
        settings = replace(settings, write_queue=sys.maxsize)
        self._config = storage_config
        self._namespace = settings.namespace
        self._pages: Pages | None = None
        self._told = ""
        self._store = OpaqueStore(settings)
        _log.info("KV Store: %s at %s", settings.resource, ", ".join(settings.endpoints or settings.control_plane))

    def register_mem_pool_host(self, mem_pool_host: Any) -> None:
        """SGLang's memory. If its pages cannot be stored, the engine goes on and the log says why."""
        super().register_mem_pool_host(mem_pool_host)
        try:
            self._pages = Pages(self._config, mem_pool_host, self._namespace, identity.model(self._model_id))
        except (Unsupported, ValueError) as e:
            self._pages = None
            self._leave_alone(e)
        else:
            _log.info("KV Store: pages of %s bytes in %s", sum(self._pages.kind.runs), self._pages.kind.name)

    def register_mem_host_pool_v2(self, host_pool: Any, host_pool_name: Any) -> None:
        """Another pool of this model. SGLang would store the pages of keys and values, and never load them alone."""
        super().register_mem_host_pool_v2(host_pool, host_pool_name)
        if host_pool_name != PoolName.KV:
            self._pages = None
            self._leave_alone(
                Unsupported(f"models with a pool beside keys and values ({PoolName(host_pool_name).value})")
            )

    # --- pages of keys and values ---

    def batch_exists(self, keys: list[str], extra_info: Any = None) -> int:
        """How many of the first pages are stored. One call to the service for all of them."""
        pages = self._pages
        if pages is None or not keys:
            return 0
        return self._store.lookup([(pages.kind, [key.encode() for key in keys])]).result()[0]

    def batch_get_v1(self, keys: list[str], host_indices: Any, extra_info: Any = None) -> list[bool]:
        """Reads pages into SGLang's memory; whether each one is there, whole and verified."""
        entries = self._entries(keys, host_indices)
        return self._store.read(entries).result() if entries else [False] * len(keys)

    def batch_set_v1(self, keys: list[str], host_indices: Any, extra_info: Any = None) -> list[bool]:
        """Writes pages from SGLang's memory; whether each one is durable."""
        entries = self._entries(keys, host_indices)
        return self._store.write(entries).result() if entries else [False] * len(keys)

    def exists(self, key: str) -> bool:
        """Whether a page is stored."""
        return self.batch_exists([key]) == 1

    # --- the interface that copies, which SGLang uses without interface_v1 only ---

    def get(self, key: str, target_location: Any = None, target_sizes: Any = None) -> None:
        """Finds nothing: the constructor refuses a configuration in which SGLang would call this."""
        return

    def batch_get(self, keys: list[str], target_locations: Any = None, target_sizes: Any = None) -> list[None]:
        """Finds nothing, like :meth:`get`."""
        return [None] * len(keys)

    def set(self, key: str, value: Any = None, target_location: Any = None, target_sizes: Any = None) -> bool:
        """Stores nothing, like :meth:`get`."""
        return False

    def batch_set(
        self, keys: list[str], values: Any = None, target_locations: Any = None, target_sizes: Any = None
    ) -> bool:
        """Stores nothing, like :meth:`get`."""
        return False

    # --- further pools of hybrid models ---

    def batch_exists_v2(
        self, keys: list[str], pool_transfers: Any = None, extra_info: Any = None
    ) -> PoolTransferResult:
        """The pages of keys and values, if SGLang asks for no further pool; else nothing."""
        if pool_transfers:
            return PoolTransferResult.empty()
        return PoolTransferResult(self.batch_exists(keys, extra_info), {})

    def batch_get_v2(self, transfers: Sequence[Any], extra_info: Any = None) -> dict[str, list[bool]]:
        """Reads nothing."""
        return {transfer.name: [False] * len(transfer.keys or ()) for transfer in transfers}

    def batch_set_v2(self, transfers: Sequence[Any], extra_info: Any = None) -> dict[str, list[bool]]:
        """Writes nothing."""
        return {transfer.name: [False] * len(transfer.keys or ()) for transfer in transfers}

    # --- life ---

    def clear(self) -> None:
        """Removes nothing: other engines use these pages. An admin purges the storage account instead."""
        _log.warning("KV Store keeps its pages when SGLang clears its cache; choose another namespace to begin anew")

    def counters(self) -> dict[str, float]:
        """Counters since the start."""
        return self._store.stats()

    def close(self) -> None:
        """Ends what is under way; afterwards SGLang's memory is not touched any more."""
        self._store.close()

    def _entries(self, keys: Sequence[str], indices: Any) -> list[Any]:
        """Empty if the pages cannot be addressed."""
        if self._pages is None:
            return []
        try:
            return self._pages.entries(keys, indices)
        except Exception as e:  # SGLang's pools raise what they like, and its thread must not end
            self._leave_alone(e)
            return []

    def _leave_alone(self, cause: Exception) -> None:
        if str(cause) != self._told:
            self._told = str(cause)
            _log.error("KV Store is not used for these pages: %s", cause)
