"""One engine in a process of its own: reads what to do as JSON from its standard input, writes the results as JSON.

A line in is ``{"prompts": [...], ...}``; the answer is a line that begins with ``RESULT``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import patches
from model import IMAGE, IMAGE_TOKEN

# Also in processes that vLLM starts, which import this module before all else.
for _one in filter(None, os.environ.get("ENGINE_PATCHES", "").split("\n")):
    _name, _, _arguments = _one.partition(":")
    getattr(patches, _name)(*filter(None, _arguments.split(";")))


def prompt(seed: int, length: int) -> list[int]:
    """The tokens of a prompt; equal seeds begin with the same tokens."""
    return [(7919 * seed + 7 * i + i // 13 + (i * i) % 31) % 4000 + 3 for i in range(length)]


def given(one: dict[str, Any]) -> dict[str, Any]:
    """A prompt in the form that vLLM takes. ``embeddings``: the width of vectors that replace its tokens.

    ``tokens`` are the prompt itself. ``images`` is a list of a place in the prompt and a seed: there an image of random
    pixels takes a token's place.
    """
    if "tokens" in one:
        return {"prompt_token_ids": one["tokens"]}
    if "images" in one:
        import numpy
        from PIL import Image

        tokens, images = prompt(one["seed"], one["length"]), []
        for place, seed in one["images"]:
            tokens[place] = IMAGE_TOKEN
            pixels = numpy.random.default_rng(seed).integers(0, 255, (IMAGE, IMAGE, 3), dtype=numpy.uint8)
            images.append(Image.fromarray(pixels))
        return {"prompt_token_ids": tokens, "multi_modal_data": {"image": images}}
    if "embeddings" in one:
        import torch

        generator = torch.Generator().manual_seed(one["seed"])
        return {"prompt_embeds": torch.randn(one["length"], one["embeddings"], generator=generator)}
    salt = {"cache_salt": one["salt"]} if "salt" in one else {}
    return {"prompt_token_ids": prompt(one["seed"], one["length"]), **salt}


def adapter(one: dict[str, Any]) -> Any:
    """The adapter of a prompt: its name, its number in this engine, its folder."""
    from vllm.lora.request import LoRARequest

    return LoRARequest(*one["adapter"]) if "adapter" in one else None


def counters(llm: Any) -> dict[str, float]:
    """Counters and gauges of vLLM and of the connector: with labels summed, and those of the connector by value."""
    told: dict[str, float] = {}
    for metric in llm.get_metrics():
        if hasattr(metric, "value") and metric.name.startswith("vllm:"):
            name = metric.name.removeprefix("vllm:")
            told[name] = metric.value + told.get(name, 0)
            for label in ("bytes", "code", "reason", "state"):
                if name.startswith("kvstore_") and label in metric.labels:
                    told[f"{name}.{metric.labels[label]}"] = metric.value
    return told


def main() -> None:
    """Runs batches until the input ends."""
    options = json.loads(sys.stdin.readline())
    from vllm import LLM, SamplingParams

    usual = {"skip_tokenizer_init": True, "disable_log_stats": False, "generation_config": "vllm", "seed": 0}
    llm = LLM(**{**usual, **options})
    say({"ready": True})
    for line in iter(sys.stdin.readline, ""):
        order = json.loads(line)
        if "train" in order:
            if order["train"]:
                llm.apply_model(train)
            llm.reset_prefix_cache()
            say({"reset": True})
            continue
        params = [
            SamplingParams(
                temperature=0,
                detokenize=False,
                ignore_eos=True,
                **{"max_tokens": 8, **order.get("params", {}), **one.get("params", {})},
            )
            for one in order["prompts"]
        ]
        inputs = [given(one) for one in order["prompts"]]
        adapters = [adapter(one) for one in order["prompts"]]
        begun, computed = time.monotonic(), time.thread_time()
        outputs = llm.generate(inputs, params, use_tqdm=False, lora_request=adapters)
        say(
            {
                "seconds": time.monotonic() - begun,
                "processor": time.thread_time() - computed,
                "first": [output.metrics.first_token_latency for output in outputs],
                "tokens": [list(output.outputs[0].token_ids) for output in outputs],
                "cached": [output.num_cached_tokens for output in outputs],
                "logprobs": [
                    [one.logprob for told in output.outputs[0].logprobs or () for one in told.values()]
                    for output in outputs
                ],
                "counters": counters(llm),
            }
        )


def train(model: Any) -> None:
    """Replaces the weights where they are, as a trainer does."""
    for parameter in model.parameters():
        parameter.data.mul_(-1.25)


def say(what: Any) -> None:
    """Writes an answer."""
    sys.stdout.write(f"RESULT {json.dumps(what)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
