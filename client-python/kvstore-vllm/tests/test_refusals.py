"""A key that is revoked and a storage that is full cost no request, and are over when their cause is."""

from __future__ import annotations

import contextlib
import json
import pathlib
import secrets
import subprocess
import urllib.request
from collections.abc import Iterator
from uuid import uuid4

import pytest
from engine import Engine
from kvstore_client import KvClient
from kvstore_client.errors import UnauthenticatedError
from stack import Stack, own, wait

pytestmark = pytest.mark.engine


def admin(stack: Stack, method: str, key: str, body: dict[str, str] | None = None) -> None:
    """Makes or revokes a key of the stack's tenant."""
    request = urllib.request.Request(
        f"{stack.rest}/v1/tenants/local/keys/{key.split('_')[1]}",
        method=method,
        data=json.dumps(body).encode() if body else None,
        headers={"Authorization": f"Bearer {stack.admin_token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60):
        pass


def new_key(stack: Stack) -> str:
    secret = secrets.token_urlsafe(32)
    key = f"kv_{secrets.token_hex(10)}_{secret}"
    admin(stack, "PUT", key, {"secret": secret})
    return key


def is_good(stack: Stack, key: str, engine: Engine) -> bool:
    """Whether all data planes take a key."""
    for endpoint in stack.endpoints:
        with KvClient(endpoints=(endpoint,), resource=stack.resource, key=key) as client:
            try:
                client.lookup(engine.chain([1] * 128))
            except UnauthenticatedError:
                return False
    return True


def test_a_revoked_key_is_a_miss_until_its_file_has_another(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    file = tmp_path / "key"
    revoked = new_key(stack)
    file.write_text(revoked, encoding="ascii")
    with Engine(tiny, tmp_path / "without.log", None) as engine:
        plain = [engine.run((seed, 1000)).tokens for seed in (1, 2, 3)]
    settings = {"model_id": uuid4().hex, "key_file": str(file)}
    with Engine(tiny, tmp_path / "with.log", stack, settings=settings) as engine:
        wait(lambda: is_good(stack, revoked, engine))
        assert engine.run((1, 1000)).tokens == plain[0]
        engine.wait_stored(client, (1, 1000))
        admin(stack, "DELETE", revoked)
        wait(lambda: not is_good(stack, revoked, engine))
        refused = engine.run((2, 1000))
        assert (refused.tokens, refused.hits) == (plain[1], 0)
        wait(lambda: engine.told("errors.unauthenticated") > 0)
        good = new_key(stack)
        wait(lambda: is_good(stack, good, engine))
        file.write_text(good, encoding="ascii")
        assert engine.run((3, 1000)).tokens == plain[2]
        engine.wait_stored(client, (3, 1000))


@contextlib.contextmanager
def small_disk(folder: pathlib.Path) -> Iterator[None]:
    """A file system of 16 MiB in memory, at a folder that is made for it."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as e:
        pytest.skip(f"missing: the right to mount a tmpfs ({e})")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_storage_is_a_miss_until_it_has_room(tiny: pathlib.Path, tmp_path: pathlib.Path) -> None:
    storage = tmp_path / "stack" / "storage"
    prompts = [(seed, 1000) for seed in range(1, 7)]  # 42 blocks of 0.5 MB
    with Engine(tiny, tmp_path / "without.log", None) as engine:
        plain = [engine.run(one).tokens for one in prompts]
    settings = {"model_id": uuid4().hex}
    with (
        small_disk(storage),
        own(tmp_path) as stack,
        KvClient(endpoints=stack.endpoints, resource=stack.resource, key=stack.key) as client,
    ):
        with Engine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
            assert [engine.run(one).tokens for one in prompts] == plain
            wait(lambda: engine.told("dropped_saves") > 0)
            subprocess.run(["mount", "-o", "remount,size=256m", str(storage)], check=True)
            engine.run((7, 1000))
            wait(lambda: engine.told("breaker_open") == 0)
            engine.run((8, 1000))
            engine.wait_stored(client, (8, 1000))
        with Engine(tiny, tmp_path / "second.log", stack, settings=settings) as engine:
            batches = [engine.run(one) for one in prompts]
            assert [batch.tokens for batch in batches] == plain
            assert batches[0].hits == 896  # what was stored before it was full
            assert engine.run((8, 1000)).hits == batches[-1].hits + 896
