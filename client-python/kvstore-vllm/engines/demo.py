"""The main job inside a real engine: ``kv demo --engine vllm``. Ends with a table of times to the first token.

Four engines with the same model take turns, round by round, so that other work on the machine reaches all of them:

* ``without`` has no store;
* ``miss`` computes prompts that nobody computed before, and stores their blocks;
* ``hit`` gets the same prompts: the blocks come from the store, not from an agent's memory;
* ``away`` has a store that does not answer.

In each turn an engine gets two prompts one after the other: blocks of the first are written while it computes the
second. An engine computes with all processors but one, which agents and the service have: otherwise these would take
theirs from the engine, which waits for its slowest thread. The exit code is 0 only if all four gave the same tokens,
and all whole blocks of each prompt were hit.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import socket
import statistics
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from engine import Batch, Engine
from kvstore_client import KvClient
from model import make
from stack import Stack, own

#: Prompts that an engine computes in a turn, one after the other.
_TURN = 2

#: Tokens of the longest prompt, and the seed of the first prompt that is not counted.
_LONGEST, _WARM_UP = 8000, 900

#: Tokens of a stored block.
_BLOCK = 128

_KINDS = {
    "without": "without a store",
    "miss": "miss: the prompt is computed and stored",
    "hit": "hit: blocks come from the store",
    "away": "the store is away",
}

#: The order of turns, round by round: none always comes after the same other one, but for hits, which need the misses.
_ORDERS = (("without", "miss", "hit", "away"), ("away", "miss", "hit", "without"))

Prompt = tuple[int, int]


@dataclass
class Figures:
    """What one engine did: seconds to the first token, and tokens that were loaded, of each prompt.

    ``hits`` are the tokens that were loaded since the engine's start.
    """

    seconds: list[float] = field(default_factory=list)
    hit_tokens: list[int] = field(default_factory=list)
    outputs: list[list[int]] = field(default_factory=list)
    hits: int = 0

    def add(self, batch: Batch) -> None:
        """Adds a prompt's."""
        self.seconds.append(batch.seconds)
        self.hit_tokens.append(batch.hits - self.hits)
        self.outputs.append(batch.tokens[0])
        self.hits = batch.hits


def _say(text: str) -> None:
    sys.stderr.write(f"demo: {text}\n")
    sys.stderr.flush()


def _away(stack: Stack) -> Stack:
    """The same service at an address where nobody listens."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return dataclasses.replace(stack, endpoints=(f"127.0.0.1:{unused.getsockname()[1]}",))


def _measure(stack: Stack, folder: pathlib.Path, tokens: int, rounds: int, threads: int) -> dict[str, Figures]:
    _say("making a model of 12 layers with random weights")
    model = make(folder / "slow", "slow")
    settings: dict[str, Any] = {"model_id": uuid4().hex, "min_tokens": 512, "host_memory": "1GiB", "measure": True}
    sizes: dict[str, Any] = {"max_num_batched_tokens": max(4096, tokens), "max_model_len": _LONGEST + 64}
    figures = {kind: Figures() for kind in _KINDS}
    with contextlib.ExitStack() as open_now:
        engines: dict[str, Engine] = {}
        for agent, kind in enumerate(_KINDS):
            _say(f'starting the engine "{kind}"')
            where = None if kind == "without" else _away(stack) if kind == "away" else stack
            log = folder / f"{kind}.log"
            # Another number of connections is another agent, whose memory is empty.
            told = {**settings, "connections": 4 + agent}
            engine = Engine(model, log, where, settings=told, environment={"OMP_NUM_THREADS": str(threads)}, **sizes)
            engines[kind] = open_now.enter_context(engine)
            # The first prompts of an engine take longer: they are not counted.
            engine.run((_WARM_UP, 64), max_tokens=1)
            figures[kind].hits = engine.run((_WARM_UP + 1 + agent, tokens), max_tokens=1).hits
        client = open_now.enter_context(KvClient(endpoints=stack.endpoints, resource=stack.resource, key=stack.key))
        for at in range(rounds):
            prompts: list[Prompt] = [(_TURN * at + i + 1, tokens) for i in range(_TURN)]
            for kind in _ORDERS[at % len(_ORDERS)]:
                for prompt in prompts:
                    figures[kind].add(engines[kind].run(prompt, max_tokens=1))
                if kind == "miss":
                    engines[kind].wait_stored(client, *prompts)
            _say(f"round {at + 1} of {rounds} is over")
    return figures


def _flaws(figures: dict[str, Figures], tokens: int) -> list[str]:
    """What did not hold."""
    plain = figures["without"].outputs
    flaws = [f"{kind}: other tokens than without a store" for kind in _KINDS if figures[kind].outputs != plain]
    whole = tokens // _BLOCK * _BLOCK
    for kind in _KINDS:
        expected = whole if kind == "hit" else 0
        if set(figures[kind].hit_tokens) != {expected}:
            flaws.append(f"{kind}: hits of {sorted(set(figures[kind].hit_tokens))} tokens, not {expected}")
    return flaws


def _table(figures: dict[str, Figures], tokens: int) -> str:
    rows = [f"{'time to the first token':42} {'median':>8} {'range':>16} {'ratio':>6} {'hit tokens':>11}"]
    plain = statistics.median(figures["without"].seconds)
    for kind, text in _KINDS.items():
        seconds, hits = figures[kind].seconds, figures[kind].hit_tokens
        spread = f"{min(seconds):.2f} to {max(seconds):.2f} s"
        hit = f"{statistics.median_low(hits):,}"
        median = statistics.median(seconds)
        rows.append(f"{text:42} {median:6.2f} s {spread:>16} {median / plain:6.2f} {hit:>11}")
    prompts = len(figures["hit"].seconds)
    return "\n".join([*rows, f"{prompts} prompts of {tokens:,} tokens for each line"])


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser("kv demo --engine vllm", description=__doc__.split("\n\n")[0])
    parser.add_argument("--tokens", type=int, default=2000, help="tokens of a prompt, 512 to 8000 (default 2000)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of two prompts, 1 to 100 (default 3)")
    spare = min(256, max(1, len(os.sched_getaffinity(0)) - 1))
    parser.add_argument(
        "--threads", type=int, default=spare, help="processors of an engine, 1 to 256 (default all but one)"
    )
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write every figure to this file too")
    options = parser.parse_args()
    for name, least, most in (("tokens", 512, _LONGEST), ("rounds", 1, 100), ("threads", 1, 256)):
        if not least <= getattr(options, name) <= most:
            parser.error(f"--{name}: must be {least} to {most}")
    with tempfile.TemporaryDirectory(prefix="kv-demo-") as name, contextlib.ExitStack() as open_now:
        folder = pathlib.Path(name)
        file = os.environ.get("KVSTORE_TEST_STACK")
        if file:
            stack = Stack.of(pathlib.Path(file))
        else:
            _say("starting a control plane and two data planes")
            stack = open_now.enter_context(own(folder))
        figures = _measure(stack, folder, options.tokens, options.rounds, options.threads)
    flaws = _flaws(figures, options.tokens)
    print(_table(figures, options.tokens))
    if options.json:
        told = {kind: {"seconds": one.seconds, "hitTokens": one.hit_tokens} for kind, one in figures.items()}
        report = {"tokens": options.tokens, "passed": not flaws, "flaws": flaws, "engines": told}
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for flaw in flaws:
        _say(flaw)
    print("failed" if flaws else "passed: the same tokens in all four, and every whole block was hit")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
