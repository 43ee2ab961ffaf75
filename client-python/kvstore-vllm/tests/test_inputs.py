"""The model's part of a partition's name: equal where bytes are, and different where they may be."""

from __future__ import annotations

import pathlib
import time
from types import SimpleNamespace
from typing import Any

import pytest

from kvstore_vllm import inputs
from kvstore_vllm.identity import Unsupported

COMMIT = "0e9e39f249a16976918f6564b8830bc894c89659"


def weights(file: pathlib.Path, content: bytes = b"1") -> pathlib.Path:
    """A file of weights, and its folder."""
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    return file.parent


def config(model: str, revision: str | None = None, **hf: Any) -> Any:
    """As much of vLLM's configuration as a name needs."""
    return SimpleNamespace(
        model_config=SimpleNamespace(model=model, revision=revision, hf_config={"hidden_size": 8, **hf}),
        load_config=SimpleNamespace(load_format="auto", download_dir=None),
    )


def test_copies_of_a_model_are_equal_and_other_weights_are_not(tmp_path: pathlib.Path) -> None:
    folders = [weights(tmp_path / name / "model.safetensors", name[0].encode()) for name in ("a", "a2", "b")]
    made = [inputs.model(config(str(folder)), "").split("@")[1] for folder in folders]
    assert made[0] == made[1] != made[2]


def test_a_models_name_needs_something_that_tells_its_weights() -> None:
    for revision in (None, "main"):
        with pytest.raises(Unsupported, match="set model_id"):
            inputs.model(config("nobody/nothing", revision), "")
    assert inputs.model(config("nobody/nothing", COMMIT), "").endswith(f"-{COMMIT}")
    assert inputs.model(config("nobody/nothing"), "mine").startswith("mine@")
    assert inputs.model(config("x"), "mine") != inputs.model(config("x", rope_scaling=2), "mine")
    assert inputs.model(config("x", _name_or_path="/a"), "mine") == inputs.model(config("y"), "mine")


def test_weights_that_changed_while_the_engine_loaded_them_are_not_kept(tmp_path: pathlib.Path) -> None:
    folder = weights(tmp_path / "a" / "model.safetensors")
    with pytest.raises(Unsupported, match="changed after this process began"):
        inputs.model(config(str(folder)), "", loading_since=time.time() - 3_600)
    assert inputs.model(config(str(folder)), "", loading_since=time.time() + 3_600)


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
        names.append(inputs.model(made, ""))
    assert names[0] != names[1]


def test_models_of_images_have_the_settings_of_their_processors_in_the_name(tmp_path: pathlib.Path) -> None:
    def name(folder: str, **settings: Any) -> str:
        made = config(str(tmp_path / folder))
        made.model_config.multimodal_config = SimpleNamespace(
            mm_processor_kwargs=None, mm_processor_cache_gb=4, **settings
        )
        return inputs.model(made, "mine")

    for folder in "abc":
        (tmp_path / folder).mkdir()
    (tmp_path / "b" / "preprocessor_config.json").write_text('{"do_normalize": false}', encoding="utf-8")
    (tmp_path / "c" / "processor_config.json").write_text('{"do_normalize": false}', encoding="utf-8")
    names = [name("a"), name("b"), name("c"), name("a", media_io_kwargs={"video": {"num_frames": 4}})]
    names += [name("a", video_pruning_rate=0.5), inputs.model(config(str(tmp_path / "a")), "mine")]
    assert len(set(names)) == 6
    again = [name("a"), name("b"), name("c"), name("a", media_io_kwargs={"video": {"num_frames": 4}})]
    assert again == names[:4]


def test_a_file_that_a_setting_of_media_names_counts_by_its_content(tmp_path: pathlib.Path) -> None:
    scales = tmp_path / "scales.json"
    made = config(str(tmp_path))
    made.model_config.multimodal_config = SimpleNamespace(mm_encoder_fp8_scale_path=str(scales))
    names = [inputs.model(made, "mine")]
    for content in ("{}", "[]"):
        scales.write_text(content, encoding="ascii")
        names.append(inputs.model(made, "mine"))
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
        inputs.model(made, "mine")


def test_processors_that_are_not_at_hand_need_a_name() -> None:
    made = config("nobody/nothing", "main")
    made.model_config.multimodal_config = SimpleNamespace()
    with pytest.raises(Unsupported, match="processors are not at hand; set model_id, or --revision to a commit"):
        inputs.model(made, "")
    assert inputs.model(made, "mine")
    made.model_config.revision = COMMIT
    assert inputs.model(made, "")
