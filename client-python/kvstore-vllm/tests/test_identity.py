"""Names of partitions: equal where bytes are, and different where they may be."""

from __future__ import annotations

import json
import pathlib
import struct
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kvstore.weights import of_folder

from kvstore_vllm import identity
from kvstore_vllm.identity import Heads, Unsupported


def weights(file: pathlib.Path, **tensors: bytes) -> None:
    """A file of safetensors."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, data in tensors.items():
        header[name] = {"dtype": "U8", "shape": [len(data)], "data_offsets": [at, at + len(data)]}
        at += len(data)
    head = json.dumps(header).encode()
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(struct.pack("<Q", len(head)) + head + b"".join(tensors.values()))


def config(model: str, revision: str | None = None, **hf: Any) -> Any:
    return SimpleNamespace(model=model, revision=revision, hf_config={"hidden_size": 8, **hf})


def test_copies_of_weights_are_equal_and_other_weights_are_not(tmp_path: pathlib.Path) -> None:
    big = bytes(100_000)
    weights(tmp_path / "a" / "model.safetensors", x=big, y=b"1")
    weights(tmp_path / "b" / "m-1.safetensors", x=big)
    weights(tmp_path / "b" / "m-2.safetensors", y=b"1")
    weights(tmp_path / "c" / "model.safetensors", x=big[:50_000] + b"\1" + big[50_001:], y=b"1")
    weights(tmp_path / "d" / "model.safetensors", x=big, z=b"1")
    found = [of_folder(tmp_path / name) for name in "abcd"]
    assert found[0] == found[1]
    assert len(set(found)) == 3
    names = [identity.model(config(str(tmp_path / name)), "") for name in "ab"]
    assert names[0].split("@")[1] == names[1].split("@")[1]


def test_other_formats_and_damaged_files(tmp_path: pathlib.Path) -> None:
    (tmp_path / "m.bin").write_bytes(bytes(1000))
    one = of_folder(tmp_path)
    (tmp_path / "m.bin").write_bytes(bytes(1001))
    assert of_folder(tmp_path) != one
    (tmp_path / "m.safetensors").write_bytes(b"\xff" * 100)
    with pytest.raises(OSError, match="no file of safetensors"):
        of_folder(tmp_path)
    with pytest.raises(Unsupported, match="set model_id"):
        identity.model(config(str(tmp_path)), "")


def test_a_models_name_needs_something_that_tells_its_weights() -> None:
    with pytest.raises(Unsupported, match="set model_id"):
        identity.model(config("nobody/nothing"), "")
    assert identity.model(config("nobody/nothing", "0e9e39f"), "").endswith("-0e9e39f")
    assert identity.model(config("nobody/nothing"), "mine").startswith("mine@")
    assert identity.model(config("x"), "mine") != identity.model(config("x", rope_scaling=2), "mine")
    assert identity.model(config("x", _name_or_path="/a"), "mine") == identity.model(config("y"), "mine")


def test_models_of_images_have_the_settings_of_their_processors_in_the_name(tmp_path: pathlib.Path) -> None:
    def name(folder: str, **settings: Any) -> str:
        made = config(str(tmp_path / folder))
        made.multimodal_config = SimpleNamespace(mm_processor_kwargs=None, mm_processor_cache_gb=4, **settings)
        return identity.model(made, "mine")

    for folder in "abc":
        (tmp_path / folder).mkdir()
    (tmp_path / "b" / "preprocessor_config.json").write_text('{"do_normalize": false}', encoding="utf-8")
    (tmp_path / "c" / "processor_config.json").write_text('{"do_normalize": false}', encoding="utf-8")
    names = [name("a"), name("b"), name("c"), name("a", media_io_kwargs={"video": {"num_frames": 4}})]
    names += [name("a", video_pruning_rate=0.5), identity.model(config(str(tmp_path / "a")), "mine")]
    assert len(set(names)) == 6
    again = [name("a"), name("b"), name("c"), name("a", media_io_kwargs={"video": {"num_frames": 4}})]
    assert again == names[:4]


def test_a_model_whose_processors_cannot_be_read_is_not_kept(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = config(str(tmp_path))
    made.multimodal_config = SimpleNamespace()
    (tmp_path / "processor_config.json").write_text("{}", encoding="utf-8")

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError("not yours")

    monkeypatch.setattr(pathlib.Path, "open", refuse)
    with pytest.raises(Unsupported, match="not yours"):
        identity.model(made, "mine")


@given(st.integers(1, 16), st.sampled_from([1, 2, 4, 8, 16, 32]))
def test_ranks_cover_all_heads_and_each_is_written_once(ranks: int, total: int) -> None:
    if total % ranks and ranks % total:
        return
    every = [Heads.of(rank, ranks, total) for rank in range(ranks)]
    written = [head for heads in every if heads.writes for head in range(heads.first, heads.last + 1)]
    assert written == list(range(total))
    assert {(heads.first, heads.last) for heads in every} == {
        (heads.first, heads.last) for heads in every if heads.writes
    }


@pytest.mark.parametrize(
    ("engine_block", "length", "tokens"),
    [
        (16, 1 << 20, 128),
        (128, 1 << 20, 128),
        (256, 1 << 20, 256),
        (400, 1 << 20, 400),
        (16, 9 << 20, 64),
        (16, 64 << 20, 16),
    ],
)
def test_a_block_has_128_tokens_unless_the_engines_blocks_do_not_fit(
    engine_block: int, length: int, tokens: int
) -> None:
    assert identity.block_tokens(engine_block, length) == tokens


def test_a_block_over_64_mib_is_refused() -> None:
    with pytest.raises(Unsupported, match="more than 64 MiB"):
        identity.block_tokens(16, (64 << 20) + 1)


@given(st.text(max_size=600), st.text(max_size=100))
def test_names_are_partitions_and_long_ones_differ(model: str, other: str) -> None:
    from kvstore import Partition

    heads = Heads(0, 7, 8, True)
    made = [identity.partition(one, "bfloat16", "x", 128, (0, 31), heads) for one in (model + "a", model + "b" + other)]
    assert made[0] != made[1]
    for name in made:
        Partition(name)


def test_the_types_of_model_weights_and_cache_are_told_apart() -> None:
    def of(dtype: str, kept: str, quantization: str | None) -> str:
        return identity.precision(
            SimpleNamespace(
                model_config=SimpleNamespace(dtype=dtype, quantization=quantization),
                cache_config=SimpleNamespace(cache_dtype=kept),
            )
        )

    made = [of(*one) for one in (("torch.bfloat16", "auto", None), ("torch.float16", "auto", None))]
    made += [of("torch.bfloat16", "fp8_e4m3", None), of("torch.bfloat16", "auto", "fp8")]
    assert made[0] == "bfloat16"
    assert len(set(made)) == 4
