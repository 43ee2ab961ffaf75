"""The agent against the real service: see KVSTORE_TEST_STACK in conftest.py."""

from __future__ import annotations

import pathlib
import random
import time
from typing import Any

import pytest
from agents import done, home, save, sockets, until, values

from kvstore_client import BlockChain, KvClient, Partition
from kvstore_client.agent import Agent, AgentSettings

__all__ = ["home"]

SIZE, BLOCKS = 300_000, 12


@pytest.mark.parametrize("by", ["endpoints", "control_plane"])
def test_blocks_of_two_ranks_go_through_two_agents(
    home: pathlib.Path, stack: Any, tmp_path: pathlib.Path, client: KvClient, by: str
) -> None:
    key = tmp_path / "key"
    key.write_text(stack["apiKey"] + "\n", encoding="ascii")
    where: dict[str, Any] = {"endpoints": stack["dataPlanes"]}
    if by == "control_plane":
        where = {"control_plane": [stack["controlPlane"]], "region": "local"}
    usual: dict[str, Any] = {"resource": stack["resourceName"], "key_file": str(key), "linger": 0, **where}
    name = f"agent/{time.time_ns()}"
    chains = [BlockChain.of(Partition(f"{name}/{rank}"), range(BLOCKS * 128)) for rank in range(2)]
    contents = [[random.Random(f"{rank}/{i}").randbytes(SIZE) for i in range(BLOCKS)] for rank in range(2)]
    with Agent(AgentSettings(slot_bytes=SIZE, host_memory=32 << 20, **usual)) as writer:
        assert writer.wait(60)
        for i in range(BLOCKS):
            for rank in range(2):
                save(writer, chains[rank], i, contents[rank][i])
        (path,) = sockets(home)
        until(lambda: values(path).get("stored_blocks") == 2 * BLOCKS)
    assert client.lookup_all(chains).each == (BLOCKS, BLOCKS)
    with Agent(AgentSettings(slot_bytes=SIZE, host_memory=33 << 20, **usual)) as reader:
        assert reader.wait(60)
        reader.prefetch("one", chains, expected_bytes=[SIZE] * 2, deadline=60, skip=2)
        progress = done(reader, "one")
        assert (progress.found, progress.ready) == (BLOCKS, BLOCKS - 2)
        assert reader.pool is not None
        for i, slots in enumerate(progress.slots):
            for rank, slot in enumerate(slots):
                assert reader.pool.view(slot) == contents[rank][2 + i]
