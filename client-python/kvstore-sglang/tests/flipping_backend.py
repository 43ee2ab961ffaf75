"""A backend that damages pages after their checksums were compared: a test's control of itself."""

from __future__ import annotations

from typing import Any

from kvstore_sglang.backend import KvStoreHiCache


class FlippingHiCache(KvStoreHiCache):
    """Changes a bit of each number of each page that was read, before SGLang hears of it."""

    def batch_get_v1(self, keys: list[str], host_indices: Any, extra_info: Any = None) -> list[bool]:
        found = super().batch_get_v1(keys, host_indices, extra_info)
        for there, entry in zip(found, self._entries(keys, host_indices), strict=True):
            for run in entry.runs if there else ():
                for at in range(2, len(run), 4):  # the highest bit of float32's fraction
                    run[at] ^= 0x40
        return found
