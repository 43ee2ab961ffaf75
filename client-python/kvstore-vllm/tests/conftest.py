"""What the tests of a real engine share."""

from __future__ import annotations

import importlib.util
import os
import pathlib
from collections.abc import Iterator

import hypothesis
import pytest
from kvstore_client import KvClient
from model import make
from stack import Stack, own

# On busy cores an example may take any time.
hypothesis.settings.register_profile("busy", deadline=None)
hypothesis.settings.load_profile("busy")


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Digests of files that no other run made, for engines as well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A model of 4 layers that computes 1000 tokens in a moment."""
    _needs_vllm()
    return make(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="session")
def slow(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A model whose prefill of 3000 tokens takes seconds."""
    _needs_vllm()
    return make(tmp_path_factory.mktemp("models") / "slow", "slow")


def _needs_vllm() -> None:
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("missing: vLLM; engines/install.sh makes an environment with it")


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A KV Store that no test harms: that of KVSTORE_TEST_STACK, or one that is started for the tests."""
    file = os.environ.get("KVSTORE_TEST_STACK")
    if file:
        yield Stack.of(pathlib.Path(file))
    else:
        with own(tmp_path_factory.mktemp("stack")) as started:
            yield started


@pytest.fixture(scope="session")
def client(stack: Stack) -> Iterator[KvClient]:
    """A client of the stack."""
    with KvClient(endpoints=stack.endpoints, resource=stack.resource, key=stack.key) as made:
        yield made
