"""The division of slots among engines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kvstore_client.agent.shares import shares

WANTED = st.lists(st.integers(0, 256), max_size=64)


def test_two_that_want_all_get_a_half_each() -> None:
    assert shares(128, [256, 256]) == [64, 64]


def test_what_one_leaves_goes_to_the_others() -> None:
    assert shares(128, [256, 8, 256]) == [60, 8, 60]


def test_each_has_one_where_there_are_too_few() -> None:
    assert shares(2, [5, 0, 5, 5]) == [1, 0, 1, 1]


@given(st.integers(1, 10_000), WANTED)
def test_shares_are_bounded_and_nobody_has_more_at_the_cost_of_another(total: int, wanted: list[int]) -> None:
    got = shares(total, wanted)
    assert all(min(1, want) <= share <= want for share, want in zip(got, wanted, strict=True))
    assert sum(got) <= max(total, len(wanted))
    short = [share for share, want in zip(got, wanted, strict=True) if share < want]
    if short:
        assert max(got) <= max(short) <= min(short) + 1
        assert sum(got) > total - len(wanted), "all but a rest is given"
