"""The client against a server that says, frame by frame, what HTTP/2 allows and what it does not."""

from __future__ import annotations

import base64
import gc
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scripted import (
    OK_HEADERS,
    Peer,
    block_parts,
    blocks_answer,
    grpc_message,
    serving,
)

from kvstore_client import (
    BlockChain,
    BlockResult,
    Cancel,
    CancelledError,
    Code,
    DataLossError,
    DeadlineExceededError,
    InternalError,
    KvClient,
    KvError,
    NotFoundError,
    OutOfRangeError,
    Partition,
    ResourceExhaustedError,
    Retry,
    UnavailableError,
    rendezvous,
    transport,
)
from kvstore_client.frames import (
    ACK,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    PADDED,
    PING,
    PRIORITY_FLAG,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    encode_headers,
    frame,
)

CHAIN = BlockChain.of(Partition("scripted", 4), range(12))
CONTENTS = [bytes([i + 1]) * size for i, size in enumerate((3000, 1, 70_000))]
ONCE = Retry(max_attempts=1)
AGAIN = Retry(initial_backoff=0.001)

Call = Callable[[Peer, int], None]


def a_client(address: str, **options: Any) -> KvClient:
    options = {"retry": ONCE, "timeout": 20.0, **options}
    return KvClient(resource="r", key="kv_a_b", endpoints=[address], **options)


def each_call(*calls: Call) -> Callable[[Peer], None]:
    """A connection on which the n-th call is answered so."""

    def script(peer: Peer) -> None:
        peer.start()
        for call in calls:
            stream, _ = peer.request()
            call(peer, stream)
        peer.until(GOAWAY)  # until the client hangs up

    return script


def read_all(address: str, contents: list[bytes] = CONTENTS, **options: Any) -> tuple[list[BlockResult], list[bytes]]:
    targets = [bytearray(len(content)) for content in contents]
    with a_client(address, **options) as client:
        results = client.read_into(CHAIN.prefix(len(contents)), targets)
    return results, [bytes(target) for target in targets]


def lookup(address: str, **options: Any) -> int:
    with a_client(address, **options) as client:
        return client.lookup(CHAIN)


@pytest.fixture
def good(pb: Any) -> bytes:
    """The messages of a good answer to a read of all blocks."""
    return blocks_answer(pb, CHAIN, CONTENTS, part=16_384)


@pytest.fixture
def found(pb: Any) -> bytes:
    """A good answer to a lookup: two blocks."""
    return bytes(pb.LookupResponse(cached_blocks=2, last_hash=CHAIN.hash(1)).SerializeToString())


def cuts(data: bytes, rng: random.Random, most: int) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        size = rng.randint(1, most)
        yield data[at : at + size]
        at += size


# --- what is allowed ---


@pytest.mark.parametrize("most", [1, 7, 400, 20_000])
def test_frames_may_be_cut_anywhere_and_be_padded(good: bytes, most: int) -> None:
    rng = random.Random(most)
    body = good if most > 100 else good[: 6000 * most]

    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        out = bytearray()
        for piece in cuts(body, rng, most):
            pad = rng.choice([None, 0, 1, 255]) if len(out) < 1 << 20 else None
            if pad is None:
                out += frame(DATA, 0, stream, piece)
            else:
                out += frame(DATA, PADDED, stream, bytes((pad,)) + piece + bytes(pad))
            if rng.random() < 0.1:
                out += frame(DATA, 0, stream, b"")
            if rng.random() < 0.1:
                out += frame(99, 0xFF, 0, b"of a later HTTP/2")
        for piece in cuts(bytes(out), rng, 5000):
            peer.send(piece)
        if body is good:
            peer.trailers(stream)
        else:
            peer.trailers(stream, 4, b"late")

    with serving(each_call(answer)) as server:
        results, targets = read_all(server.address)
    whole = 3 if body is good else 2
    assert [result.ok for result in results] == [i < whole for i in range(3)]
    assert targets[:whole] == CONTENTS[:whole]
    assert all(result.error is None or result.error.code is Code.DEADLINE_EXCEEDED for result in results)


