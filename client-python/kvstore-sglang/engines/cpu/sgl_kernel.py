"""Stands in for SGLang's kernels, of which PyPI has no build for CPUs.

SGLang imports their names on CPUs too. The models of the tests call none of them: SGLang computes with torch then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("_"):
        raise AttributeError(name)

    def missing(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"sgl_kernel.{name}: there are no kernels of SGLang for CPUs here")

    return missing
