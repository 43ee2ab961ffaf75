from collections.abc import Callable
from typing import Any

class KVConnectorFactory:
    _registry: dict[str, Callable[[], type[Any]]]

    @classmethod
    def register_connector(cls, name: str, module_path: str, class_name: str) -> None: ...
