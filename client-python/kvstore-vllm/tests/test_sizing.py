"""Memory follows model, ranks and machine."""

from __future__ import annotations

import logging
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kvstore_vllm import models
from kvstore_vllm.plan import Plan
from kvstore_vllm.sizing import Sizing, machine_memory

LLAMA_70B = Plan(models.read("Llama 3.3 70B"), 8).sizing


def test_eight_ranks_of_a_large_model_get_what_a_step_needs() -> None:
    assert (LLAMA_70B.held_tokens(8 << 30), LLAMA_70B.granted(8 << 30)) == (26_112, 49)
    memory = LLAMA_70B.memory(2 << 40)
    assert LLAMA_70B.held_tokens(memory) >= 1 << 18
    assert LLAMA_70B.granted(memory) >= 2 * LLAMA_70B.step_blocks
    assert LLAMA_70B.memory(100 << 30) == 25 << 30


@given(
    st.integers(1, 64 << 20),
    st.sampled_from([16, 64, 128, 544]),
    st.integers(1, 16),
    st.integers(16, 65_536),
    st.integers(1, 2048),
    st.integers(1, 8),
    st.integers(1 << 28, 1 << 42),
)
def test_memory_is_bounded_and_the_least_one_fits_a_step(
    nbytes: int, tokens: int, ranks: int, step: int, sequences: int, engines: int, machine: int
) -> None:
    one = Sizing(nbytes, tokens, ranks, step, sequences, engines)
    memory = one.memory(machine)
    assert 2 * nbytes <= memory <= max(2 * nbytes, machine // 4)
    assert one.granted(one.least_memory()) >= min(256, one.step_blocks, one.burst)


@pytest.mark.parametrize(
    ("memory", "writes", "warns"), [(8 << 30, True, True), (8 << 30, False, False), (11 << 30, True, False)]
)
def test_the_start_tells_whether_a_step_fits(
    memory: int, writes: bool, warns: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "sizing"):
        LLAMA_70B.tell(logging.getLogger("sizing"), memory, writes=writes)
    first, *others = caplog.messages
    assert "a step of 8,192 tokens completes 64 blocks of each rank" in first
    if memory == 8 << 30:
        assert "8.0 GiB holds 26,112 tokens" in first and "may fill 49 at a time" in first
    assert ["10.4 GiB or more" in other for other in others] == ([True] if warns else [])


@pytest.mark.parametrize(
    ("told", "files", "limit"),
    [
        ("0::/a/b", {"sys/fs/cgroup/a/memory.max": "7000", "sys/fs/cgroup/a/b/memory.max": "max"}, 7000),
        ("0::/", {"sys/fs/cgroup/memory.max": "8000\n"}, 8000),
        ("0::/../x", {"sys/fs/cgroup/memory.max": "9000\n"}, 9000),
        ("3:cpu:/c\n5:memory,hugetlb:/d", {"sys/fs/cgroup/memory/d/memory.limit_in_bytes": "6000"}, 6000),
        ("0::/a", {}, None),
        ("", {}, None),
    ],
)
def test_the_limit_of_a_container_counts(
    tmp_path: pathlib.Path, told: str, files: dict[str, str], limit: int | None
) -> None:
    for name, text in {"proc/self/cgroup": told, **files}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
    whole = machine_memory(str(tmp_path / "nothing"))
    assert whole > 1 << 20
    assert machine_memory(str(tmp_path)) == (whole if limit is None else limit)
