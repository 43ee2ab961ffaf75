"""A whole SGLang with HiCache and KV Store, as a test uses it. Its device is the CPU: see ``engines/cpu``."""

from __future__ import annotations

import json
import os
import pathlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import engine_process
from engine_process import prompt
from kvstore_client.opaque import ObjectKind, OpaqueStore, StoreSettings
from orders import OrderedProgram
from stack import Stack, wait

HERE = pathlib.Path(__file__).parent

#: Where the processes of SGLang find modules of these tests, and of vLLM's.
_MODULES = os.pathsep.join(str(folder) for folder in (HERE, pathlib.Path(engine_process.__file__).parent))

#: Tokens of a page, and the fewest tokens for which SGLang asks its storage.
PAGE, LEAST = 64, 256

#: What the backend logs at SGLang's start.
_STARTED = re.compile(r"KV Store: pages of (\d+) bytes in (\S+)")


@dataclass(frozen=True)
class Batch:
    """What came of a batch: tokens of each output; tokens of each prompt from any cache, and from the storage."""

    tokens: list[list[int]]
    cached: list[int]
    stored: list[int]
    seconds: float


class SglangEngine:
    """A context manager. Without a stack, there is no HiCache."""

    def __init__(
        self,
        model: pathlib.Path,
        log: pathlib.Path,
        stack: Stack | None,
        *,
        endpoints: Sequence[str] = (),
        settings: dict[str, Any] | None = None,
        key: str = "",
        **options: Any,
    ) -> None:
        self._stack = stack
        told: dict[str, Any] = {
            "model_path": str(model),
            "device": "cpu",
            "dtype": "float32",
            "skip_tokenizer_init": True,
            "page_size": PAGE,
            "max_total_tokens": 16384,
            "max_running_requests": 8,
            "context_length": 4096,
            "log_level": "info",
        }
        if stack:
            extra = {
                "backend_name": "kvstore",
                "module_path": "kvstore_sglang.backend",
                "class_name": "KvStoreHiCache",
                "interface_v1": 1,
                "endpoints": list(endpoints or stack.endpoints),
                "resource": stack.resource,
                "deadline_ms": 20_000,  # busy cores are no reason for a miss here, unless a test says so
            }
            told |= {
                "enable_hierarchical_cache": True,
                "hicache_mem_layout": "page_first",
                "hicache_storage_backend": "dynamic",
                "hicache_storage_prefetch_policy": "wait_complete",
                "hicache_storage_backend_extra_config": json.dumps({**extra, **(settings or {})}),
            }
        told |= options
        surroundings = environment(key or (stack.key if stack else ""), told.get("tp_size", 1))
        self._program = OrderedProgram(HERE / "sglang_process.py", log, surroundings)
        self.kinds: list[ObjectKind] = []
        self._program.send(told)

    def __enter__(self) -> SglangEngine:
        self._program.answer(300)
        for told in _STARTED.finditer(self.log):  # a line of each rank
            size, name = int(told.group(1)), told.group(2)
            self.kinds.append(ObjectKind(name, 64, (size // 2, size // 2), affinity=name))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._program.close()

    def run(self, *prompts: tuple[int, int] | dict[str, Any]) -> Batch:
        """Computes a batch: prompts are (seed, length), or dictionaries of ``sglang_process``."""
        self._program.send([one if isinstance(one, dict) else {"seed": one[0], "length": one[1]} for one in prompts])
        return Batch(**self._program.answer(600))

    def flush(self) -> None:
        """Forgets what SGLang has in its own memory, once it writes no pages any more."""

        def flushed() -> bool:
            self._program.send("flush")
            return bool(self._program.answer(60)["flushed"])

        wait(flushed, 180)

    def names(self, tokens: list[int]) -> list[str]:
        """SGLang's names of the whole pages of tokens without a salt."""
        from sglang.srt.mem_cache.utils import get_storage_hash_str

        whole = tokens[: len(tokens) // PAGE * PAGE]
        return list(get_storage_hash_str(whole, None, page_size=PAGE)) if whole else []

    def wait_stored(self, *prompts: tuple[int, int]) -> None:
        """Waits until all whole pages of prompts are durable: SGLang writes them in a thread of its own."""
        assert self._stack is not None and self.kinds
        settings = StoreSettings.of({"endpoints": list(self._stack.endpoints), "resource": self._stack.resource})
        store = OpaqueStore(settings)
        try:
            for seed, length in prompts:
                keys = [name.encode() for name in self.names(prompt(seed, length))]
                asked = [(kind, keys) for kind in self.kinds]
                wanted = [len(keys)] * len(asked)
                wait(lambda asked=asked, wanted=wanted: store.lookup(asked).result() == wanted)  # type: ignore[misc]
        finally:
            store.close()

    @property
    def log(self) -> str:
        """What SGLang wrote to its log."""
        return self._program.log


def environment(key: str, ranks: int = 1) -> dict[str, str]:
    """What SGLang's processes need on a machine without a GPU."""
    processors = sorted(os.sched_getaffinity(0))
    # Each rank is told its processor, since there are fewer NUMA nodes than ranks.
    bind = "|".join(str(processors[rank % len(processors)]) for rank in range(ranks))
    return {
        **os.environ,
        "PYTHONPATH": _MODULES,
        "SGLANG_USE_CPU_ENGINE": "1",
        "SGLANG_PLUGINS": "hicache_on_cpu",
        "SGLANG_NCCL_SO_PATH": "/none",  # ranks on CPUs talk by gloo
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "OMP_NUM_THREADS": "2",
        "KV_API_KEY": key,
        **({"SGLANG_CPU_OMP_THREADS_BIND": bind} if ranks > 1 else {}),
    }