def test_the_bytes_of_the_network_may_come_one_at_a_time(pb: Any) -> None:
    answer_bytes = blocks_answer(pb, CHAIN, CONTENTS[:2], part=4096)

    def answer(peer: Peer, stream: int) -> None:
        out = frame(HEADERS, END_HEADERS, stream, encode_headers(OK_HEADERS))
        out += frame(DATA, 0, stream, answer_bytes)
        out += frame(HEADERS, END_HEADERS | END_STREAM, stream, encode_headers([(b"grpc-status", b"0")]))
        for at in range(len(out)):
            peer.send(out[at : at + 1])

    with serving(each_call(answer)) as server:
        results, targets = read_all(server.address, CONTENTS[:2])
    assert [result.error for result in results] == [None, None]
    assert targets == CONTENTS[:2]


def test_headers_may_be_continued_padded_and_have_a_priority(found: bytes) -> None:
    def answer(peer: Peer, stream: int) -> None:
        block = encode_headers([*OK_HEADERS, (b"x-long", b"y" * 40_000)])
        first = bytes((3,)) + struct.pack(">IB", 0, 15) + block[:10] + bytes(3)
        peer.send(frame(HEADERS, PADDED | PRIORITY_FLAG, stream, first))
        peer.send(frame(CONTINUATION, 0, stream, block[10:20_000]))
        peer.send(frame(CONTINUATION, 0, stream, b""))
        peer.send(frame(CONTINUATION, END_HEADERS, stream, block[20_000:]))
        peer.data(stream, grpc_message(found))
        peer.trailers(stream)

    with serving(each_call(answer)) as server:
        assert lookup(server.address) == 2


def test_informational_headers_are_passed_over(found: bytes) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream, [(b":status", b"103")])
        peer.answer(stream, found)

    with serving(each_call(answer)) as server:
        assert lookup(server.address) == 2


def test_pings_and_settings_are_acknowledged_at_any_time(found: bytes) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.send(frame(PING, 0, 0, b"12345678"))
        assert peer.until(PING, ACK)[3] == b"12345678"
        peer.send(frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 1000)))
        peer.until(SETTINGS, ACK)
        peer.data(stream, grpc_message(found))
        peer.trailers(stream)

    with serving(each_call(answer)) as server:
        assert lookup(server.address) == 2


def test_a_block_goes_out_within_the_windows_and_frames_that_the_server_allows(pb: Any) -> None:
    content = random.Random(5).randbytes(300_000)
    sizes: list[int] = []
    got = bytearray()

    def script(peer: Peer) -> None:
        peer.start((4, 1000), (5, 20_000))
        ended, stream, window, connection = False, 1, 65_535, 65_535
        while not ended:
            kind, flags, _, payload = peer.read()
            if kind == SETTINGS and flags & ACK:
                window += 1000 - 65_535  # below nothing, as RFC 9113 has it: the client waits
            elif kind == DATA:
                assert len(payload) <= min(window, connection)
                sizes.append(len(payload))
                got.extend(payload)
                window -= len(payload)
                connection -= len(payload)
                ended = bool(flags & END_STREAM)
            if window <= 0 and not ended:
                peer.send(frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", 30_000 - window)))
                window = 30_000
            if connection <= 0 and not ended:
                connection += 20_000
                peer.send(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 20_000)))
        request = pb.WriteRequest.FromString(bytes(got[5:]))
        answer = pb.WriteResponse(
            location=CHAIN.location(1),
            outcome=1,
            stored_crc32c=request.chunk.crc32c,
            stored_bytes=len(request.chunk.buffer),
        )
        assert (request.partition, request.block_tokens) == ("scripted", 4)
        assert list(request.chunk.tokens) == [4, 5, 6, 7]
        assert request.chunk.buffer == content
        peer.answer(stream, answer.SerializeToString())
        peer.until(GOAWAY)

    with serving(script) as server, a_client(server.address) as client:
        assert client.write(CHAIN, 1, content).stored
    assert max(sizes) <= 20_000


