"""Every input of the table makes another name, on its own. An input without a change here fails."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from kvstore_vllm import extras, groups, identity, inputs, model_name, support, surroundings
from kvstore_vllm.extras import Extras
from kvstore_vllm.identity import Heads, Unsupported
from kvstore_vllm.inputs import TABLE, Input, Place

DIGEST = "a" * 64


@dataclass
class Options:
    """As vLLM's classes of options: fields with usual values."""

    backend: str = ""
    moe_backend: str = "auto"
    use_trtllm_attention: bool | None = None
    enable_jit_warmup: bool = True


@dataclass
class AdapterOptions:
    """As vLLM's options of adapters."""

    lora_dtype: str = "auto"
    target_modules: list[str] | None = None
    max_loras: int = 1


@dataclass
class Engine:
    """As much of an engine as names tell of. A test changes one thing of it."""

    folder: pathlib.Path
    config: Any = None
    shape: str = "float32.a2b32c64"
    block: int = 32
    isa: str = ""
    backends: tuple[str, ...] = ("FLASH_ATTN",)
    tokens: int = 128
    layers: tuple[int, int] = (0, 31)
    heads: Heads = field(default_factory=lambda: Heads(0, 7, 8, True))
    specs: list[Any] = field(default_factory=lambda: [FullAttentionSpec()])
    groups: int = 1

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        (self.folder / "model.safetensors").write_bytes(b"1")
        model = SimpleNamespace(
            model=str(self.folder),
            revision=None,
            hf_config={"hidden_size": 8, "rope_scaling": {"rope_type": "longrope"}},
            dtype="torch.bfloat16",
            quantization=None,
            max_model_len=4096,
            multimodal_config=SimpleNamespace(),
        )
        self.config = SimpleNamespace(
            model_config=model,
            load_config=SimpleNamespace(load_format="auto", download_dir=None),
            parallel_config=SimpleNamespace(tensor_parallel_size=1),
            cache_config=SimpleNamespace(cache_dtype="auto"),
            attention_config=Options(),
            kernel_config=Options(),
        )

    @property
    def name(self) -> str:
        return identity.partition(
            model_name.of(self.config, ""),
            identity.precision(self.config),
            identity.form(self.shape, self.block, self.isa, self.backends),
            self.tokens,
            self.layers,
            self.heads,
            groups._label(0, self.groups, 0, {}),
        )

    def check(self) -> None:
        told = [SimpleNamespace(kv_cache_spec=spec) for spec in self.specs]
        support.check(self.config, SimpleNamespace(kv_cache_groups=told))


class FullAttentionSpec:
    """Has the name of vLLM's class."""


class MambaSpec:
    """Has the name of vLLM's class."""


class Rows:
    """Embeddings without torch: a byte is a row."""

    dtype = "torch.uint8"
    shape = (1,)

    def __init__(self, rows: bytes) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice) -> Rows:
        return Rows(self.rows[part])

    def same(self, *_: Any) -> Rows:
        return self

    detach = contiguous = cpu = numpy = view = same

    def tobytes(self) -> bytes:
        return self.rows


@dataclass
class Request:
    """As much of vLLM's request as extras tell of."""

    cache_salt: str | None = None
    mm_features: list[Any] = field(default_factory=list)
    prompt_embeds: Any = None
    prompt_is_token_ids: list[bool] | None = None
    adapter: bytes | None = None

    @property
    def lora_request(self) -> Any:
        return self.adapter

    @property
    def name(self) -> bytes:
        return Extras(4).of(self, 0, 1, self.adapter)[0]


def media(identifier: str) -> list[Any]:
    return [SimpleNamespace(modality="image", identifier=identifier, mm_position=SimpleNamespace(offset=0, length=2))]


def put(path: str, value: Any) -> Callable[[Engine], None]:
    """Sets an attribute of the configuration."""

    def change(engine: Engine) -> None:
        *parts, last = path.split(".")
        at = engine.config
        for part in parts:
            at = getattr(at, part)
        setattr(at, last, value)

    return change


def own(name: str, value: Any) -> Callable[[Engine], None]:
    """Sets an attribute of the engine."""
    return lambda engine: setattr(engine, name, value)


def write(name: str, content: bytes) -> Callable[[Engine], None]:
    def change(engine: Engine) -> None:
        (engine.folder / name).write_bytes(content)

    return change


def overrides(engine: Engine) -> None:
    engine.config.model_config.hf_config["rope_theta"] = 5


def code(engine: Engine) -> None:
    engine.config.model_config.trust_remote_code = True
    engine.config.model_config.code_revision = "b" * 40


def by_batch(engine: Engine) -> None:
    engine.config.model_config.using_transformers_backend = lambda: True


