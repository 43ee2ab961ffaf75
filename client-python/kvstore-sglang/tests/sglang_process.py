"""A whole SGLang in a process of its own: reads orders as JSON from its standard input, writes results as JSON.

The first line has the options of ``sglang.Engine``. Each further line is a list of prompts; the answer is a line that
begins with ``RESULT``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from engine_process import prompt


def given(one: dict[str, Any]) -> list[int]:
    """The tokens of a prompt."""
    return list(one["tokens"]) if "tokens" in one else prompt(one["seed"], one["length"])


def main() -> None:
    """Runs batches until the input ends."""
    options = json.loads(sys.stdin.readline())
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # SGLang's processes write their logs to the standard output

    def say(what: Any) -> None:
        results.write(f"RESULT {json.dumps(what)}\n")
        results.flush()

    import sglang

    engine = sglang.Engine(**options)
    say({"ready": True})
    for line in iter(sys.stdin.readline, ""):
        order = json.loads(line)
        if order == "flush":
            say({"flushed": engine.flush_cache().success})
            continue
        salts = [one.get("salt") for one in order]
        begun = time.monotonic()
        outputs = engine.generate(
            input_ids=[given(one) for one in order],
            sampling_params={"temperature": 0, "max_new_tokens": 8, "ignore_eos": True},
            **({"cache_salt": salts} if any(salts) else {}),
        )
        caches = [output["meta_info"].get("cached_tokens_details") or {} for output in outputs]
        say(
            {
                "seconds": time.monotonic() - begun,
                "tokens": [output["output_ids"] for output in outputs],
                "cached": [output["meta_info"]["cached_tokens"] for output in outputs],
                "stored": [cache.get("storage", 0) for cache in caches],
            }
        )
    engine.shutdown()


if __name__ == "__main__":
    main()
