"""``kv publish --python FOLDER``: the wheels of all distributions, as a package index takes them, and their SHA256SUMS.

Equal sources give equal bytes: a build is of a copy whose file modes are equal everywhere, by the setuptools of
``build-requirements.txt``, and has the time of the commit or of ``SOURCE_DATE_EPOCH``. Links of a README lead to the
project's pages, since an index has no checkout around a README.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv

_HERE = pathlib.Path(__file__).parent

#: The folder client-python.
_CLIENTS = _HERE.parents[1]

#: What builds, tests and tools leave in a folder.
_LEFTOVERS = shutil.ignore_patterns("build", "dist", "*.egg-info", ".*", "__pycache__")

#: The earliest time that a zip file may have, in seconds: for sources without a commit.
_EARLIEST = "315532800"

_LINK = re.compile(r"\]\((?!https?:|#)([^)#]*)(#[^)]*)?\)")


def _commit_time() -> str:
    words = ["git", "-C", str(_HERE), "log", "-1", "--format=%ct"]
    try:
        said = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        said = ""
    return said or _EARLIEST


def absolute(text: str, folder: pathlib.PurePosixPath, base: str) -> str:
    """A README of this folder of the checkout with links that hold anywhere: below ``base``."""

    def link(found: re.Match[str]) -> str:
        path = os.path.normpath(folder / found[1])
        if path.startswith(".."):
            raise ValueError(f"{folder}/README.md: the link {found[1]} leads out of the checkout")
        return f"]({base}/{path}{found[2] or ''})"

    return _LINK.sub(link, text)


def _prepare(source: pathlib.Path, copy: pathlib.Path) -> None:
    shutil.copytree(source, copy, ignore=_LEFTOVERS)
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    source_url = re.search(r'^Source = "(.*)"$', (copy / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    version = re.search(r'__version__ = "(.*)"', next(copy.glob("src/*/_version.py")).read_text(encoding="utf-8"))
    assert source_url
    assert version
    tree = "main" if "dev" in version[1] else f"v{version[1]}"
    readme = copy / "README.md"
    folder = pathlib.PurePosixPath("client-python", source.name)
    text = absolute(readme.read_text(encoding="utf-8"), folder, f"{source_url[1]}/blob/{tree}")
    readme.write_text(text, encoding="utf-8")


def main(folder: str) -> int:
    """The exit code."""
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)  # the modes of generated files are in a wheel, too
    sources = sorted(path.parent for path in _CLIENTS.glob("*/pyproject.toml"))
    with tempfile.TemporaryDirectory(prefix="kv-wheels-") as name:
        work = pathlib.Path(name)
        for source in sources:
            _prepare(source, work / source.name)
        venv.create(work / "builder", with_pip=True)
        pip = [str(work / "builder/bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        copies = [str(work / source.name) for source in sources]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or _commit_time()}
        for words in (
            ["install", "-r", str(_HERE / "build-requirements.txt")],
            ["wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(work), *copies],
        ):
            if code := subprocess.run([*pip, *words], env=environment, check=False).returncode:
                return code
        wheels = sorted(work.glob("*.whl"))
        for wheel in wheels:
            shutil.copyfile(wheel, target / wheel.name)
    sums = [f"{hashlib.sha256((target / wheel.name).read_bytes()).hexdigest()}  {wheel.name}\n" for wheel in wheels]
    (target / "SHA256SUMS").write_text("".join(sums), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
