"""The check of a GPU, as far as a machine without one can run it."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from kvstore_vllm import gpu_check, moves

SOURCES = [pathlib.Path(__file__).parents[2] / name / "src" for name in ("kvstore-vllm", "kvstore-client")]


def run(*path: pathlib.Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*path, *SOURCES]))}
    words = [sys.executable, "-m", "kvstore_vllm.gpu_check"]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def test_without_torch_it_says_what_to_install(tmp_path: pathlib.Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError\n", encoding="utf-8")
    done = run(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("torch is missing: run this in the Python environment that has vLLM")


def test_without_a_gpu_it_says_that_it_checks_none() -> None:
    torch = pytest.importorskip("torch", reason="missing: torch, which comes with vLLM")
    if torch.cuda.is_available():
        pytest.skip("not needed: this machine has a GPU")
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    first, *_, last = done.stdout.splitlines()
    assert "sees no CUDA device" in first
    assert last == "passed on cpu, which says nothing about a GPU"
    assert done.stdout.count("equal bytes: ") == 16
    assert "FAILED" not in done.stdout


class Shifted(moves.HostMoves):
    """Loads each block one place too far."""

    def load(self, slot: memoryview, first: int, blocks: Sequence[int]) -> None:
        super().load(slot, first, [(block + 1) % 24 for block in blocks])


class Forgetful(moves.HostMoves):
    """Copies a step's blocks after the engine went on, as a device would without the right order of its streams."""

    def save(self, slot: memoryview, blocks: Sequence[int], then: Any) -> bool:
        slot[:] = bytes(len(slot))
        then(True)
        return True


@pytest.mark.parametrize("wrong", [Shifted, Forgetful])
@pytest.mark.parametrize("form", ["strided heads", "MLA"])
def test_wrong_copies_are_found(form: str, wrong: type[moves.HostMoves], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="missing: torch, which comes with vLLM")
    monkeypatch.setattr(moves, "of", wrong)
    with pytest.raises(gpu_check.Failed, match="do not have the bytes that were saved"):
        gpu_check.check_bytes(form, "bfloat16", "cpu")
