"""The agent's memory is pinned beside the steps, in pieces, and given up with its last copy."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from kvstore_vllm.pinning import Pinning, pieces
from kvstore_vllm.pools import MappedPools, pin


def pool(generation: int, size: int = 1 << 30, stride: int = 1 << 20, address: int = 1 << 40) -> Any:
    return SimpleNamespace(generation=generation, address=address, size=size, stride=stride)


def test_a_pool_is_given_up_with_its_last_copy_or_at_once() -> None:
    log: list[str] = []

    def pinned(one: Any) -> Any:
        log.append(f"pin {one.generation}")
        return lambda: log.append(f"unpin {one.generation}")

    pools = MappedPools(pinned)
    first, second = pool(1), pool(2)
    pools.met(first)
    assert pools.begins(2) is None
    assert pools.begins(1) is first and pools.begins(1) is first
    pools.ends(1)
    pools.lost()
    assert pools.begins(1) is first, "another copy of a prompt that was admitted"
    pools.ends(1)
    pools.met(second)
    assert log == ["pin 1", "pin 2"]
    pools.ends(1)
    assert log == ["pin 1", "pin 2", "unpin 1"]
    assert pools.begins(1) is None
    pools.lost()
    assert log[3:] == ["unpin 2"], "at once"


def test_a_connection_that_comes_back_keeps_the_pool() -> None:
    log: list[str] = []
    pools = MappedPools(lambda _: lambda: log.append("unpin"))
    one: Any = pool(1)
    pools.met(one)
    assert pools.begins(1) == one
    pools.lost()
    pools.met(one)
    pools.ends(1)
    assert log == []
    assert pools.begins(1) is one


class Runtime:
    """As much of CUDA's runtime as locks pages."""

    def __init__(self, refuse_from: int = 99) -> None:
        self.locked: list[tuple[int, int]] = []
        self.threads: set[int] = set()
        self.all = threading.Event()
        self._refuse_from = refuse_from

    def cudaHostRegister(self, address: int, size: int, flags: int) -> int:  # noqa: N802
        self.threads.add(threading.get_ident())
        if len(self.locked) >= self._refuse_from:
            self.all.set()
            return 2
        self.locked.append((address, size))
        if len(self.locked) == 4:
            self.all.set()
        return 0

    def cudaHostUnregister(self, address: int) -> int:  # noqa: N802
        self.threads.add(threading.get_ident())
        self.locked = [one for one in self.locked if one[0] != address]
        return 0


@pytest.mark.parametrize("refuse_from", [99, 2])
def test_pages_are_locked_on_a_thread_of_their_own_as_far_as_cuda_does(
    refuse_from: int, caplog: pytest.LogCaptureFixture
) -> None:
    runtime, one = Runtime(refuse_from), pool(1)
    pinning = Pinning("cuda:0", one, runtime)
    assert runtime.all.wait(60)
    assert sum(size for _, size in runtime.locked) == (1 << 30 if refuse_from == 99 else 512 << 20)
    pinning.undo()
    pinning._thread.join(60)
    assert (runtime.locked, pinning._pool) == ([], None)
    assert len(runtime.threads) == 1 and threading.get_ident() not in runtime.threads
    refused = [message for message in caplog.messages if "CUDA refuses to lock the agent's memory" in message]
    assert len(refused) == (1 if refuse_from == 2 else 0)
    assert all("error 2 at 0.5 of 1.0 GiB" in message for message in refused)


def test_a_runtime_that_fails_costs_a_line(caplog: pytest.LogCaptureFixture) -> None:
    pinning = Pinning("cuda:0", pool(1), SimpleNamespace())
    pinning.undo()
    pinning._thread.join(60)
    assert "was not locked for the device" in caplog.text
    assert pinning._pool is None


@pytest.mark.parametrize("stride", [4096, 5 << 20, 64 << 20, 67_112_960])
def test_no_slot_lies_in_two_pieces(stride: int) -> None:
    size = 2000 * stride if stride < 1 << 20 else 37 * stride
    made = pieces(1 << 40, size, stride)
    assert [at for at, _ in made] == [(1 << 40) + sum(length for _, length in made[:i]) for i in range(len(made))]
    assert sum(length for _, length in made) == size
    assert all(length % stride == 0 and length <= max(256 << 20, stride) for _, length in made)


def test_slots_that_are_no_whole_pages_are_one_piece() -> None:
    assert pieces(1 << 40, 9000, 4500) == [(1 << 40, 9000)]


def test_pages_for_a_cpu_are_made_on_a_thread_of_their_own() -> None:
    one, over, threads = pool(1), threading.Event(), []

    def populate(given_up: threading.Event) -> None:
        threads.append(threading.get_ident())
        assert given_up.wait(60)
        over.set()

    one.populate = populate
    pin(SimpleNamespace(type="cpu"), one)()
    assert over.wait(60)
    assert threads != [threading.get_ident()]
