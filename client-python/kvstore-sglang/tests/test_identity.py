"""The model's name, with stand-ins for what SGLang tells of it; test_engine.py has a whole SGLang."""

from __future__ import annotations

import pathlib
import sys
import time
import types
from types import SimpleNamespace
from typing import Any

import pytest
from kvstore_client import weights

from kvstore_sglang import identity, inputs
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
    arguments = SimpleNamespace(load_format="auto", model_path=str(folder), model_loader_extra_config="{}")
    context.get_server_args = lambda: arguments  # type: ignore[attr-defined]
    for name in ("sglang", "sglang.srt"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "sglang.srt.runtime_context", context)
    monkeypatch.setattr(weights, "process_start", lambda: time.time() + 60)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return SimpleNamespace(config=config, adapters=adapters, folder=folder, arguments=arguments)


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


def test_adapters_that_nothing_tells_apart_are_not_used(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told.adapters.lora_paths = [SimpleNamespace(lora_name="a", lora_path="org/nowhere")]
    with pytest.raises(Unsupported, match="the files of the adapter a are not at hand; name its folder"):
        identity.model("mine")
    adapter = told.folder.parent / "adapter"
    adapter.mkdir()
    (adapter / "adapter_model.bin").write_bytes(b"1")
    told.adapters.lora_paths = [SimpleNamespace(lora_name="a", lora_path=str(adapter))]
    assert identity.model("mine")
    monkeypatch.setattr(weights, "process_start", lambda: time.time() - 60)
    with pytest.raises(Unsupported, match="the adapter a changed after this process began"):
        identity.model("mine")


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


def scales(told: Any) -> None:
    (told.folder / "scales.json").write_text("{}", encoding="ascii")
    told.arguments.quantization_param_path = str(told.folder / "scales.json")


def processors(told: Any) -> None:
    (told.folder / "preprocessor_config.json").write_text("{}", encoding="ascii")


def put(name: str, value: Any) -> Any:
    return lambda told: setattr(told.arguments, name, value)


#: For each input of the table, one change of it alone.
CHANGES = {
    "manner of loading": put("load_format", "dummy"),
    "scales of the cache": scales,
    "type of the cache": put("kv_cache_dtype", "fp8_e5m2"),
    "quantisation while loading": put("torchao_config", "int4wo-128"),
    "attention backend": put("attention_backend", "triton"),
    "kernels": put("moe_runner_backend", "triton"),
    "numbers between ranks": put("enable_quant_communications", True),
    "implementation of the model": put("model_impl", "transformers"),
    "longest context": put("context_length", 4096),
    "processors of media": put("mm_process_config", {"image": {"max_pixels": 1}}),
    "files beside the model": processors,
    "variables of the environment": None,
}


@pytest.mark.parametrize("one", inputs.TABLE, ids=lambda one: one.name)
def test_every_input_makes_another_name(one: inputs.Input, told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [identity.model(""), identity.model("mine")]
    change = CHANGES[one.name]
    if change is None:
        monkeypatch.setenv("SGLANG_AITER_KV_CACHE_LAYOUT", "vectorized")
    else:
        change(told)
    after = [identity.model(""), identity.model("mine")]
    assert before[0] != after[0] and before[1] != after[1]
    assert sorted(CHANGES) == sorted(one.name for one in inputs.TABLE)


def test_scales_and_processors_count_by_their_content(told: Any) -> None:
    scales(told)
    processors(told)
    names = [identity.model("")]
    for file in ("scales.json", "preprocessor_config.json"):
        (told.folder / file).write_text("[]", encoding="ascii")
        names.append(identity.model(""))
    assert len(set(names)) == 3
    (told.folder / "scales.json").unlink()
    with pytest.raises(Unsupported, match=r"scales\.json"):
        identity.model("")


def test_random_weights_have_names_of_their_own(told: Any) -> None:
    names = [identity.model(""), identity.model("mine")]
    told.arguments.load_format = "dummy"
    names += [identity.model(""), identity.model("mine")]
    told.arguments.tp_size = 2
    names.append(identity.model("mine"))
    assert len(set(names)) == 5 and names[2].startswith("llama-dummy@")


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("load_format", "remote"),
        ("load_format", "presharded"),
        ("custom_weight_loader", ["a.b"]),
        ("kt_weight_path", "/other"),
        ("model_loader_extra_config", '{"presharded_path": "/other"}'),
        ("model_loader_extra_config", "{"),
    ],
)
def test_weights_that_may_lie_anywhere_need_a_model_id(told: Any, argument: str, value: Any) -> None:
    usual = identity.model("mine")
    setattr(told.arguments, argument, value)
    with pytest.raises(Unsupported, match="may lie anywhere; set model_id"):
        identity.model("")
    assert identity.model("mine") != usual


def test_positions_that_depend_on_other_requests_are_not_kept(told: Any) -> None:
    told.config.hf_config["rope_scaling"] = {"rope_type": "longrope"}
    with pytest.raises(Unsupported, match="LongRoPE"):
        identity.model("mine")
