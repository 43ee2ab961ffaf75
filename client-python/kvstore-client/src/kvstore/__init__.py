"""The old name of :mod:`kvstore_client`, until the minor version after the next: the same modules under both names."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType

from kvstore_client import *  # noqa: F403
from kvstore_client import __all__ as __all__

_NEW = "kvstore_client"


def _new(name: str) -> str:
    return _NEW + name[len(__name__) :]


class _Alias(MetaPathFinder, InspectLoader):
    """Finds ``kvstore.X`` and gives the module ``kvstore_client.X``; ``python -m kvstore.agent`` runs its code."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = importlib.util.find_spec(_new(fullname)) if fullname.startswith(f"{__name__}.") else None
        if found is None:
            return None
        spec = ModuleSpec(fullname, self, origin=found.origin)
        spec.submodule_search_locations = found.submodule_search_locations
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(_new(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__
        module.__spec__ = module.__spec__.loader_state  # import has put the alias' own in its place

    def get_code(self, fullname: str) -> CodeType | None:
        found = importlib.util.find_spec(_new(fullname))
        assert found
        assert isinstance(found.loader, InspectLoader)
        return found.loader.get_code(found.name)

    def get_source(self, fullname: str) -> str | None:
        return None


warnings.warn(f"the package {__name__} is now {_NEW}", DeprecationWarning, stacklevel=2)
sys.meta_path.insert(0, _Alias())
sys.modules[__name__] = importlib.import_module(_NEW)
