"""What the tests with LMCache share."""

from __future__ import annotations

import importlib.util
import os
import pathlib
from collections.abc import Iterator

import pytest
from stack import Stack, own


@pytest.fixture(scope="session")
def lmcache() -> None:
    """Skips where there is no LMCache."""
    if importlib.util.find_spec("lmcache") is None:
        pytest.skip("missing: LMCache; engines/install.sh makes an environment with it")


@pytest.fixture(scope="session")
def stack(lmcache: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A KV Store that no test harms: that of KVSTORE_TEST_STACK, or one that is started for the tests."""
    file = os.environ.get("KVSTORE_TEST_STACK")
    if file:
        yield Stack.of(pathlib.Path(file))
    else:
        with own(tmp_path_factory.mktemp("stack")) as started:
            yield started


@pytest.fixture
def key(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """The API key comes by the environment."""
    monkeypatch.setenv("KV_API_KEY", stack.key)
