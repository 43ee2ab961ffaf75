"""Names and memory of pages, with stand-ins for SGLang's pool; test_backend.py has the real one."""

from __future__ import annotations

import ctypes
import sys
import types
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from kvstore_sglang.pages import Pages, Unsupported

PAGE, KEYS, VALUES = 4, 100, 60


@dataclass(frozen=True)
class Config:
    """The fields of HiCacheStorageConfig."""

    tp_rank: int = 0
    tp_size: int = 1
    pp_rank: int = 0
    pp_size: int = 1
    attn_cp_rank: int = 0
    attn_cp_size: int = 1
    is_mla_model: bool = False


@dataclass
class Pool:
    """A host pool over one array: keys and values of page i are at 200 i and 200 i + 100."""

    dtype: str = "torch.bfloat16"
    layout: str = "page_first"
    page_size: int = PAGE
    layer_num: int = 2
    runs: int = 2
    memory: Any = field(default_factory=lambda: (ctypes.c_ubyte * 2000)())

    def get_page_buffer_meta(self, indices: Any) -> tuple[list[int], list[int]]:
        if self.layout == "broken":
            raise AssertionError("no such layout")
        at = ctypes.addressof(self.memory)
        pages = [indices[i] // PAGE for i in range(0, len(indices), PAGE)]
        pointers = [at + 200 * page + 100 * run for page in pages for run in range(self.runs)]
        return pointers, [KEYS, VALUES] * (len(pointers) // 2)


@pytest.fixture(autouse=True)
def torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """``arange`` is all that is used of torch."""
    stand_in = types.ModuleType("torch")
    stand_in.arange = lambda size: list(range(size))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", stand_in)


MODEL = "meta-llama/Llama-3.1-8B@1"


def name(config: Any, pool: Any, namespace: str = "", model: str = MODEL) -> str:
    return Pages(config, pool, namespace, model).kind.name


def test_keys_and_values_are_runs_of_a_page() -> None:
    pool = Pool()
    pages = Pages(Config(), pool, "", MODEL)
    assert pages.kind.runs == (KEYS, VALUES)
    assert pages.kind.name == "sglang3//meta-llama/Llama-3.1-8B@1/bfloat16/Pool.page_first.p4/layer_num2/all"
    entries = pages.entries(["a" * 64, "b" * 64], [8, 9, 10, 11, 4, 5, 6, 7])
    entries[0].views()[0][:] = b"k" * KEYS
    entries[1].views()[1][:] = b"v" * VALUES
    assert bytes(pool.memory[400:500]) == b"k" * KEYS
    assert bytes(pool.memory[300:360]) == b"v" * VALUES
    assert sum(pool.memory) == KEYS * ord("k") + VALUES * ord("v")


def test_ranks_types_and_layouts_do_not_meet() -> None:
    config, pool = Config(), Pool()
    names = [
        name(config, pool),
        name(config, pool, "r2"),
        name(config, pool, model="other"),
        name(replace(config, tp_size=2), pool),
        name(replace(config, tp_size=2, tp_rank=1), pool),
        name(replace(config, pp_size=2), pool),
        name(replace(config, attn_cp_size=2), pool),
        name(config, Pool(dtype="torch.float16")),
        name(config, Pool(layout="page_first_direct")),
        name(config, Pool(layer_num=3)),
    ]
    assert len(set(names)) == len(names)


def test_ranks_of_mla_share_their_pages() -> None:
    one = Config(is_mla_model=True, tp_size=8)
    assert name(one, Pool()) == name(replace(one, tp_rank=7), Pool())


def test_what_cannot_be_addressed_is_refused() -> None:
    with pytest.raises(Unsupported, match="64 runs of memory; use --hicache-mem-layout page_first"):
        Pages(Config(), Pool(runs=64), "", MODEL)
    with pytest.raises(Unsupported, match="no such layout"):
        Pages(Config(), Pool(layout="broken"), "", MODEL)
    with pytest.raises(ValueError, match="host_indices: 3 for 1 pages"):
        Pages(Config(), Pool(), "", MODEL).entries(["a" * 64], [0, 1, 2])
