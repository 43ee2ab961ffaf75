"""Adapters are told by what their files held when the engine loaded them, or their requests are not cached."""

from __future__ import annotations

import pathlib
import sys
import time
import types
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from kvstore_client import adapters as files
from kvstore_client import weights

from kvstore_vllm import adapters, loaded
from kvstore_vllm.adapters import Adapter, Adapters
from kvstore_vllm.extras import Unnamed


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def made(folder: pathlib.Path, content: bytes = b"1", scale: int = 16) -> pathlib.Path:
    folder.mkdir(exist_ok=True)
    (folder / "adapter_model.safetensors").write_bytes(content)
    (folder / "adapter_config.json").write_text(f'{{"lora_alpha": {scale}}}', encoding="ascii")
    return folder


def request(path: Any, number: int = 1, **options: Any) -> Any:
    return SimpleNamespace(
        lora_request=SimpleNamespace(lora_int_id=number, lora_name="a", lora_path=str(path), **options)
    )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def known(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Adapters]:
    """Adapters whose thread waits as long as it takes for a first look."""
    monkeypatch.setattr(adapters, "_FIRST", 60.0)
    monkeypatch.setattr(adapters, "_EACH", 0.01)
    one = Adapters(clock)
    yield one
    one.close()


def digest(known: Adapters, path: Any, **options: Any) -> bytes:
    found = known.of(request(path, **options))
    assert found is not None
    return found.digest


def until(holds: Any) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_adapters_are_told_apart_by_all_bytes_of_their_files(known: Adapters, tmp_path: pathlib.Path) -> None:
    big = bytes(100_000)
    one = digest(known, made(tmp_path / "one", big))
    assert digest(known, made(tmp_path / "copy", big)) == one
    others = [made(tmp_path / "last", big[:-1] + b"1"), made(tmp_path / "scaled", big, 32)]
    assert len({one, *(digest(known, other) for other in others)}) == 3
    assert digest(known, tmp_path / "one", is_3d_lora_weight=True) != one
    assert known.of(SimpleNamespace(lora_request=None)) is None


@pytest.mark.parametrize("path", ["", "org/name", "/nowhere", "~/nowhere", "a\0b"])
def test_an_adapter_whose_files_are_not_at_hand_names_nothing(known: Adapters, path: str) -> None:
    with pytest.raises(Unnamed, match="not at hand"):
        known.of(request(path))


def test_an_adapter_of_tensorizer_names_nothing(known: Adapters, tmp_path: pathlib.Path) -> None:
    with pytest.raises(Unnamed, match="tensorizer"):
        known.of(request(made(tmp_path / "one"), tensorizer_config_dict={"dir": "s3://"}))


