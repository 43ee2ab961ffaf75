"""Prints the requirements of an installed distribution that are not installed, in whatever version: see install.sh."""

from __future__ import annotations

import importlib.metadata
import sys

from pip._vendor.packaging.requirements import Requirement


def main(name: str, *but: str) -> None:
    """Names only: vLLM decides the versions. ``but`` are not printed."""
    for line in importlib.metadata.requires(name) or ():
        requirement = Requirement(line)
        if requirement.name in but or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        try:
            importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            print(requirement.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
