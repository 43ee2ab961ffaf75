"""A client that asks a control plane, which a test speaks for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from scripted import OK_HEADERS, Peer, grpc_message, serving

from kvstore_client import (
    BlockChain,
    DeadlineExceededError,
    KvClient,
    Partition,
    PermissionDeniedError,
    UnavailableError,
)
from kvstore_client.frames import GOAWAY, HEADERS

CHAIN = BlockChain.of(Partition("discovery", 4), range(12))


@pytest.fixture
def found(pb: Any) -> bytes:
    return bytes(pb.LookupResponse(cached_blocks=3, last_hash=CHAIN.hash(2)).SerializeToString())


def plane(found: bytes) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        peer.start()
        while True:
            peer.answer(peer.request()[0], found)

    return script


def route(pb: Any, *levels: list[tuple[str, str]], version: str = "v", region: str = "") -> bytes:
    made = pb.route.Route(version=version, region=region)
    for i, targets in enumerate(levels):
        level = made.levels.add(region=f"region{i}", share=0 if i else 1000)
        for name, address in targets:
            level.targets.add(cluster="c", process=name, instance="1", address=address, weight=1)
    return grpc_message(made.SerializeToString())


def telling(*routes: bytes | threading.Event) -> Callable[[Peer], None]:
    """A control plane that tells of routes, and waits for events between them."""

    def script(peer: Peer) -> None:
        peer.start()
        stream, _ = peer.request()
        peer.headers(stream)
        for one in routes:
            if isinstance(one, threading.Event):
                assert one.wait(30)
            else:
                peer.data(stream, one)
        peer.until(GOAWAY)

    return script


def a_client(*replicas: str, **options: Any) -> KvClient:
    return KvClient(resource="r", key="kv_a_b", control_plane=list(replicas), **{"timeout": 20.0, **options})


def eventually(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_the_first_operation_waits_for_the_first_route(pb: Any, found: bytes) -> None:
    wait = threading.Event()
    with (
        serving(plane(found)) as data,
        serving(telling(wait, route(pb, [("p", data.address)]))) as control,
        a_client(control.address, region="here") as client,
    ):
        threading.Timer(0.3, wait.set).start()
        assert client.lookup(CHAIN) == 3
        stream = next(f for f in control.peers[0].frames if f[0] == HEADERS)
        assert b"/kvstore.control.v1.RouteService/WatchRoute" in stream[3]


def test_a_new_route_is_followed_and_an_empty_one_changes_nothing(pb: Any, found: bytes) -> None:
    first, second = threading.Event(), threading.Event()
    with serving(plane(found)) as old, serving(plane(found)) as new:
        routes: list[bytes | threading.Event] = [
            route(pb, [("p", old.address)], version="1"),
            first,
            route(pb, [("q", new.address)], version="2"),
            second,
            route(pb, version="3"),
            route(pb, [("q", new.address)], version="4"),
        ]
        with serving(telling(*routes)) as control, a_client(control.address) as client:
            assert client.lookup(CHAIN) == 3
            assert (len(old.peers), len(new.peers)) == (1, 0)
            first.set()
            eventually(lambda: "'2'" in repr(client))
            assert client.lookup(CHAIN) == 3
            assert (len(old.peers), len(new.peers)) == (1, 1)
            second.set()
            eventually(lambda: "'4'" in repr(client))
            assert client.lookup(CHAIN) == 3


def test_the_next_replica_is_asked_when_one_is_away_and_the_route_is_used_on(pb: Any, found: bytes) -> None:
    with serving(plane(found)) as data, serving(telling(route(pb, [("p", data.address)]))) as control:
        with a_client("127.0.0.1:1", control.address) as client:
            assert client.lookup(CHAIN) == 3
            control.close()
            assert client.lookup(CHAIN) == 3


def test_data_planes_of_the_next_level_stand_in(pb: Any, found: bytes) -> None:
    with serving(plane(found)) as far:
        levels = [[("near", "127.0.0.1:1")], [("far", far.address)]]
        with serving(telling(route(pb, *levels))) as control, a_client(control.address) as client:
            assert [client.lookup(CHAIN, affinity=str(i)) for i in range(5)] == [3] * 5


def test_a_key_that_may_not_is_told_at_once() -> None:
    def refusing(peer: Peer) -> None:
        peer.start()
        stream, _ = peer.request()
        peer.headers(stream, [*OK_HEADERS, (b"grpc-status", b"7"), (b"grpc-message", b"no")], end=True)
        peer.until(GOAWAY)

    with serving(refusing) as control, a_client(control.address) as client:
        with pytest.raises(PermissionDeniedError, match="gives no route: no"):
            client.lookup(CHAIN)


def test_without_a_control_plane_the_deadline_says_why() -> None:
    with a_client("127.0.0.1:1", timeout=1.0) as client:
        with pytest.raises(DeadlineExceededError, match="no route in time: control plane 127.0.0.1:1"):
            client.lookup(CHAIN)


def test_the_key_goes_to_no_host_that_is_not_trusted(pb: Any, caplog: pytest.LogCaptureFixture) -> None:
    bad = route(pb, [("p", "8.8.8.8:1"), ("q", "not an address")])
    with serving(telling(bad)) as control, a_client(control.address) as client:
        with pytest.raises(UnavailableError, match="none of the 2 data planes of the route is at a host"):
            client.lookup(CHAIN)
    assert "the API key is not sent there" in caplog.text


@pytest.mark.parametrize(("assumed", "told"), [("eu", True), ("mars", False)])
def test_a_region_that_the_control_plane_does_not_know_is_told(
    pb: Any, found: bytes, caplog: pytest.LogCaptureFixture, assumed: str, told: bool
) -> None:
    with serving(plane(found)) as data_plane:
        known = route(pb, [("p", data_plane.address)], region=assumed)
        with serving(telling(known)) as control, a_client(control.address, region="mars") as client:
            assert client.lookup(CHAIN) == 3
    assert ('knows no region "mars"' in caplog.text) == told


def test_an_address_where_nothing_listens_is_said_long_before_the_deadline() -> None:
    with a_client("127.0.0.1:1", timeout=20) as client, pytest.raises(UnavailableError, match="nothing listens at 127"):
        client.lookup(CHAIN)


def test_a_client_that_waits_for_a_route_can_be_closed() -> None:
    client = a_client("127.0.0.1:1", timeout=60)
    failures: list[Exception] = []

    def work() -> None:
        try:
            client.lookup(CHAIN)
        except Exception as e:
            failures.append(e)

    worker = threading.Thread(target=work)
    worker.start()
    client.close()
    worker.join(20)
    assert [str(failure) for failure in failures] == ["CANCELLED: the client is closed"]