def test_an_adapter_of_the_hub_is_its_snapshot(known: Adapters, tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    path = made(tmp_path / "one")
    monkeypatch.setattr(weights, "folder", lambda name: str(path) if name == "org/name" else "")
    assert digest(known, "org/name") == digest(known, path)


def test_an_adapter_that_is_downloaded_later_is_known_then(
    known: Adapters, clock: Clock, tmp_path: pathlib.Path
) -> None:
    with pytest.raises(Unnamed):
        known.of(request(tmp_path / "one"))
    made(tmp_path / "one")
    until(lambda: known._looks[str(tmp_path / "one")].digest)
    assert digest(known, tmp_path / "one")


def test_files_that_change_make_another_adapter(known: Adapters, tmp_path: pathlib.Path) -> None:
    path = made(tmp_path / "one")
    before = known.of(request(path))
    made(path, b"2")
    until(lambda: known.of(request(path)) != before)
    after = known.of(request(path))
    assert before is not None and after is not None
    assert before.state != after.state and before.digest != after.digest
    assert after.state == files.state(str(path))


def test_a_slow_disk_costs_the_scheduler_a_moment_and_the_request_its_name(
    clock: Clock, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    go_on = threading.Event()
    state = files.state
    monkeypatch.setattr(files, "state", lambda path: state(path) if go_on.wait(60) else "")
    known = Adapters(clock)
    path = made(tmp_path / "one")
    begun = time.monotonic()
    with pytest.raises(Unnamed, match="not read yet"):
        known.of(request(path))
    assert time.monotonic() - begun < 30
    go_on.set()
    until(lambda: known._looks[str(path)].digest)
    assert digest(known, path)
    go_on.clear()  # the disk hangs: what was seen long ago is not believed
    clock.now += 10
    with pytest.raises(Unnamed, match="not read yet"):
        known.of(request(path))
    go_on.set()
    known.close()


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A stand-in for vLLM's class that loads adapters."""

    class WorkerLoRAManager:
        def _load_adapter(self, lora_request: Any) -> str:
            during = getattr(lora_request, "during", None)
            if during:
                during()
            return "the adapter"

    module = types.ModuleType("vllm.lora.worker_manager")
    module.WorkerLoRAManager = WorkerLoRAManager  # type: ignore[attr-defined]
    for name in ("vllm", "vllm.lora"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "vllm.lora.worker_manager", module)
    monkeypatch.setattr(loaded, "_states", {})
    monkeypatch.setattr(loaded, "_first", {})
    loaded.watch()
    loaded.watch()
    return WorkerLoRAManager()


def test_a_worker_knows_what_it_loaded_whatever_the_files_hold_by_now(manager: Any, tmp_path: pathlib.Path) -> None:
    path = made(tmp_path / "one")
    first = Adapter(1, files.state(str(path)), b"1")
    assert loaded.may_compute_with(first) and not loaded.computed_with(first)
    assert manager._load_adapter(request(path).lora_request) == "the adapter"
    assert loaded.may_compute_with(first) and loaded.computed_with(first)
    made(path, b"2")
    second = Adapter(1, files.state(str(path)), b"2")
    assert loaded.computed_with(first)  # the files changed, and the engine goes on with the old adapter
    assert not loaded.computed_with(second) and not loaded.may_compute_with(second)
    manager._load_adapter(request(path, 2).lora_request)
    assert not loaded.computed_with(Adapter(2, second.state, b"2"))  # vLLM may have blocks of the first


def test_files_that_were_replaced_between_two_loads_name_nothing(manager: Any, tmp_path: pathlib.Path) -> None:
    """VLLM's prefix cache knows an adapter by its name and path, and a running request goes on with what is loaded."""
    path, other = made(tmp_path / "one"), made(tmp_path / "other")

    def loads(place: pathlib.Path, number: int) -> bool:
        manager._load_adapter(request(place, number).lora_request)
        adapter = Adapter(number, files.state(str(place)), b"1")
        assert loaded.may_compute_with(adapter) is loaded.computed_with(adapter)
        return loaded.computed_with(adapter)

    assert [loads(path, 1), loads(path, 1), loads(other, 2)] == [True] * 3  # after it had to make room, for one
    made(path, b"2")
    assert [loads(path, 1), loads(path, 3), loads(other, 2)] == [False, False, True]


def test_files_that_change_while_a_worker_loads_them_are_unknown(manager: Any, tmp_path: pathlib.Path) -> None:
    path = made(tmp_path / "one")
    manager._load_adapter(request(path, during=lambda: made(path, b"2")).lora_request)
    now = Adapter(1, files.state(str(path)), b"2")
    assert not loaded.computed_with(now) and not loaded.may_compute_with(now)


def test_files_that_a_load_brings_are_known(manager: Any, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "one"
    manager._load_adapter(request(path, during=lambda: made(path)).lora_request)
    assert loaded.computed_with(Adapter(1, files.state(str(path)), b"1"))


def test_a_load_that_fails_leaves_nothing_known(manager: Any, tmp_path: pathlib.Path) -> None:
    path = made(tmp_path / "one")
    manager._load_adapter(request(path).lora_request)

    def fail() -> None:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        manager._load_adapter(request(path, during=fail).lora_request)
    assert not loaded.computed_with(Adapter(1, files.state(str(path)), b"1"))


def test_a_version_of_vllm_that_tells_no_load_caches_no_adapter(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    loaded.watch()
    assert "does not tell which adapters it loads" in caplog.text
    assert not loaded.computed_with(Adapter(99, files.state(str(made(tmp_path / "one"))), b"1"))
