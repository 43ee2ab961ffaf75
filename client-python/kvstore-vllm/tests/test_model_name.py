"""The model's part of a partition's name: equal where bytes are, and different where they may be."""

from __future__ import annotations

import pathlib
import time
from types import SimpleNamespace
from typing import Any

import pytest

from kvstore_vllm import model_name, surroundings
from kvstore_vllm.identity import Unsupported

COMMIT = "0e9e39f249a16976918f6564b8830bc894c89659"


@pytest.fixture(autouse=True)
def vllm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vLLM that tells of itself, where none is installed."""
    monkeypatch.setattr(surroundings, "engine", lambda: ["0", "32", "cpu", ""])


def weights(file: pathlib.Path, content: bytes = b"1") -> pathlib.Path:
    """A file of weights, and its folder."""
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    return file.parent


LONG = {"rope_type": "longrope", "original_max_position_embeddings": 4096}


def config(model: str, revision: str | None = None, **hf: Any) -> Any:
    """As much of vLLM's configuration as a name needs."""
    return SimpleNamespace(
        model_config=SimpleNamespace(
            model=model,
            revision=revision,
            hf_config={"hidden_size": 8, **hf},
            dtype="torch.bfloat16",
            max_model_len=4096,
        ),
        load_config=SimpleNamespace(load_format="auto", download_dir=None),
        parallel_config=SimpleNamespace(tensor_parallel_size=1),
        cache_config=SimpleNamespace(),
    )


def test_copies_of_a_model_are_equal_and_other_weights_are_not(tmp_path: pathlib.Path) -> None:
    folders = [weights(tmp_path / name / "model.safetensors", name[0].encode()) for name in ("a", "a2", "b")]
    made = [model_name.of(config(str(folder)), "").split("@")[1] for folder in folders]
    assert made[0] == made[1] != made[2]


def test_a_models_name_needs_something_that_tells_its_weights() -> None:
    for revision in (None, "main"):
        with pytest.raises(Unsupported, match="set model_id"):
            model_name.of(config("nobody/nothing", revision), "")
    assert model_name.of(config("nobody/nothing", COMMIT), "").endswith(f"-{COMMIT}")
    assert model_name.of(config("nobody/nothing"), "mine").startswith("mine@")
    assert model_name.of(config("x"), "mine") != model_name.of(config("x", rope_scaling=2), "mine")
    assert model_name.of(config("x", _name_or_path="/a"), "mine") == model_name.of(config("y"), "mine")


def test_weights_that_changed_while_the_engine_loaded_them_are_not_kept(tmp_path: pathlib.Path) -> None:
    folder = weights(tmp_path / "a" / "model.safetensors")
    with pytest.raises(Unsupported, match="changed after this process began"):
        model_name.of(config(str(folder)), "", loading_since=time.time() - 3_600)
    assert model_name.of(config(str(folder)), "", loading_since=time.time() + 3_600)


def test_weights_come_from_the_folder_of_downloads(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("huggingface_hub", reason="missing: huggingface_hub")
    names = []
    for place, commit in (("a", "a" * 40), ("b", "b" * 40)):
        root = tmp_path / place / "models--org--model"
        (root / "refs").mkdir(parents=True)
        (root / "refs" / "main").write_text(commit, encoding="ascii")
        (root / "snapshots").mkdir()
        weights(root / "snapshots" / commit / "model.safetensors", place.encode())
        made = config("org/model")
        made.load_config.download_dir = str(tmp_path / place)
        names.append(model_name.of(made, ""))
    assert names[0] != names[1]


def test_random_weights_have_names_of_their_own(tmp_path: pathlib.Path) -> None:
    """Also with model_id, and without files; they depend on the shapes that a rank has."""
    folder = str(weights(tmp_path / "llama" / "model.safetensors"))
    names = []
    for model_id in ("", "mine"):
        made = config(folder)
        names.append(model_name.of(made, model_id))
        made.load_config.load_format = "dummy"
        names.append(model_name.of(made, model_id, loading_since=0))
        for option, value in (("tensor_parallel_size", 2), ("data_parallel_size", 2), ("enable_expert_parallel", True)):
            setattr(made.parallel_config, option, value)
            names.append(model_name.of(made, model_id))
    assert len(set(names)) == len(names) == 10
    nowhere = config("nobody/nothing")
    nowhere.load_config.load_format = "dummy"
    assert model_name.of(nowhere, "").startswith("nothing-dummy@")


@pytest.mark.parametrize("form", ["tensorizer", "ipc_cache", "modelexpress", "runai_streamer_sharded", "of a plugin"])
def test_weights_that_may_lie_anywhere_need_a_name(tmp_path: pathlib.Path, form: str) -> None:
    made = config(str(weights(tmp_path / "llama" / "model.safetensors")))
    usual = model_name.of(made, "mine")
    made.load_config.load_format = form
    with pytest.raises(Unsupported, match=f"load format {form} may lie anywhere; set model_id"):
        model_name.of(made, "")
    assert model_name.of(made, "mine") != usual


def test_options_of_loaders_need_a_name_and_are_in_it(tmp_path: pathlib.Path) -> None:
    made = config(str(weights(tmp_path / "llama" / "model.safetensors")))
    usual = model_name.of(made, "")
    made.load_config.model_loader_extra_config = {"enable_multithread_load": True, "num_threads": 8}
    assert model_name.of(made, "") == usual
    names = [model_name.of(made, "mine")]
    for value in ("a", "b"):
        made.load_config.model_loader_extra_config = {"qlora_adapter_name_or_path": value}
        with pytest.raises(Unsupported, match="qlora_adapter_name_or_path.*set model_id"):
            model_name.of(made, "")
        names.append(model_name.of(made, "mine"))
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    "hf", [{"text_model_id": "org/llama"}, {"audio_model_id": "org/w"}, {"architectures": ["MoonshotKimiaForCausalLM"]}]
)
def test_models_that_take_weights_from_elsewhere_need_a_name(tmp_path: pathlib.Path, hf: Any) -> None:
    made = config(str(weights(tmp_path / "llama" / "model.safetensors")), **hf)
    with pytest.raises(Unsupported, match="too; set model_id"):
        model_name.of(made, "")
    assert model_name.of(made, "mine")


