"""Settings name their flaws."""

from __future__ import annotations

from typing import Any

import pytest
from kvstore_client.agent import AgentSettings

from kvstore_vllm.settings import Settings

ENVIRONMENT = {"KV_API_KEY": "kv_x", "KV_ENDPOINTS": "a:1, b:2", "KV_RESOURCE": "demo"}


def test_the_environment_is_enough() -> None:
    made = Settings.of({}, "kv_both", ENVIRONMENT)
    assert (made.endpoints, made.resource, made.read, made.write) == (("a:1", "b:2"), "demo", True, True)
    assert made.agent(100, 12 << 30) == AgentSettings(
        slot_bytes=100, resource="demo", endpoints=("a:1", "b:2"), host_memory=12 << 30, write_queue=3 << 30
    )


def test_the_configuration_goes_before_the_environment() -> None:
    extra = {
        "control_plane": ["c:3"],
        "resource": "other",
        "host_memory": "2GiB",
        "deadline_ms": 500,
        "min_tokens": 7,
        "store_output": False,
    }
    made = Settings.of(extra, "kv_both", ENVIRONMENT)
    assert (made.control_plane, made.endpoints, made.resource) == (("c:3",), (), "other")
    assert (made.host_memory, made.deadline, made.min_tokens, made.store_output) == (2 << 30, 0.5, 7, False)
    told = made.agent(100, 12 << 30)
    assert (told.host_memory, told.write_queue) == (2 << 30, 1 << 30)


@pytest.mark.parametrize(
    ("extra", "role", "read", "write"),
    [
        ({}, "kv_consumer", True, False),
        ({}, "kv_producer", False, True),
        ({"read_only": True}, "kv_both", True, False),
        ({"write_only": True}, "kv_both", False, True),
    ],
)
def test_roles(extra: dict[str, Any], role: str, read: bool, write: bool) -> None:
    made = Settings.of(extra, role, ENVIRONMENT)
    assert (made.read, made.write) == (read, write)


@pytest.mark.parametrize(
    ("extra", "missing", "message"),
    [
        ({"hosts": 1}, "", "hosts: is no setting"),
        ({"key": "kv_x"}, "", "key: is no setting"),
        ({"host_memory": "much"}, "", "host_memory: must be a number of bytes"),
        ({"host_memory": True}, "", "host_memory"),
        ({"min_tokens": 0}, "", "min_tokens: must be 1"),
        ({"min_tokens": "1"}, "", "min_tokens: must be a whole number"),
        ({"deadline_ms": 0}, "", "deadline_ms: must be more than 0"),
        ({"store_output": "no"}, "", "store_output: must be true or false"),
        ({"endpoints": [1]}, "", "endpoints: must be a list"),
        ({"endpoints": "a:1", "control_plane": "b:1"}, "", "endpoints: name data planes"),
        ({}, "KV_ENDPOINTS", "endpoints: name data planes"),
        ({}, "KV_RESOURCE", "resource: name the storage account"),
        ({}, "KV_API_KEY", "key_file: name a file"),
        ({"read_only": True, "write_only": True}, "", "read_only: choose"),
    ],
)
def test_flaws_are_named(extra: dict[str, Any], missing: str, message: str) -> None:
    environment = {name: value for name, value in ENVIRONMENT.items() if name != missing}
    with pytest.raises(ValueError, match=message):
        Settings.of(extra, "kv_both", environment)


def test_a_role_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="kv_role: is kv_producer"):
        Settings.of({"read_only": True}, "kv_producer", ENVIRONMENT)
