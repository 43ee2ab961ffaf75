"""Time to the first token with the store, beside an engine without it, in each state of the agent and of the store.

Batches of 1, 8 or 32 prompts take turns, when nothing else computes: in an engine without a store; in an engine with
one, whose requests leave it alone; and in the same engine with the store. Two processes with equal work differ by up to
a tenth here, so that the ratio is of the last two, and the one of the first two says how far that is so. But for
``hits``, nobody computed these prompts before: the store can only cost. The service has the last processor, an engine
all others, and the agent any. The last column is what the slowest of the first eight prompts of a state took more: the
connector does not know the state yet.

The exit code is 0 only if each prompt gave the same token, and no ratio is above the bound.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import os
import pathlib
import signal
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from engine import Batch, Engine
from kvstore_client.agent.messages import encode
from kvstore_client.agent.server import Listener, TakenError
from model import make
from stack import Stack, own, wait

#: Prompts of a batch, and batches of a round.
_BATCHES = {1: 4, 8: 2, 32: 1}

#: Tokens of a step: a step of more than a prompt or two would hide when each of them begins.
_STEP = 2048

#: Batches of 8 that an engine computes first: service and engine are warm, and the agent's memory is filled.
_WARM_UP = 8

#: So busy may all processors be together before a batch, as a part of one, and so long is that waited for.
_IDLE, _PATIENCE = 0.2, 600

#: A request that leaves the store alone.
_ALONE: dict[str, Any] = {"extra_args": {"kv_transfer_params": {"kvstore": {"read": False, "write": False}}}}

_LATENCY = "get=1s,put=1s"

#: A state gives what is to be done before each batch.
State = Callable[[Engine], contextlib.AbstractContextManager[Callable[[], None]]]


def _busy() -> float:
    """Seconds that all processors computed since the system's start."""
    with open("/proc/stat", encoding="ascii") as file:
        told = list(map(int, file.readline().split()[1:9]))
    return (sum(told) - told[3] - told[4]) / os.sysconf("SC_CLK_TCK")


def _idle() -> bool:
    before = _busy()
    time.sleep(0.25)
    return _busy() - before < _IDLE * 0.25


# --- states ---


@contextlib.contextmanager
def _as_it_is(_: Engine) -> Iterator[Callable[[], None]]:
    yield lambda: None


@contextlib.contextmanager
def _frozen(engine: Engine) -> Iterator[Callable[[], None]]:
    pid = engine.agent_pid()
    os.kill(pid, signal.SIGSTOP)
    yield lambda: None
    os.kill(pid, signal.SIGCONT)
    wait(lambda: engine.told("silent") == 0)


def _kill(engine: Engine, killed: list[int]) -> None:
    wait(lambda: engine.told("pid") not in (0, *killed))
    killed.append(engine.agent_pid())
    os.kill(killed[-1], signal.SIGKILL)


@contextlib.contextmanager
def _killed(engine: Engine) -> Iterator[Callable[[], None]]:
    """A batch comes when the agent has just been killed."""
    killed: list[int] = []
    yield lambda: _kill(engine, killed)
    wait(lambda: engine.told("pid") not in (0, *killed))


@contextlib.contextmanager
def _restarted(engine: Engine) -> Iterator[Callable[[], None]]:
    """A batch is the first one that another agent serves, whose memory nobody touched before."""
    killed: list[int] = []

    def before() -> None:
        _kill(engine, killed)
        wait(lambda: engine.told("pid") not in (0, *killed))
        wait(_idle, _PATIENCE)

    yield before


@contextlib.contextmanager
def _old(engine: Engine) -> Iterator[Callable[[], None]]:
    """An agent of another version has the place of this engine's, and refuses it."""
    pid = engine.agent_pid()
    words = pathlib.Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    os.kill(pid, signal.SIGKILL)
    listener = None
    while listener is None:
        with contextlib.suppress(TakenError):
            listener = Listener(words[words.index("--socket") + 1])
    listener.socket.setblocking(True)

    def refuse() -> None:
        with contextlib.suppress(OSError):
            while True:
                with listener.socket.accept()[0] as sock:
                    sock.recv(1 << 16)
                    sock.sendall(encode("refused", text="this agent is of version 0.1.0", other=True))

    threading.Thread(target=refuse, daemon=True).start()
    yield lambda: None
    listener.socket.shutdown(socket.SHUT_RDWR)
    listener.close()
    listener.unlock()
    wait(lambda: engine.told("connected") == 1)


def _stopped(stack: Stack) -> State:
    """The service takes connections, and answers nothing."""

    @contextlib.contextmanager
    def state(_: Engine) -> Iterator[Callable[[], None]]:
        for pid in stack.pids:
            os.kill(pid, signal.SIGSTOP)
        yield lambda: None
        for pid in stack.pids:
            os.kill(pid, signal.SIGCONT)

    return state


# --- measuring ---


