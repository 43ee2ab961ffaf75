"""``kv test --pythons [VERSION...]``: the Python client's tests on each Python that it is for and that is found here.

A Python is found on the PATH as ``python3.12``, in pyenv, or by uv. Each gets an environment below a folder.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

_CLIENT = pathlib.Path(__file__).parents[1]


def versions() -> list[str]:
    """The versions that the distribution's classifiers name."""
    text = (_CLIENT / "pyproject.toml").read_text(encoding="utf-8")
    return re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)


def _places(version: str) -> Iterator[str]:
    yield f"python{version}"
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"), "versions")
    yield from (str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python")))
    if shutil.which("uv"):
        done = subprocess.run(["uv", "python", "find", version], capture_output=True, text=True, check=False)
        yield done.stdout.strip()


def find(version: str) -> str | None:
    """A Python of this version that runs; ``None`` if there is none."""
    program = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    for place in filter(None, _places(version)):
        try:
            done = subprocess.run([place, "-c", program], capture_output=True, text=True, check=False)
        except OSError:
            continue
        if done.stdout.strip() == version:
            return place
    return None


def _tests(python: str, folder: pathlib.Path) -> str:
    """Runs the tests; what does not hold, or nothing."""
    requirements = _CLIENT / "requirements-test.txt"
    program = folder / "bin/python"
    made = folder / "requirements-test.txt"
    if not made.exists() or made.read_bytes() != requirements.read_bytes():
        pip = [str(program), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "-r", str(requirements)]
        for words in ([python, "-m", "venv", "--clear", str(folder)], pip):
            if subprocess.run(words, check=False).returncode:
                return f"{' '.join(words[1:4])} failed"
        shutil.copyfile(requirements, made)
    environment = {**os.environ, "PYTHONPATH": str(_CLIENT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [str(program), "-m", "pytest", "-p", "no:cacheprovider"]
    return "tests failed" if subprocess.run(words, cwd=_CLIENT, env=environment, check=False).returncode else ""


def main(target: str, *words: str) -> int:
    """The exit code: 1 if a Python failed."""
    said = []
    for version in words or versions():
        python = find(version)
        if python is None:
            said.append(f"Python {version}: skipped, there is none on the PATH, in pyenv or by uv")
            continue
        print(f"Testing the Python client on Python {version} ({python}) ...", flush=True)
        said.append(f"Python {version}: {_tests(python, pathlib.Path(target, version)) or 'passed'}")
    print("\n".join(said))
    return int(any("failed" in line for line in said))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
