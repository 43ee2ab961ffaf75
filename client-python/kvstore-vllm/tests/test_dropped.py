"""Every input of the table is needed: an engine that leaves it out of its names answers with another engine's blocks.

A first engine stores a prompt's blocks, and a second one that computes others loads them, because both leave the input
out (:func:`patches.drop`): then the second one's output is not what it computes itself. Inputs that no engine on CPUs
can change alone are listed with the reason.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from model import SIZES, make_adapter, make_seeing, make_windowed
from stack import Stack, wait
from test_adapters import know
from test_images import OPTIONS, seen
from test_names import copy, long_rope, retrained

from kvstore_vllm.inputs import TABLE

PROMPT = {"seed": 1, "length": 1000}

#: Neither looks the request up nor stores it.
ALONE = {"extra_args": {"kv_transfer_params": {"kvstore": {"read": False, "write": False}}}}

Model = Callable[[pathlib.Path, pathlib.Path], pathlib.Path]


@dataclass(frozen=True)
class Case:
    """``drops`` are inputs that tell the same here: one of them is enough for another name.

    ``model`` makes the model in a folder, and ``other`` that of the second engine; by default it is the same.
    ``prompts`` are those of the first engine, the second one's among them or beside it.
    """

    drops: tuple[str, ...]
    first: dict[str, Any] = field(default_factory=dict)
    second: dict[str, Any] = field(default_factory=dict)
    model: Model = lambda tiny, _: tiny
    other: Model | None = None
    prompts: tuple[dict[str, Any], ...] = (PROMPT,)
    prompt: dict[str, Any] = field(default_factory=lambda: PROMPT)
    stored: int = 7


def with_long_rope(tiny: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    long_rope(copy(tiny, folder / "long"))
    return folder / "long"


def with_dynamic_rope(tiny: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    model = copy(tiny, folder / "dynamic")
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    del config["rope_theta"]
    config["max_position_embeddings"] = 2048
    config["rope_parameters"] = {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 4.0}
    (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return model


def with_other_weights(tiny: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    retrained(copy(tiny, folder / "retrained"))
    return folder / "retrained"


def with_two_forms(tiny: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """A folder with other weights in another form of files."""
    import torch
    from safetensors.torch import load_file

    model = copy(tiny, folder / "forms")
    weights = load_file(model / "model.safetensors")
    weights["model.embed_tokens.weight"] *= -1
    torch.save(weights, model / "model.pt")
    return model


def with_code(factor: float) -> Model:
    """A model that comes with its code, which multiplies embeddings."""

    def made(tiny: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
        model = copy(tiny, folder / f"code-{factor}")
        config = json.loads((model / "config.json").read_text(encoding="utf-8"))
        config["architectures"] = ["OwnForCausalLM"]
        config["auto_map"] = {"AutoModel": "own.OwnModel", "AutoModelForCausalLM": "own.OwnForCausalLM"}
        (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
        (model / "own.py").write_text(CODE.format(factor=factor), encoding="utf-8")
        return model

    return made


CODE = """\
from transformers.models.llama.modeling_llama import LlamaForCausalLM, LlamaMLP, LlamaModel


class OwnMLP(LlamaMLP):
    def forward(self, x):
        return {factor} * super().forward(x)


class OwnModel(LlamaModel):
    def __init__(self, config):
        super().__init__(config)
        for layer in self.layers:
            layer.mlp.__class__ = OwnMLP


class OwnForCausalLM(LlamaForCausalLM):
    pass
