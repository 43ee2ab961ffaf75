"""The versions of LMCache that this package was tested with."""

from __future__ import annotations

import importlib.metadata
import logging
import re

_log = logging.getLogger("kvstore.lmcache")

#: The versions that the engine tests ran with: from the first on, below the second.
TESTED = ((0, 5, 6), (0, 6, 0))


def check() -> None:
    """Logs a warning if the installed LMCache is another version."""
    try:
        version = importlib.metadata.version("lmcache")
    except importlib.metadata.PackageNotFoundError:
        version = "of an unknown version"
    if found := flaw(version):
        _log.warning("%s", found)


def flaw(version: str) -> str:
    """Why this version was not tested with this package; empty for a tested one."""
    match = re.match(r"(\d+)\.(\d+)\.(\d+)", version)
    if match and TESTED[0] <= tuple(map(int, match.groups())) < TESTED[1]:
        return ""
    first, end = (".".join(map(str, bound)) for bound in TESTED)
    return f"LMCache {version} was not tested with kvstore-lmcache, which is for lmcache>={first},<{end}"
