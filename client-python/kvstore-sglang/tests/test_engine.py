"""A whole SGLang: equal outputs with and without a store, and hits as expected. A real engine, a real store."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import socket
from uuid import uuid4

import pytest
from engine_process import prompt
from model import make
from sglang_engine import LEAST, PAGE, SglangEngine
from stack import Stack, blob, damage, own

pytestmark = pytest.mark.engine

LENGTHS = (1, 63, 64, 65, 255, 257, 1000, 3000)


@pytest.fixture(autouse=True)
def _key(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KV_API_KEY", stack.key)


def expected(length: int) -> int:
    """Tokens that SGLang takes from its storage: whole pages, and the last token is computed in any case."""
    whole = (length - 1) // PAGE * PAGE
    return whole if whole >= LEAST else 0


def test_outputs_are_equal_and_hits_are_all_whole_pages(
    tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    one_by_one = [(100 + length, length) for length in LENGTHS]
    together = [(200 + i, 600 + 40 * i) for i in range(8)]
    settings = {"namespace": uuid4().hex}
    with SglangEngine(tiny, tmp_path / "without.log", None) as engine:
        plain = [engine.run(one).tokens for one in one_by_one] + [engine.run(*together).tokens]
    with SglangEngine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        first = [engine.run(one) for one in one_by_one] + [engine.run(*together)]
        assert [batch.tokens for batch in first] == plain
        assert all(not stored for batch in first for stored in batch.stored)
        engine.wait_stored(*one_by_one, *together)
    with SglangEngine(tiny, tmp_path / "second.log", stack, settings=settings) as engine:
        second = [engine.run(one) for one in one_by_one] + [engine.run(*together)]
        assert [batch.tokens for batch in second] == plain
        wanted = [[expected(length)] for _, length in one_by_one] + [[expected(length) for _, length in together]]
        assert [batch.stored for batch in second] == wanted


def test_an_engine_loads_what_another_one_writes_beside_it(
    tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    settings = {"namespace": uuid4().hex}
    with (
        SglangEngine(tiny, tmp_path / "a.log", stack, settings=settings) as a,
        SglangEngine(tiny, tmp_path / "b.log", stack, settings={**settings, "read_only": True}) as b,
    ):
        first = a.run((1, 1000))
        a.wait_stored((1, 1000))
        second = b.run((1, 1000), (2, 1000))
        assert (second.tokens[0], second.stored) == (first.tokens[0], [expected(1000), 0])
        b.flush()
        assert b.run((2, 1000)).stored == [0]  # an engine that only reads stored nothing


def test_another_namespace_or_salt_hits_nothing(tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path) -> None:
    settings = {"namespace": uuid4().hex}
    salted = {"seed": 1, "length": 1000, "salt": "a"}
    with SglangEngine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        plain = engine.run((1, 1000)).tokens
        engine.run(salted)
        engine.wait_stored((1, 1000))
        engine.run((3, 1000))
        engine.wait_stored((3, 1000))  # one thread writes in order, so the salted pages are stored too
    with SglangEngine(tiny, tmp_path / "second.log", stack, settings=settings) as engine:
        assert engine.run({**salted, "salt": "b"}).stored == [0]
        assert engine.run(salted).stored == [expected(1000)]
        again = engine.run((1, 1000))
        assert (again.tokens, again.stored) == (plain, [expected(1000)])
    with SglangEngine(tiny, tmp_path / "other.log", stack, settings={"namespace": uuid4().hex}) as engine:
        assert engine.run((1, 1000)).stored == [0]


def test_other_weights_under_an_equal_name_hit_nothing(
    tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    settings, name = {"namespace": uuid4().hex}, "served"
    with SglangEngine(tiny, tmp_path / "first.log", stack, settings=settings, served_model_name=name) as engine:
        engine.run((1, 1000))
        engine.wait_stored((1, 1000))
    other = make(tmp_path / "models" / tiny.name, seed=2)
    with SglangEngine(other, tmp_path / "other.log", stack, settings=settings, served_model_name=name) as engine:
        assert engine.run((1, 1000)).stored == [0]
    copy = shutil.copytree(tiny, tmp_path / "copies" / tiny.name)
    with SglangEngine(copy, tmp_path / "copy.log", stack, settings=settings, served_model_name="another") as engine:
        assert engine.run((1, 1000)).stored == [expected(1000)]


def test_two_ranks_load_their_own_pages(tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path) -> None:
    settings = {"namespace": uuid4().hex}
    with SglangEngine(tiny, tmp_path / "without.log", None) as engine:
        plain = engine.run((1, 1000)).tokens
    with SglangEngine(tiny, tmp_path / "first.log", stack, settings=settings, tp_size=2) as engine:
        assert engine.run((1, 1000)).tokens == plain
        engine.wait_stored((1, 1000))
        assert sorted(kind.name[-6:] for kind in engine.kinds) == ["tp0of2", "tp1of2"]
    with SglangEngine(tiny, tmp_path / "second.log", stack, settings=settings, tp_size=2) as engine:
        second = engine.run((1, 1000))
        assert (second.tokens, second.stored) == (plain, [expected(1000)])


def test_a_page_that_is_damaged_in_storage_ends_the_prefix(
    tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    settings = {"namespace": uuid4().hex}
    writer, reader = stack.endpoints[:2]
    with SglangEngine(tiny, tmp_path / "first.log", stack, endpoints=[writer], settings=settings) as engine:
        first = engine.run((1, 1000))
        engine.wait_stored((1, 1000))
        (kind,), names = engine.kinds, engine.names(prompt(1, 1000))
    damage(blob(stack.storage, kind.block(kind.pieces[1], names[6].encode()).hash(0).hex()))
    with SglangEngine(tiny, tmp_path / "second.log", stack, endpoints=[reader], settings=settings) as engine:
        second = engine.run((1, 1000))
        assert (second.tokens, second.stored) == (first.tokens, [6 * PAGE])


def test_bytes_that_change_behind_the_check_change_the_output(
    tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    settings = {"namespace": uuid4().hex}
    with SglangEngine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        first = engine.run((1, 1000))
        engine.wait_stored((1, 1000))
    flipping = {**settings, "module_path": "flipping_backend", "class_name": "FlippingHiCache"}
    with SglangEngine(tiny, tmp_path / "second.log", stack, settings=flipping) as engine:
        damaged = engine.run((1, 1000))
        assert damaged.stored == [expected(1000)]
        assert damaged.tokens != first.tokens


def test_outputs_are_equal_without_a_service(tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path) -> None:
    with SglangEngine(tiny, tmp_path / "without.log", None) as engine:
        plain = [engine.run((seed, 1000)).tokens for seed in range(8)]
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        away = f"127.0.0.1:{unused.getsockname()[1]}"
        with SglangEngine(tiny, tmp_path / "away.log", stack, endpoints=[away]) as engine:
            assert [engine.run((seed, 1000)).tokens for seed in range(8)] == plain
            assert "KV Store is left alone after errors" in engine.log


def test_outputs_are_equal_when_the_service_is_killed_or_refuses_the_key(
    tiny: pathlib.Path, tmp_path: pathlib.Path, stack: Stack
) -> None:
    settings = {"namespace": uuid4().hex}
    with SglangEngine(tiny, tmp_path / "refused.log", stack, settings=settings, key="kv_no") as engine:
        refused = engine.run((1, 1000))
        assert refused.stored == [0]
    with own(tmp_path) as harmed:
        with SglangEngine(tiny, tmp_path / "killed.log", harmed, settings=settings) as engine:
            assert engine.run((1, 1000)).tokens == refused.tokens
            for pid in harmed.pids:
                os.kill(pid, signal.SIGKILL)
            engine.flush()
            again = engine.run((1, 1000), (2, 1000))
            assert (again.tokens[0], again.stored) == (refused.tokens[0], [0, 0])
