"""The table of docs/engines/vllm.md: host memory by default for common models, by the connector's own functions."""

from __future__ import annotations

from kvstore_vllm.identity import block_tokens
from kvstore_vllm.sizing import Sizing

#: A machine with so much memory does not bound the default.
MACHINE = 2 << 40

#: Tokens of a step, and requests: vLLM's defaults for a server on large GPUs.
STEP_TOKENS, SEQUENCES = 8192, 1024

#: Name, tensor-parallel ranks, layers, key-value heads (0: MLA), numbers of a head or of MLA's vector; 2 bytes each.
MODELS = [
    ("Llama 3.1 8B", 1, 32, 8, 128),
    ("Qwen3 30B-A3B", 1, 48, 4, 128),
    ("Qwen3 32B", 2, 64, 8, 128),
    ("Llama 3.3 70B", 4, 80, 8, 128),
    ("Llama 3.3 70B", 8, 80, 8, 128),
    ("Mistral Large 2", 8, 88, 8, 128),
    ("Llama 3.1 405B", 8, 126, 8, 128),
    ("DeepSeek V3, MLA", 8, 61, 0, 576),
]


def sizing(ranks: int, layers: int, heads: int, numbers: int) -> Sizing:
    """What an engine with such a model keeps."""
    values = 2 * -(-heads // ranks) * numbers if heads else numbers
    tokens = block_tokens(64, 64 * 2 * layers * values)
    partitions = min(ranks, heads) if heads else 1
    return Sizing(tokens * 2 * layers * values, tokens, partitions, STEP_TOKENS, SEQUENCES)


def table() -> list[str]:
    """Its rows."""
    rows = []
    for name, ranks, *shape in MODELS:
        one = sizing(ranks, *shape)
        memory = one.memory(MACHINE)
        rows.append(
            f"| {name} | {ranks} | {one.block_bytes / 1e6:.1f} MB | {memory / 2**30:.0f} GiB | "
            f"{one.held_tokens(memory):,} | {one.step_blocks} | {one.granted(memory)} | "
            f"{one.held_tokens(8 << 30):,} | {one.granted(8 << 30)} |"
        )
    return rows


if __name__ == "__main__":
    print("\n".join(table()))
