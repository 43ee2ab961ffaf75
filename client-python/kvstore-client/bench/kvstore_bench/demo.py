"""The part of an inference engine in ``kv demo --client python``: looks up, reads and writes the blocks of prompts.

``kv demo`` makes the bytes of blocks and verifies them. They pass through a file that both processes map, in slots of
one block each. This program computes the names of blocks from the tokens, as an engine does.
"""

from __future__ import annotations

import logging
import mmap
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from kvstore_bench.orders import Order, Say, serve
from kvstore_client import BlockChain, BlockResult, DataLossError, KvClient, KvError, Partition

_WRITERS = 4
_LOG = logging.getLogger("kvstore.demo")


class Demo:
    """A client, and the memory that it shares with ``kv demo``. For one thread."""

    def __init__(self) -> None:
        self._client: KvClient
        self._slots: list[memoryview] = []
        self._writers = ThreadPoolExecutor(_WRITERS)
        self._damaged = 0

    def handlers(self) -> Mapping[str, Callable[[Order, Say], None]]:
        """The orders, by name."""
        return {
            "open": self.open,
            "lookup": self.lookup,
            "read": self.read,
            "write": self.write,
            "flaws": lambda _, say: say({"flaws": self._damaged}),
        }

    def open(self, order: Order, say: Say) -> None:
        """Makes the client, and maps the file."""
        self._client = KvClient(key=os.environ["KV_API_KEY"], connections=_WRITERS, **order["options"])
        size = order["block_bytes"]
        with open(order["file"], "r+b") as file:
            memory = memoryview(mmap.mmap(file.fileno(), 0))
        self._slots = [memory[at : at + size] for at in range(0, memory.nbytes, size)]
        say({"slots": len(self._slots)})

    def lookup(self, order: Order, say: Say) -> None:
        """How many blocks of a prompt are stored; and the name of its last block, which ``kv demo`` compares."""
        chain = _chain(order)
        blocks = self._client.lookup(chain)
        say({"blocks": blocks, "last": chain.hash(len(chain) - 1).hex() if len(chain) else ""})

    def read(self, order: Order, say: Say) -> None:
        """Reads ``count`` blocks from ``first`` on into the first slots; an answer for each, as it arrives."""
        first, count = order["first"], order["count"]
        locations = _chain(order).locations()[first : first + count]

        def told(result: BlockResult) -> None:
            answer = {"block": first + result.index, "nbytes": result.nbytes}
            if result.error:
                self._damaged += isinstance(result.error, DataLossError)
                answer["error"] = str(result.error)
            say(answer)

        arrived = 0

        def on_block(result: BlockResult) -> None:
            nonlocal arrived
            arrived += 1
            told(result)

        for result in self._client.read_into(locations, self._slots[:count], on_block=on_block)[arrived:]:
            told(result)  # a block that did not arrive

    def write(self, order: Order, say: Say) -> None:
        """Writes ``count`` blocks from ``first`` on, which are in the first slots; an answer for each, in order."""
        chain = _chain(order)
        first = order["first"]

        def write(slot: int) -> bool:
            try:
                result = self._client.write(chain, first + slot, self._slots[slot])
            except KvError as e:
                _LOG.warning("block %d was not written: %s", first + slot, e)
                return False
            return result.stored and not result.differs

        for slot, stored in enumerate(self._writers.map(write, range(order["count"]))):
            say({"block": first + slot, "stored": stored})


def _chain(order: Order) -> BlockChain:
    return BlockChain.of(Partition(order["partition"], order["block_tokens"]), order["tokens"])


if __name__ == "__main__":
    serve(Demo().handlers())
