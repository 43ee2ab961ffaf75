"""An adapter that damages objects after their checksums were compared: a test's control of itself."""

from __future__ import annotations

from typing import Any

from kvstore_lmcache.adapter import KvStoreL2Adapter


class FlippingAdapter(KvStoreL2Adapter):
    """Changes bits in the middle of what was loaded, before LMCache hears of it."""

    def __init__(self, params: Any, **others: Any) -> None:
        super().__init__(params, **others)
        self._objects: dict[int, list[Any]] = {}

    def submit_load_task(self, keys: list[Any], objects: list[Any]) -> int:
        task = super().submit_load_task(keys, objects)
        self._objects[task] = objects
        return task

    def query_load_result(self, task_id: int) -> Any:
        bits = super().query_load_result(task_id)
        if bits is not None:
            for one in self._objects.pop(task_id):
                memory = memoryview(one.byte_array).cast("B")
                # The highest bits of float32's exponent and fraction.
                for at in range(len(memory) // 2 + 2, len(memory) // 2 + 40_002, 4):
                    memory[at] ^= 0x40
        return bits
