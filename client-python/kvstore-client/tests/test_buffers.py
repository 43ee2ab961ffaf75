from __future__ import annotations

import array
import gc
import mmap
import sys
from typing import Any

import pytest

from kvstore_client import buffers


def test_buffers_of_the_standard_library_are_views_of_the_same_memory() -> None:
    with mmap.mmap(-1, 4096) as mapped:
        for buffer in (bytearray(8), array.array("d", [0.0]), mapped):
            view = buffers.view(buffer, writable=True)
            view[1] = 7
            assert bytes(memoryview(buffer).cast("B")[:2]) == b"\0\x07"
            view.release()


def test_arrays_of_numpy_are_views_of_the_same_memory() -> None:
    numpy = pytest.importorskip("numpy", reason="missing: numpy, of PyPI")
    for kind in ("<f4", ">f8", "float16", "V7"):
        given = numpy.zeros((2, 3), dtype=kind)
        view = buffers.view(given, writable=True)
        view[0] = 9
        assert view.nbytes == given.nbytes
        assert given.tobytes()[0] == 9
    with pytest.raises(ValueError, match="without gaps"):
        buffers.view(numpy.zeros((4, 4))[:, ::2])


class OnlyDlpack:
    """As torch's tensors are: DLPack and no buffer protocol."""

    def __init__(self, inner: Any, device: tuple[int, int] = (1, 0)) -> None:
        self.inner, self.device = inner, device

    def __dlpack__(self) -> Any:
        return self.inner.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def test_tensors_with_dlpack_are_views_of_the_same_memory_and_stay_alive() -> None:
    numpy = pytest.importorskip("numpy", reason="missing: numpy, of PyPI")
    given = numpy.arange(12, dtype="float32").reshape(3, 4)
    inner = given[1:]
    before = sys.getrefcount(inner)
    view = buffers.view(OnlyDlpack(inner), writable=True)
    assert bytes(view) == inner.tobytes()
    view[0] = 200
    assert inner.tobytes()[0] == 200
    assert sys.getrefcount(inner) > before, "the view keeps the tensor"
    del view
    gc.collect()
    assert sys.getrefcount(inner) == before, "and gives it back"
    with pytest.raises(ValueError, match="without gaps"):
        buffers.view(OnlyDlpack(numpy.zeros((4, 4))[:, ::2]))
    with pytest.raises(ValueError, match="host memory"):
        buffers.view(OnlyDlpack(numpy.zeros(4), (2, 0)))


def test_memory_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(TypeError, match="neither the buffer protocol nor DLPack"):
        buffers.view(object())
    with pytest.raises(ValueError, match="writable"):
        buffers.view(b"x", writable=True)
    with pytest.raises(ValueError, match="without gaps"):
        buffers.view(memoryview(bytearray(8))[::2])
