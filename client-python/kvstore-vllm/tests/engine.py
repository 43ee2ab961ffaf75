"""An engine in a process of its own, as a test uses it."""

from __future__ import annotations

import itertools
import os
import pathlib
import re
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from engine_process import prompt
from kvstore_client import BlockChain, KvClient, Partition
from orders import OrderedProgram
from stack import Stack, wait

HERE = pathlib.Path(__file__).parent
_agents = itertools.count()

#: What the connector logs at the engine's start.
_STARTED = re.compile(r"KV Store: (vllm2/.+) of \S+ at ")


def _both(ours: dict[str, Any], beside: str) -> dict[str, Any]:
    second = {
        "kv_connector": "SecondConnector",
        "kv_connector_module_path": "second_connector",
        "kv_role": ours["kv_role"],
    }
    return {
        "kv_connector": "MultiConnector",
        "kv_role": ours["kv_role"],
        "kv_connector_extra_config": {"connectors": [ours, second] if beside == "before" else [second, ours]},
    }


@dataclass(frozen=True)
class Batch:
    """What came of a batch: tokens of each output, tokens that came from a cache for each, and all counters.

    ``logprobs`` are those of the tokens that ``logprobs`` of the parameters asks for.

    ``first`` has the seconds until each request's first token. ``processor`` is the processor time of the engine's
    thread in seconds, which says something if the engine is in one process.
    """

    tokens: list[list[int]]
    cached: list[int]
    logprobs: list[list[float]]
    counters: dict[str, float]
    seconds: float
    first: list[float]
    processor: float

    @property
    def hits(self) -> int:
        """Tokens that vLLM counted as hits of the connector since the engine's start."""
        return int(self.counters.get("external_prefix_cache_hits", 0))


class Engine:
    """A context manager. Each engine has an agent of its own, so that blocks come from the store; ``agent`` shares."""

    def __init__(
        self,
        model: pathlib.Path,
        log: pathlib.Path,
        stack: Stack | None,
        *,
        endpoints: tuple[str, ...] = (),
        agent: int | None = None,
        processes: bool = False,
        role: str = "kv_both",
        settings: dict[str, Any] | None = None,
        patches: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
        beside: str = "",
        **options: Any,
    ) -> None:
        """``beside``: "before" or "behind" another connector, in MultiConnector.

        ``patches`` are functions of ``patches``, each with arguments behind a colon if it has some: ``name:a;b``.
        """
        self.stack = stack
        self.agent = next(_agents) if agent is None else agent
        told: dict[str, Any] = {
            "model": str(model),
            "dtype": "float32",
            "enforce_eager": True,
            "max_model_len": 4096,
            "max_num_seqs": 8,
            "enable_prefix_caching": False,
            **options,
        }
        if stack:
            # Busy cores are no reason for a miss here, unless a test says so.
            extra = {"min_tokens": 1, "measure": False, "linger_s": 0, "deadline_ms": 20_000}
            extra["host_memory"] = (128 << 20) + 4096 * self.agent
            ours = {
                "kv_connector": "KvStoreConnector",
                "kv_role": role,
                "kv_connector_extra_config": {**extra, **(settings or {})},
            }
            told["kv_transfer_config"] = _both(ours, beside) if beside else ours
        surroundings = self._environment(stack, endpoints, processes) | (environment or {})
        surroundings["ENGINE_PATCHES"] = "\n".join(patches)
        self._program = OrderedProgram(HERE / "engine_process.py", log, surroundings)
        self._partitions: list[str] = []
        self._program.send(told)

    @staticmethod
    def _environment(stack: Stack | None, endpoints: tuple[str, ...], processes: bool) -> dict[str, str]:
        told = {
            **os.environ,
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_OFFLINE": "1",
            "VLLM_NO_USAGE_STATS": "1",
            "VLLM_CPU_CI_ENV": "1",
            "VLLM_CPU_KVCACHE_SPACE": "1",
            "VLLM_CPU_OMP_THREADS_BIND": "nobind",
            "OMP_NUM_THREADS": "2",
            "VLLM_LOGGING_LEVEL": "INFO",
            "VLLM_ENABLE_V1_MULTIPROCESSING": "1" if processes else "0",
        }
        if stack:
            told["KV_API_KEY"] = stack.key
            told["KV_ENDPOINTS"] = ",".join(endpoints or stack.endpoints)
            told["KV_RESOURCE"] = stack.resource
        return told

    def __enter__(self) -> Engine:
        self._program.answer(300)
        self.started()
        return self

    def started(self) -> None:
        """Learns from the log under which names the engine stores, once it has told them."""
        told = _STARTED.findall(self.log)
        self._partitions = told[-1].split(", ") if told else []

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._program.close()

    def run(self, *prompts: tuple[int, int] | dict[str, Any], **params: Any) -> Batch:
        """Computes a batch: prompts are (seed, length), or dictionaries of ``engine_process``."""
        orders = [one if isinstance(one, dict) else {"seed": one[0], "length": one[1]} for one in prompts]
        self._program.send({"prompts": orders, "params": params})
        return Batch(**self._program.answer(600))

    def train(self) -> None:
        """Replaces the weights in memory, and resets vLLM's own prefix cache as vLLM does it by default."""
        self._reset(train=True)

    def reset(self) -> None:
        """Resets vLLM's own prefix cache."""
        self._reset(train=False)

    def _reset(self, *, train: bool) -> None:
        self._program.send({"train": train})
        self._program.answer(60)

    def counters(self) -> dict[str, float]:
        """All counters, after a prompt that is too short to be looked up has had the engine tell them anew."""
        return self.run((999, 16), max_tokens=1).counters

    def told(self, counter: str) -> float:
        """A counter of the agent as the engine knows it now; 0 if there is none."""
        return self.counters().get(f"kvstore_agent_{counter}", 0)

    def agent_pid(self) -> int:
        """The process of the agent, once it has told its counters: 0 would be this process' group to ``os.kill``."""
        wait(lambda: self.told("pid") > 0)
        return int(self.told("pid"))

    def chain(self, tokens: list[int], extras: tuple[bytes, ...] = (), rank: int = 0) -> BlockChain:
        """The chain of tokens in the partition of one of this engine's workers."""
        return BlockChain.of(Partition(self._partitions[rank]), tokens, extras)

    def wait_stored(self, client: KvClient, *prompts: tuple[int, int], first: bytes = b"") -> None:
        """Waits until the whole blocks of prompts are durable; ``first`` is the extra of their first blocks."""
        for seed, length in prompts:
            extras = (first, *[b""] * (length // 128 - 1)) if first else ()
            for rank in range(len(self._partitions)):
                chain = self.chain(prompt(seed, length), extras, rank)
                wait(lambda chain=chain: client.lookup(chain) == len(chain))  # type: ignore[misc]

    @property
    def log(self) -> str:
        """What the engine wrote to its log."""
        return self._program.log
