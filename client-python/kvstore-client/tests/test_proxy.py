"""The client through a real nginx: what it lets pass, and what it answers itself."""

from __future__ import annotations

import pathlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest
from plane import Plane, planes

from kvstore_client import BlockChain, Code, KvClient, KvError, Partition, Retry

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = pytest.mark.skipif(NGINX is None, reason="missing: nginx, of the package nginx-light")

CHAIN = BlockChain.of(Partition("proxy", 4), range(12))
SMALL, LARGE = bytes(700_000), bytes(3 << 20)

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log info;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  grpc_read_timeout 60s;
  server {{
    listen 127.0.0.1:{port} http2;
    client_max_body_size 1m;
    location / {{ grpc_pass grpc://{backend}; }}
  }}
  server {{
    listen 127.0.0.1:{page} http2;
    default_type text/html;
    location / {{ return 200 "<html>a portal's page</html>"; }}
  }}
  server {{
    listen 127.0.0.1:{early} http2;
    location / {{ return 413; }}
  }}
  server {{
    listen 127.0.0.1:{old};
    location / {{ return 404; }}
  }}
}}
"""


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Proxy:
    """An nginx that runs: where it passes calls on, and where it answers itself."""

    def __init__(self, folder: pathlib.Path, backend: str) -> None:
        self.port, self.page, self.early, self.old = free_ports(4)
        file = folder / "nginx.conf"
        ports = {"port": self.port, "page": self.page, "early": self.early, "old": self.old}
        file.write_text(CONFIGURATION.format(folder=folder, backend=backend, **ports), encoding="ascii")
        self._log = folder / "error.log"
        self.process = subprocess.Popen([str(NGINX), "-p", str(folder), "-c", str(file), "-e", str(self._log)])

    def wait(self) -> None:
        end = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert self.process.poll() is None, self._log.read_text(encoding="utf-8")
                assert time.monotonic() < end
                time.sleep(0.02)


@pytest.fixture(scope="module")
def plane(pb: Any) -> Iterator[Plane]:
    with planes(pb) as made:
        yield made


@pytest.fixture(scope="module")
def proxy(plane: Plane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    made = Proxy(tmp_path_factory.mktemp("nginx"), plane.address)
    try:
        made.wait()
        yield made
    finally:
        made.process.terminate()
        made.process.wait(60)


def a_client(port: int) -> KvClient:
    return KvClient(
        resource="r", key="kv_a_b", endpoints=[f"127.0.0.1:{port}"], retry=Retry(max_attempts=1), timeout=60.0
    )


def fails_at_once(port: int, content: bytes, code: Code, status: str) -> None:
    began = time.monotonic()
    with a_client(port) as client, pytest.raises(KvError, match=status) as raised:
        client.write(CHAIN, 0, content)
    assert raised.value.code is code
    assert time.monotonic() - began < 20


def test_blocks_go_through_a_proxy(proxy: Proxy, plane: Plane) -> None:
    with a_client(proxy.port) as client:
        for index in range(3):
            assert client.write(CHAIN, index, SMALL).stored
        assert client.lookup(CHAIN) == 3
        assert plane.content(CHAIN.hash(2)) == SMALL


def test_a_block_that_is_too_large_for_a_proxy_fails_at_once_with_its_status(proxy: Proxy) -> None:
    fails_at_once(proxy.port, LARGE, Code.UNKNOWN, "HTTP 413")


@pytest.mark.parametrize("content", [SMALL, LARGE, bytes(48 << 20)], ids=["small", "large", "very large"])
def test_a_proxy_that_answers_before_it_has_read_the_request_is_heard_at_once(proxy: Proxy, content: bytes) -> None:
    fails_at_once(proxy.early, content, Code.UNKNOWN, "HTTP 413")


@pytest.mark.parametrize("content", [SMALL, LARGE], ids=["small", "large"])
def test_a_page_is_no_answer(proxy: Proxy, content: bytes) -> None:
    fails_at_once(proxy.page, content, Code.UNKNOWN, "HTTP 200, content-type text/html")


def test_a_proxy_before_a_data_plane_that_is_away_is_heard_at_once(tmp_path: pathlib.Path) -> None:
    made = Proxy(tmp_path, f"127.0.0.1:{free_ports(1)[0]}")
    try:
        made.wait()
        fails_at_once(made.port, SMALL, Code.UNAVAILABLE, "HTTP 502")
    finally:
        made.process.terminate()
        made.process.wait(60)


def test_a_server_that_does_not_speak_http2_is_named(proxy: Proxy) -> None:
    fails_at_once(proxy.old, SMALL, Code.INTERNAL, "does not speak HTTP/2: HTTP/1.1 400")
