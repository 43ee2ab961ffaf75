"""What a model takes by its configuration; the documented table is what the program prints."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from kvstore_vllm import models, plan
from kvstore_vllm.models import Model
from kvstore_vllm.plan import Plan

PAGE = pathlib.Path(__file__).parents[3] / "docs/engines/sizes.md"

#: Billions of parameters that a token goes through, as the models' cards have them, and the numbers of the embeddings
#: that they count: these multiply nothing.
CARDS = {
    "Llama 3.2 3B": (3.21, 128256 * 3072),
    "Llama 3.1 8B": (8.03, 2 * 128256 * 4096),
    "Llama 3.3 70B": (70.6, 2 * 128256 * 8192),
    "Llama 3.1 405B": (405.9, 2 * 128256 * 16384),
    "Llama 4 Scout": (17.2, 2 * 202048 * 5120),
    "Llama 4 Maverick": (17.2, 2 * 202048 * 5120),
    "Qwen3 8B": (8.19, 2 * 151936 * 4096),
    "Qwen3 32B": (32.8, 2 * 151936 * 5120),
    "Qwen3 30B-A3B": (3.35, 2 * 151936 * 2048),
    "Qwen3 235B-A22B": (22.2, 2 * 151936 * 4096),
    "DeepSeek V3": (37.5, 2 * 129280 * 7168),
    "Kimi K2": (32.9, 2 * 163840 * 7168),
    "gpt-oss-20b": (3.61, 201088 * 2880),
    "gpt-oss-120b": (5.13, 201088 * 2880),
    "Gemma 3 12B": (11.8, 262208 * 3840),
    "Gemma 3 27B": (27.0, 262208 * 5376),
    "Mistral 7B": (7.25, 2 * 32768 * 4096),
    "Mistral Small 3.1": (23.6, 2 * 131072 * 5120),
    "Mistral Large 2": (122.6, 2 * 32768 * 12288),
    "Phi-4": (14.7, 2 * 100352 * 5120),
}


def test_the_documented_table_is_what_the_program_prints(capsys: pytest.CaptureFixture[str]) -> None:
    if not PAGE.exists():
        pytest.skip("missing: the documents, which are in a checkout")
    assert plan.main([]) == 0
    assert capsys.readouterr().out in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", models.KNOWN)
def test_a_model_has_as_many_parameters_as_its_card_says(name: str) -> None:
    billions, embeddings = CARDS[name]
    assert models.read(name).parameters + embeddings == pytest.approx(billions * 1e9, rel=0.01)


@pytest.mark.parametrize(
    ("name", "layers", "windows", "heads", "numbers"),
    [
        ("llama-3.1-8b", 32, 0, 8, 128),
        ("Gemma 3 27B", 62, 52, 16, 128),
        ("gpt-oss-20b", 24, 12, 8, 64),
        ("Llama 4 Scout", 48, 36, 8, 128),
        ("deepseek v3", 61, 0, 0, 576),
    ],
)
def test_the_shape_of_a_cache(name: str, layers: int, windows: int, heads: int, numbers: int) -> None:
    found = models.read(name)
    assert (found.layers, found.windows, found.heads, found.numbers) == (layers, windows, heads, numbers)


def told(**changes: Any) -> dict[str, Any]:
    return {**models.KNOWN["Llama 3.1 8B"][1], **changes}


@pytest.mark.parametrize(
    ("changes", "layers", "windows"),
    [
        ({"sliding_window": 4096}, 32, 32),
        ({"sliding_window": 4096, "use_sliding_window": False}, 32, 0),
        ({"sliding_window": None}, 32, 0),
        ({"layer_types": ["linear_attention"] * 24 + ["full_attention"] * 8}, 8, 0),
        ({"layer_types": ["full_attention", "sliding_attention"] * 16}, 32, 16),
    ],
)
def test_layers_with_windows_and_layers_with_states(changes: dict[str, Any], layers: int, windows: int) -> None:
    found = Model.of(told(**changes))
    assert (found.layers, found.windows) == (layers, windows)


def test_ranks_share_heads_and_each_of_them_has_a_block_of_its_own() -> None:
    model = models.read("Llama 3.1 8B")
    for ranks, part in ((1, 1), (2, 2), (8, 8), (16, 8)):
        one = Plan(model, ranks)
        assert one.token_bytes == 131_072
        assert one.sizing.block_bytes == 128 * 131_072 // part
        assert one.sizing.partitions == part


def test_numbers_of_one_byte_halve_a_block() -> None:
    model = models.read("Qwen3 32B")
    assert 2 * Plan(model, 2, 1).sizing.block_bytes == Plan(model, 2, 2).sizing.block_bytes


def test_a_hit_pays_where_the_network_is_faster_than_the_engine() -> None:
    model = models.read("Llama 3.1 8B")
    assert Plan(model, prefill_rate=10_000).least_rate == 10_000 * 131_072
    assert Plan(model, 2).least_rate == 2 * Plan(model).least_rate


def test_a_configuration_is_read_from_its_file_or_folder(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(told(num_key_value_heads=4)), encoding="utf-8")
    said = []
    for place in (file, tmp_path):
        assert plan.main([str(place), "--ranks", "2", "--memory", "4GiB"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "block of a rank              4.2 MB" in said[0]
    assert "in 4GiB: blocks of a rank    512" in said[0]


@pytest.mark.parametrize(
    ("words", "content", "said"),
    [
        (["nothing"], None, "nothing is no file, no folder and no known model; known are Llama"),
        (["FILE"], "{", "config.json: "),
        (["FILE"], "[]", "config.json: num_hidden_layers must be a whole number above 0, not None"),
        (["FILE"], json.dumps(told(num_hidden_layers=-1)), "num_hidden_layers must be a whole number above 0, not -1"),
        (["Phi-4", "--ranks", "0"], None, "--ranks must be 1 to 1024"),
        (["Phi-4", "--memory", "much"], None, "--memory: must be a number of bytes"),
    ],
)
def test_what_cannot_be_planned_is_told(
    words: list[str], content: str | None, said: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert plan.main([str(file) if word == "FILE" else word for word in words]) == 2
    assert said in capsys.readouterr().err