def test_a_connection_serves_one_call_after_the_other(found: bytes) -> None:
    calls: list[Call] = [lambda peer, stream: peer.answer(stream, found)] * 5
    with serving(each_call(*calls)) as server, a_client(server.address) as client:
        assert [client.lookup(CHAIN) for _ in range(5)] == [2] * 5
    assert len(server.peers) == 1


def test_a_slow_reader_holds_the_server_up_and_gets_all(pb: Any) -> None:
    contents = [bytes([i + 1]) * (4 << 20) for i in range(3)]
    answer_bytes = blocks_answer(pb, CHAIN, contents)

    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        for at in range(0, len(answer_bytes), 1 << 20):
            peer.data(stream, answer_bytes[at : at + (1 << 20)])
        peer.trailers(stream)

    def slowly(_: BlockResult) -> None:
        time.sleep(0.3)

    targets = [bytearray(4 << 20) for _ in range(3)]
    with serving(each_call(answer)) as server, a_client(server.address) as client:
        results = client.read_into(CHAIN, targets, on_block=slowly)
    assert [result.error for result in results] == [None] * 3
    assert targets == contents


# --- how calls end ---


@pytest.mark.parametrize(
    ("code", "kind"), [(5, NotFoundError), (8, ResourceExhaustedError), (14, UnavailableError), (99, KvError)]
)
def test_trailers_only_are_an_error(code: int, kind: type[KvError]) -> None:
    def answer(peer: Peer, stream: int) -> None:
        fields = [*OK_HEADERS, (b"grpc-status", b"%d" % code), (b"grpc-message", b"not %25 here%21")]
        peer.headers(stream, fields, end=True)

    with serving(each_call(answer)) as server, pytest.raises(kind) as raised:
        lookup(server.address)
    assert raised.value.message == "not % here!"


def test_details_name_the_field_and_the_delay() -> None:
    from google.protobuf.any_pb2 import Any as AnyMessage
    from google.rpc import error_details_pb2, status_pb2

    status = status_pb2.Status(code=8, message="full")
    info = error_details_pb2.RetryInfo()
    info.retry_delay.FromMilliseconds(1500)
    packed = AnyMessage()
    packed.Pack(info)
    status.details.append(packed)
    details = base64.b64encode(status.SerializeToString()).rstrip(b"=")

    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.trailers(stream, 8, b"full", (b"grpc-status-details-bin", details))

    with serving(each_call(answer)) as server, pytest.raises(ResourceExhaustedError) as raised:
        lookup(server.address)
    assert raised.value.retry_delay == 1.5
    assert raised.value.retryable


@pytest.mark.parametrize(
    ("status", "code"), [(b"401", Code.UNAUTHENTICATED), (b"404", Code.UNIMPLEMENTED), (b"503", Code.UNAVAILABLE)]
)
def test_an_answer_that_is_not_grpcs_is_an_error(status: bytes, code: Code) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream, [(b":status", status), (b"content-type", b"text/html")])
        peer.data(stream, b"<html>", end=True)

    with serving(each_call(answer)) as server, pytest.raises(KvError, match="not gRPC") as raised:
        lookup(server.address)
    assert raised.value.code is code


def test_the_prefix_that_came_before_an_error_is_kept(pb: Any) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.data(stream, blocks_answer(pb, CHAIN, CONTENTS[:2]))
        peer.trailers(stream, 4, b"the deadline struck")

    with serving(each_call(answer)) as server:
        results, targets = read_all(server.address)
    assert [result.error.code if result.error else None for result in results] == [None, None, Code.DEADLINE_EXCEEDED]
    assert targets[:2] == CONTENTS[:2]


