from __future__ import annotations

import json
import random
from typing import Any

import pytest
from conftest import CHECKOUT

from kvstore_client import BlockChain, Partition, hosts, rendezvous
from kvstore_client.affinity import Affinity
from kvstore_client.errors import NotFoundError, ResourceExhaustedError, UnavailableError
from kvstore_client.health import Health, State
from kvstore_client.operation import Budget, Policy, Retry
from kvstore_client.routing import Picker
from kvstore_client.wire import RouteLevel, Target


@pytest.fixture(scope="session")
def routing_vectors() -> Any:
    file = CHECKOUT / "client-java/src/test/resources/routing-vectors.json"
    return json.loads(file.read_text(encoding="utf-8"))


class Member:
    """A data plane that is nothing but its name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seed = rendezvous.seed(name)
        self.in_flight = 0
        self.health = Health()


class Fleet:
    """A picker over levels of members with weight 1."""

    def __init__(self, *levels: tuple[int, list[str]]) -> None:
        self.members = {name: Member(name) for _, names in levels for name in names}
        self.picker = Picker()
        self.follow(0.0, *levels)

    def follow(self, now: float, *levels: tuple[int, list[str]]) -> None:
        self.follow_regions(now, *((f"region{i}", share, names) for i, (share, names) in enumerate(levels)))

    def follow_regions(self, now: float, *levels: tuple[str, int, list[str]]) -> None:
        for _, _, names in levels:
            for name in names:
                self.members.setdefault(name, Member(name))
        route = [
            RouteLevel(region, share, tuple(Target(name, "", "", 1) for name in names))
            for region, share, names in levels
        ]
        self.picker.follow(route, lambda target: self.members[target.name], now)

    def pick(self, key: int, now: float, tried: set[Any] | None = None) -> str:
        choice = self.picker.pick(key, tried or set(), now)
        assert isinstance(choice and choice[0], Member)
        return choice[0].name  # type: ignore[index,union-attr,no-any-return]


def keys(count: int) -> list[int]:
    return [random.Random(i).getrandbits(64) for i in range(count)]


def test_seeds_scores_and_owners_are_javas(routing_vectors: Any) -> None:
    for text, wanted in routing_vectors["seeds"].items():
        assert format(rendezvous.seed(text), "016x") == wanted, text
    for case in routing_vectors["owners"]:
        key = int(case["key"], 16)
        members = routing_vectors["members"]
        best = max(members, key=lambda m: rendezvous.score(key, rendezvous.seed(m["name"]), m["weight"]))
        assert best["name"] == case["owner"]
        assert rendezvous.unit(key) == pytest.approx(case["unit"], abs=0)


def test_affinity_learns_the_keys_that_java_learns(routing_vectors: Any) -> None:
    case = routing_vectors["affinity"]
    partition = Partition(case["partition"], 1)
    affinity = Affinity(random.Random(1))
    found = [format(affinity.of(BlockChain.of(partition, prompt)), "016x") for prompt in case["prompts"]]
    assert found == case["keys"]


def test_equal_keys_go_to_one_data_plane_and_all_are_used() -> None:
    fleet = Fleet((1, ["a", "b", "c"]))
    first = [fleet.pick(key, 0) for key in keys(300)]
    assert [fleet.pick(key, 1) for key in keys(300)] == first
    assert all(first.count(name) > 60 for name in "abc")


def test_a_data_plane_that_carries_more_than_its_share_passes_keys_on() -> None:
    fleet = Fleet((1, ["a", "b"]))
    key = next(key for key in keys(99) if fleet.pick(key, 0) == "a")
    fleet.members["a"].in_flight = 7
    assert fleet.pick(key, 0) == "a"
    fleet.members["a"].in_flight = 8
    assert fleet.pick(key, 0) == "b"
    fleet.members["b"].in_flight = 8
    assert fleet.pick(key, 0) == "a"


def test_a_data_plane_that_failed_is_left_alone_then_tried_by_one_then_whole() -> None:
    fleet = Fleet((1, ["a", "b"]))
    a = fleet.members["a"]
    key = next(key for key in keys(99) if fleet.pick(key, 0) == "a")
    assert a.health.failed(1.0, 2.0, unreachable=True)
    assert fleet.pick(key, 2.5) == "b"
    assert fleet.picker.pick(key, set(), 3.1) == (a, True)
    assert fleet.pick(key, 3.1) == "b"
    a.health.end_trial()
    assert a.health.answered(3.1)
    assert a.health.state(3.2) is State.WHOLE
    assert fleet.pick(key, 3.2) == "a"


def test_failures_in_a_row_last_longer_up_to_30_s() -> None:
    health = Health()
    now = 0.0
    for times in (*range(1, 30), 30, 30, 30):
        assert health.failed(now, now, unreachable=True)
        assert not health.failed(now, now, unreachable=True), "those that fail together count once"
        assert health.state(now + times - 0.01) is State.EJECTED
        assert health.state(now + times + 0.01) is State.ON_TRIAL
        now += times + 1


def test_what_began_before_the_failure_does_not_heal() -> None:
    health = Health()
    health.failed(1.0, 5.0, unreachable=False)
    assert not health.answered(4.0)
    assert health.answered(6.0)
    assert not health.failed(4.0, 7.0, unreachable=False), "nor does what began before it came back eject"


def test_five_deadlines_in_a_row_eject() -> None:
    health = Health()
    assert [health.timed_out(0.0, 1.0) for _ in range(5)] == [False] * 4 + [True]
    assert not any(health.timed_out(0.0, 0.05) for _ in range(20)), "too short a time says nothing"


def test_the_next_level_stands_in_and_keys_come_back_over_30_s() -> None:
    fleet = Fleet((1000, ["a"]), (0, ["z"]))
    assert {fleet.pick(key, 0) for key in keys(50)} == {"a"}
    fleet.members["a"].health.failed(1.0, 1.0, unreachable=True)
    assert {fleet.pick(key, 1.5) for key in keys(50)} == {"z"}
    fleet.members["a"].health.answered(3.0)
    back = [sum(fleet.pick(key, at) == "a" for key in keys(200)) for at in (3.0, 10.5, 18.0, 33.1)]
    assert back[0] == 0
    assert back == sorted(back)
    assert 60 < back[2] < 140
    assert back[3] == 200


FAR = ("far", 0, ["far"])


def test_a_level_that_moves_up_serves_on_when_the_level_before_it_is_lost() -> None:
    fleet = Fleet()
    fleet.follow_regions(0.0, ("near", 1000, ["a0", "a1"]), ("near", 0, ["b"]), FAR)
    for name in ("a0", "a1"):
        fleet.members[name].health.failed(0.0, 0.0, unreachable=True)
    assert {fleet.pick(key, 0.5) for key in keys(200)} == {"b"}

    fleet.follow_regions(0.6, ("near", 1000, ["b"]), FAR)

    assert {fleet.pick(key, 0.7) for key in keys(200)} == {"b"}


def test_a_level_that_moves_down_serves_on_while_the_level_before_it_is_filled_over_time() -> None:
    fleet = Fleet()
    fleet.follow_regions(0.0, ("near", 1000, ["b"]), FAR)

    fleet.follow_regions(5.0, ("near", 1000, ["a"]), ("near", 0, ["b"]), FAR)

    picked = [[fleet.pick(key, now) for key in keys(1000)] for now in (5.1, 20.0, 35.0)]
    assert [each.count("a") // 100 for each in picked] in ([0, 4, 10], [0, 5, 10])
    assert all(set(each) <= {"a", "b"} for each in picked)


def test_new_data_planes_in_place_of_all_of_a_level_serve_at_once() -> None:
    fleet = Fleet()
    fleet.follow_regions(0.0, ("near", 1000, ["a"]), FAR)

    fleet.follow_regions(5.0, ("near", 1000, ["b"]), FAR)

    assert {fleet.pick(key, 5.1) for key in keys(200)} == {"b"}


def test_levels_have_their_shares_of_keys() -> None:
    fleet = Fleet((750, ["a"]), (250, ["z"]))
    found = [fleet.pick(key, 0) for key in keys(1000)]
    assert 650 < found.count("a") < 850


def test_where_all_failed_the_least_bad_is_tried() -> None:
    fleet = Fleet((1, ["a", "b"]))
    for member, times in (("a", 3), ("b", 1)):
        now = 0.0
        for i in range(times):
            fleet.members[member].health.failed(now, now, unreachable=True)
            now += i + 2
    assert {fleet.pick(key, 0.1) for key in keys(20)} == {"b"}
    assert Picker().pick(1, set(), 0) is None


def test_a_prompt_that_grows_keeps_its_key_behind_a_shared_system_prompt() -> None:
    partition = Partition("a", 1)
    affinity = Affinity(random.Random(1))
    system = list(range(20))
    for user in range(20):
        affinity.of(BlockChain.of(partition, [*system, 1000 + user, 1]))
    own = BlockChain.of(partition, [*system, 5000])
    key = affinity.of(own)
    assert key == int.from_bytes(own.hash(20)[:8], "big")
    assert affinity.of(BlockChain.of(partition, [*system, 5000, 1, 2, 3])) == key
    assert affinity.of(own.extend([7, 8]).prefix(3)) == key, "a prefix has the key of the whole prompt"


# --- retries ---


class Fixed(random.Random):
    def random(self) -> float:
        return 0.5


def test_pauses_double_and_follow_the_servers_own_delay() -> None:
    policy = Policy(Retry(max_attempts=9), Budget(Retry(budget_burst=100)), Fixed())
    lost = UnavailableError("x")
    assert [policy.pause(n, lost, 99) for n in (1, 2, 3, 8)] == [0.025, 0.05, 0.1, 1.0]
    assert policy.pause(9, lost, 99) is None
    assert policy.pause(1, ResourceExhaustedError("x", retry_delay=2.0), 99) == pytest.approx(2.2)
    assert policy.pause(1, ResourceExhaustedError("x", retry_delay=2.0), 2.1) is None, "beyond the deadline"
    assert policy.pause(1, NotFoundError("x"), 99) is None


def test_the_budget_is_a_tenth_of_operations_and_ten() -> None:
    budget = Budget(Retry())
    assert sum(budget.withdraw() for _ in range(50)) == 10
    for _ in range(100):
        budget.deposit()
    assert sum(budget.withdraw() for _ in range(50)) == 10


@pytest.mark.parametrize("bad", [{"max_attempts": 0}, {"initial_backoff": 0}, {"budget_percent": 101}])
def test_options_of_retries_are_checked(bad: Any) -> None:
    with pytest.raises(ValueError, match="^retry: "):
        Retry(**bad)


# --- hosts ---


@pytest.mark.parametrize("text", ["127.0.0.1:8085", "[::1]:1", "kv.example.com:443", "localhost:65535"])
def test_addresses_are_parsed(text: str) -> None:
    assert str(hosts.parse("x", text)) == text


@pytest.mark.parametrize("text", ["", "a", "a:0", "a:65536", "a:b", ":1", "::1:1", "u@h:1", "h/p:1", "10.1:1", "a b:1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="^x: "):
        hosts.parse("x", text)


def test_only_loopback_is_near() -> None:
    near = ["localhost:1", "127.8.0.1:1", "[::1]:1"]
    far = ["localhost.example.com:1", "10.0.0.1:1", "[fe80::1]:1", "kv.example.com:1"]
    assert [hosts.parse("x", text).loopback for text in near + far] == [True] * 3 + [False] * 4


@pytest.mark.parametrize(
    ("text", "takes", "leaves"),
    [
        ("*", ["a", "10.0.0.1", "[::1]"], []),
        ("kv.example.com", ["KV.example.com", "kv.example.com."], ["x.kv.example.com", "10.0.0.1"]),
        ("*.example.com", ["a.example.com", "a.b.example.com"], ["example.com", "a.example.com.evil.org"]),
        ("10.0.0.0/8", ["10.1.2.3"], ["11.0.0.1", "10.evil.org", "[::1]"]),
        ("[fd00::/8]", ["[fd12::1]"], ["[fe80::1]", "10.0.0.1"]),
        ("192.168.1.7", ["192.168.1.7"], ["192.168.1.8"]),
    ],
)
def test_patterns_of_hosts(text: str, takes: list[str], leaves: list[str]) -> None:
    pattern = hosts.pattern(text)
    assert [pattern(host) for host in takes + leaves] == [True] * len(takes) + [False] * len(leaves)


@pytest.mark.parametrize("text", ["", "*.", "10.0.0.0/33", "a/8", "10.1", "http://a"])
def test_what_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="^routed_hosts: "):
        hosts.pattern(text)


def test_a_route_leads_to_near_hosts_only_unless_they_prove_themselves() -> None:
    control = [hosts.parse("x", "control.kv.example.com:9090")]
    plain = hosts.RoutedHosts(control, [], trusted=False)
    good = ["kv-0:1", "10.2.3.4:1", "a.kv.example.com:1", "control.kv.example.com:1", "127.0.0.1:1"]
    bad = ["a.example.org:1", "8.8.8.8:1", "a.example.com:1"]
    assert [plain.may_be("p", hosts.parse("x", text)) for text in good + bad] == [True] * 5 + [False] * 3
    assert hosts.RoutedHosts(control, [], trusted=True).may_be("p", hosts.parse("x", "8.8.8.8:1"))
    short = hosts.RoutedHosts([hosts.parse("x", "kv.com:9090")], [], trusted=False)
    assert short.may_be("p", hosts.parse("x", "kv.com:1"))
    assert not short.may_be("p", hosts.parse("x", "evil.com:1")), "a top level is no domain of one's own"
    named = hosts.RoutedHosts(control, ["8.8.8.8"], trusted=False)
    assert named.may_be("p", hosts.parse("x", "8.8.8.8:1"))
    assert not named.may_be("p", hosts.parse("x", "10.2.3.4:1"))
