"""The codec against protobuf's own classes, in both directions."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kvstore_client import errors, wire
from kvstore_client.parts import Part, read_message

RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])

int32s = st.integers(-(2**31), 2**31 - 1)
uint32s = st.integers(0, 2**32 - 1)
uint64s = st.integers(0, 2**64 - 1)
chars = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
blobs = st.binary(max_size=200)


def shuffled(data: bytes, seed: int) -> bytes:
    """The fields of a message in another order, among fields that nobody knows."""
    pieces = []
    for number, kind, value in wire.fields(data):
        key = wire.varint(number << 3 | kind)
        if isinstance(value, bytes):
            pieces.append(key + wire.varint(len(value)) + value)
        elif kind == wire.VARINT:
            pieces.append(key + wire.varint(value))
        else:
            pieces.append(key + value.to_bytes(8 if kind == wire.FIXED64 else 4, "little"))
    pieces += [
        wire.varint(100 << 3 | wire.VARINT) + wire.varint(2**64 - 1),
        wire.varint(101 << 3 | wire.FIXED64) + bytes(8),
        wire.varint(102 << 3 | wire.BYTES) + b"\x03abc",
        wire.varint(103 << 3 | wire.FIXED32) + bytes(4),
    ]
    numbered = {id(p): i for i, p in enumerate(pieces)}
    random.Random(seed).shuffle(pieces)
    # The order of the fields of one number means something.
    firsts = [p[0] for p in pieces]
    for first in set(firsts):
        same = sorted((p for p in pieces if p[0] == first), key=lambda p: numbered[id(p)])
        pieces = [same.pop(0) if p[0] == first else p for p in pieces]
    return b"".join(pieces)


# --- what this package sends ---


@RELAXED
@given(chars, chars, st.integers(0, 8192), blobs, uint64s)
def test_protobuf_reads_lookups(
    pb: Any, resource: str, partition: str, tokens: int, hashes: bytes, expected: int
) -> None:
    read = pb.LookupRequest.FromString(wire.lookup_request(resource, partition, tokens, hashes, expected))
    assert read == pb.LookupRequest(
        resource_name=resource,
        partition=partition,
        block_tokens=tokens,
        block_hashes=hashes,
        omit_locations=True,
        expected_bytes=expected,
    )


@RELAXED
@given(chars, st.integers(0, 8192), st.lists(st.tuples(chars, blobs, uint64s)))
def test_protobuf_reads_lookups_of_several_partitions(
    pb: Any, resource: str, tokens: int, queries: list[tuple[str, bytes, int]]
) -> None:
    read = pb.LookupAllRequest.FromString(wire.lookup_all_request(resource, tokens, queries))
    assert read == pb.LookupAllRequest(
        resource_name=resource,
        block_tokens=tokens,
        partitions=[pb.PartitionQuery(partition=p, block_hashes=h, expected_bytes=e) for p, h, e in queries],
        omit_locations=True,
    )


@RELAXED
@given(chars, st.lists(blobs), uint32s, st.lists(chars), uint64s)
def test_protobuf_reads_streaming_reads(
    pb: Any, resource: str, locations: list[bytes], part: int, writers: list[str], expected: int
) -> None:
    request = wire.streaming_read_request(resource, locations, part, writers, expected)
    assert pb.StreamingReadRequest.FromString(request) == pb.StreamingReadRequest(
        resource_name=resource, locations=locations, max_part_bytes=part, writers=writers, expected_bytes=expected
    )


@RELAXED
@given(chars, chars, uint32s, st.lists(int32s), blobs, blobs, blobs, uint32s, blobs)
def test_protobuf_reads_writes(
    pb: Any,
    resource: str,
    partition: str,
    block_tokens: int,
    tokens: list[int],
    extra: bytes,
    name: bytes,
    parent: bytes,
    crc: int,
    buffer: bytes,
) -> None:
    head = wire.write_request(
        resource,
        partition,
        block_tokens,
        tokens=b"".join(token.to_bytes(4, "little", signed=True) for token in tokens),
        extra=extra,
        name=name,
        parent=parent,
        crc32c=crc,
        buffer_bytes=len(buffer),
    )
    unsigned = [token & 0xFFFFFFFF for token in tokens]
    chunk = pb.PromptChunk(tokens=unsigned, extra=extra, hash=name, parent_hash=parent, crc32c=crc, buffer=buffer)
    assert pb.WriteRequest.FromString(head + buffer) == pb.WriteRequest(
        resource_name=resource, partition=partition, block_tokens=block_tokens, chunk=chunk
    )


@RELAXED
@given(chars, chars)
def test_protobuf_reads_questions_for_routes(pb: Any, resource: str, region: str) -> None:
    read = pb.route.GetRouteRequest.FromString(wire.route_request(resource, region))
    assert read == pb.route.GetRouteRequest(resource_name=resource, region=region)


# --- what it reads ---


@RELAXED
@given(uint32s, st.lists(blobs), blobs, st.integers())
def test_lookups_answers_are_read(pb: Any, cached: int, locations: list[bytes], last: bytes, seed: int) -> None:
    sent = pb.LookupResponse(cached_blocks=cached, locations=locations, last_hash=last).SerializeToString()
    for data in (sent, shuffled(sent, seed)):
        assert wire.LookupResponse.decode(data) == wire.LookupResponse(cached, last)


@RELAXED
@given(st.lists(st.tuples(uint32s, blobs)), uint32s, st.integers())
def test_answers_of_several_partitions_are_read(pb: Any, each: list[tuple[int, bytes]], common: int, seed: int) -> None:
    partitions = [pb.PartitionPrefix(cached_blocks=c, last_hash=last, locations=[b"x"]) for c, last in each]
    sent = pb.LookupAllResponse(cached_blocks=common, partitions=partitions).SerializeToString()
    for data in (sent, shuffled(sent, seed)):
        assert wire.LookupAllResponse.decode(data).partitions == [wire.LookupResponse(*one) for one in each]


@RELAXED
@given(blobs, st.integers(0, 2), uint32s, uint64s, st.integers())
def test_writes_answers_are_read(pb: Any, location: bytes, outcome: int, crc: int, stored: int, seed: int) -> None:
    sent = pb.WriteResponse(
        location=location, outcome=outcome, stored_crc32c=crc, stored_bytes=stored
    ).SerializeToString()
    for data in (sent, shuffled(sent, seed)):
        assert wire.WriteResponse.decode(data) == wire.WriteResponse(location, outcome, crc, stored)


heads = st.fixed_dictionaries(
    {
        "tokens": st.lists(uint32s, max_size=50),
        "extra": blobs,
        "hash": blobs,
        "parent_hash": blobs,
        "buffer_bytes": uint64s,
        "writer": chars,
    },
    optional={"crc32c": uint32s},
)


def our_head(values: dict[str, Any]) -> wire.BlockHead:
    return wire.BlockHead(
        tokens=b"".join(token.to_bytes(4, "little") for token in values["tokens"]),
        extra=values["extra"],
        hash=values["hash"],
        parent=values["parent_hash"],
        buffer_bytes=values["buffer_bytes"],
        crc32c=values.get("crc32c"),
        writer=values["writer"],
    )


@RELAXED
@given(heads, st.integers())
def test_heads_are_read(pb: Any, values: dict[str, Any], seed: int) -> None:
    sent = pb.BlockHead(**values).SerializeToString()
    for data in (sent, shuffled(sent, seed)):
        assert wire.BlockHead.decode(data) == our_head(values)


def test_tokens_that_are_not_packed_are_read() -> None:
    data = b"\x0d\x01\0\0\0" + b"\x0a\x04\x02\0\0\0" + b"\x0d\x03\0\0\0"
    assert wire.BlockHead.decode(data).tokens == b"\x01\0\0\0\x02\0\0\0\x03\0\0\0"


@RELAXED
@given(st.sampled_from([code for code in errors.Code if code]), chars, st.lists(st.tuples(chars, chars)), st.data())
def test_statuses_with_details_are_read(
    pb: Any, code: errors.Code, message: str, fields: list[tuple[str, str]], data: Any
) -> None:
    from google.protobuf.any_pb2 import Any as AnyMessage
    from google.rpc import error_details_pb2, status_pb2

    delay = data.draw(st.none() | st.floats(0, 80_000).map(lambda x: round(x, 6)))
    sent = status_pb2.Status(code=int(code), message=message)
    bad = error_details_pb2.BadRequest()
    for name, description in fields:
        bad.field_violations.add(field=name, description=description)
    for detail in [bad] if fields else []:
        packed = AnyMessage()
        packed.Pack(detail)
        sent.details.append(packed)
    if delay is not None:
        info = error_details_pb2.RetryInfo()
        info.retry_delay.FromNanoseconds(round(delay * 1e9))
        packed = AnyMessage()
        packed.Pack(info)
        sent.details.append(packed)
    found = wire.status(sent.SerializeToString())
    assert (found.code, found.message) == (code, message)
    assert [(one.field, one.description) for one in found.violations] == fields
    assert found.retry_delay == (None if delay is None else pytest.approx(delay))
    assert type(found) is type(errors.error(code, ""))


@RELAXED
@given(
    chars,
    st.lists(st.tuples(chars, uint32s, st.lists(st.tuples(chars, chars, chars, chars, st.integers(1, 1000))))),
)
def test_routes_are_read(pb: Any, version: str, levels: list[Any]) -> None:
    sent = pb.route.Route(version=version, region="here")
    sent.ttl.seconds = 60
    for region, share, targets in levels:
        level = sent.levels.add(region=region, share=share, panic=True)
        for cluster, process, instance, address, weight in targets:
            level.targets.add(cluster=cluster, process=process, instance=instance, address=address, weight=weight)
    read = wire.Route.decode(sent.SerializeToString())
    assert read.version == version
    assert [(one.region, one.share) for one in read.levels] == [(region, share) for region, share, _ in levels]
    assert [target for one in read.levels for target in one.targets] == [
        wire.Target(f"{cluster}/{process}", instance, address, weight)
        for _, _, targets in levels
        for cluster, process, instance, address, weight in targets
    ]


# --- parts, which are read as they arrive ---


class Bytes:
    """A body that is all there."""

    def __init__(self, data: bytes) -> None:
        self.data, self.consumed = data, 0

    def byte(self) -> int:
        return self.take(1)[0]

    def take(self, size: int) -> bytes:
        piece = self.data[self.consumed : self.consumed + size]
        if len(piece) < size:
            raise EOFError
        self.consumed += size
        return piece

    def into(self, target: memoryview) -> None:
        target[:] = self.take(target.nbytes)

    def skip(self, size: int) -> None:
        self.take(size)


class Collected:
    """Takes parts, in memory of its own if ``places``."""

    def __init__(self, *, places: bool) -> None:
        self.parts: list[tuple[Part, bytes]] = []
        self.places = places
        self.assumed: Part | None = None

    def place(self, part: Part, size: int) -> memoryview | None:
        self.assumed = part
        return memoryview(bytearray(size)) if self.places else None

    def placed(self, part: Part, target: memoryview) -> None:
        # ``last`` may follow the bytes; what says where they belong may not.
        assert self.assumed
        assert (part.index, part.offset, part.head) == (self.assumed.index, self.assumed.offset, self.assumed.head)
        self.parts.append((part, bytes(target)))

    def part(self, part: Part, data: bytes) -> None:
        self.parts.append((part, data))


wire_parts = st.lists(
    st.fixed_dictionaries(
        {"index": uint32s, "offset": uint64s, "last": st.booleans(), "bytes": blobs, "crc32c": uint32s}
    )
    | st.fixed_dictionaries({"index": uint32s, "head": heads, "bytes": blobs}),
    max_size=5,
)


@RELAXED
@given(wire_parts, st.booleans(), st.none() | st.integers())
def test_parts_are_read_in_any_order_of_fields(
    pb: Any, values: list[dict[str, Any]], places: bool, seed: int | None
) -> None:
    sent = [
        pb.ReadPart(**{key: pb.BlockHead(**one) if key == "head" else one for key, one in part.items()})
        for part in values
    ]
    pieces = [one.SerializeToString() for one in sent]
    if seed is not None:
        pieces = [shuffled(piece, seed) for piece in pieces]
    data = b"".join(b"\x0a" + wire.varint(len(piece)) + piece for piece in pieces)
    if seed is not None:
        data = wire.varint(9 << 3 | wire.BYTES) + b"\x02xy" + data
    found = Collected(places=places)
    body = Bytes(data)
    read_message(body, len(data), found)
    assert body.consumed == len(data)
    assert found.parts == [
        (
            Part(
                part["index"],
                part.get("offset", 0),
                part.get("last", False),
                None,
                our_head(part["head"]) if "head" in part else None,
            ),
            part["bytes"],
        )
        for part in values
    ]


def test_a_part_with_a_status_is_read(pb: Any) -> None:
    part = pb.ReadPart(index=3, last=True)
    part.status.code = 5
    part.status.message = "no such block"
    data = pb.StreamingReadResponse(parts=[part]).SerializeToString()
    found = Collected(places=True)
    read_message(Bytes(data), len(data), found)
    ((read, content),) = found.parts
    assert isinstance(read.status, errors.NotFoundError)
    assert (read.index, read.last, content) == (3, True, b"")


# --- what is no message ---


@RELAXED
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for decode in (
        wire.LookupResponse.decode,
        wire.WriteResponse.decode,
        wire.BlockHead.decode,
        wire.Route.decode,
        wire.status,
    ):
        with contextlib.suppress(wire.DecodeError):
            decode(data)
    with contextlib.suppress(wire.DecodeError, EOFError):
        read_message(Bytes(data), len(data), Collected(places=True))


def test_a_message_that_is_cut_anywhere_is_refused(pb: Any) -> None:
    head = pb.BlockHead(tokens=[1, 2], hash=b"h", buffer_bytes=300, crc32c=7)
    part = pb.ReadPart(index=1, offset=300, head=head, bytes=b"x" * 200, crc32c=5)
    inner = part.SerializeToString()
    for cut in range(1, len(inner)):
        data = b"\x0a" + wire.varint(cut) + inner[:cut]
        found = Collected(places=True)
        try:
            read_message(Bytes(data), len(data), found)
        except (wire.DecodeError, EOFError):
            continue
        # A cut between two fields leaves a message.
        pb.ReadPart.FromString(inner[:cut])


@pytest.mark.parametrize("data", [b"\0", b"\x08" + b"\xff" * 10 + b"\x01", b"\x0b", b"\x0a\x05abc", b"\x80", b"\x0d\0"])
def test_bytes_that_are_no_message_are_refused(data: bytes) -> None:
    with pytest.raises(wire.DecodeError):
        list(wire.fields(data))
