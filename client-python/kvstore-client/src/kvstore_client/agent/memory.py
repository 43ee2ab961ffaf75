"""Memory that an agent and engines share: one memfd, divided into equal slots. It goes with its last process."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import threading
import time

# From linux/fcntl.h; the module fcntl has them from Python 3.13 on.
_F_ADD_SEALS = 1033
_SEAL_SEAL, _SEAL_SHRINK, _SEAL_GROW = 1, 2, 4

# From linux/mman.h, since Linux 5.14; the module mmap does not have it.
_MADV_POPULATE_WRITE = 23

#: Bytes whose pages are made at a time.
_PIECE = 2 << 20

#: A piece that takes longer than so many times its processor time waited for a processor. Then comes a pause, so many
#: times as long as all since the last one.
_WAITED, _PAUSE = 1.25, 9


class SlotPool:
    """The slots, mapped into this process. Thread-safe; the mapping stays as long as this object or a view lives.

    ``generation`` is a number of the agent's run, 1 to 2^53: slots of one generation mean nothing in another.
    ``address`` and ``size`` are the mapping's, in bytes, as for ``cudaHostRegister``. ``slots`` is their number,
    ``slot_bytes`` what each holds, and ``stride`` is bytes from one to the next.
    """

    def __init__(self, fd: int, slots: int, slot_bytes: int, stride: int, generation: int) -> None:
        """Maps a memfd, of which the caller keeps its descriptor."""
        self.generation = generation
        self.slots = slots
        self.slot_bytes = slot_bytes
        self.stride = stride
        self._map = mmap.mmap(fd, slots * stride)
        with contextlib.suppress(OSError):  # a kernel without huge pages for shared memory
            self._map.madvise(mmap.MADV_HUGEPAGE)
        self._view = memoryview(self._map)
        self.size = len(self._map)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))

    def view(self, slot: int) -> memoryview:
        """The bytes of a slot, ``slot_bytes`` of them, writable. Raises ``IndexError`` for what is no slot."""
        if not 0 <= slot < self.slots:
            raise IndexError(f"slot {slot} of {self.slots}")
        return self._view[slot * self.stride : slot * self.stride + self.slot_bytes]

    def populate(self, given_up: threading.Event) -> None:
        """Makes all pages, until ``given_up``, and maps them into this process: no copy waits for that then.

        The slots that are used first come first. It takes some .4 s for each GiB, and a tenth of a processor at most
        where others want it. (A low priority would be no good: this thread may have the interpreter's lock.) Does
        nothing on a kernel before Linux 5.14.
        """
        madvise = ctypes.CDLL(None).madvise
        worked = 0.0
        for at in range(0, self.size, _PIECE):
            length = min(_PIECE, self.size - at)
            if given_up.is_set():
                return
            began, computed = time.monotonic(), time.thread_time()
            if madvise(ctypes.c_void_p(self.address + at), ctypes.c_size_t(length), _MADV_POPULATE_WRITE):
                return
            took = time.monotonic() - began
            worked += took
            if took > _WAITED * (time.thread_time() - computed):
                if given_up.wait(_PAUSE * worked):
                    return
                worked = 0.0


def create(size: int) -> int:
    """A memfd of ``size`` bytes, which no process can make longer or shorter. Pages are allocated when first used."""
    fd = os.memfd_create("kvstore-agent", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(fd, size)
        fcntl.fcntl(fd, _F_ADD_SEALS, _SEAL_SEAL | _SEAL_SHRINK | _SEAL_GROW)
    except BaseException:
        os.close(fd)
        raise
    return fd
