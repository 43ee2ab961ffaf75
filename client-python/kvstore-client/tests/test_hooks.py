"""The hooks of an engine are read from its wheel and held against a connector's typings."""

from __future__ import annotations

import pathlib
import zipfile

import pytest

from hooks import Connector, Sources, table

STUB = """
from abc import ABC, abstractmethod
from typing import Any
class Base(ABC):
    @abstractmethod
    def save(self, key: str, **kwargs: Any) -> None: ...
    def close(self) -> None: ...
def name(one: int) -> str: ...
"""

OURS = """
from engine.base import Base
class Ours(Base):
    def save(self, key, **kwargs): ...
    def close(self): ...
"""

#: Of an engine as the stub has it: the base class is imported, and inherits a method.
ENGINE = """
from abc import ABC, abstractmethod
class Older(ABC):
    def close(self): ...
class Base(Older):
    @abstractmethod
    def save(self, key, **kwargs): ...
def name(one, two=None): ...
"""


@pytest.fixture
def connector(tmp_path: pathlib.Path) -> Connector:
    for file, text in (("typings/engine/base.pyi", STUB), ("src/ours/ours.py", OURS)):
        path = tmp_path / file
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return Connector.of(tmp_path)


def wheel(folder: pathlib.Path, text: str) -> Sources:
    path = folder / "engine.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("engine/base.py", "from .parts import Base, name\n")
        archive.writestr("engine/parts.py", text)
    return Sources(path)


def test_an_engine_as_the_typings_have_it(connector: Connector, tmp_path: pathlib.Path) -> None:
    assert list(connector.differences(wheel(tmp_path, ENGINE))) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("def save(self, key, **kwargs)", "def save(self, key, value, **kwargs)", "`Base.save(key, value, kwargs)`"),
        ("def close(self): ...", "pass", "no `Base.close`"),
        ("class Base(Older)", "class Another(Older)", "no `Base`"),
        ("def name(one, two=None): ...", "", "no `name`"),
        ("def name(one, two=None)", "def name(two, one=None)", "`name(two, one)`"),
        (
            "class Base(Older):",
            "class Base(Older):\n    @abstractmethod\n    def load(self): ...",
            "`Base.load` is abstract, and our class lacks it",
        ),
    ],
)
def test_what_a_version_has_otherwise_is_told(
    connector: Connector, tmp_path: pathlib.Path, old: str, new: str, told: str
) -> None:
    changed = ENGINE.replace(old, new)
    assert changed != ENGINE
    assert list(connector.differences(wheel(tmp_path, changed))) == [told]


def test_a_hook_that_a_version_adds_is_named(connector: Connector, tmp_path: pathlib.Path) -> None:
    (tmp_path / "new").mkdir()
    methods = "class Base(Older):\n    def sleep(self): ...\n    def _own(self): ..."
    added = ENGINE.replace("class Base(Older):", methods)
    newer = wheel(tmp_path / "new", added)
    assert table("engine", connector, [("2", newer), ("1", wheel(tmp_path, ENGINE))]) == [
        "| engine 2 | as we rely on them | `sleep` |",
        "| engine 1 | as we rely on them | - |",
    ]
