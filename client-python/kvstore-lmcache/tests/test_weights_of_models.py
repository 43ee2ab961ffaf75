"""Weights are told by a setting, or by the files of the model that LMCache names."""

from __future__ import annotations

import pathlib
import threading
import time

import pytest
from kvstore_client import weights

from kvstore_lmcache.models import Models, digest
from kvstore_lmcache.names import Unsupported


@pytest.fixture(autouse=True)
def cache(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def made(folder: pathlib.Path, content: bytes = b"1", config: str = "{}") -> pathlib.Path:
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(content)
    (folder / "config.json").write_text(config, encoding="ascii")
    return folder


def found(one: Models, name: str) -> str:
    """Waits until the weights are read."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            return one.of(name)
        except Unsupported as e:
            if "not read yet" not in str(e):
                raise
        time.sleep(0.005)
    raise AssertionError(name)


def test_models_in_folders_are_told_by_their_weights_and_configuration(tmp_path: pathlib.Path) -> None:
    one = Models()
    names = [found(one, str(made(tmp_path / folder / "llama"))) for folder in ("a", "b")]
    names.append(found(one, str(made(tmp_path / "c", b"2"))))
    names.append(found(one, str(made(tmp_path / "d", config='{"rope_theta": 5}'))))
    assert names[0] == names[1] and len(set(names)) == 3


def test_weights_that_are_read_in_a_moment_are_known_at_once(tmp_path: pathlib.Path) -> None:
    assert Models(moment=60).of(str(made(tmp_path / "llama")))


def test_nobody_waits_longer_for_others(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = threading.Event()
    monkeypatch.setattr("kvstore_lmcache.models.digest", lambda _: str(read.wait(60)))
    one = Models(moment=0.01)
    for _ in range(2):
        with pytest.raises(Unsupported, match="not read yet"):
            one.of("llama")
    read.set()
    assert found(one, "llama") == "True"


def test_a_model_that_is_not_at_hand_needs_a_name(tmp_path: pathlib.Path) -> None:
    with pytest.raises(Unsupported, match="nothing at hand tells the weights of nobody/nothing; set model_id"):
        found(Models(), "nobody/nothing")
    assert Models("mine").of("nobody/nothing") == "mine"


def test_a_name_of_the_hub_with_several_revisions_needs_a_name(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshots = tmp_path / "hub" / "snapshots"
    one = made(snapshots / "1")
    monkeypatch.setattr(weights, "folder", lambda name: str(one))
    assert digest("org/llama")
    made(snapshots / "2", b"2")
    with pytest.raises(Unsupported, match="has 2 revisions of org/llama; set model_id"):
        digest("org/llama")
