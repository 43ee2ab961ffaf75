"""The agent and encrypted services: an authority of one's own, certificates of both ends, and none."""

from __future__ import annotations

import contextlib
import pathlib
import socket
from typing import Any

import pytest
from agents import BLOCK, a_chain, content, done, home, read, save, settings, sockets, until, values
from plane import planes
from test_tls import Certificates, certificates

from kvstore_client.agent import Agent

__all__ = ["certificates", "home"]


def files(certificates: Certificates, *names: str) -> dict[str, Any]:
    known = {"ca_file": "ca.pem", "cert_file": "client.pem", "cert_key_file": "client.key"}
    return {name: str(certificates.folder / known[name]) for name in names}


@pytest.mark.parametrize("mutual", [False, True])
def test_blocks_are_read_and_written_encrypted(
    home: pathlib.Path, pb: Any, certificates: Certificates, mutual: bool
) -> None:
    names = ("ca_file", "cert_file", "cert_key_file") if mutual else ("ca_file",)
    chain, new = a_chain(6), a_chain(2, "new")
    with (
        planes(pb, certificates.server(ask=mutual)) as plane,
        Agent(settings(plane.address, **files(certificates, *names))) as agent,
    ):
        plane.put(chain, *map(content, range(6)))
        assert agent.wait(60)
        agent.prefetch("one", [chain], expected_bytes=[BLOCK])
        assert read(done(agent, "one")) == [content(i) for i in range(6)]
        for i in range(2):
            save(agent, new, i, content(10 + i))
        until(lambda: len(plane.writes) == 2)
        assert [plane.content(new.hash(i)) for i in range(2)] == [content(10), content(11)]


@pytest.mark.parametrize("why", ["authority", "certificate"])
def test_nothing_is_found_where_one_end_does_not_prove_itself(
    home: pathlib.Path, pb: Any, certificates: Certificates, tmp_path: pathlib.Path, why: str
) -> None:
    trusted = Certificates(tmp_path) if why == "authority" else certificates
    chain = a_chain(1)
    with (
        planes(pb, certificates.server(ask=why == "certificate")) as plane,
        Agent(settings(plane.address, deadline=5.0, **files(trusted, "ca_file"))) as agent,
    ):
        plane.put(chain, content(0))
        assert agent.wait(60)
        agent.prefetch("one", [chain], expected_bytes=[BLOCK])
        assert done(agent, "one").found == 0
        (path,) = sockets(home)
        until(lambda: values(path).get("errors.unavailable", 0) > 0)
        assert plane.lookups == 0


@pytest.mark.parametrize("anywhere", [False, True])
def test_the_key_leaves_this_machine_in_clear_only_if_that_is_set(home: pathlib.Path, pb: Any, anywhere: bool) -> None:
    chain = a_chain(1)
    with (
        planes(pb, host=_address_of_this_machine()) as plane,
        Agent(settings(plane.address, plaintext_anywhere=anywhere, deadline=5.0)) as agent,
    ):
        plane.put(chain, content(0))
        assert agent.wait(60)
        agent.prefetch("one", [chain], expected_bytes=[BLOCK])
        assert done(agent, "one").ready == anywhere
        assert plane.lookups == anywhere


def test_plaintext_and_certificates_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="^plaintext_anywhere: "):
        settings("127.0.0.1:1", plaintext_anywhere=True, ca_file="ca.pem")
    with pytest.raises(ValueError, match="^plaintext_anywhere: "):
        settings("127.0.0.1:1", plaintext_anywhere=1)


def _address_of_this_machine() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, contextlib.suppress(OSError):
        sock.connect(("192.0.2.1", 9))  # sends nothing
        found: str = sock.getsockname()[0]
        if not found.startswith("127."):
            return found
    pytest.skip("missing: an address of this machine besides loopback")
