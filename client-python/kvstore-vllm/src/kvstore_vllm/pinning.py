"""Page-locks the agent's slots for a CUDA device."""

from __future__ import annotations

import logging
import threading
from typing import Any

from kvstore_client.agent import SlotPool

log = logging.getLogger("vllm.kvstore")

#: Bytes that are locked at a time: other threads use the device between two pieces.
_PIECE = 256 << 20

_PAGE = 4096


class Pinning:
    """Locks a pool's pages in pieces, keeps them locked until :meth:`undo`, and then lets go of the pool.

    All calls are made on one thread, which makes no others: CUDA keeps the error of a refused call for its thread, and
    the next kernel that the thread launches would raise it.
    """

    def __init__(self, device: Any, pool: SlotPool, runtime: Any = None) -> None:
        """``runtime`` is CUDA's, by default that of torch. Begins at once."""
        self._device = device
        self._pieces = pieces(pool.address, pool.size, pool.stride)
        self._pool: SlotPool | None = pool
        self._runtime = runtime
        self._undone = threading.Event()
        #: Set when all pages are locked, or no more of them will be.
        self.settled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kvstore-pinning", daemon=True)
        self._thread.start()

    def undo(self) -> None:
        """Unlocks the pages and gives the pool up, soon."""
        self._undone.set()

    def _run(self) -> None:
        locked: list[int] = []
        try:
            runtime = self._runtime or _runtime(self._device)
            for address, size in self._pieces:
                if self._undone.is_set():
                    break
                code = int(runtime.cudaHostRegister(address, size, 0))
                if code:
                    log.warning(
                        "KV Store: CUDA refuses to lock the agent's memory (error %d at %.1f of %.1f GiB). Copies of "
                        "the rest are slower. Check the limit of locked memory (ulimit -l) and host_memory.",
                        code,
                        sum(size for _, size in self._pieces[: len(locked)]) / (1 << 30),
                        sum(size for _, size in self._pieces) / (1 << 30),
                    )
                    break
                locked.append(address)
            self.settled.set()
            self._undone.wait()
            for address in locked:
                runtime.cudaHostUnregister(address)
        except Exception as e:
            log.warning("KV Store: the agent's memory was not locked for the device (%s). Copies are slower.", e)
        finally:
            self.settled.set()
            self._undone.wait()
            self._pool = None


def pieces(address: int, size: int, stride: int) -> list[tuple[int, int]]:
    """Address and length of each piece. No slot lies in two pieces: CUDA refuses a copy that crosses a piece's end.

    Pieces are whole pages; slots that are none are one piece.
    """
    if stride % _PAGE or address % _PAGE:
        return [(address, size)]
    step = max(1, _PIECE // stride) * stride
    return [(address + at, min(step, size - at)) for at in range(0, size, step)]


def _runtime(device: Any) -> Any:
    import torch

    torch.cuda.set_device(device)  # of this thread: else CUDA would begin on the first device, too
    return torch.cuda.cudart()
