"""The model's name, with stand-ins for what SGLang tells of it; test_engine.py has a whole SGLang."""

from __future__ import annotations

import pathlib
import sys
import time
import types
from types import SimpleNamespace
from typing import Any

import pytest
from kvstore import weights

from kvstore_sglang import identity
from kvstore_sglang.pages import Unsupported


@pytest.fixture
def told(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What SGLang tells; a test may change it."""
    folder = tmp_path / "llama"
    folder.mkdir()
    (folder / "weights.bin").write_bytes(b"1" * 1000)
    config = SimpleNamespace(
        model_path=str(folder), revision=None, quantization=None, dtype="torch.bfloat16", hf_config={"hidden_size": 8}
    )
    adapters = SimpleNamespace(lora_paths=None)
    context = types.ModuleType("sglang.srt.runtime_context")
    context.process_model_config = lambda: config  # type: ignore[attr-defined]
    context.get_lora = lambda: adapters  # type: ignore[attr-defined]
    for name in ("sglang", "sglang.srt"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "sglang.srt.runtime_context", context)
    monkeypatch.setattr(weights, "process_start", lambda: time.time() + 60)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return SimpleNamespace(config=config, adapters=adapters, folder=folder)


def test_each_of_weights_configuration_types_and_adapters_makes_another_name(told: Any) -> None:
    names = [identity.model("")]
    (told.folder / "weights.bin").write_bytes(b"2" * 1000)
    names.append(identity.model(""))
    told.config.hf_config["rope_theta"] = 5
    names.append(identity.model(""))
    told.config.quantization = "fp8"
    names.append(identity.model(""))
    told.config.dtype = "torch.float16"
    names.append(identity.model(""))
    adapter = told.folder.parent / "adapter"
    adapter.mkdir()
    (adapter / "adapter_model.bin").write_bytes(b"1" * 1000)
    told.adapters.lora_paths = [SimpleNamespace(lora_name="a", lora_path=str(adapter))]
    names.append(identity.model(""))
    (adapter / "adapter_model.bin").write_bytes(b"2" * 1000)
    names.append(identity.model(""))
    assert len(set(names)) == len(names) == 7
    assert all(name.startswith("llama@") for name in names)


def test_weights_that_nothing_tells_apart_need_a_model_id(told: Any) -> None:
    told.config.model_path = "org/nowhere"
    with pytest.raises(Unsupported, match="nothing tells the weights of org/nowhere from others; set model_id"):
        identity.model("")
    assert identity.model("mine").startswith("mine@")


def test_weights_that_changed_while_they_were_loaded_are_not_used(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "process_start", lambda: time.time() - 60)
    with pytest.raises(Unsupported, match=r"weights\.bin changed after this process began"):
        identity.model("")


def test_a_version_that_does_not_tell_its_model_needs_a_model_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sglang", None)
    with pytest.raises(Unsupported, match="SGLang does not tell its model .*; set model_id"):
        identity.model("")
    assert identity.model("mine") == "mine"