def test_a_format_that_reads_other_files_has_them_in_the_name(tmp_path: pathlib.Path) -> None:
    folder = weights(tmp_path / "llama" / "model.safetensors")
    (folder / "m.bin").write_bytes(b"1")
    made = config(str(folder))
    names = [model_name.of(made, "")]
    made.load_config.load_format = "npcache"
    names.append(model_name.of(made, ""))
    (folder / "m.bin").write_bytes(b"2")
    names.append(model_name.of(made, ""))
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    ("hf", "counts"),
    [
        ({}, False),
        ({"rope_scaling": None}, False),
        ({"rope_scaling": {"type": "yarn", "factor": 4}}, False),
        ({"rope_parameters": {"rope_type": "llama3"}}, False),
        ({"text_config": {"rope_parameters": {"full_attention": {"rope_type": "default"}}}}, False),
        ({"rope_scaling": LONG}, True),
        ({"rope_scaling": {"type": "su"}}, True),
        ({"rope_parameters": LONG}, True),
        ({"text_config": {"rope_parameters": {"full_attention": {"rope_type": "default"}, "sliding": LONG}}}, True),
        ({"rope_scaling": {"rope_type": "dynamic"}}, True),
        ({"rope_scaling": {"rope_type": "of next year"}}, True),
        ({"model_type": "llama4"}, True),
        ({"text_config": {"model_type": "llama4_text"}}, True),
    ],
)
def test_the_longest_context_is_in_the_name_where_positions_may_depend_on_it(hf: Any, counts: bool) -> None:
    made = config("x", **hf)
    one = model_name.of(made, "mine")
    made.model_config.max_model_len = 8192
    assert (model_name.of(made, "mine") != one) is counts


def test_a_context_that_vllm_fitted_to_its_memory_is_another_one() -> None:
    """Its model was made for a longer one."""
    made = config("x", rope_scaling=LONG)
    one = model_name.of(made, "mine")
    made.model_config.original_max_model_len = -1
    assert model_name.of(made, "mine") != one


def test_models_of_images_have_the_settings_of_their_processors_in_the_name(tmp_path: pathlib.Path) -> None:
    def name(folder: str, **settings: Any) -> str:
        made = config(str(tmp_path / folder))
        made.model_config.multimodal_config = SimpleNamespace(
            mm_processor_kwargs=None, mm_processor_cache_gb=4, **settings
        )
        return model_name.of(made, "mine")

    for folder in "abc":
        (tmp_path / folder).mkdir()
    (tmp_path / "b" / "preprocessor_config.json").write_text('{"do_normalize": false}', encoding="utf-8")
    (tmp_path / "c" / "processor_config.json").write_text('{"do_normalize": false}', encoding="utf-8")
    names = [name("a"), name("b"), name("c"), name("a", media_io_kwargs={"video": {"num_frames": 4}})]
    names += [name("a", video_pruning_rate=0.5), model_name.of(config(str(tmp_path / "a")), "mine")]
    assert len(set(names)) == 6
    again = [name("a"), name("b"), name("c"), name("a", media_io_kwargs={"video": {"num_frames": 4}})]
    assert again == names[:4]


def test_a_file_that_a_setting_of_media_names_counts_by_its_content(tmp_path: pathlib.Path) -> None:
    scales = tmp_path / "scales.json"
    made = config(str(tmp_path))
    made.model_config.multimodal_config = SimpleNamespace(mm_encoder_fp8_scale_path=str(scales))
    names = [model_name.of(made, "mine")]
    for content in ("{}", "[]"):
        scales.write_text(content, encoding="ascii")
        names.append(model_name.of(made, "mine"))
    assert len(set(names)) == 3


def test_a_model_whose_processors_cannot_be_read_is_not_kept(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = config(str(tmp_path))
    made.model_config.multimodal_config = SimpleNamespace()
    (tmp_path / "processor_config.json").write_text("{}", encoding="utf-8")

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError("not yours")

    monkeypatch.setattr(pathlib.Path, "open", refuse)
    with pytest.raises(Unsupported, match="not yours"):
        model_name.of(made, "mine")


def test_processors_that_are_not_at_hand_need_a_name() -> None:
    made = config("nobody/nothing", "main")
    made.model_config.multimodal_config = SimpleNamespace()
    with pytest.raises(Unsupported, match="processors are not at hand; set model_id, or --revision to a commit"):
        model_name.of(made, "")
    assert model_name.of(made, "mine")
    made.model_config.revision = COMMIT
    assert model_name.of(made, "")
