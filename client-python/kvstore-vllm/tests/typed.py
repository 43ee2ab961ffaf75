"""Holds stubs against the modules that they stand for."""

from __future__ import annotations

import ast
import importlib
import inspect
import pathlib
from collections.abc import Iterator
from typing import Any


def differences(folder: pathlib.Path) -> list[str]:
    """What stubs in a folder say otherwise than the installed modules. Methods must be equal, since we override them.

    Functions that are only called may have more parameters than their stub.
    """
    return [found for file in sorted(folder.rglob("*.pyi")) for found in _of_module(folder, file)]


def _of_module(folder: pathlib.Path, file: pathlib.Path) -> Iterator[str]:
    name = ".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(name)
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            yield from _of_function(f"{name}.{node.name}", node, getattr(module, node.name, None), equal=False)
        elif isinstance(node, ast.ClassDef):
            yield from _of_class(f"{name}.{node.name}", node, getattr(module, node.name, None))
        elif isinstance(node, ast.AnnAssign) and not hasattr(module, ast.unparse(node.target)):
            yield f"{name}.{ast.unparse(node.target)} is missing"


def _of_class(name: str, node: ast.ClassDef, real: Any) -> Iterator[str]:
    if real is None:
        yield f"{name} is missing"
        return
    methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
    for method, told in methods.items():
        if method not in ("__getattr__", "__init__", "__new__"):
            yield from _of_function(f"{name}.{method}", told, getattr(real, method, None), equal=True)
    for lacking in sorted(set(getattr(real, "__abstractmethods__", ())) - set(methods)):
        yield f"{name}.{lacking} is abstract, and the stub does not have it"
    for one in node.body:
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            member = getattr(real, one.targets[0].id, None)
            if member is None or member.value != ast.literal_eval(one.value):
                yield f"{name}.{one.targets[0].id} has another value: {member}"


def _of_function(name: str, node: ast.FunctionDef, real: Any, *, equal: bool) -> Iterator[str]:
    if real is None:
        yield f"{name} is missing"
        return
    try:
        parameters = list(inspect.signature(real).parameters)
    except (TypeError, ValueError):
        return  # a property, or native code
    arguments = node.args
    told = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    told += [one.arg for one in (arguments.vararg, arguments.kwarg) if one]
    told = [one for one in told if one not in ("self", "cls")]
    parameters = [one for one in parameters if one not in ("self", "cls")]
    if told != (parameters if equal else parameters[: len(told)]):
        yield f"{name} has the parameters {parameters}, and its stub {told}"