class Bench:
    """Starts engines, and compares them with the one without the store."""

    def __init__(self, folder: pathlib.Path, options: argparse.Namespace) -> None:
        self.flaws: list[str] = []
        self._folder, self._options = folder, options
        self._model = make(folder / "model")
        processors = sorted(os.sched_getaffinity(0))
        self._services, self._engines = set(processors[-1:]), set(processors[:-1] or processors)
        self._seeds = itertools.count(1)
        self._turns = 0

    @contextlib.contextmanager
    def stack(self, name: str, *words: str) -> Iterator[Stack]:
        """A service of its own."""
        (self._folder / name).mkdir()
        with contextlib.ExitStack() as open_now:
            with _on(self._services):
                made = open_now.enter_context(own(self._folder / name, *words))
            yield made

    @contextlib.contextmanager
    def engine(self, name: str, stack: Stack | None, memory: str = "256MiB") -> Iterator[Engine]:
        """An engine that is warm."""
        told = {"model_id": uuid4().hex, "measure": True, "min_tokens": 512, "deadline_ms": 2000, "host_memory": memory}
        with _on(self._engines):
            made = Engine(
                self._model,
                self._folder / f"{name}.log",
                stack,
                settings=told,
                environment={"OMP_NUM_THREADS": str(len(self._engines))},
                max_num_seqs=32,
                max_num_batched_tokens=_STEP,
                max_model_len=self._options.tokens + 64,
            )
        with made as engine:
            for _ in range(_WARM_UP):
                engine.run(*self._prompts(8), max_tokens=1)
            yield engine

    def measure(self, name: str, without: Engine, engine: Engine, state: State) -> None:
        """Prints a line for each size of a batch."""
        turns: dict[int, list[list[Batch]]] = {size: [] for size in _BATCHES}
        with state(engine) as before:
            _, alone, first = self._turn(name, without, engine, before, 8)
            for _ in range(self._options.rounds):
                for size in [size for size, times in _BATCHES.items() for _ in range(times)]:
                    turns[size].append(self._turn(name, without, engine, before, size))
        late = max(first.first) - max(alone.first)
        for size, made in turns.items():
            seconds = [[statistics.median(batch.first) for batch in batches] for batches in made]
            ratios = [store / alone for _, alone, store in seconds]
            ratio, between = statistics.median(ratios), statistics.median(b / a for a, b, _ in seconds)
            thread = statistics.median(store.processor / alone.processor for _, alone, store in made)
            usual = statistics.median(without for without, _, _ in seconds)
            spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
            _say(
                f"{name:14} {size:7} {usual:8.3f} s {between:7.3f} {ratio:7.3f} "
                f"{spread:>13} {thread:7.3f} {late:6.2f} s"
            )
            if ratio > self._options.bound:
                self.flaws.append(f"{name}, {size} at a time: {ratio:.3f}")

    def _prompts(self, size: int) -> list[tuple[int, int]]:
        return [(next(self._seeds), self._options.tokens) for _ in range(size)]

    def _turn(self, name: str, without: Engine, engine: Engine, before: Callable[[], None], size: int) -> list[Batch]:
        """Without a store, with the store left alone, with the store; each is the first one in turn."""
        prompts = self._prompts(size)
        if name == "hits":
            engine.run(*prompts, max_tokens=1)
        runs: list[tuple[Engine, dict[str, Any]]] = [(without, {}), (engine, _ALONE), (engine, {})]
        found: dict[int, Batch] = {}
        self._turns += 1
        for at in [(self._turns + i) % 3 for i in range(3)]:
            wait(_idle, _PATIENCE)
            if at == 2:
                before()
            one, params = runs[at]
            found[at] = one.run(*prompts, max_tokens=1, **params)
        if any(batch.tokens != found[0].tokens for batch in found.values()):
            self.flaws.append(f"{name}: other tokens than without the store")
        return [found[at] for at in range(3)]


@contextlib.contextmanager
def _on(processors: set[int]) -> Iterator[None]:
    """What is started meanwhile runs on these processors; an agent takes any."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("states", nargs="*", help="states to look at (default all)")
    parser.add_argument("--tokens", type=int, default=1200, help="tokens of a prompt (default 1200)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds in each state (default 5)")
    parser.add_argument("--bound", type=float, default=1.05, help="the largest ratio (default 1.05)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kv-first-token-") as name, contextlib.ExitStack() as open_now:
        bench = Bench(pathlib.Path(name), options)
        stack = open_now.enter_context(bench.stack("usual"))
        unused = open_now.enter_context(socket.socket())
        unused.bind(("127.0.0.1", 0))
        nobody = dataclasses.replace(stack, endpoints=(f"127.0.0.1:{unused.getsockname()[1]}",))
        kept: dict[str, State] = {"hits": _as_it_is, "healthy": _as_it_is, "frozen": _frozen, "killed": _killed}
        kept |= {"restarted": _restarted, "old": _old, "store-stopped": _stopped(stack)}
        plan: list[tuple[str, contextlib.AbstractContextManager[Stack], str, dict[str, State]]] = [
            ("usual", contextlib.nullcontext(stack), "256MiB", kept),
            ("full", contextlib.nullcontext(stack), "8MiB", {"full": _as_it_is}),
            ("away", contextlib.nullcontext(nobody), "256MiB", {"away": _as_it_is}),
            ("slow", bench.stack("slow", "--added-storage-latency", _LATENCY), "256MiB", {"slow": _as_it_is}),
        ]
        without = open_now.enter_context(bench.engine("without", None))
        _say(f"{'state':14} at once  without between   ratio         range  thread    first")
        for log, where, memory, states in plan:
            chosen = {name: state for name, state in states.items() if name in (options.states or states)}
            if chosen:
                with where as its, bench.engine(log, its, memory) as engine:
                    for name, state in chosen.items():
                        bench.measure(name, without, engine, state)
    for flaw in bench.flaws:
        _say(f"FAILED: {flaw}")
    return 1 if bench.flaws else 0


if __name__ == "__main__":
    sys.exit(main())
