"""The stubs of vLLM say what the installed vLLM says."""

from __future__ import annotations

import pathlib

import pytest
from typed import differences

pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")


def test_stubs_are_as_the_engine_has_it() -> None:
    assert differences(pathlib.Path(__file__).parents[1] / "typings") == []
