"""Weights in memory and their digests."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="missing: torch; engines/install.sh makes an environment with it")

from kvstore_vllm import fingerprint  # noqa: E402


class Weights(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    def __init__(self, **tensors: Any) -> None:
        super().__init__()
        for name, tensor in tensors.items():
            self.register_parameter(name, torch.nn.Parameter(tensor, requires_grad=False))
        self.register_buffer("scale", torch.ones(3))
        self.register_buffer("scratch", torch.zeros(3), persistent=False)


def big() -> Any:
    return torch.arange(3_000_001, dtype=torch.int32).to(torch.int16)


def test_equal_weights_have_equal_digests_with_any_number_of_threads() -> None:
    threads = torch.get_num_threads()
    first = fingerprint.of(Weights(a=big()))
    torch.set_num_threads(1)
    try:
        assert fingerprint.of(Weights(a=big())) == first
    finally:
        torch.set_num_threads(threads)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.int8, torch.uint8])
@pytest.mark.parametrize("length", [1, 2, 3, 5, 4 << 18, (4 << 20) + 1, (8 << 20) + 7])
def test_each_element_counts(dtype: Any, length: int) -> None:
    tensor = torch.zeros(length, dtype=dtype)
    seen = {fingerprint.of(Weights(a=tensor))}
    places = {0, 1 % length, length // 2, length - 1}
    for place in places:
        tensor[place] = 1
        seen.add(fingerprint.of(Weights(a=tensor)))
        tensor[place] = 0
    assert len(seen) == 1 + len(places)


def test_elements_that_change_places_count() -> None:
    tensor = torch.tensor([1.0, 2.0, 3.0, 4.0])
    assert fingerprint.of(Weights(a=tensor)) != fingerprint.of(Weights(a=tensor.flip(0)))
    assert fingerprint.of(Weights(a=tensor)) != fingerprint.of(Weights(a=tensor.reshape(2, 2)))
    assert fingerprint.of(Weights(a=tensor)) != fingerprint.of(Weights(b=tensor))


def test_how_elements_lie_in_memory_does_not_count() -> None:
    tensor = torch.arange(12.0).reshape(3, 4)
    other = tensor.t().contiguous().t()
    assert not other.is_contiguous()
    assert fingerprint.of(Weights(a=other)) == fingerprint.of(Weights(a=tensor))


def test_kept_buffers_count_and_others_do_not() -> None:
    weights = Weights(a=torch.ones(3))
    first = fingerprint.of(weights)
    weights.scratch.fill_(7)
    assert fingerprint.of(weights) == first
    weights.scale.fill_(7)
    assert fingerprint.of(weights) != first


def test_weights_without_elements_have_a_digest() -> None:
    assert len(fingerprint.of(Weights(a=torch.zeros(0)))) == 32
