"""CRC32C by the C function of google-crc32c and, where that is missing, in Python."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import Any

import pytest
from scripted import Peer, blocks_answer, serving

from kvstore_client import BlockChain, KvClient, Partition, checksums

SIZES = [0, 1, 7, 4096, 32 * 1024, 32 * 1024 + 1, 300_001, 1_100_000]


@pytest.fixture(params=["c", "python"])
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "c":
        assert checksums._extend, "google-crc32c has its C implementation here"
    else:
        monkeypatch.setattr(checksums, "_extend", None)
    monkeypatch.setattr(checksums, "_told", [])
    return str(request.param)


def slow_crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_the_checksum_is_castagnolis(implementation: str) -> None:
    assert checksums.crc32c(memoryview(b"123456789")) == 0xE3069283


@pytest.mark.parametrize("size", SIZES)
def test_the_checksum_is_the_same_of_every_kind_of_memory(implementation: str, size: int) -> None:
    data = bytes((31 * i + 7) % 251 for i in range(size))
    wanted = slow_crc32c(data) if size <= 40_000 else checksums.crc32c(memoryview(data))
    shifted = memoryview(bytearray(b"xyz" + data))[3:]
    seen = [memoryview(data), memoryview(bytearray(data)), shifted, shifted.toreadonly(), memoryview(b"q" + data)[1:]]
    assert [checksums.crc32c(view) for view in seen] == [wanted] * len(seen)
    cut = size // 3
    assert checksums.crc32c(memoryview(data)[cut:], checksums.crc32c(memoryview(data)[:cut])) == wanted


def test_both_implementations_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    data = [memoryview(bytearray((i * i + size) % 256 for i in range(size))) for size in SIZES]
    wanted = [checksums.crc32c(one, 77) for one in data]
    monkeypatch.setattr(checksums, "_extend", None)
    assert [checksums.crc32c(one, 77) for one in data] == wanted


def test_blocks_pass_in_both_directions(pb: Any, implementation: str, caplog: pytest.LogCaptureFixture) -> None:
    chain = BlockChain.of(Partition("checksums", 4), range(4))
    content = bytes(range(256)) * 1200

    def script(peer: Peer) -> None:
        peer.start((4, 1 << 24), (5, 1 << 20))
        peer.send(b"\0\0\4\x08\0\0\0\0\0" + (1 << 24).to_bytes(4, "big"))
        stream, message = peer.request()
        chunk = pb.WriteRequest.FromString(message).chunk
        answer = pb.WriteResponse(
            location=chain.location(0), outcome=1, stored_crc32c=chunk.crc32c, stored_bytes=len(chunk.buffer)
        )
        peer.answer(stream, answer.SerializeToString())
        stream, _ = peer.request()
        peer.headers(stream)
        peer.data(stream, blocks_answer(pb, chain, [content]))
        peer.trailers(stream)

    target = bytearray(len(content))
    with serving(script) as server, caplog.at_level(logging.WARNING):
        options: Any = {"resource": "r", "key": "kv_a_b", "endpoints": [server.address]}
        with KvClient(**options) as client:
            assert client.write(chain, 0, content).stored
            (result,) = client.read_into(chain, [target])
        KvClient(**options).close()
    assert result.ok
    assert target == content
    told = [record for record in caplog.records if "KV Store is slow" in record.message]
    assert len(told) == (implementation == "python"), "once"


@pytest.mark.parametrize("missing", ["google_crc32c._crc32c", "google_crc32c"])
def test_without_the_c_implementation_the_client_is_right_and_says_that_it_is_slow(missing: str) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
from kvstore_client import KvClient, checksums
KvClient(resource="r", key="kv_a_b", endpoints=["127.0.0.1:1"]).close()
print(checksums.crc32c(memoryview(bytearray(b"123456789" * 10_000))))
"""
    ran = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert int(ran.stdout) == checksums.crc32c(memoryview(b"123456789" * 10_000))
    assert ran.stderr.startswith("KV Store is slow: checksums are computed in Python")
