"""Memory of other libraries as plain bytes. Imports none of these libraries."""

from __future__ import annotations

import ctypes
from typing import Any

_CPU_DEVICES = (1, 3)  # kDLCPU, kDLCUDAHost


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h, which begins a DLManagedTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


def view(buffer: Any, *, writable: bool = False) -> memoryview:
    """The bytes of a buffer, without a copy: one dimension of unsigned bytes.

    ``buffer`` has the buffer protocol (bytes, bytearray, memoryview, mmap, numpy) or DLPack (torch) and lies in host
    memory without gaps. Raises ``TypeError`` or ``ValueError`` otherwise. The view keeps the buffer alive.
    """
    try:
        seen = memoryview(buffer)
    except TypeError:
        if not hasattr(buffer, "__dlpack__"):
            raise TypeError(f"buffer: {type(buffer).__name__} has neither the buffer protocol nor DLPack") from None
        seen = _dlpack(buffer)
    if not seen.c_contiguous:
        raise ValueError("buffer: must lie in memory without gaps, in C order")
    if writable and seen.readonly:
        raise ValueError("buffer: must be writable")
    return seen if seen.ndim == 1 and seen.format == "B" else seen.cast("B")


def _dlpack(buffer: Any) -> memoryview:
    device, _ = buffer.__dlpack_device__()
    if device not in _CPU_DEVICES:
        raise ValueError("buffer: must be in host memory; copy it there first")
    capsule = buffer.__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
    tensor = _Tensor.from_address(pointer(capsule, b"dltensor"))
    shape = tensor.shape[: tensor.ndim]
    step = 1
    for i in reversed(range(tensor.ndim)):
        if tensor.strides and shape[i] > 1 and tensor.strides[i] != step:
            raise ValueError("buffer: must lie in memory without gaps, in C order")
        step *= shape[i]
    size = step * tensor.bits * tensor.lanes // 8
    memory: Any = (ctypes.c_ubyte * size).from_address((tensor.data or 0) + tensor.byte_offset)
    memory.owner = capsule  # its destructor gives the tensor back
    return memoryview(memory).cast("B")
