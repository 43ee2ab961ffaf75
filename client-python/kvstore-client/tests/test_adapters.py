"""Adapters by the bytes of their files."""

from __future__ import annotations

import os
import pathlib

import pytest

from kvstore_client import adapters


@pytest.fixture(autouse=True)
def cache(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def made(folder: pathlib.Path, **files: bytes) -> str:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_bytes(content)
    return str(folder)


def test_a_digest_is_of_weights_and_scale(tmp_path: pathlib.Path) -> None:
    usual = {"adapter_model__safetensors": b"1", "adapter_config__json": b"{}"}
    one = made(tmp_path / "a", **usual)
    assert adapters.digest(one) == adapters.digest(made(tmp_path / "b", **usual, README__md=b"another"))
    others = [
        made(tmp_path / "c", **{**usual, "adapter_config__json": b"[]"}),
        made(tmp_path / "d", **{**usual, "adapter_model__safetensors": b"2"}),
        made(tmp_path / "e", **usual, new_embeddings__safetensors=b"3"),
    ]
    assert len({adapters.digest(path) for path in (one, *others)}) == 4


def test_without_weights_there_is_nothing(tmp_path: pathlib.Path) -> None:
    for path in ("", "/nowhere", "nobody/nothing", "~/nowhere", made(tmp_path / "a", adapter_config__json=b"{}")):
        assert (adapters.digest(path), adapters.state(path)) == (b"", "")


def test_a_state_differs_once_a_file_changed_and_not_before(tmp_path: pathlib.Path) -> None:
    path = made(tmp_path / "a", adapter_model__safetensors=b"1", adapter_config__json=b"{}")
    seen = {adapters.state(path)}
    assert adapters.state(path) in seen
    made(tmp_path / "a", adapter_model__safetensors=b"2")
    seen.add(adapters.state(path))
    made(tmp_path / "a", adapter_config__json=b"[]")
    seen.add(adapters.state(path))
    old = (tmp_path / "a" / "adapter_model.safetensors").stat()
    made(tmp_path / "a", adapter_model__safetensors=b"3")
    os.utime(tmp_path / "a" / "adapter_model.safetensors", ns=(old.st_atime_ns, old.st_mtime_ns))
    seen.add(adapters.state(path))
    made(tmp_path / "a", new_embeddings__bin=b"unused, as there are safetensors")
    assert len(seen) == 4 and adapters.state(path) in seen


def test_a_path_may_begin_at_home(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = made(tmp_path / "a", adapter_model__safetensors=b"1")
    assert adapters.digest("~/a") == adapters.digest(path) != b""
    assert adapters.changed("~/a") == (tmp_path / "a" / "adapter_model.safetensors").stat().st_ctime_ns / 1e9