#: For each input of an engine, one change of it alone.
ENGINES: dict[str, Callable[[Engine], None]] = {
    "model's configuration after overrides": overrides,
    "longest context, where RoPE depends on it": put("model_config.max_model_len", 8192),
    "manner of loading": put("load_config.load_format", "dummy"),
    "quantisation while loading": put("model_config.quantization_config", {"linear": {"weight": "fp8"}}),
    "code of the model": code,
    "implementation of the model": put("model_config.model_impl", "transformers"),
    "processors of media": put("model_config.multimodal_config.mm_processor_kwargs", {"do_resize": False}),
    "options of attention": put("attention_config.use_trtllm_attention", True),
    "kernels": put("kernel_config.moe_backend", "marlin"),
    "options of a platform": put("additional_config", {"graph": True}),
    "options of the cache": put("cache_config.kv_cache_dtype_skip_layers", ["0"]),
    "type of adapters": put("lora_config", SimpleNamespace(lora_dtype="float16")),
    "options of adapters": put("lora_config", AdapterOptions(target_modules=["q_proj"])),
    "weights and scales": write("model.safetensors", b"2"),
    "type of the model": put("model_config.dtype", "torch.float16"),
    "quantisation of weights": put("model_config.quantization", "fp8"),
    "type of the cache": put("cache_config.cache_dtype", "fp8_e5m2"),
    "layout of the cache": own("shape", "float32.a2c64b32"),
    "engine's block": own("block", 64),
    "vector unit of a CPU": own("isa", "amx"),
    "attention backend": own("backends", ("FLASHINFER",)),
    "tokens of a block": own("tokens", 64),
    "layers": own("layers", (0, 15)),
    "heads of a rank": own("heads", Heads(0, 3, 8, True)),
    "cache group": own("groups", 2),
}

#: Changes of the environment, and of what vLLM tells of itself.
SURROUNDINGS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "variables of the environment": lambda patch: patch.setenv("VLLM_ROCM_SHUFFLE_KV_CACHE_LAYOUT", "1"),
    "version and device": lambda patch: patch.setattr(surroundings, "engine", lambda: ["0", "99", "cuda", ""]),
}

#: For each input of a request, one without it and one with it, or with another one.
REQUESTS: dict[str, tuple[Request, Request]] = {
    "salt": (Request(), Request(cache_salt="a")),
    "adapter": (Request(), Request(adapter=b"1" * 32)),
    "images, audio and video": (Request(), Request(mm_features=media(DIGEST))),
    "prompt embeddings": (Request(), Request(prompt_embeds=Rows(b"1234"))),
    "tokens among prompt embeddings": (
        Request(prompt_embeds=Rows(b"1234")),
        Request(prompt_embeds=Rows(b"1234"), prompt_is_token_ids=[False, True, False, False]),
    ),
}

REFUSED: dict[str, Callable[[Engine], None]] = {
    "scales that are calculated while running": put("cache_config.calculate_kv_scales", True),
    "scales that vLLM sets at the first step": put("cache_config.cache_dtype", "int8_per_token_head"),
    "draft model": put("speculative_config", SimpleNamespace(method="eagle3")),
    "states": own("specs", [FullAttentionSpec(), MambaSpec()]),
    "pipeline and context parallelism": put("parallel_config.pipeline_parallel_size", 2),
    "RoPE that depends on other requests": by_batch,
}


