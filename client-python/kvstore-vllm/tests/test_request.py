"""The state machine of a request, by properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kvstore_client.agent import Progress

from kvstore_vllm.request import Geometry, Group, Phase, RequestState

geometries = st.sampled_from([(128, 16), (128, 32), (128, 64), (128, 128), (400, 400), (64, 16)])


def state(block: int, engine_block: int, min_tokens: int = 1, whole: int = 100, skip: int = 0) -> RequestState:
    return RequestState(
        None, Geometry(block, (Group("p", 1, engine_block),), min_tokens), Phase.FETCHING, whole=whole, skip=skip
    )


def progress(ready: int, found: int = 100, done: bool = True) -> Progress:
    return Progress(done, found, ready, tuple((i,) for i in range(ready)), 1)


@given(
    geometries,
    st.integers(0, 20),
    st.integers(0, 20),
    st.integers(0, 400),
    st.integers(1, 700),
)
def test_what_is_loaded_is_there_and_goes_where_the_engine_lacks_it(
    geometry: tuple[int, int], skip: int, ready: int, local: int, min_tokens: int
) -> None:
    block, size = geometry
    one = state(block, size, min_tokens, skip=skip)
    one.arrived(progress(ready))
    computed = local * size
    tokens = one.loadable(computed)
    assert tokens == 0 or tokens >= min_tokens
    assert tokens % size == 0
    if tokens == 0:
        assert one.loadable(0) == 0  # once over, always over
        return
    assert computed >= skip * block
    assert computed + tokens == (skip + ready) * block
    table = list(range(1000, 1000 + (computed + tokens) // size + 3))
    copies = one.admitted(tokens, [table])
    assert one.phase is Phase.LOADING
    per = block // size
    moved = [
        ((copy.row + skip) * per + copy.first + i, engine_block)
        for copy in copies
        for i, engine_block in enumerate(copy.blocks)
    ]
    # The k-th engine block of the prompt goes into the k-th block of the table, each once, and no other one.
    assert moved == [(k, table[k]) for k in range(computed // size, (computed + tokens) // size)]
    assert all(0 <= copy.row < ready and 0 < copy.first + len(copy.blocks) <= per for copy in copies)


def test_a_load_that_vllm_asks_for_again_is_the_same() -> None:
    one = state(128, 32)
    one.arrived(progress(4))
    assert [one.loadable(64) for _ in range(3)] == [448] * 3
    assert one.loadable(128) == 384  # the engine's own cache got more by now
    assert one.admitted(384, [range(1, 17)])[0].blocks == (5, 6, 7, 8)
    assert one.admitted(0, [range(16)]) == []
    assert one.phase is Phase.LOADING


def test_a_load_that_vllm_does_not_want_is_over() -> None:
    one = state(128, 32)
    one.arrived(progress(4))
    assert one.loadable(0) == 512
    assert one.admitted(0, []) == []
    assert (one.phase, one.loadable(0)) == (Phase.OVER, 0)


def test_more_than_was_offered_is_refused() -> None:
    one = state(128, 32)
    one.arrived(progress(4))
    one.loadable(0)
    with pytest.raises(AssertionError):
        one.admitted(640, [range(1, 41)])


@given(
    geometries,
    st.integers(1, 300),
    st.integers(0, 12),
    st.lists(st.tuples(st.integers(1, 700), st.booleans()), min_size=1, max_size=20),
)
def test_each_block_is_stored_once_from_the_table_of_its_step(
    geometry: tuple[int, int], min_tokens: int, found: int, steps: list[tuple[int, bool]]
) -> None:
    block, size = geometry
    one = state(block, size, min_tokens)
    one.arrived(progress(0, found))
    computed, version = 0, 0
    orders: list[int] = []
    for tokens, preempted in steps:
        if preempted:
            computed, version = 0, version + 1
        before = len(one.tables[0]) if one.tables else 0
        computed += tokens
        needed = -(-computed // size)
        one.table(
            [[1000 * version + i for i in range(0 if preempted else before, needed)]], preempted or not one.tables
        )
        first = one.stored
        made = one.completed(computed)
        orders += range(first, first + len(made))
        per = block // size
        for i, (blocks,) in enumerate(made, first):
            assert blocks == tuple(1000 * version + i * per + k for k in range(per))
            assert (i + 1) * block <= computed
        if computed >= min_tokens:
            assert one.stored >= computed // block
    assert orders == list(range(found, one.stored)) if orders else True


def test_a_request_that_stores_nothing_stores_nothing() -> None:
    one = state(128, 128)
    one.stores = False
    one.table([[1, 2, 3]], True)
    assert one.completed(384) == []
