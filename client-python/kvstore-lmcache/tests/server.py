"""LMCache's server with our adapter in a process of its own, and engines that use it."""

from __future__ import annotations

import json
import os
import pathlib
import socket
import subprocess
import sys
import urllib.request
from types import TracebackType
from typing import Any

from engine import Engine
from orders import end
from stack import Stack, wait


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Server:
    """A context manager; ``class_name`` is of ``module``."""

    def __init__(
        self,
        stack: Stack,
        log: pathlib.Path,
        *,
        module: str = "kvstore_lmcache.adapter",
        class_name: str = "KvStoreL2Adapter",
        **settings: Any,
    ) -> None:
        self.port, self._http = free_port(), free_port()
        params = {"endpoints": list(stack.endpoints), "resource": stack.resource, "deadline_ms": 20_000, **settings}
        adapter = {"type": "plugin", "module_path": module, "class_name": class_name, "adapter_params": params}
        options = {
            "--host": "127.0.0.1",
            "--port": self.port,
            "--http-port": self._http,
            "--l1-size-gb": 0.25,
            "--l1-init-size-gb": 1,
            "--eviction-policy": "LRU",
            "--supported-transfer-mode": "engine_driven",
            "--l2-adapter": json.dumps(adapter),
        }
        words = [str(word) for option in options.items() for word in option]
        self._log = log.open("wb")
        self._process = subprocess.Popen(
            [pathlib.Path(sys.executable).with_name("lmcache"), "server", *words, "--disable-observability"],
            stdout=self._log,
            stderr=self._log,
            env={**os.environ, "KV_API_KEY": stack.key, "PYTHONPATH": str(pathlib.Path(__file__).parent)},
        )

    def __enter__(self) -> Server:
        wait(lambda: self._process.poll() is not None or self._answers(), 180)
        assert self._process.poll() is None, pathlib.Path(self._log.name).read_text(encoding="utf-8")[-3000:]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        end(self._process)
        self._log.close()

    @property
    def counters(self) -> dict[str, Any]:
        """What the adapter counted."""
        told = self._get("/status")
        found: dict[str, Any] = _find(told, "l2_adapters")[0]
        return found

    def wait_stored(self, objects: int) -> None:
        """Waits until so many objects are durable."""
        wait(lambda: self.counters.get("stored_blocks", 0) >= objects)

    def _answers(self) -> bool:
        try:
            self._get("/status")
        except OSError:
            return False
        return True

    def _get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._http}{path}", timeout=30) as answer:
            return json.load(answer)


def _find(told: Any, name: str) -> Any:
    if isinstance(told, dict):
        if name in told:
            return told[name]
        return next((found for value in told.values() if (found := _find(value, name)) is not None), None)
    return None


def engine(model: pathlib.Path, log: pathlib.Path, server: Server | None) -> Engine:
    """vLLM with LMCache's connector; without a server, vLLM alone."""
    if server is None:
        return Engine(model, log, None)
    connector = {
        "kv_connector": "LMCacheMPConnector",
        "kv_role": "kv_both",
        "kv_connector_extra_config": {"lmcache.mp.host": "tcp://localhost", "lmcache.mp.port": server.port},
    }
    environment = {"LMCACHE_MP_TRANSFER_MODE": "engine_driven"}
    return Engine(model, log, None, kv_transfer_config=connector, environment=environment)
