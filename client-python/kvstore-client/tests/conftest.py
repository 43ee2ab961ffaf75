"""What several tests share: protobuf's classes of KV Store's messages, and a running stack."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

from kvstore_client import KvClient

# On busy cores an example may take any time.
hypothesis.settings.register_profile("busy", deadline=None)
hypothesis.settings.load_profile("busy")

HERE = pathlib.Path(__file__).parent
CHECKOUT = HERE.parents[2]


def published(name: str) -> Any:
    """The vectors of a file that all implementations reproduce."""
    file = CHECKOUT / "protocol/src/test/resources" / name
    return json.loads(file.read_text(encoding="utf-8"))["vectors"]


@pytest.fixture(scope="session")
def vectors() -> Any:
    """The names of blocks."""
    return published("block-hash-vectors.json")


@pytest.fixture(scope="session")
def pb(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Protobuf's classes of kvstore.v1; ``pb.route`` has those of the control plane."""
    protoc = pytest.importorskip("grpc_tools.protoc", reason="missing: grpcio-tools, of PyPI")
    rpc = pytest.importorskip("google.rpc", reason="missing: googleapis-common-protos, of PyPI")
    out = tmp_path_factory.mktemp("generated")
    includes = [CHECKOUT / "protocol/src/main/proto", pathlib.Path(next(iter(rpc.__path__))).parents[1]]
    wellknown = pathlib.Path(protoc.__file__).parent / "_proto"
    files = ["kvstore/v1/kvstore.proto", "kvstore/control/v1/route.proto"]
    flags = [f"-I{include}" for include in (*includes, wellknown)]
    assert protoc.main(["protoc", *flags, f"--python_out={out}", *files]) == 0
    # A package of its own, before the client's old name.
    (out / "kvstore/__init__.py").touch()
    sys.path.insert(0, str(out))

    messages = importlib.import_module("kvstore.v1.kvstore_pb2")
    messages.route = importlib.import_module("kvstore.control.v1.route_pb2")  # type: ignore[attr-defined]
    return messages


@pytest.fixture(scope="session")
def stack() -> Any:
    """What ``kv up --json`` said of a stack that runs; its file is in KVSTORE_TEST_STACK."""
    file = os.environ.get("KVSTORE_TEST_STACK")
    if not file:
        pytest.skip("missing: KVSTORE_TEST_STACK, the file that kv up --json wrote")
    return json.loads(pathlib.Path(file).read_text(encoding="utf-8"))


@pytest.fixture
def client(stack: Any) -> Iterator[KvClient]:
    """A client of the stack, by its data planes."""
    with KvClient(resource=stack["resourceName"], key=stack["apiKey"], endpoints=stack["dataPlanes"]) as made:
        yield made


sys.path.insert(0, str(HERE))
