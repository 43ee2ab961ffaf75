"""Measures the time to the first token: without a store, on a miss, on a hit, and while the store is away.

    KVSTORE_TEST_STACK=FILE engines/ttft.py [TOKENS] [RUNS]

FILE is what ``kv up --json FILE`` wrote. Prints medians, in seconds, of RUNS requests one after the other, each for
another prompt of TOKENS tokens. On a hit the blocks come from the store, not from the agent's memory.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import socket
import statistics
import sys
import tempfile
from typing import Any
from uuid import uuid4

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from engine import Engine
from kvstore import KvClient
from model import make
from stack import Stack


def main(tokens: int = 3000, runs: int = 5) -> None:
    """Runs four engines after each other."""
    stack = Stack.of(pathlib.Path(os.environ["KVSTORE_TEST_STACK"]))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        away = dataclasses.replace(stack, endpoints=(f"127.0.0.1:{unused.getsockname()[1]}",))
    settings: dict[str, Any] = {"model_id": uuid4().hex, "min_tokens": 512, "host_memory": "1GiB", "measure": True}
    prompts = [(i + 1, tokens) for i in range(runs)]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        model = make(root / "slow", "slow")
        for name, where in (("without", None), ("miss", stack), ("hit", stack), ("away", away)):
            # Another number of connections is another agent, whose memory is empty.
            own = {**settings, "connections": 8 if name == "miss" else 7}
            with Engine(model, root / f"{name}.log", where, settings=own, max_num_batched_tokens=4096) as engine:
                engine.run((999, 64), max_tokens=1)
                batches = [engine.run(one, max_tokens=1) for one in prompts]
                if name == "miss":
                    with KvClient(endpoints=stack.endpoints, resource=stack.resource, key=stack.key) as client:
                        engine.wait_stored(client, *prompts)
            seconds = [batch.seconds for batch in batches]
            told = f"{name:8} {statistics.median(seconds):7.3f} s  ({min(seconds):.3f} to {max(seconds):.3f})"
            print(f"{told}  hits {batches[-1].hits:6} tokens", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
