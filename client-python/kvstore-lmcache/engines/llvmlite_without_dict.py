"""Makes vLLM for CPUs start beside LMCache: imported at the start of Python in the tests' environment.

vLLM 0.32 without Triton goes through all modules and asks their values for ``__dict__``. LMCache has imported numba,
whose llvmlite has a value that answers any attribute with a function of its library, so vLLM fails.
"""

from __future__ import annotations

import contextlib
from typing import Any

with contextlib.suppress(ImportError):
    from llvmlite.binding import ffi

    _answer = type(ffi.lib).__getattr__

    def _without_dict(self: Any, name: str) -> Any:
        if name == "__dict__":
            raise AttributeError(name)
        return _answer(self, name)

    type(ffi.lib).__getattr__ = _without_dict
