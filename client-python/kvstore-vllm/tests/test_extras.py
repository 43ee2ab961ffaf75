"""What tokens do not say goes into the names of blocks, with vLLM's own classes."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest
from kvstore_client import salts, tagged_extra

from kvstore_vllm import media
from kvstore_vllm.extras import Extras, Unnamed

pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")

import torch
from vllm.lora.request import LoRARequest
from vllm.multimodal.inputs import MultiModalFeatureSpec, PlaceholderRange
from vllm.sampling_params import SamplingParams
from vllm.v1.request import Request


def request(tokens: int = 512, **options: Any) -> Any:
    params = SamplingParams(max_tokens=8)
    return Request("r", list(range(tokens)), params, None, **options)


def image(content: str, offset: int, length: int, modality: str = "image") -> MultiModalFeatureSpec:
    """An item whose identifier is a digest, as vLLM's hasher makes them."""
    return named(hashlib.sha256(content.encode()).hexdigest(), offset, length, modality)


def named(identifier: str, offset: int = 0, length: int = 10, modality: str = "image") -> MultiModalFeatureSpec:
    return MultiModalFeatureSpec(None, modality, identifier, PlaceholderRange(offset, length))


def of(made: Any, end: int = 4) -> list[bytes]:
    return Extras(128).of(made, 0, end)


def test_a_plain_prompt_has_none() -> None:
    assert of(request()) == [b""] * 4


def test_a_salt_is_part_of_the_first_block() -> None:
    assert of(request(cache_salt="a")) == [tagged_extra(salt=salts.digest("a")), b"", b"", b""]


def test_images_are_part_of_the_blocks_that_they_touch() -> None:
    made = of(request(mm_features=[image("x", 100, 60)]))
    assert made[0] and made[1] and made[2:] == [b"", b""]
    assert of(request(mm_features=[image("y", 100, 60)]))[0] != made[0]
    assert of(request(mm_features=[image("x", 101, 60)]))[0] != made[0]
    assert of(request(mm_features=[image("x", 100, 60, "video")]))[0] != made[0]
    assert of(request(mm_features=[image("x", 100, 60, "smell")]))[0] != made[0]
    # The second block begins 28 tokens into the image; another image's beginning in its place is something else.
    assert of(request(mm_features=[image("x", 128, 32)]))[1] != made[1]
    # In another number of tokens, it is another image to the model, from its first token on.
    assert of(request(mm_features=[image("x", 100, 200)]))[0] != made[0]


@pytest.mark.parametrize(
    "identifier",
    [
        "renderer0-mm-1-image-0",
        "cat.png",
        "b3b0c442-98fc-4c14-9afb-f4c8996fb924",
        "",
        "0" * 63,
        "G" * 64,
        "0" * 64 + "\n",
    ],
)
def test_an_identifier_that_is_no_digest_of_content_names_nothing(identifier: str) -> None:
    with pytest.raises(Unnamed, match="are no digests of their content"):
        of(request(mm_features=[image("x", 0, 10), named(identifier, 400)]), 1)


@pytest.mark.parametrize("length", [64, 128])
def test_the_digests_of_all_of_vllms_hashers_are_taken(length: int) -> None:
    assert of(request(mm_features=[named("a" * length)]))[0] != of(request(mm_features=[named("b" * length)]))[0]


def test_an_adapter_in_front_of_a_digest_is_told_by_its_weights_alone() -> None:
    made = [of(request(mm_features=[named(f"{name}{'a' * 64}")])) for name in ("", "one:", "two:three:")]
    assert made[0] == made[1] == made[2]
    with pytest.raises(Unnamed):
        of(request(mm_features=[named("one:cat.png")]))


def test_an_engine_that_hashes_no_content_names_no_media() -> None:
    """Its identifiers may look like digests: of a counter and a request's settings of processors."""
    extras = Extras(128, digests=False)
    with pytest.raises(Unnamed, match="--mm-processor-cache-gb"):
        extras.of(request(mm_features=[image("x", 0, 10)]), 0, 4)
    assert extras.of(request(), 0, 4) == [b""] * 4


@pytest.mark.parametrize(("caching", "gigabytes", "hashes"), [(True, 0, True), (False, 4, True), (False, 0, False)])
def test_vllm_hashes_media_for_its_caches_only(caching: bool, gigabytes: float, hashes: bool) -> None:
    config = SimpleNamespace(
        cache_config=SimpleNamespace(enable_prefix_caching=caching),
        model_config=SimpleNamespace(multimodal_config=SimpleNamespace(mm_processor_cache_gb=gigabytes)),
    )
    assert media.hashes(config) is hashes


def test_two_images_in_one_block() -> None:
    pair = [image("x", 10, 20), image("y", 40, 20)]
    made = of(request(mm_features=pair))
    assert made == of(request(mm_features=pair[::-1]))
    assert made != of(request(mm_features=[image("y", 10, 20), image("x", 40, 20)]))


def test_embeddings_are_told_apart_by_their_values() -> None:
    one = torch.zeros(300, 8)
    other = one.clone()
    other[200, 3] = 1
    params = SamplingParams(max_tokens=8)
    made = [
        of(Request("r", None, params, None, prompt_embeds=rows), 2) for rows in (one, other, one.to(torch.bfloat16))
    ]
    assert made[0][0] == made[1][0]
    assert made[0][1] != made[1][1]
    assert made[0][0] != made[2][0]


def test_adapters_and_outputs_of_adapters_are_told_apart_by_digests() -> None:
    lora = LoRARequest("one", 1, "/nowhere")
    both = request(lora_request=lora, cache_salt="a", mm_features=[image("x", 0, 512)])
    extras = Extras(128)
    assert extras.of(both, 4, 6, b"1" * 32) == [tagged_extra(adapter=b"1" * 32)] * 2
    assert extras.of(both, 0, 1, b"1" * 32) != extras.of(both, 0, 1, b"2" * 32)
    with pytest.raises(AssertionError):
        extras.of(both, 4, 6)
