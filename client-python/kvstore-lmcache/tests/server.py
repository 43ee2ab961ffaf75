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
    """A context manager; ``class_name`` is of ``module``. Without a stack, chunks are in the server's memory alone."""

    def __init__(
        self,
        stack: Stack | None,
        log: pathlib.Path,
        l1_gb: float = 0.25,
        /,
        *,
        module: str = "kvstore_lmcache.adapter",
        class_name: str = "KvStoreL2Adapter",
        **settings: Any,
    ) -> None:
        self.port, self._http = free_port(), free_port()
        options = {
            "--host": "127.0.0.1",
            "--port": self.port,
            "--http-port": self._http,
            "--l1-size-gb": l1_gb,
            "--l1-init-size-gb": max(1, l1_gb),
            "--eviction-policy": "LRU",
            "--supported-transfer-mode": "engine_driven",
        }
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parent)}
        if stack:
            params = {"endpoints": list(stack.endpoints), "resource": stack.resource, "deadline_ms": 20_000, **settings}
            adapter = {"type": "plugin", "module_path": module, "class_name": class_name, "adapter_params": params}
            options["--l2-adapter"] = json.dumps(adapter)
            environment["KV_API_KEY"] = stack.key
        words = [str(word) for option in options.items() for word in option]
        self._log = log.open("wb")
        self._process = subprocess.Popen(
            [pathlib.Path(sys.executable).with_name("lmcache"), "server", *words, "--disable-observability"],
            stdout=self._log,
            stderr=self._log,
            env=environment,
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

    def wait_kept(self, chunks: int) -> None:
        """Waits until so many chunks are in the server's memory, and none is on its way there."""

        def settled() -> bool:
            told = self._get("/status")
            staging, kept = _find(told, "staging_object_count"), _find(told, "total_object_count")
            return bool(staging == 0 and kept >= chunks)

        wait(settled)

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


def engine(
    model: pathlib.Path,
    log: pathlib.Path,
    server: Server | None,
    environment: dict[str, str] | None = None,
    **options: Any,
) -> Engine:
    """vLLM with LMCache's connector; without a server, vLLM alone."""
    if server is None:
        return Engine(model, log, None, environment=environment, **options)
    connector = {
        "kv_connector": "LMCacheMPConnector",
        "kv_role": "kv_both",
        "kv_connector_extra_config": {"lmcache.mp.host": "tcp://localhost", "lmcache.mp.port": server.port},
    }
    told = {"LMCACHE_MP_TRANSFER_MODE": "engine_driven", **(environment or {})}
    return Engine(model, log, None, kv_transfer_config=connector, environment=told, **options)
