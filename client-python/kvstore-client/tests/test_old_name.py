"""Programs that import ``kvstore`` go on, with a warning."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).parents[1] / "src"


def run(*words: str, path: tuple[pathlib.Path, ...] = (SOURCE,)) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("names", [("kvstore", "kvstore_client"), ("kvstore_client", "kvstore")])
def test_both_names_give_the_same_modules(names: tuple[str, str]) -> None:
    program = f"""
import {names[0]}.agent.engine, {names[1]}.agent.engine
import kvstore, kvstore_client, kvstore.opaque.store, sys
from kvstore.agent import Agent
from kvstore_client.agent import Agent as New
assert Agent is New and kvstore is kvstore_client
assert kvstore.opaque.store is sys.modules['kvstore_client.opaque.store']
assert kvstore.opaque.store.__spec__.name == kvstore.opaque.store.__name__ == 'kvstore_client.opaque.store'
"""
    done = run("-W", "ignore::DeprecationWarning", "-c", program)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_program_that_imports_the_old_name_is_warned() -> None:
    done = run("-W", "error::DeprecationWarning", "-c", "from kvstore import KvClient")
    assert "DeprecationWarning: the package kvstore is now kvstore_client" in done.stderr


def test_what_is_not_there_has_no_old_name_either() -> None:
    assert "No module named 'kvstore.nothing'" in run("-c", "import kvstore.nothing").stderr


@pytest.mark.parametrize("name", ["kvstore", "kvstore_client"])
def test_the_agent_starts_by_both_names(name: str) -> None:
    done = run("-m", f"{name}.agent", "serve", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: python -m kvstore_client.agent serve" in done.stdout


def test_another_project_of_that_name_does_not_reach_the_client(tmp_path: pathlib.Path) -> None:
    (tmp_path / "kvstore.py").write_text("who = 'another project'\n", encoding="utf-8")
    done = run("-c", "import kvstore, kvstore_client.agent; print(kvstore.who)", path=(tmp_path, SOURCE))
    assert (done.stdout, done.stderr) == ("another project\n", "")
