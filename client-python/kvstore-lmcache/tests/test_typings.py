"""The stubs of LMCache say what the installed LMCache says."""

from __future__ import annotations

import pathlib

import pytest
from typed import differences

pytest.importorskip("lmcache", reason="missing: LMCache; engines/install.sh makes an environment with it")


def test_stubs_are_as_the_engine_has_it() -> None:
    assert differences(pathlib.Path(__file__).parents[1] / "typings") == []