@pytest.mark.parametrize("end", ["an error", "a retry"])
def test_a_failure_keeps_no_buffer_in_use(pb: Any, end: str) -> None:
    def broken(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.data(stream, blocks_answer(pb, CHAIN, CONTENTS[:1]))
        if end == "an error":
            peer.trailers(stream, 9)
        else:
            raise ConnectionError

    def rest(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        for index in (1, 2):
            (part,) = block_parts(pb, CHAIN, index, CONTENTS[index])
            part.index -= 1
            peer.data(stream, grpc_message(pb.StreamingReadResponse(parts=[part]).SerializeToString()))
        peer.trailers(stream)

    targets = [bytearray(len(content)) for content in CONTENTS]
    gc.disable()
    try:
        with serving(each_call(broken), each_call(rest)) as server, a_client(server.address, retry=AGAIN) as client:
            results = client.read_into(CHAIN, targets)
        assert [result.ok for result in results] == [True, end == "a retry", end == "a retry"]
        for target in targets:
            target.clear()  # a BufferError where a view of it is left
    finally:
        gc.enable()


def test_the_deadline_gives_the_prefix_that_has_arrived(pb: Any) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.data(stream, blocks_answer(pb, CHAIN, CONTENTS[:1]))

    began = time.monotonic()
    with serving(each_call(answer)) as server:
        results, targets = read_all(server.address, timeout=1.0, stall_timeout=0)
    assert 0.9 < time.monotonic() - began < 15
    assert [result.error.code if result.error else None for result in results] == [
        None,
        Code.DEADLINE_EXCEEDED,
        Code.DEADLINE_EXCEEDED,
    ]
    assert targets[0] == CONTENTS[0]


def test_a_server_that_never_answers_meets_the_deadline() -> None:
    with serving(each_call(lambda peer, stream: None)) as server, pytest.raises(DeadlineExceededError):
        lookup(server.address, timeout=0.5)


def test_a_call_that_the_server_cancels_at_the_deadline_met_it() -> None:
    def cancelled(peer: Peer, stream: int) -> None:
        time.sleep(0.98)
        dropped(peer, stream)

    with serving(each_call(cancelled)) as server, pytest.raises(DeadlineExceededError):
        lookup(server.address, timeout=1.0)


def test_the_server_is_told_the_deadline(found: bytes) -> None:
    with serving(each_call(lambda peer, stream: peer.answer(stream, found))) as server:
        lookup(server.address, timeout=60.0)
        headers = next(payload for kind, _, _, payload in server.peers[0].frames if kind == HEADERS)
    import hpack

    fields: dict[Any, Any] = dict(hpack.Decoder().decode(headers))
    assert fields["grpc-timeout"].endswith("u")
    assert 10_000_000 < int(fields["grpc-timeout"][:-1]) <= 60_000_000
    assert fields["authorization"] == "Bearer kv_a_b"
    assert fields[":path"] == "/kvstore.v1.KVStoreService/Lookup"
    assert fields["te"] == "trailers"


def test_a_deadline_holds_for_all_addresses_of_a_host_together(monkeypatch: pytest.MonkeyPatch) -> None:
    address = ("127.0.0.1", 1)

    class Deaf(socket.socket):
        """A connection that nobody answers."""

        def connect(self, _: Any) -> None:
            time.sleep(self.gettimeout() or 60)
            raise TimeoutError("timed out")

    found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", address)] * 20
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "socket", Deaf)
    began = time.monotonic()
    with pytest.raises(KvError):
        lookup("127.0.0.1:1", timeout=0.5)
    assert time.monotonic() - began < 5


def test_an_operation_that_is_cancelled_ends_at_once() -> None:
    cancel = Cancel()
    began = threading.Event()

    def answer(peer: Peer, stream: int) -> None:
        began.set()

    with serving(each_call(answer)) as server, a_client(server.address) as client:

        def give_up() -> None:
            assert began.wait(20)
            cancel.cancel()

        canceller = threading.Thread(target=give_up)
        canceller.start()
        with pytest.raises(CancelledError):
            client.lookup(CHAIN, cancel=cancel, timeout=60)
        canceller.join()


def test_closing_the_client_ends_what_is_under_way() -> None:
    began = threading.Event()
    failures: list[KvError] = []

    with serving(each_call(lambda peer, stream: began.set())) as server:
        client = a_client(server.address, timeout=60)

        def work() -> None:
            try:
                client.lookup(CHAIN)
            except KvError as e:
                failures.append(e)

        worker = threading.Thread(target=work)
        worker.start()
        assert began.wait(20)
        client.close()
        worker.join(20)
    assert [failure.code for failure in failures] == [Code.CANCELLED]


# --- what is tried again ---


def refused(peer: Peer, stream: int) -> None:
    peer.send(frame(RST_STREAM, 0, stream, struct.pack(">I", 7)))


def hung_up(peer: Peer, stream: int) -> None:
    raise ConnectionError


def going_away(peer: Peer, stream: int) -> None:
    peer.send(frame(GOAWAY, 0, 0, struct.pack(">II", stream - 2 if stream > 1 else 0, 0) + b"draining"))


def unavailable(peer: Peer, stream: int) -> None:
    peer.headers(stream, [*OK_HEADERS, (b"grpc-status", b"14")], end=True)


def dropped(peer: Peer, stream: int) -> None:
    peer.send(frame(RST_STREAM, 0, stream, struct.pack(">I", 8)))


@pytest.mark.parametrize("trouble", [refused, hung_up, going_away, unavailable, dropped])
def test_a_call_that_may_be_repeated_is_repeated(found: bytes, trouble: Call) -> None:
    fine = each_call(*[lambda peer, stream: peer.answer(stream, found)] * 3)
    with serving(each_call(trouble), fine) as server, a_client(server.address, retry=AGAIN) as client:
        if trouble is unavailable:
            server._scripts = (each_call(trouble, lambda peer, stream: peer.answer(stream, found)),)
        assert client.lookup(CHAIN) == 2


@pytest.mark.parametrize("trouble", [refused, hung_up, going_away])
def test_an_idle_connection_that_the_server_closed_costs_no_attempt(found: bytes, trouble: Call) -> None:
    def fine(peer: Peer, stream: int) -> None:
        peer.answer(stream, found)

    with serving(each_call(fine, trouble), each_call(fine)) as server, a_client(server.address) as client:
        assert [client.lookup(CHAIN), client.lookup(CHAIN)] == [2, 2]
        assert len(server.peers) == 2


def test_an_idle_connection_is_not_used_after_goaway(found: bytes) -> None:
    def last(peer: Peer, stream: int) -> None:
        peer.answer(stream, found)
        peer.send(frame(GOAWAY, 0, 0, struct.pack(">II", stream, 0)))

    with serving(each_call(last), each_call(last)) as server, a_client(server.address) as client:
        assert [client.lookup(CHAIN), client.lookup(CHAIN)] == [2, 2]
        assert len(server.peers) == 2


@pytest.mark.parametrize("code", [3, 5, 7, 9, 13, 15, 16])
def test_other_errors_are_final(found: bytes, code: int) -> None:
    calls: list[Call] = [
        lambda peer, stream: peer.headers(stream, [*OK_HEADERS, (b"grpc-status", b"%d" % code)], end=True),
        lambda peer, stream: peer.answer(stream, found),
    ]
    with (
        serving(each_call(*calls)) as server,
        a_client(server.address, retry=AGAIN) as client,
        pytest.raises(KvError) as raised,
    ):
        client.lookup(CHAIN)
    assert raised.value.code == code


def test_a_read_that_breaks_goes_on_at_the_block_where_it_broke(pb: Any) -> None:
    wanted: list[list[bytes]] = []

    def broken(peer: Peer, stream: int) -> None:
        parts = b"".join(
            grpc_message(pb.StreamingReadResponse(parts=[one]).SerializeToString())
            for index in (0, 1, 2)
            for one in block_parts(pb, CHAIN, index, CONTENTS[index], part=16_384)
        )
        peer.headers(stream)
        peer.data(stream, parts[: len(parts) - 30_000])
        raise ConnectionError

    def rest(peer: Peer) -> None:
        peer.start()
        stream, message = peer.request()
        wanted.append(list(pb.StreamingReadRequest.FromString(message).locations))
        peer.headers(stream)
        for one in block_parts(pb, CHAIN, 2, CONTENTS[2]):
            one.index = 0
            peer.data(stream, grpc_message(pb.StreamingReadResponse(parts=[one]).SerializeToString()))
        peer.trailers(stream)
        peer.until(GOAWAY)

    with serving(each_call(broken), rest) as server:
        results, targets = read_all(server.address, retry=AGAIN)
    assert wanted == [[CHAIN.location(2)]]
    assert [(result.index, result.error) for result in results] == [(0, None), (1, None), (2, None)]
    assert targets == CONTENTS


def test_a_frozen_data_plane_is_given_up_for_another(found: bytes) -> None:
    def belongs_to(name: str, address: str) -> float:
        return rendezvous.score(rendezvous.seed(name), rendezvous.seed(address), 1)

    with (
        serving(each_call(lambda peer, stream: None)) as frozen,
        serving(each_call(*[lambda peer, stream: peer.answer(stream, found)] * 3)) as fine,
        KvClient(
            resource="r", key="kv_a_b", endpoints=[frozen.address, fine.address], stall_timeout=0.4, timeout=60
        ) as client,
    ):
        names = [f"conversation {i}" for i in range(1000)]
        its = [name for name in names if belongs_to(name, frozen.address) > belongs_to(name, fine.address)]
        assert [client.lookup(CHAIN, affinity=name) for name in its[:3]] == [2] * 3
        assert frozen.peers


def test_a_slow_data_plane_that_answers_pings_is_waited_for(found: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "PING_APART", 0.0)

    def slow(peer: Peer, stream: int) -> None:
        for _ in range(3):
            assert peer.until(PING)[1] == 0
            peer.send(frame(PING, ACK, 0, b"kvstore?"))
        peer.answer(stream, found)

    with serving(each_call(slow)) as server:
        assert lookup(server.address, stall_timeout=0.4, retry=AGAIN) == 2
    assert len(server.peers) == 1


def test_pings_are_no_more_frequent_than_servers_permit(found: bytes) -> None:
    def slow(peer: Peer, stream: int) -> None:
        assert peer.until(PING)[1] == 0
        peer.send(frame(PING, ACK, 0, b"kvstore?"))
        peer.sock.settimeout(2)
        with pytest.raises(TimeoutError):
            peer.read()
        peer.sock.settimeout(60)
        peer.answer(stream, found)

    with serving(each_call(slow, slow)) as server, a_client(server.address, stall_timeout=0.4, retry=AGAIN) as client:
        assert [client.lookup(CHAIN), client.lookup(CHAIN, timeout=8)] == [2, 2]
    assert len(server.peers) == 1


# --- what breaks the rules ---


def bad_frames() -> dict[str, Call]:
    def sends(data: Callable[[int], bytes], *, begun: bool = True) -> Call:
        def script(peer: Peer, stream: int) -> None:
            if begun:
                peer.headers(stream)
            peer.send(data(stream))

        return script

    header = encode_headers(OK_HEADERS)
    return {
        "padding longer than its frame": sends(lambda s: frame(DATA, PADDED, s, b"\x05ab")),
        "a padded frame of nothing": sends(lambda s: frame(DATA, PADDED, s, b"")),
        "data before headers": sends(lambda s: frame(DATA, 0, s, b"x"), begun=False),
        "data of stream 0": sends(lambda s: frame(DATA, 0, 0, b"x")),
        "data of a stream that was not begun": sends(lambda s: frame(DATA, 0, s + 2, b"x")),
        "headers that another frame interrupts": sends(
            lambda s: frame(HEADERS, 0, s, header[:3]) + frame(PING, 0, 0, bytes(8)), begun=False
        ),
        "a continuation of nothing": sends(lambda s: frame(CONTINUATION, END_HEADERS, s, b"")),
        "headers that no table explains": sends(lambda s: frame(HEADERS, END_HEADERS, s, b"\xff\xff\xff\x7f")),
        "trailers without an end": sends(lambda s: frame(HEADERS, END_HEADERS, s, header)),
        "a pushed stream": sends(lambda s: frame(5, END_HEADERS, s, struct.pack(">I", 2) + header)),
        "a ping of seven bytes": sends(lambda s: frame(PING, 0, 0, bytes(7))),
        "settings of five bytes": sends(lambda s: frame(SETTINGS, 0, 0, bytes(5))),
        "settings of a tiny frame size": sends(lambda s: frame(SETTINGS, 0, 0, struct.pack(">HI", 5, 1))),
        "a window update of nothing": sends(lambda s: frame(WINDOW_UPDATE, 0, s, bytes(4))),
        "a window that is too large": sends(lambda s: frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**31 - 1)) * 2),
        "a reset of stream 0": sends(lambda s: frame(RST_STREAM, 0, 0, bytes(4))),
        "a control frame of 16 MiB": sends(lambda s: b"\xff\xff\xff\x06\0\0\0\0\0"),
        "a compressed message": sends(lambda s: frame(DATA, 0, s, b"\x01\0\0\0\x01x")),
        "a message of 4 GiB": sends(lambda s: frame(DATA, 0, s, b"\0\xff\xff\xff\xff")),
        "an end in the middle of a message": sends(lambda s: frame(DATA, END_STREAM, s, b"\0\0\0\0\x09abc")),
        "an answer without a message": sends(
            lambda s: frame(HEADERS, END_HEADERS | END_STREAM, s, encode_headers([(b"grpc-status", b"0")]))
        ),
        "a message that is none": sends(
            lambda s: (
                frame(DATA, 0, s, grpc_message(b"\x0f"))
                + frame(HEADERS, END_HEADERS | END_STREAM, s, encode_headers([(b"grpc-status", b"0")]))
            )
        ),
    }