@pytest.fixture
def engine(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setattr(surroundings, "engine", lambda: ["0", "32", "cpu", ""])
    return Engine(tmp_path / "llama")


@pytest.mark.parametrize("one", TABLE, ids=lambda one: one.name)
def test_every_input_makes_another_name_or_none(
    one: Input, engine: Engine, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if one.place is Place.EXTRA:
        monkeypatch.setattr(extras, "_bytes", lambda: None)  # torch is not needed for this
        without, with_it = REQUESTS[one.name]
        assert without.name != with_it.name
        return
    engine.check()
    before = engine.name
    if one.name in SURROUNDINGS:
        SURROUNDINGS[one.name](monkeypatch)
    elif one.place is Place.REFUSED:
        REFUSED[one.name](engine)
        with pytest.raises(Unsupported):
            engine.check()
        return
    else:
        ENGINES[one.name](engine)
    assert engine.name != before


def test_the_table_has_each_input_once_and_no_change_is_for_nothing() -> None:
    names = [one.name for one in TABLE]
    assert sorted(names) == sorted([*ENGINES, *SURROUNDINGS, *REQUESTS, *REFUSED])
    assert all((one.of is not None) == (one.place is Place.CONFIGURATION) for one in TABLE)


@pytest.mark.parametrize(
    "change",
    [
        put("model_config.multimodal_config.video_pruning_rate", 0.5),
        put("aux_output_config", SimpleNamespace(enable_return_routed_experts=True)),
        put("model_config.enable_return_routed_experts", True),
    ],
)
def test_an_engine_that_needs_more_of_a_prompt_than_its_blocks_goes_on_without(
    engine: Engine, change: Callable[[Engine], None]
) -> None:
    change(engine)
    with pytest.raises(Unsupported):
        engine.check()


@pytest.mark.parametrize(("revision", "served"), [(None, False), ("main", False), ("0123456789" * 4, True)])
def test_code_of_another_repository_needs_a_commit(engine: Engine, revision: str | None, served: bool) -> None:
    put("model_config.trust_remote_code", True)(engine)
    code = {"AutoModelForCausalLM": "another/repository--modeling.Model"}
    put("model_config.hf_config", SimpleNamespace(auto_map=code))(engine)
    put("model_config.code_revision", revision)(engine)
    if served:
        engine.check()
    else:
        with pytest.raises(Unsupported, match="--code-revision"):
            engine.check()


@pytest.mark.parametrize(
    "change",
    [
        put("attention_config.backend", "FLASH_ATTN"),  # the backend that is taken counts, however it was chosen
        put("kernel_config.enable_jit_warmup", False),
        put("lora_config", SimpleNamespace(lora_dtype="torch.bfloat16")),
        put("lora_config", AdapterOptions(max_loras=8)),
        put("model_config.served_model_name", "another"),
        put("model_config.seed", 7),
        put("load_config.load_format", "safetensors"),
        write("tokenizer.json", b"{}"),
    ],
)
def test_what_changes_no_byte_keeps_the_name(engine: Engine, change: Callable[[Engine], None]) -> None:
    before = engine.name
    change(engine)
    assert engine.name == before


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("VLLM_ROCM_SHUFFLE_KV_CACHE_LAYOUT", True),
        ("VLLM_ROCM_USE_AITER_UNIFIED_ATTENTION", True),
        ("VLLM_KV_CACHE_LAYOUT", True),
        ("VLLM_MLA_DISABLE", True),
        ("VLLM_MOE_ROUTING_SIMULATION_STRATEGY", True),
        ("VLLM_MXFP4_EMULATION_DEQUANT_AT_LOAD", True),
        ("VLLM_CPU_INT4_W4A8", True),
        ("VLLM_VIDEO_LOADER_BACKEND", True),
        ("VLLM_BATCH_INVARIANT", True),
        ("VLLM_CPU_KVCACHE_SPACE", False),
        ("VLLM_CPU_OMP_THREADS_BIND", False),
        ("VLLM_FLASHINFER_WORKSPACE_BUFFER_SIZE", False),
        ("VLLM_LOGGING_LEVEL", False),
        ("VLLM_DP_RANK", False),
        ("VLLM_HOST_IP", False),
        ("PATH", False),
    ],
)
def test_variables_that_change_layout_or_numbers_are_told(name: str, counts: bool) -> None:
    assert bool(surroundings.variables({name: "1"})) is counts
    assert surroundings.variables({name: ""}) == {}


def test_inputs_that_are_files_count_by_their_content(engine: Engine, tmp_path: pathlib.Path) -> None:
    names = [engine.name]
    model = engine.config.model_config
    (tmp_path / "q.json").write_text("{}", encoding="ascii")
    model.hf_overrides = {"quantization_config_file": str(tmp_path / "q.json")}
    names.append(engine.name)
    (tmp_path / "q.json").write_text("[]", encoding="ascii")
    names.append(engine.name)
    model.trust_remote_code = True
    names.append(engine.name)
    for content in (b"1", b"2"):
        (engine.folder / "modeling_llama.py").write_bytes(content)
        names.append(engine.name)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("registered", "counts"),
    [
        (SimpleNamespace(module_name="plugin", class_name="Other"), True),
        (SimpleNamespace(model_cls=Engine), True),
        (SimpleNamespace(module_name="vllm.model_executor.models.llama", class_name="LlamaForCausalLM"), False),
    ],
)
def test_a_plugins_implementation_of_the_model_counts(engine: Engine, registered: Any, counts: bool) -> None:
    before = engine.name
    model = engine.config.model_config
    model.architectures = ["LlamaForCausalLM"]
    model.registry = SimpleNamespace(models={"LlamaForCausalLM": registered})
    assert (engine.name != before) is counts


def test_a_name_is_equal_in_all_processes(engine: Engine) -> None:
    class Digested:
        def compute_hash(self) -> str:
            return "1"

    names = []
    for order in (("a", "b", "c"), ("c", "b", "a")):
        engine.config.cache_config.kv_cache_dtype_skip_layers = set(order)
        engine.config.additional_config = Digested()
        names.append(engine.name)
    assert names[0] == names[1]
    text = inputs._text
    assert text({"b", "a"}) == ["a", "b"] and text(1.5) == "1.5"


def test_the_backends_of_all_layers_are_told() -> None:
    def layer(backend: str) -> Any:
        return SimpleNamespace(get_attn_backend=lambda: SimpleNamespace(get_name=lambda: backend))

    layers = {"a": layer("FLASHINFER"), "b": layer("FLASH_ATTN"), "c": layer("OTHER"), "d": layer("FLASH_ATTN")}
    config = SimpleNamespace(compilation_config=SimpleNamespace(static_forward_context=layers))
    assert identity.backends(config, ["a", "b", "d"]) == ("FLASHINFER", "FLASH_ATTN")
    for names in (["a", "e"], []):
        with pytest.raises(Unsupported, match="does not tell its attention backend"):
            identity.backends(config, names)
