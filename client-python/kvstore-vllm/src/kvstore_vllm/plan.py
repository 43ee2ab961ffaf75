"""``python -m kvstore_vllm.plan [MODEL]``: what a model's blocks take, and the network that makes fetching them pay."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from kvstore_client.configuration import size

from kvstore_vllm import models
from kvstore_vllm.identity import Unsupported, block_tokens
from kvstore_vllm.models import Model
from kvstore_vllm.sizing import Sizing

#: Tokens of vLLM's own block; those of a step, and requests: vLLM's defaults for a server on large GPUs.
_ENGINE_BLOCK, _STEP_TOKENS, _SEQUENCES = 64, 8192, 1024

#: A machine with so much memory does not bound the default of ``host_memory``.
_MACHINE = 2 << 40

#: Half of the 989.4 TFLOP/s that NVIDIA's data sheet gives for one H100 SXM in dense BF16.
_FLOPS = 0.5 * 989.4e12

#: Of a forward pass, for each parameter and token (Kaplan et al., Scaling Laws for Neural Language Models, 2020, 2.1).
_FLOP_PER_PARAMETER = 2

_COLUMNS = (
    "model",
    "ranks",
    "layers, with a window",
    "bytes of a token",
    "block of a rank",
    "`host_memory`",
    "in 8 GiB: blocks of a rank",
    "tokens",
    "slots",
    "a hit pays above",
)


@dataclass(frozen=True)
class Plan:
    """A model on tensor-parallel ranks, whose cache keeps each number in ``number_bytes``.

    ``prefill_rate``: tokens a second that all ranks compute; by default what half of an H100's arithmetic for each
    rank could do, without the attention over the prompt, which makes long prompts slower.
    """

    model: Model
    ranks: int = 1
    number_bytes: int = 2
    prefill_rate: float | None = None

    @property
    def sizing(self) -> Sizing:
        """What an engine keeps. Raises :class:`Unsupported` if a block is too long."""
        heads = self.model.heads
        rank = self._layer_numbers(-(-heads // self.ranks)) * self.model.layers * self.number_bytes
        tokens = block_tokens(_ENGINE_BLOCK, _ENGINE_BLOCK * rank)
        partitions = min(self.ranks, heads) if heads else 1
        return Sizing(tokens * rank, tokens, partitions, _STEP_TOKENS, _SEQUENCES)

    @property
    def token_bytes(self) -> int:
        """Of all ranks, each head once."""
        return self._layer_numbers(self.model.heads) * self.model.layers * self.number_bytes

    @property
    def least_rate(self) -> float:
        """Bytes a second of network above which a hit takes less time than to compute its tokens."""
        rate = self.prefill_rate or self.ranks * _FLOPS / (_FLOP_PER_PARAMETER * self.model.parameters)
        return rate * self.token_bytes

    def cells(self, memory: int) -> list[str]:
        """A row of the table, behind the model's name; its last columns are for so much ``host_memory``."""
        one = self.sizing
        held = one.held_tokens(memory)
        window = f", {self.model.windows}" if self.model.windows else ""
        return [
            str(self.ranks),
            f"{self.model.layers}{window}",
            f"{self.token_bytes:,}",
            f"{one.block_bytes / 1e6:.1f} MB",
            f"{one.memory(_MACHINE) / 2**30:.0f} GiB",
            f"{held // one.block_tokens:,}",
            f"{held:,}",
            str(one.granted(memory)),
            f"{8 * self.least_rate / 1e9:.0f} Gbit/s",
        ]

    def _layer_numbers(self, heads: int) -> int:
        return 2 * heads * self.model.numbers if heads else self.model.numbers


def table() -> list[str]:
    """The models that are known, in Markdown: the table of docs/engines/sizes.md."""
    rows: list[tuple[str, ...]] = [("", *_COLUMNS, "")]
    for name, (ranks, config) in models.KNOWN.items():
        rows.append(("", name, *Plan(Model.of(config), ranks).cells(8 << 30), ""))
    lines = [" | ".join(row).strip() for row in rows]
    return [lines[0], "|" + "---|" * len(_COLUMNS), *lines[1:]]


def main(words: list[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser("python -m kvstore_vllm.plan", description=__doc__.split(": ", 1)[1])
    parser.add_argument(
        "model", nargs="?", help="a known model, a config.json, or a folder that has one; default: a table"
    )
    parser.add_argument("--ranks", type=int, default=1, help="tensor-parallel ranks (default 1)")
    parser.add_argument("--number-bytes", type=int, default=2, help="of a number in the cache: 1 for FP8 (default 2)")
    parser.add_argument("--memory", default="8GiB", help="host_memory to plan with (default 8GiB)")
    parser.add_argument(
        "--prefill-rate",
        type=float,
        help="tokens a second that your engine computes (default: by an H100's arithmetic)",
    )
    options = parser.parse_args(words)
    if options.model is None:
        sys.stdout.write("".join(f"{line}\n" for line in table()))
        return 0
    try:
        if not 1 <= options.ranks <= 1024 or options.number_bytes not in (1, 2, 4):
            raise ValueError("--ranks must be 1 to 1024, and --number-bytes 1, 2 or 4")
        memory = size("--memory", options.memory)
        plan = Plan(models.read(options.model), options.ranks, options.number_bytes, options.prefill_rate)
        cells = plan.cells(memory)
    except (OSError, ValueError, Unsupported) as e:
        sys.stderr.write(f"{e}\n")
        return 2
    names = [name.replace("`", "").replace("8 GiB", options.memory) for name in _COLUMNS[1:]]
    for name, cell in zip(names, cells, strict=True):
        sys.stdout.write(f"{name:28} {cell}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
