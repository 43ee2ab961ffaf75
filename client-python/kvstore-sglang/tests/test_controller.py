"""SGLang's own controller, as far as it runs without a GPU, over the backend and a real store."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from hicache import PAGE, backend, fill, page, pool, slots
from stack import Stack, wait

pytestmark = pytest.mark.engine

PAGES = 200


def controller(made: Any) -> Any:
    """The fields of a HiCacheController that its transfers use, and these transfers."""
    from sglang.srt.managers.cache_controller import HiCacheController

    fields = SimpleNamespace(storage_backend=made, page_size=PAGE)
    for field, method in (
        ("page_get_func", "_page_get_zero_copy"),
        ("page_set_func", "_page_set_zero_copy"),
        ("backup", "_page_backup"),
        ("query", "_storage_hit_query"),
    ):
        setattr(fields, field, partial(getattr(HiCacheController, method), fields))
    return fields


def test_the_controller_finds_and_loads_what_another_one_backed_up(stack: Stack, monkeypatch: Any) -> None:
    from sglang.srt.managers.cache_controller import PrefetchOperation, StorageOperation
    from sglang.srt.mem_cache.utils import get_storage_hash_str

    monkeypatch.setenv("KV_API_KEY", stack.key)
    tokens = [(7 * i + i // 13) % 4000 for i in range(PAGES * PAGE)]
    names = get_storage_hash_str(tokens, None, page_size=PAGE)
    model = uuid4().hex
    host = pool(pages=PAGES)
    fill(host, 1)
    made = backend(stack, host, model=model)
    backup = StorageOperation(slots(*range(PAGES)), tokens, hash_value=names)
    controller(made).backup(backup)
    made.close()
    assert backup.completed_tokens == len(tokens)

    other = pool(pages=PAGES)
    second = backend(stack, other, model=model)
    reader = controller(second)
    longer = [*tokens, *range(5 * PAGE)]
    wait(lambda: reader.query(PrefetchOperation("request", longer))[1] == len(tokens))
    lookups = second.counters()["lookup_count"]
    found, count = reader.query(PrefetchOperation("request", longer))
    assert (found, count) == (names, len(tokens))
    assert second.counters()["lookup_count"] == lookups + 2  # of 128 pages each
    got = reader.page_get_func(PrefetchOperation("request", longer), names[:128], slots(*range(128)))
    assert got == 128
    assert all(page(other, i).equal(page(host, i)) for i in range(128))
    second.close()
