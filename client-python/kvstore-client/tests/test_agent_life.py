"""How agents and engines begin and end: crashes, forks, other users, other settings."""

from __future__ import annotations

import contextlib
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from agents import (
    BLOCK,
    a_chain,
    content,
    done,
    ending,
    heard,
    hello,
    home,
    pids,
    raw,
    read,
    reserved,
    save,
    settings,
    sockets,
    until,
    values,
)
from plane import Plane, planes

from kvstore_client.agent import Agent, AgentSettings, SlotPool, launch
from kvstore_client.agent.__main__ import main

__all__ = ["home"]

ENGINE = """
import sys
sys.path.insert(0, sys.argv[1])
from agents import BLOCK, a_chain, done, reserved, settings
from kvstore_client.agent import Agent
agent = Agent(settings(sys.argv[2], host_memory=8 * 8192))
assert agent.wait(60)
agent.prefetch("one", [a_chain(2)], expected_bytes=[BLOCK])
assert done(agent, "one").ready == 2
reserved(agent)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def plane(pb: Any) -> Iterator[Plane]:
    with planes(pb) as made:
        yield made


@contextlib.contextmanager
def engine(plane: Plane, script: str = ENGINE) -> Iterator[subprocess.Popen[str]]:
    """Another process, which has said that it is ready."""
    words = [sys.executable, "-c", script, str(pathlib.Path(__file__).parent), plane.address]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def test_an_agent_that_is_killed_is_started_again(home: pathlib.Path, plane: Plane) -> None:
    chain = a_chain(2)
    plane.put(chain, content(0), content(1))
    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        agent.prefetch("one", [chain], expected_bytes=[BLOCK])
        before = done(agent, "one")
        old = agent.pool
        assert old is not None and before.ready == 2
        save(agent, a_chain(1, "unsure"), 0, content(5))
        slot = reserved(agent)
        (pid,) = pids(home)
        os.kill(pid, signal.SIGKILL)
        until(lambda: agent.progress("one").ready == 0)
        assert agent.progress("one").done
        agent.store(slot, BLOCK, chain, 0)
        until(lambda: agent.pool not in (None, old), "another agent runs")
        assert agent.pool is not None and agent.pool.generation != before.generation
        assert bytes(old.view(before.slots[0][0])) == content(0), "memory that is mapped stays"
        agent.prefetch("one", [chain], expected_bytes=[BLOCK])
        assert read(done(agent, "one")) == [content(0), content(1)]
        assert agent.known(chain) == 2


def test_a_slot_of_an_agent_that_ended_is_not_stored_though_its_number_is_in_use(
    home: pathlib.Path, plane: Plane
) -> None:
    with Agent(settings(plane.address, host_memory=32 * 8192), burst=8) as agent:
        assert agent.wait(60)
        old = [reserved(agent) for _ in range(8)]
        for slot in old:
            slot.view[:BLOCK] = content(9)
        old_pool = agent.pool
        (pid,) = pids(home)
        os.kill(pid, signal.SIGKILL)
        until(lambda: agent.pool not in (None, old_pool), "another agent runs")
        new = [reserved(agent) for _ in range(8)]
        assert {slot.number for slot in new} == {slot.number for slot in old}
        for i, slot in enumerate(new):
            slot.view[:BLOCK] = content(i)
        for i, slot in enumerate(old):
            agent.store(slot, BLOCK, a_chain(1, f"old {i}"), 0)
        assert agent.stats()["dropped_saves.away"] == 8
        for i, slot in enumerate(new):
            agent.store(slot, BLOCK, a_chain(1, f"new {i}"), 0)
        until(lambda: agent.unwritten() == 0)
        assert len(plane.writes) == 8
        assert all(agent.known(a_chain(1, f"new {i}")) == 1 for i in range(8))
        assert all(agent.known(a_chain(1, f"old {i}")) == 0 for i in range(8))


def test_slots_of_a_new_agent_are_not_granted_before_its_memory_is_known(
    home: pathlib.Path, plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_meet = threading.Event()
    met = Agent._met

    def met_late(agent: Agent, pool: SlotPool) -> None:
        assert may_meet.wait(60)
        met(agent, pool)

    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        old = agent.pool
        monkeypatch.setattr(Agent, "_met", met_late)
        agent._link._met = agent._met
        (pid,) = pids(home)
        os.kill(pid, signal.SIGKILL)
        until(lambda: pid not in pids(home) and len(pids(home)) == 1, "another agent runs")
        until(lambda: agent._link._socket is not None and quick_look(agent), "it has granted slots")
        assert agent.reserve() is None
        may_meet.set()
        assert reserved(agent).pool is not old


def quick_look(agent: Agent) -> bool:
    """Whether bytes of the agent wait to be read."""
    sock = agent._link._socket
    assert sock is not None
    return bool(select.select([sock], [], [], 0)[0])


def test_no_agent_means_nothing_found_and_nothing_granted(home: pathlib.Path) -> None:
    (home / f"kvstore-agent-{os.getuid()}").mkdir(mode=0o755)
    with Agent(settings("127.0.0.1:1")) as agent:
        agent.prefetch("one", [a_chain(1)], expected_bytes=[BLOCK])
        assert agent.progress("one").done and agent.progress("one").found == 0
        assert (agent.reserve(), agent.pool, agent.known(a_chain(1))) == (None, None, 0)
        agent.release("one")
        assert agent.stats()["connected"] == 0
    assert sockets(home) == [], "a folder that others can read is not used"


def test_an_agent_starts_on_all_processors_though_its_engine_is_bound(
    home: pathlib.Path, plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, start, used = os.sched_getaffinity(0), launch.start, []

    def started(told: AgentSettings, path: str) -> str | None:
        used.append(os.sched_getaffinity(0))
        return start(told, path)

    monkeypatch.setattr(launch, "start", started)
    os.sched_setaffinity(0, {min(mine)})
    try:
        with Agent(settings(plane.address)) as agent:
            assert agent.wait(60)
            assert os.sched_getaffinity(0) == {min(mine)}, "the engine's thread stays where it is"
            assert used == [os.sched_getaffinity(pids(home)[0])] and used[0] >= mine
    finally:
        os.sched_setaffinity(0, mine)


def test_an_agent_that_hangs_holds_no_request_up(home: pathlib.Path, plane: Plane) -> None:
    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        (pid,) = pids(home)
        os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        agent.prefetch("one", [a_chain(1)], expected_bytes=[BLOCK], deadline=0.2)
        assert not agent.progress("one").done
        assert done(agent, "one").found == 0
        assert time.monotonic() - began < 30
        os.kill(pid, signal.SIGCONT)


def test_the_slots_of_an_engine_that_is_killed_are_used_again(home: pathlib.Path, plane: Plane) -> None:
    chain = a_chain(2)
    plane.put(chain, content(0), content(1))
    with engine(plane) as process:
        (path,) = sockets(home)
        assert values(path)["host_bytes.pinned"] == 2 * BLOCK
        assert values(path)["host_bytes.taken"] == BLOCK
        process.kill()
    until(lambda: values(path)["engines"] == 0)
    assert [values(path)[f"host_bytes.{state}"] for state in ("taken", "pinned", "cached")] == [0, 0, 2 * BLOCK]
    with engine(plane):
        assert len(plane.reads) == 2, "a restarted engine finds its blocks"
    assert len(pids(home)) == 1


def test_slots_wait_for_the_end_of_a_process_that_lost_its_connection(home: pathlib.Path, plane: Plane) -> None:
    script = ENGINE.replace("print(", "agent._link._socket.shutdown(2); agent._link._closing.set(); print(")
    plane.put(a_chain(2), content(0), content(1))
    with engine(plane, script) as process:
        (path,) = sockets(home)
        log = path.with_name(path.name + ".log")
        until(lambda: "has no connection any more" in log.read_text(encoding="utf-8"))
        kept = {name: values(path)[f"host_bytes.{name}"] for name in ("pinned", "taken")}
        assert kept == {"pinned": 2 * BLOCK, "taken": BLOCK}
        process.kill()
        until(lambda: values(path)["engines"] == 0)
    assert values(path)["host_bytes.pinned"] == values(path)["host_bytes.taken"] == 0


def test_an_engine_that_leaves_gives_its_slots_back_at_once(home: pathlib.Path, plane: Plane) -> None:
    plane.put(a_chain(1), content(0))
    agent = Agent(settings(plane.address))
    assert agent.wait(60)
    agent.prefetch("one", [a_chain(1)], expected_bytes=[BLOCK])
    assert done(agent, "one").ready == 1
    (path,) = sockets(home)
    agent.close()
    until(lambda: values(path)["engines"] == 0)
    assert values(path)["host_bytes.pinned"] == values(path)["host_bytes.taken"] == 0


def test_of_several_agents_that_start_at_once_one_stays(home: pathlib.Path, plane: Plane) -> None:
    agents = [Agent(settings(plane.address)) for _ in range(4)]
    try:
        assert all(agent.wait(60) for agent in agents)
        assert len({agent.pool.generation for agent in agents if agent.pool}) == 1
        assert len(pids(home)) == 1
    finally:
        for agent in agents:
            agent.close()


def test_other_settings_get_an_agent_of_their_own(home: pathlib.Path, plane: Plane) -> None:
    place = str(home / "named.socket")
    with Agent(settings(plane.address, socket=place)) as one:
        assert one.wait(60)
        with Agent(settings(plane.address, socket=place, slot_bytes=6000)) as two:
            assert two.wait(60)
            assert one.pool is not None and two.pool is not None
            assert (one.pool.slot_bytes, two.pool.slot_bytes) == (BLOCK, 6000)
        with raw(pathlib.Path(place)) as sock:
            sock.sendall(hello(settings(plane.address, slot_bytes=6000)))
            assert heard(sock, "refused").text("text") == "slot_bytes is 5000 at this agent, and '6000' in the engine"
    assert len(sockets(home)) == 2


def test_another_key_gets_an_agent_of_its_own(
    home: pathlib.Path, plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Agent(settings(plane.address)) as one:
        assert one.wait(60)
        monkeypatch.setenv("KV_API_KEY", "kv_test_another")
        with Agent(settings(plane.address)) as two:
            assert two.wait(60)
            assert len(sockets(home)) == 2
    told = "".join(log.read_text(encoding="utf-8") for log in home.rglob("*.log"))
    assert "kv_test" not in told, "keys are in no log"


def test_blocks_that_wait_are_written_before_the_agent_ends(home: pathlib.Path, plane: Plane) -> None:
    plane.hold_writes.clear()
    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        for i in range(6):
            save(agent, a_chain(6), i, content(i))
        assert plane.writing.wait(60)
        (pid,), (path,) = pids(home), sockets(home)
        until(lambda: values(path)["write_queue_bytes"] == 6 * BLOCK)
        agent.close()
        with ending(pid):
            os.kill(pid, signal.SIGTERM)
            until(lambda: not path.exists(), "it takes no more engines")
            plane.hold_writes.set()
    assert len(plane.writes) == 6


def test_an_agent_without_engines_ends(home: pathlib.Path, plane: Plane) -> None:
    with Agent(settings(plane.address, linger=0)) as agent:
        assert agent.wait(60)
        (pid,) = pids(home)
        with ending(pid):
            agent.close()
    assert sockets(home) == []


def test_a_child_of_fork_makes_its_own(home: pathlib.Path, plane: Plane) -> None:
    chain = a_chain(1)
    plane.put(chain, content(0))
    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        agent.prefetch("one", [chain], expected_bytes=[BLOCK])
        assert done(agent, "one").ready == 1
        child = os.fork()
        if child == 0:
            code = 1
            try:
                agent.prefetch("two", [chain], expected_bytes=[BLOCK])
                away = agent.progress("one").ready == 0 and agent.reserve() is None and agent.pool is None
                agent.release("one")
                agent.close()
                with Agent(settings(plane.address)) as own:
                    own.wait(60)
                    own.prefetch("one", [chain], expected_bytes=[BLOCK])
                    code = 0 if away and read(done(own, "one")) == [content(0)] else 2
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert agent.progress("one").ready == 1
        assert values(sockets(home)[0])["host_bytes.pinned"] == BLOCK, "the parent's slot is still pinned"


@pytest.mark.skipif(os.getuid() != 0, reason="missing: root, which may become another user")
def test_another_user_is_refused(home: pathlib.Path, plane: Plane) -> None:
    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        (path,) = sockets(home)
        assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700
        for folder in (home, path.parent):
            folder.chmod(0o711)
        path.chmod(0o666)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.setgid(65534)
                os.setuid(65534)
                with raw(path) as sock:
                    with contextlib.suppress(ConnectionError):  # it is refused before it has said anything
                        sock.sendall(hello(settings(plane.address)))
                    refused = heard(sock, "refused")
                    code = 0 if refused is not None and "user 0, not 65534" in refused.text("text") else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        log = path.with_name(path.name + ".log").read_text(encoding="utf-8")
        assert "is for processes of user 0, not 65534" in log
        path.parent.chmod(0o700)


@pytest.mark.skipif(os.getuid() != 0, reason="missing: root, which may become another user")
def test_a_socket_of_another_user_is_not_trusted(home: pathlib.Path, plane: Plane) -> None:
    place = home / "theirs.socket"
    home.chmod(0o777)
    child = os.fork()
    if child == 0:
        try:
            os.setgid(65534)
            os.setuid(65534)
            with socket.socket(socket.AF_UNIX) as listener:
                hidden = place.with_suffix(".hidden")
                listener.bind(str(hidden))
                listener.listen()
                hidden.rename(place)  # a socket that does not listen yet would count as one that was left behind
                signal.pause()
        finally:
            os._exit(1)
    try:
        until(place.exists)
        with Agent(settings(plane.address, socket=str(place))) as agent:
            assert agent.wait(60)
            assert [path.name for path in sockets(home)] != ["theirs.socket"], "one of its own was started"
    finally:
        with ending(child):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        home.chmod(0o700)


def test_the_command_line_tells_how_agents_do(
    home: pathlib.Path, plane: Plane, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status"]) == 1
    assert "no agent of this user runs" in capsys.readouterr().err
    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        assert main(["status"]) == 0
        assert f"host_bytes.free {60 * BLOCK}\n" in capsys.readouterr().out
        assert main(["status", "--socket", str(home / "none")]) == 1


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--slot-bytes", "0"], "--slot-bytes: must be 1 byte to 64 MiB"),
        (["--host-memory", "6000"], "--host-memory: must hold at least two slots"),
        (["--key-file", "/none"], "key_file /none: No such file or directory"),
        (["--endpoints", "nowhere"], "endpoints"),
    ],
)
def test_a_flag_that_breaks_its_rule_is_named(home: pathlib.Path, flags: list[str], said: str) -> None:
    usual = ["--slot-bytes", "5000", "--resource", "demo", "--endpoints", "127.0.0.1:1"]
    words = [sys.executable, "-m", "kvstore_client.agent", "serve", "--detach", *usual, *flags]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert ended.returncode in (1, 2)
    assert said in ended.stderr


def test_settings_pass_the_command_line_unchanged() -> None:
    from kvstore_client.agent.__main__ import _parser

    made = AgentSettings(
        slot_bytes=7,
        resource="demo",
        control_plane=("a:1", "b:2"),
        region="here",
        key_file="key",
        ca_file="ca",
        cert_file="cert",
        cert_key_file="cert-key",
        host_memory=70,
        connections=3,
        deadline=0.25,
        write_queue=8,
        linger=1,
    )
    clear = AgentSettings(slot_bytes=7, resource="demo", endpoints=("a:1",), plaintext_anywhere=True, linger=0)
    for one in (made, clear):
        options = vars(_parser().parse_args(["serve", *launch.flags(one)]))
        again = AgentSettings(**{name: options[name] for name in one.as_json()})
        assert (again, again.digest) == (one, one.digest)
        assert AgentSettings.from_json(one.as_json()) == one


def test_threads_may_use_one_agent(home: pathlib.Path, plane: Plane) -> None:
    chains = [a_chain(4, f"thread{i}") for i in range(8)]
    failures: list[BaseException] = []

    def work(agent: Agent, me: int) -> None:
        try:
            for i in range(4):
                save(agent, chains[me], i, content(10 * me + i))
            agent.prefetch(f"of {me}", [chains[me]], expected_bytes=[BLOCK])
            assert read(done(agent, f"of {me}")) == [content(10 * me + i) for i in range(4)]
            agent.release(f"of {me}")
        except BaseException as e:
            failures.append(e)

    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        threads = [threading.Thread(target=work, args=(agent, me)) for me in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []
