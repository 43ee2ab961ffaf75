"""What the tests with SGLang's classes share."""

from __future__ import annotations

import importlib.util
import os
import pathlib
from collections.abc import Iterator

import pytest
from model import make
from stack import Stack, own


@pytest.fixture(scope="session")
def sglang() -> None:
    """Skips where there is no SGLang."""
    if importlib.util.find_spec("sglang") is None:
        pytest.skip("missing: SGLang; engines/install.sh makes an environment with it")


@pytest.fixture(scope="session")
def stack(sglang: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A KV Store that no test harms: that of KVSTORE_TEST_STACK, or one that is started for the tests."""
    file = os.environ.get("KVSTORE_TEST_STACK")
    if file:
        yield Stack.of(pathlib.Path(file))
    else:
        with own(tmp_path_factory.mktemp("stack")) as started:
            yield started


@pytest.fixture(scope="session")
def tiny(sglang: None, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A model of 4 layers that computes 1000 tokens in a moment."""
    return make(tmp_path_factory.mktemp("models") / "tiny")