"""


def seeing(_: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    return make_seeing(folder / "seeing")


def adapted(name: str, number: int) -> dict[str, Any]:
    """A prompt with an adapter, which the test makes."""
    return {**PROMPT, "adapter": [name, number]}


def embedded(seed: int) -> dict[str, Any]:
    return {"seed": seed, "length": 1000, "embeddings": SIZES["tiny"][0]}


LORA: dict[str, Any] = {"enable_lora": True, "max_lora_rank": 8}
TWO: dict[str, Any] = {
    "tensor_parallel_size": 2,
    "processes": True,
    "environment": {"OMP_NUM_THREADS": "1"},
}
CODED: dict[str, Any] = {"trust_remote_code": True, "model_impl": "transformers"}
ROPE = {"rope_parameters": {"rope_type": "default", "rope_theta": 100.0}}

CASES = (
    Case(("model's configuration after overrides",), second={"hf_overrides": ROPE}),
    Case(
        ("longest context, where RoPE depends on it",),
        {"max_model_len": 2048},
        {"max_model_len": 4096},
        with_long_rope,
    ),
    Case(("manner of loading",), {}, {"load_format": "pt"}, with_two_forms),
    Case(("code of the model",), CODED, CODED, with_code(1.0), with_code(-1.0)),
    Case(
        ("processors of media",),
        OPTIONS,
        {**OPTIONS, "mm_processor_kwargs": {"do_normalize": False}},
        seeing,
        prompts=(seen(1, 2),),
        prompt=seen(1, 2),
    ),
    Case(("weights and scales",), other=with_other_weights),
    Case(("type of the model", "layout of the cache"), {"dtype": "float16"}, {"dtype": "bfloat16"}),
    Case(("type of the cache",), {"kv_cache_dtype": "fp8_e5m2"}, {"kv_cache_dtype": "fp8_e4m3"}),
    Case(("engine's block", "layout of the cache"), {"block_size": 32}, {"block_size": 128}),
    Case(("heads of a rank",), TWO, TWO),
    Case(
        ("cache group", "layers"),
        model=lambda _, folder: make_windowed(folder / "windowed"),
        prompts=({"seed": 1, "length": 300},),  # all of its blocks are in the window
        prompt={"seed": 1, "length": 300},
        stored=2,
    ),
    Case(
        ("options of adapters",),
        LORA,
        {**LORA, "lora_target_modules": ["o_proj"]},
        prompts=(adapted("one", 1),),
        prompt=adapted("one", 1),
    ),
    Case(("adapter",), LORA, LORA, prompts=(adapted("one", 1),), prompt=adapted("other", 2)),
    Case(("images, audio and video",), OPTIONS, OPTIONS, seeing, prompts=(seen(3, 2),), prompt=seen(1, 2)),
    Case(
        ("prompt embeddings",),
        {"enable_prompt_embeds": True},
        {"enable_prompt_embeds": True},
        prompts=(embedded(1),),
        prompt=embedded(2),
    ),
    Case(
        ("RoPE that depends on other requests",),
        {"model_impl": "transformers", "max_num_batched_tokens": 4096},
        {"model_impl": "transformers", "max_num_batched_tokens": 4096},
        with_dynamic_rope,
        prompts=(PROMPT, {"seed": 2, "length": 3000}),
        stored=7 + 23,
    ),
)

#: Why no engine on CPUs can show it, for each other input.
UNSHOWN = {
    "quantisation while loading": "vLLM quantises while loading on GPUs only",
    "implementation of the model": "vLLM's Llama and that of transformers compute equal blocks but for rounding",
    "options of attention": "no backend for CPUs has any that changes numbers",
    "kernels": "a CPU has one of each",
    "options of a platform": "vLLM's own platforms have none",
    "options of the cache": "vLLM's cache has one layout on CPUs, and to skip layers is another one, which is told",
    "type of adapters": "changes the rounding of an adapter's products, and the output of this model seldom",
    "variables of the environment": "those of CPUs change rounding, sizes and threads",
    "version and device": "there is one in an environment",
    "quantisation of weights": "quantised checkpoints have other weights and another configuration, told, too",
    "vector unit of a CPU": "there is one in a machine for each type and engine's block",
    "attention backend": "there is one for a model on CPUs",
    "tokens of a block": "a partition's blocks of another length have other names in any case",
    "salt": "changes no byte: it keeps apart what callers may not share (test_isolation.py)",
    "tokens among prompt embeddings": "a chat's alone, whose tokens come from a template: test_inputs.py has the names",
    "scales that are calculated while running": "vLLM 0.32 has none any more",
    "scales that vLLM sets at the first step": "vLLM has no such cache on CPUs",
    "draft model": "there is none so small",
    "states": "the connector has no code that keeps them",
    "pipeline and context parallelism": "ranks with other layers have no names that belong together",
}


def test_each_input_is_shown_or_has_a_reason() -> None:
    shown = {name for case in CASES for name in case.drops}
    assert sorted([*shown, *UNSHOWN]) == sorted(one.name for one in TABLE)


@pytest.mark.engine
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.drops[0].replace(" ", "-"))
def test_an_engine_that_leaves_an_input_out_answers_wrongly(
    case: Case, tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    model = case.model(tiny, tmp_path)
    other = case.other(tiny, tmp_path) if case.other else model
    adapters = {name: str(make_adapter(tmp_path / name, at)) for at, name in enumerate(("one", "other"))}

    def given(one: dict[str, Any]) -> dict[str, Any]:
        return {**one, "adapter": [*one["adapter"], adapters[one["adapter"][0]]]} if "adapter" in one else one

    # model_id takes the place of the digest of the weights: it is left out everywhere.
    settings = {"model_id": uuid4().hex}
    patches = (f"drop:{';'.join(case.drops)}",)
    with Engine(model, tmp_path / "first.log", stack, settings=settings, patches=patches, **case.first) as engine:
        prompts = [given(one) for one in case.prompts]
        if "adapter" in prompts[0]:
            know(engine, prompts[0])
        engine.run(*prompts)
        wait(lambda: engine.told("stored_blocks") >= case.stored)
    with Engine(other, tmp_path / "second.log", stack, settings=settings, patches=patches, **case.second) as engine:
        prompt = given(case.prompt)
        own = engine.run({**prompt, "params": ALONE})
        if "adapter" in prompt:
            know(engine, prompt)
        loaded = engine.run(prompt)
        assert own.hits == 0 and loaded.hits > 0
        assert loaded.tokens != own.tokens