@pytest.mark.parametrize("name", bad_frames())
def test_an_answer_that_breaks_the_rules_is_an_error_and_ends_the_connection(found: bytes, name: str) -> None:
    fine = each_call(*[lambda peer, stream: peer.answer(stream, found)] * 2)
    with serving(each_call(bad_frames()[name]), fine) as server, a_client(server.address) as client:
        with pytest.raises(InternalError):
            client.lookup(CHAIN)
        assert client.lookup(CHAIN) == 2


def test_a_cached_prefix_that_is_not_the_prompts_is_an_error(pb: Any) -> None:
    for wrong in (
        pb.LookupResponse(cached_blocks=4, last_hash=CHAIN.hash(2)),
        pb.LookupResponse(cached_blocks=2, last_hash=CHAIN.hash(2)),
        pb.LookupResponse(cached_blocks=0),
    ):
        data = wrong.SerializeToString()
        with (
            serving(each_call(lambda peer, stream, data=data: peer.answer(stream, data))) as server,  # type: ignore[misc]
            pytest.raises(InternalError),
        ):
            lookup(server.address)


# --- blocks that are not what they should be ---


def damages(pb: Any) -> dict[str, Callable[[list[Any]], None]]:
    def flip(parts: list[Any]) -> None:
        data = bytearray(parts[1].bytes)
        data[100] ^= 1
        parts[1].bytes = bytes(data)

    def set_head(**values: Any) -> Callable[[list[Any]], None]:
        def change(parts: list[Any]) -> None:
            for name, value in values.items():
                if value is None:
                    parts[0].head.ClearField(name)
                elif name == "tokens":
                    parts[0].head.tokens[:] = value
                else:
                    setattr(parts[0].head, name, value)

        return change

    def last_early(parts: list[Any]) -> None:
        parts[2].last = True

    return {
        "a flipped bit": flip,
        "another checksum": set_head(crc32c=1),
        "no checksum": set_head(crc32c=None),
        "another block": set_head(hash=CHAIN.hash(1)),
        "other tokens": set_head(tokens=[9, 9, 9, 9]),
        "another parent": set_head(parent_hash=bytes(32)),
        "an extra that has no part in its name": set_head(extra=b"x"),
        "more bytes than it says": set_head(buffer_bytes=20_000),
        "no bytes": set_head(buffer_bytes=0),
        "too many bytes": set_head(buffer_bytes=65 << 20),
        "no head": lambda parts: parts[0].ClearField("head"),
        "a gap": lambda parts: parts.pop(1),
        "a part twice": lambda parts: parts.insert(1, parts[1]),
        "an end too early": last_early,
        "no end": lambda parts: parts.pop(),
    }


