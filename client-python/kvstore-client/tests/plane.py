"""A data plane that keeps blocks in a dict, and that a test holds up or takes away."""

from __future__ import annotations

import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import hpack
from scripted import OK_HEADERS, Peer, block_parts, grpc_message, serving

from kvstore_client import BlockChain, Partition, checksums
from kvstore_client.agent.chains import OneBlock
from kvstore_client.frames import DATA, END_STREAM, HEADERS, WINDOW_UPDATE
from kvstore_client.names import hash_of, location


class Plane:
    """Its state, which all of its connections share."""

    def __init__(self, pb: Any) -> None:
        self.pb = pb
        self.address = ""
        self.away = False
        self.lookups = 0
        self.reads: list[bytes] = []
        self.writes: list[bytes] = []
        self.hold_read: dict[bytes, threading.Event] = {}
        self.hold_writes = threading.Event()
        self.hold_writes.set()
        self.hold_lookups = threading.Event()
        self.hold_lookups.set()
        self.reading = threading.Event()
        self.writing = threading.Event()
        self._lock = threading.Lock()
        self._blocks: dict[bytes, tuple[BlockChain, int, bytes]] = {}

    def put(self, chain: BlockChain, *contents: bytes) -> None:
        for index, content in enumerate(contents):
            self._blocks[chain.hash(index)] = chain, index, content

    def content(self, name: bytes) -> bytes:
        return self._blocks[name][2]

    def serve(self, peer: Peer) -> None:
        peer.start((4, (1 << 31) - 1))
        peer.send(struct.pack(">HBBBII", 0, 4, WINDOW_UPDATE, 0, 0, 1 << 30))
        decoder = hpack.Decoder()
        while True:
            path, body = "", b""
            while True:
                kind, flags, stream, payload = peer.read()
                if kind == HEADERS:
                    path = {str(name): str(value) for name, value in decoder.decode(payload)}[":path"]
                if kind == DATA:
                    body += payload
                if kind == DATA and flags & END_STREAM:
                    break
            if self.away:
                peer.headers(stream, [*OK_HEADERS, (b"grpc-status", b"14")], end=True)
            else:
                getattr(self, path.rpartition("/")[2])(peer, stream, body[5:])

    def Lookup(self, peer: Peer, stream: int, body: bytes) -> None:  # noqa: N802
        asked = self.pb.LookupRequest.FromString(body)
        count, last = self._prefix(asked.partition, asked.block_tokens, asked.block_hashes)
        peer.answer(stream, self.pb.LookupResponse(cached_blocks=count, last_hash=last).SerializeToString())

    def LookupAll(self, peer: Peer, stream: int, body: bytes) -> None:  # noqa: N802
        self.lookups += 1
        assert self.hold_lookups.wait(60)
        asked = self.pb.LookupAllRequest.FromString(body)
        found = [self._prefix(one.partition, asked.block_tokens, one.block_hashes) for one in asked.partitions]
        answer = self.pb.LookupAllResponse(
            cached_blocks=min(count for count, _ in found),
            partitions=[self.pb.PartitionPrefix(cached_blocks=count, last_hash=last) for count, last in found],
        )
        peer.answer(stream, answer.SerializeToString())

    def StreamingRead(self, peer: Peer, stream: int, body: bytes) -> None:  # noqa: N802
        peer.headers(stream)
        for at, address in enumerate(self.pb.StreamingReadRequest.FromString(body).locations):
            name = hash_of(address)
            with self._lock:
                self.reads.append(name)
            self.reading.set()
            if name in self.hold_read:
                assert self.hold_read[name].wait(60)
            if name not in self._blocks:
                part = self.pb.ReadPart(index=at, last=True)
                part.status.code = 5
                peer.data(stream, grpc_message(self.pb.StreamingReadResponse(parts=[part]).SerializeToString()))
                continue
            chain, index, content = self._blocks[name]
            for part in block_parts(self.pb, chain, index, content):
                part.index = at
                peer.data(stream, grpc_message(self.pb.StreamingReadResponse(parts=[part]).SerializeToString()))
        peer.trailers(stream)

    def Write(self, peer: Peer, stream: int, body: bytes) -> None:  # noqa: N802
        asked = self.pb.WriteRequest.FromString(body)
        chunk, root = asked.chunk, Partition(asked.partition, asked.block_tokens).root
        self.writing.set()
        assert self.hold_writes.wait(60)
        with self._lock:
            self.writes.append(chunk.hash)
            tokens = struct.pack(f"<{len(chunk.tokens)}I", *chunk.tokens)
            partition = Partition(asked.partition, asked.block_tokens)
            alone = BlockChain(partition, chunk.hash, 1, b"", ())
            one = OneBlock(partition, 0, chunk.parent_hash, tokens, chunk.extra, alone)
            present = chunk.hash in self._blocks
            _, _, kept = self._blocks.setdefault(chunk.hash, (one, 0, chunk.buffer))
        answer = self.pb.WriteResponse(
            location=location(root, chunk.hash),
            outcome=2 if present else 1,
            stored_crc32c=checksums.crc32c(memoryview(kept)),
            stored_bytes=len(kept),
        )
        peer.answer(stream, answer.SerializeToString())

    def _prefix(self, partition: str, block_tokens: int, hashes: bytes) -> tuple[int, bytes]:
        last, count = Partition(partition, block_tokens).root, 0
        for at in range(0, len(hashes), 32):
            name = hashes[at : at + 32]
            if name not in self._blocks:
                break
            last, count = name, count + 1
        return count, last


@contextmanager
def planes(pb: Any, context: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> Iterator[Plane]:
    plane = Plane(pb)
    with serving(plane.serve, context=context, host=host) as server:
        plane.address = server.address if context is None else server.address.replace("127.0.0.1", "localhost")
        try:
            yield plane
        finally:
            plane.hold_writes.set()
            plane.hold_lookups.set()
            for held in plane.hold_read.values():
                held.set()
