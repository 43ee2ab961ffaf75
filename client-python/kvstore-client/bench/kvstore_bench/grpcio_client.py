"""grpcio with the classes that protoc generates, as a user would have it without this client.

It verifies and copies, as an engine has to: names of blocks come from the client's own module, and their checksums are
those of google-crc32c.
"""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from typing import Any

import google_crc32c
import grpc
from google import rpc
from grpc_tools import protoc

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.memory import Memory
from kvstore_bench.prompts import Prompts
from kvstore_client import BlockChain

_PROTO = pathlib.Path(__file__).parents[4] / "protocol/src/main/proto"
_PART_BYTES = 1 << 20
_MOST_MESSAGE = 65 << 20
_WRITES_AT_A_TIME = 4

#: The folder of generated classes, which goes with the process.
_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def _generated() -> tuple[Any, Any]:
    """The modules of messages and of the service; a stub's module imports messages as ``kvstore.v1``."""
    _KEPT.append(tempfile.TemporaryDirectory(prefix="kvstore-bench-"))
    folder = _KEPT[-1].name
    wellknown = pathlib.Path(protoc.__file__).parent / "_proto"
    includes = [_PROTO, pathlib.Path(next(iter(rpc.__path__))).parents[1], wellknown]
    flags = [f"-I{include}" for include in includes]
    outs = [f"--python_out={folder}", f"--grpc_python_out={folder}"]
    if protoc.main(["protoc", *flags, *outs, "kvstore/v1/kvstore.proto"]):
        raise RuntimeError("protoc failed")
    # A package of its own, before the client's old name.
    pathlib.Path(folder, "kvstore/__init__.py").touch()
    sys.path.insert(0, folder)
    return (
        importlib.import_module("kvstore.v1.kvstore_pb2"),
        importlib.import_module("kvstore.v1.kvstore_pb2_grpc"),
    )


class GrpcioPeer(Memory):
    """One channel."""

    def __init__(self, blocks: WorkingSet, endpoint: str, resource: str) -> None:
        super().__init__(blocks)
        self._blocks = blocks
        self._prompts = Prompts(blocks)
        self._messages, services = _generated()
        options = [
            ("grpc.max_receive_message_length", _MOST_MESSAGE),
            ("grpc.max_send_message_length", _MOST_MESSAGE),
            ("grpc.http2.max_frame_size", 1 << 20),
        ]
        self._stub = services.KVStoreServiceStub(grpc.insecure_channel(endpoint, options=options))
        self._metadata = [("authorization", "Bearer " + os.environ["KV_API_KEY"])]
        self._resource = resource

    def stock(self) -> None:
        """Writes them."""
        for batch, chain in enumerate(self._prompts.read):
            self._write(chain, [bytearray(self._blocks.content(batch, i)) for i in range(len(chain))])

    def read(self, batch: int) -> None:
        """One streaming read, the bytes of whose parts are copied to where they belong."""
        chain = self._prompts.read[batch]
        request = self._messages.StreamingReadRequest(
            resource_name=self._resource, locations=chain.locations(), max_part_bytes=_PART_BYTES
        )

        def requests() -> Iterator[Any]:
            yield request

        done = wanted = crc = 0
        for answer in self._stub.StreamingRead(requests(), metadata=self._metadata):
            for part in answer.parts:
                if part.HasField("status"):
                    raise RuntimeError(f"block {part.index}: {part.status.message}")
                if part.HasField("head"):
                    crc, wanted = 0, part.head.crc32c
                data = part.bytes
                self.into[part.index][part.offset : part.offset + len(data)] = data
                crc = google_crc32c.extend(crc, data)
                if part.last:
                    if crc != wanted:
                        raise RuntimeError(f"block {part.index} has another checksum")
                    done += 1
        if done != len(chain):
            raise RuntimeError(f"{done} of {len(chain)} blocks came")

    def write(self) -> None:
        """A write for each block, four at a time."""
        self._write(self._prompts.new(), self.source)

    def _write(self, chain: BlockChain, content: list[bytearray]) -> None:
        under_way: deque[Any] = deque()
        for i, block in enumerate(content):
            if len(under_way) == _WRITES_AT_A_TIME:
                under_way.popleft().result()
            under_way.append(self._stub.Write.future(self._request(chain, i, bytes(block)), metadata=self._metadata))
        for call in under_way:
            call.result()

    def _request(self, chain: BlockChain, index: int, block: bytes) -> Any:
        chunk = self._messages.PromptChunk(
            extra=chain.extra(index),
            buffer=block,
            hash=chain.hash(index),
            parent_hash=chain.parent(index),
            crc32c=google_crc32c.value(block),
        )
        chunk.tokens.extend(memoryview(chain.tokens(index)).cast("I").tolist())
        return self._messages.WriteRequest(
            resource_name=self._resource,
            partition=chain.partition.name,
            block_tokens=chain.partition.block_tokens,
            chunk=chunk,
        )


open_peer = GrpcioPeer