@pytest.mark.parametrize("name", list(damages(None)))
def test_a_damaged_block_is_data_loss_and_touches_no_other(pb: Any, name: str) -> None:
    damaged = block_parts(pb, CHAIN, 2, CONTENTS[2], part=16_384)
    damages(pb)[name](damaged)
    for one in damaged:
        one.index = 1
    order = BlockChain.of(Partition("scripted", 4), range(12))
    addresses = [order.location(0), order.location(2), order.location(1)]
    after = block_parts(pb, CHAIN, 1, CONTENTS[1])
    after[0].index = 2

    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        for one in (*block_parts(pb, CHAIN, 0, CONTENTS[0]), *damaged, *after):
            peer.data(stream, grpc_message(pb.StreamingReadResponse(parts=[one]).SerializeToString()))
        peer.trailers(stream)

    targets = [bytearray(70_000) for _ in range(3)]
    with serving(each_call(answer)) as server, a_client(server.address) as client:
        results = client.read_into(addresses, targets)
    assert [result.ok for result in results] == [True, False, True]
    assert isinstance(results[1].error, DataLossError)
    assert targets[0][:3000] == CONTENTS[0]
    assert targets[2][:1] == CONTENTS[1]


def test_bytes_behind_a_block_stay_as_they_are(good: bytes) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.data(stream, good)
        peer.trailers(stream)

    targets = [bytearray(b"\xee" * 80_000) for _ in range(3)]
    with serving(each_call(answer)) as server, a_client(server.address) as client:
        results = client.read_into(CHAIN, targets)
    assert [result.nbytes for result in results] == [3000, 1, 70_000]
    for target, content in zip(targets, CONTENTS, strict=True):
        assert bytes(target) == content + b"\xee" * (80_000 - len(content))


