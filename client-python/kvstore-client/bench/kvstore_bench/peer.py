"""One client of the benchmark behind orders: opens it, has it store blocks, and measures it.

``python -m kvstore_bench.peer`` imports nothing but the client that it is told, so that each runs as it would alone.
"""

from __future__ import annotations

import importlib
import itertools
import resource
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.orders import Order, Say, serve


class Peer(Protocol):
    """A way to move blocks between a server and memory of this process. For one thread."""

    def stock(self) -> None:
        """Stores the working set."""
        ...

    def read(self, batch: int) -> None:
        """Brings the blocks of a batch into memory, in order. Batches are read in turn."""
        ...

    def block(self, index: int) -> memoryview:
        """The memory of a block of the batch that was read last."""
        ...

    def spoil(self) -> None:
        """Forgets the blocks that were read, where memory of this process alone has them."""
        ...

    def write(self) -> None:
        """Writes a batch of new blocks from memory; returns when all are acknowledged."""
        ...

    def clear(self) -> None:
        """Takes written blocks away, where the server would run full."""
        ...

    def cpu_seconds(self) -> float:
        """Processor time of helper processes that do this client's work."""
        ...


class BusyThread:
    """A thread that wants the GIL all the time: it lets go of it only when the interpreter makes it."""

    def __init__(self) -> None:
        self._running = True
        self._thread = threading.Thread(target=self._spin, name="busy", daemon=True)

    def __enter__(self) -> BusyThread:
        """Begins."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Ends."""
        self._running = False
        self._thread.join()

    def cpu_seconds(self) -> float:
        """Its processor time so far."""
        ident = self._thread.ident
        return time.clock_gettime(time.pthread_getcpuclockid(ident)) if ident else 0.0

    def _spin(self) -> None:
        while self._running:
            pass


def cpu_seconds() -> float:
    """Processor time of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Program:
    """Carries out the orders."""

    def __init__(self) -> None:
        self._set: WorkingSet
        self._peer: Peer
        self._batches: itertools.cycle[int]

    def handlers(self) -> Mapping[str, Callable[[Order, Say], None]]:
        """The orders, by name."""
        return {
            "open": self.open,
            "stock": self.stock,
            "verify": self.verify,
            "measure": self.measure,
            "clear": self.clear,
        }

    def open(self, order: Order, say: Say) -> None:
        """Makes the client of a module with the options of its constructor."""
        self._set = WorkingSet(order["block_bytes"], order["batches"], order["blocks_per_batch"])
        self._batches = itertools.cycle(range(self._set.batches))
        module: Any = importlib.import_module("kvstore_bench." + order["module"])
        self._peer = module.open_peer(self._set, **order["options"])
        say({})

    def stock(self, _: Order, say: Say) -> None:
        """Stores the working set."""
        self._peer.stock()
        say({})

    def verify(self, _: Order, say: Say) -> None:
        """Reads all blocks and compares them; the answer has the flaws."""
        flaws = []
        for batch in itertools.islice(self._batches, self._set.batches):  # in the order that a peer may count on
            self._peer.read(batch)
            for block in range(self._set.blocks_per_batch):
                if self._peer.block(block) != self._set.content(batch, block):
                    flaws.append(f"block {block} of batch {batch} is not what was stored")
            self._peer.spoil()
        say({"flaws": flaws})

    def clear(self, _: Order, say: Say) -> None:
        """Takes written blocks away."""
        self._peer.clear()
        say({})

    def measure(self, order: Order, say: Say) -> None:
        """Reads or writes for some seconds, and for no more than some batches, beside a busy thread if it is told."""
        if order["busy"]:
            with BusyThread() as busy:
                say(self._measure(order, busy))
        else:
            say(self._measure(order, None))

    def _measure(self, order: Order, busy: BusyThread | None) -> Mapping[str, float]:
        def cpu() -> float:
            return cpu_seconds() + self._peer.cpu_seconds() - (busy.cpu_seconds() if busy else 0.0)

        batches = 0
        before, start = cpu(), time.perf_counter()
        end = start + order["seconds"]
        while batches < order["most_batches"] and time.perf_counter() < end:
            if order["operation"] == "read":
                self._peer.read(next(self._batches))
            else:
                self._peer.write()
            batches += 1
        seconds = time.perf_counter() - start
        return {"bytes": batches * self._set.batch_bytes, "seconds": seconds, "cpu_seconds": cpu() - before}


if __name__ == "__main__":
    serve(Program().handlers())
