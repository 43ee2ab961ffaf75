"""How fast blocks come through the agent, and through a client in the engine's process, beside a busy thread.

``python tests/agent_speed.py STACK``, where STACK is the file that ``kv up --json`` wrote. Not a test: it asserts no
rate. ``rates`` is for other harnesses.
"""

from __future__ import annotations

import json
import pathlib
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kvstore import BlockChain, KvClient, Partition
from kvstore.agent import Agent, AgentSettings

PROMPTS, BLOCKS, BLOCK_BYTES = 3, 64, 1_200_000


@contextmanager
def busy(threads: int) -> Iterator[None]:
    """Threads that never wait, and so give the interpreter's lock up only when they must."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            sum(range(1000))

    running = [threading.Thread(target=work, daemon=True) for _ in range(threads)]
    for one in running:
        one.start()
    try:
        yield
    finally:
        stop.set()
        for one in running:
            one.join()


def rates(stack: dict[str, Any], key_file: str, repeats: int) -> dict[str, float]:
    """GB/s, the median of ``repeats`` passes over 64 blocks that a data plane has in memory."""
    options: dict[str, Any] = {"resource": stack["resourceName"], "endpoints": stack["dataPlanes"]}
    chains = [BlockChain.of(Partition(f"agent-speed/{i}"), range(BLOCKS * 128)) for i in range(PROMPTS)]
    # Room for little more than one of the prompts, which take turns: each pass reads all of its blocks again.
    memory = (BLOCKS + 24) * (BLOCK_BYTES + 4096)
    settings = AgentSettings(slot_bytes=BLOCK_BYTES, host_memory=memory, key_file=key_file, linger=0, **options)
    found: dict[str, float] = {}
    with KvClient(key=stack["apiKey"], connections=8, **options) as client, Agent(settings) as agent:
        for chain in chains:
            for i in range(client.lookup(chain), BLOCKS):
                client.write(chain, i, bytes([i]) * BLOCK_BYTES)
        targets = [bytearray(BLOCK_BYTES) for _ in range(BLOCKS)]

        def through_the_client(number: int) -> None:
            chain = chains[number % PROMPTS]
            client.lookup(chain)
            share = BLOCKS // 8
            parts = [
                threading.Thread(
                    target=client.read_into,
                    args=(chain.locations()[at : at + share], targets[at : at + share]),
                    kwargs={"affinity": f"speed/{number % PROMPTS}"},
                )
                for at in range(0, BLOCKS, share)
            ]
            for part in parts:
                part.start()
            for part in parts:
                part.join()

        def through_the_agent(number: int) -> None:
            request = str(number)
            agent.prefetch(request, [chains[number % PROMPTS]], expected_bytes=[BLOCK_BYTES], deadline=60)
            while not agent.progress(request).done:
                time.sleep(0.001)  # an engine's step
            if agent.progress(request).ready != BLOCKS:
                raise RuntimeError(f"{agent.progress(request).ready} of {BLOCKS} blocks came: {agent.stats()}")
            agent.release(request)

        if not agent.wait(60):
            raise RuntimeError("no agent started")
        before = _fetched(agent)
        for name, one_pass in (("client", through_the_client), ("agent", through_the_agent)):
            for threads in (0, 1):
                with busy(threads):
                    found[f"{name}, {threads} busy"] = _rate(one_pass, repeats)
        found["blocks read, share"] = (_fetched(agent) - before) / (2 * (repeats + PROMPTS) * BLOCKS)
    return found


def _fetched(agent: Agent) -> float:
    time.sleep(1.5)  # counters are told every second
    return agent.stats().get("fetched_blocks", 0)


def _rate(one_pass: Callable[[int], None], repeats: int) -> float:
    seconds = []
    for number in range(repeats + PROMPTS):
        began = time.monotonic()
        one_pass(number)
        seconds.append(time.monotonic() - began)
    return BLOCKS * BLOCK_BYTES / statistics.median(seconds[PROMPTS:]) / 1e9


if __name__ == "__main__":
    described = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    key = pathlib.Path(sys.argv[1] + ".key")
    key.touch(0o600)
    key.write_text(described["apiKey"], encoding="ascii")
    for name, rate in rates(described, str(key), 9).items():
        sys.stdout.write(f"{name}: {rate:.2f}\n")