def test_a_block_that_is_longer_than_its_buffer_is_an_error_of_that_block(good: bytes) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.data(stream, good)
        peer.trailers(stream)

    targets = [bytearray(2999), bytearray(1), bytearray(70_000)]
    with serving(each_call(answer)) as server, a_client(server.address) as client:
        results = client.read_into(CHAIN, targets)
    assert isinstance(results[0].error, OutOfRangeError)
    assert [result.ok for result in results] == [False, True, True]
    assert targets[0] == bytes(2999)
    assert targets[2] == CONTENTS[2]


def test_small_blocks_may_share_a_message_and_a_hole_is_not_found(pb: Any) -> None:
    hole = pb.ReadPart(index=1, last=True)
    hole.status.code = 5
    hole.status.message = "no such block"
    parts = [*block_parts(pb, CHAIN, 0, CONTENTS[0]), hole, *block_parts(pb, CHAIN, 2, CONTENTS[2])]
    data = grpc_message(pb.StreamingReadResponse(parts=parts).SerializeToString())

    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.data(stream, data)
        peer.trailers(stream)

    with serving(each_call(answer)) as server:
        results, targets = read_all(server.address)
    assert isinstance(results[1].error, NotFoundError)
    assert [result.ok for result in results] == [True, False, True]
    assert (targets[0], targets[2]) == (CONTENTS[0], CONTENTS[2])


def test_a_block_of_another_writer_is_not_found(good: bytes) -> None:
    def answer(peer: Peer, stream: int) -> None:
        peer.headers(stream)
        peer.data(stream, good)
        peer.trailers(stream)

    with serving(each_call(answer)) as server, a_client(server.address) as client:
        results = client.read_into(CHAIN, [bytearray(70_000)] * 3, writers=["abc"])
    assert [type(result.error) for result in results] == [NotFoundError] * 3
