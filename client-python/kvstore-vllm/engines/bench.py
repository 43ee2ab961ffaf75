"""One engine of ``kv bench engine``, which gives it orders: without a store, with KV Store, or with LMCache.

``open`` has an engine store the beginnings of prompts and end, so that the engine that is measured gets them from the
service, or from LMCache's server. Prompts are a seed and a length: equal seeds begin with the same tokens.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
from collections.abc import Callable, Mapping
from uuid import uuid4

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "kvstore-lmcache/tests"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "kvstore-client/bench"))

from engine import Engine
from kvstore_bench.orders import Order, Say, serve
from kvstore_client import KvClient
from model import SIZES, make
from server import Server
from server import engine as engine_of
from stack import Stack

#: Tokens of a chunk of LMCache.
_CHUNK = 256


class Program:
    """Carries out the orders."""

    def __init__(self, open_now: contextlib.ExitStack) -> None:
        self._open_now = open_now
        self._engine: Engine
        self._server: Server | None = None
        self._client: KvClient | None = None
        self._hits = 0

    def handlers(self) -> Mapping[str, Callable[[Order, Say], None]]:
        """The orders, by name."""
        return {"open": self.open, "run": self.run}

    def open(self, order: Order, say: Say) -> None:
        """Has prompts stored, and starts the engine that is measured."""
        start = self._starter(order)
        if order["stored"]:
            with start("stores", 4) as engine:
                for seed, length in order["stored"]:
                    engine.run((seed, length), max_tokens=1)
                self._settle(engine, order["stored"])
        self._engine = self._open_now.enter_context(start("measured", 8))
        say({})

    def run(self, order: Order, say: Say) -> None:
        """Computes prompts, all at once."""
        batch = self._engine.run(*map(tuple, order["prompts"]), max_tokens=order["tokens"])
        self._settle(self._engine, order["prompts"])
        hits, self._hits = batch.hits - self._hits, batch.hits
        say({"seconds": batch.seconds, "first": batch.first, "tokens": batch.tokens, "hits": hits})

    def _starter(self, order: Order) -> Callable[[str, int], Engine]:
        """Starts engines of this kind by a name and a number: another number is another agent, with empty memory."""
        folder, kind, memory_gb = pathlib.Path(order["folder"]), order["engine"], order["memory_gb"]
        logs = folder / "logs"
        own = order["model"] in SIZES
        model = make(folder / order["model"], order["model"]) if own else pathlib.Path(order["model"])
        surroundings = {"OMP_NUM_THREADS": str(max(1, len(os.sched_getaffinity(0)) - 1))}
        settings = {"model_id": uuid4().hex, "host_memory": f"{256 * memory_gb}MiB"}
        stack = None
        if kind == "kvstore":
            stack = Stack(tuple(order["endpoints"]), order["resource"], os.environ["KV_API_KEY"], folder, ())
            client = KvClient(endpoints=stack.endpoints, resource=stack.resource, key=stack.key)
            self._client = self._open_now.enter_context(client)
        elif kind == "lmcache":
            self._server = self._open_now.enter_context(Server(None, logs / "lmcache-server.log", memory_gb))

        def start(name: str, connections: int) -> Engine:
            log = logs / f"engine-{kind}-{name}.log"
            if stack is None:
                return engine_of(model, log, self._server, surroundings, **order["options"])
            told = {**settings, "connections": connections}
            return Engine(model, log, stack, settings=told, environment=surroundings, **order["options"])

        return start

    def _settle(self, engine: Engine, prompts: list[tuple[int, int]]) -> None:
        """Waits until all whole blocks are stored, so that storing them disturbs no other engine's turn."""
        if self._client:
            engine.wait_stored(self._client, *prompts)
        if self._server:
            self._server.wait_kept(sum(length // _CHUNK for _, length in prompts))


if __name__ == "__main__":
    with contextlib.ExitStack() as open_now:
        serve(Program(open_now).handlers())
