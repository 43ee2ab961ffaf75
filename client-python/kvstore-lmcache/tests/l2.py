"""An L2 adapter as LMCache's controllers use it: made by LMCache's factory, waited for by its file descriptors."""

from __future__ import annotations

import hashlib
import select
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from stack import Stack, wait

SHAPE = (2, 3, 16, 8)


def keys(prompt: str, count: int, **fields: Any) -> list[Any]:
    """A chain of hashes as LMCache's keys."""
    from lmcache.v1.distributed.api import ObjectKey

    digest, made = b"", []
    for i in range(count):
        digest = hashlib.sha256(digest + f"{prompt}/{i}".encode()).digest()
        made.append(ObjectKey(digest, **{"model_name": "model", "kv_rank": 0x01000100, **fields}))
    return made


def objects(count: int, seed: int | None = None, kind: Any = None, shape: tuple[int, ...] = SHAPE) -> list[Any]:
    """LMCache's memory objects with random bytes, or zeros."""
    import torch
    from lmcache.v1.memory_management import MemoryFormat, MemoryObjMetadata, TensorMemoryObj

    kind = kind or torch.float32
    generator = torch.Generator().manual_seed(seed or 0)
    made = []
    for _ in range(count):
        size = torch.Size(shape).numel() * kind.itemsize
        raw = torch.zeros(size, dtype=torch.uint8)
        if seed is not None:
            raw.copy_(torch.randint(0, 256, (size,), generator=generator, dtype=torch.uint8))
        told = MemoryObjMetadata(
            torch.Size(shape), kind, 0, size, 1, fmt=MemoryFormat.KV_2LTD, shapes=[torch.Size(shape)], dtypes=[kind]
        )
        made.append(TensorMemoryObj(raw, told, None))
    return made


def layouts(kind: Any = None, shape: tuple[int, ...] = SHAPE, groups: Sequence[int] = (0,)) -> dict[int, Any]:
    """What LMCache tells of the objects that it looks up."""
    import torch
    from lmcache.v1.distributed.api import MemoryLayoutDesc

    return {group: MemoryLayoutDesc([torch.Size(shape)], [kind or torch.float32]) for group in groups}


def content(made: Sequence[Any]) -> list[bytes]:
    """The bytes of objects."""
    return [bytes(one.byte_array) for one in made]


class Adapter:
    """The adapter with calls that wait."""

    def __init__(self, made: Any) -> None:
        self.made = made

    def store(self, names: Sequence[Any], memory: Sequence[Any]) -> Any:
        task = self.made.submit_store_task(list(names), list(memory))
        done = self._wait(self.made.get_store_event_fd(), lambda: self.made.pop_completed_store_tasks() or None)
        return done[task]

    def lookup(self, names: Sequence[Any], told: dict[int, Any] | None = None) -> list[bool]:
        task = self.made.submit_lookup_and_lock_task(list(names), told or layouts())
        fd = self.made.get_lookup_and_lock_event_fd()
        bits = self._wait(fd, lambda: self.made.query_lookup_and_lock_result(task))
        assert self.made.query_lookup_and_lock_result(task) is None
        return [bits.test(i) for i in range(len(names))]

    def load(self, names: Sequence[Any], memory: Sequence[Any]) -> list[bool]:
        task = self.made.submit_load_task(list(names), list(memory))
        bits = self._wait(self.made.get_load_event_fd(), lambda: self.made.query_load_result(task))
        self.made.submit_unlock(list(names))
        return [bits.test(i) for i in range(len(names))]

    def wait_stored(self, names: Sequence[Any], told: dict[int, Any] | None = None) -> None:
        """Other data planes than the one that stored an object hear of it a moment later."""
        wait(lambda: all(self.lookup(names, told)))

    @property
    def status(self) -> dict[str, Any]:
        told: dict[str, Any] = self.made.report_status()
        return told

    @staticmethod
    def _wait(fd: int, ask: Any) -> Any:
        from lmcache.v1.platform import consume_fd

        poll = select.poll()
        poll.register(fd, select.POLLIN)
        while (answer := ask()) is None:
            assert poll.poll(120_000), "no answer in 120 s"
            consume_fd(fd)
        return answer


@contextmanager
def adapter(stack: Stack, **settings: Any) -> Iterator[Adapter]:
    """By LMCache's factory; another namespace unless it is named."""
    from lmcache.v1.distributed.l2_adapters import create_l2_adapter
    from lmcache.v1.distributed.l2_adapters.plugin_l2_adapter import PluginL2AdapterConfig

    told = {
        "endpoints": list(stack.endpoints),
        "resource": stack.resource,
        "namespace": uuid4().hex,
        "model_id": "a test",
        "deadline_ms": 20_000,
        **settings,
    }
    config = PluginL2AdapterConfig("kvstore_lmcache.adapter", "KvStoreL2Adapter", told)
    made = create_l2_adapter(config)
    try:
        yield Adapter(made)
    finally:
        made.close()
