"""TLS in both directions, against OpenSSL on the other side."""

from __future__ import annotations

import pathlib
import shutil
import socket
import ssl
import subprocess
from typing import Any

import pytest
from scripted import Peer, serving

from kvstore_client import BlockChain, KvClient, Partition, Retry, Tls, UnauthenticatedError, UnavailableError
from kvstore_client.frames import GOAWAY

CHAIN = BlockChain.of(Partition("tls", 4), range(12))


class Certificates:
    """An authority, a server's certificate for localhost and a client's."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._openssl("req", "-x509", *self._key("ca"), *self.authority)
        self.issue("server", "DNS:localhost")
        self.issue("client", "DNS:client")

    # Without a key usage, as docs/operations/tls.md makes one: Python 3.13 would refuse it unless told otherwise.
    authority = ("-out", "ca.pem", "-subj", "/CN=ca", "-days", "2")

    def _key(self, name: str) -> list[str]:
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key"]

    def issue(self, name: str, subject: str) -> None:
        self._openssl("req", *self._key(name), "-out", f"{name}.csr", "-subj", f"/CN={name}")
        (self.folder / "ext").write_text(f"subjectAltName={subject}\n")
        signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "ext"]
        self._openssl("x509", "-req", "-in", f"{name}.csr", *signed, "-out", f"{name}.pem")

    def _openssl(self, *words: str) -> None:
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def server(self, *, ask: bool = False, alpn: bool = True) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "server.pem", self.folder / "server.key")
        if alpn:
            context.set_alpn_protocols(["h2"])
        if ask:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.folder / "ca.pem")
        return context

    @property
    def ca(self) -> pathlib.Path:
        return self.folder / "ca.pem"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    if not shutil.which("openssl"):
        pytest.skip("missing: openssl")
    return Certificates(tmp_path_factory.mktemp("tls"))


def answering(pb: Any) -> Any:
    found = pb.LookupResponse(cached_blocks=3, last_hash=CHAIN.hash(2)).SerializeToString()

    def script(peer: Peer) -> None:
        peer.start()
        for _ in range(2):
            peer.answer(peer.request()[0], found)
        peer.until(GOAWAY)

    return script


def lookup(address: str, tls: Tls | None, **options: Any) -> int:
    endpoint = address.replace("127.0.0.1", "localhost")
    with KvClient(
        resource="r", key="kv_a_b", endpoints=[endpoint], tls=tls, retry=Retry(max_attempts=1), timeout=20, **options
    ) as client:
        return client.lookup(CHAIN)


def test_a_server_with_a_certificate_of_the_authority_is_used(pb: Any, certificates: Certificates) -> None:
    with serving(answering(pb), context=certificates.server()) as server:
        assert lookup(server.address, Tls(ca=certificates.ca)) == 3
        peer = server.peers[0].sock
        assert isinstance(peer, ssl.SSLSocket)


def test_a_server_that_asks_for_a_certificate_gets_the_clients(pb: Any, certificates: Certificates) -> None:
    folder = certificates.folder
    own = Tls(ca=certificates.ca, cert=folder / "client.pem", key=folder / "client.key")
    with serving(answering(pb), context=certificates.server(ask=True)) as server:
        assert lookup(server.address, own) == 3
        with pytest.raises(UnavailableError):
            lookup(server.address, Tls(ca=certificates.ca))


def test_a_block_passes_in_both_directions(pb: Any, certificates: Certificates) -> None:
    from scripted import blocks_answer

    content = bytes(range(256)) * 8192  # 2 MiB: many records of TLS

    def script(peer: Peer) -> None:
        peer.start((5, 1 << 20), (4, 1 << 24))
        peer.send(b"\0\0\4\x08\0\0\0\0\0" + (1 << 24).to_bytes(4, "big"))
        stream, message = peer.request()
        request = pb.WriteRequest.FromString(message)
        assert request.chunk.buffer == content
        answer = pb.WriteResponse(
            location=CHAIN.location(0), outcome=1, stored_crc32c=request.chunk.crc32c, stored_bytes=len(content)
        )
        peer.answer(stream, answer.SerializeToString())
        stream, _ = peer.request()
        peer.headers(stream)
        body = blocks_answer(pb, CHAIN, [content])
        for at in range(0, len(body), 100_000):
            peer.data(stream, body[at : at + 100_000])
        peer.trailers(stream)
        peer.until(GOAWAY)

    with serving(script, context=certificates.server()) as server:
        endpoint = server.address.replace("127.0.0.1", "localhost")
        options: Any = {"resource": "r", "key": "kv_a_b", "endpoints": [endpoint], "tls": Tls(ca=certificates.ca)}
        with KvClient(**options) as client:
            assert client.write(CHAIN, 0, content).stored
            target = bytearray(len(content))
            (result,) = client.read_into(CHAIN.prefix(1), [target])
    assert result.ok
    assert target == content


@pytest.mark.parametrize("why", ["authority", "name", "plain", "protocol"])
def test_a_server_that_does_not_prove_itself_hears_no_key(pb: Any, certificates: Certificates, why: str) -> None:
    context: ssl.SSLContext | None = certificates.server(alpn=why != "protocol")
    if why == "plain":
        context = None
    elif why == "name" and context:
        certificates.issue("other", "DNS:other.example.com")
        context.load_cert_chain(certificates.folder / "other.pem", certificates.folder / "other.key")
    with serving(answering(pb), context=context) as server:
        with pytest.raises(UnavailableError) as raised:
            lookup(server.address, Tls() if why == "authority" else Tls(ca=certificates.ca))
        assert not [kind for peer in server.peers for kind, *_ in peer.frames]
    if why in ("authority", "name"):
        assert "its certificate is not accepted" in raised.value.message


def test_a_client_that_speaks_plaintext_to_tls_is_told_the_way_out(pb: Any, certificates: Certificates) -> None:
    with serving(answering(pb), context=certificates.server()) as server:
        with pytest.raises(UnavailableError, match="if the port speaks TLS, use tls=|reset by peer"):
            lookup(server.address, None)


def test_new_connections_follow_the_files(pb: Any, certificates: Certificates, tmp_path: pathlib.Path) -> None:
    ca = tmp_path / "ca.pem"
    fresh = Certificates(tmp_path)
    ca.write_bytes(certificates.ca.read_bytes())
    with serving(answering(pb), context=fresh.server()) as server:
        endpoint = server.address.replace("127.0.0.1", "localhost")
        options: Any = {"resource": "r", "key": "kv_a_b", "endpoints": [endpoint], "retry": Retry(max_attempts=1)}
        with KvClient(tls=Tls(ca=ca), **options) as client:
            with pytest.raises(UnavailableError):
                client.lookup(CHAIN)
            fresh._openssl("req", "-x509", "-key", "ca.key", *fresh.authority)
            assert client.lookup(CHAIN) == 3


def test_files_that_are_of_no_use_are_told_at_once(certificates: Certificates, tmp_path: pathlib.Path) -> None:
    options: Any = {"resource": "r", "key": "kv_a_b", "endpoints": ["kv.example.com:1"]}
    with pytest.raises(FileNotFoundError):
        KvClient(tls=Tls(ca=tmp_path / "none.pem"), **options)
    empty = tmp_path / "empty.pem"
    empty.write_text("")
    with pytest.raises(ValueError, match="^tls: "):
        KvClient(tls=Tls(ca=empty), **options)
    with pytest.raises(ValueError, match="both cert and key"):
        Tls(cert="x")


def test_the_key_does_not_leave_this_machine_in_clear(pb: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere(socket.socket):
        """As where ``localhost`` is resolved to another machine."""

        def getpeername(self) -> Any:
            return "192.0.2.1", 1

    monkeypatch.setattr(socket, "socket", Elsewhere)
    with serving(answering(pb)) as server:
        with pytest.raises(UnauthenticatedError, match="the API key was not sent"):
            lookup(server.address, None)
        assert lookup(server.address, None, plaintext_anywhere=True) == 3
    with pytest.raises(ValueError, match="^tls: "):
        lookup("127.0.0.1:1", Tls(), plaintext_anywhere=True)
