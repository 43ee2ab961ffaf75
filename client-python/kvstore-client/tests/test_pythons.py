"""Pythons are found where they are, and what is not there is skipped with a sentence."""

from __future__ import annotations

import pathlib
import sys

import pytest

import pythons


def test_the_distribution_names_the_versions() -> None:
    assert pythons.versions()[0] == "3.10"
    assert "3.13" in pythons.versions()


def test_a_program_counts_only_if_it_is_of_the_version(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    for version in (own, "3.77"):
        program = tmp_path / f"python{version}"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert pythons.find(own) == f"python{own}"
    assert pythons.find("3.77") is None
    assert pythons.find("3.78") is None


def test_a_python_that_is_not_there_is_skipped_with_a_sentence(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pythons.main(str(tmp_path / "made"), "3.78") == 0
    assert capsys.readouterr().out == "Python 3.78: skipped, there is none on the PATH, in pyenv or by uv\n"
