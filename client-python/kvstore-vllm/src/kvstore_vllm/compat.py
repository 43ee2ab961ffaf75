"""The differences between versions of vLLM, whose connector API is experimental: all of them stand here."""

from __future__ import annotations

import functools
import importlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

#: The versions that engine tests ran with: from the first on, below the second. docs/engines/vllm.md says which tests.
TESTED = ((0, 29), (0, 33))


def flaw(version: str) -> str:
    """Why this version of vLLM was not tested with this package; empty for a tested one."""
    match = re.match(r"(\d+)\.(\d+)", version)
    found = (int(match.group(1)), int(match.group(2))) if match else (0, 0)
    if TESTED[0] <= found < TESTED[1]:
        return ""
    first, end = (".".join(map(str, bound)) for bound in TESTED)
    return f"vLLM {version} was not tested with kvstore-vllm, which is for vllm>={first},<{end}"


#: Callers that are looked at: vLLM makes and calls a connector through a few layers.
_MOST_CALLERS = 20


def _callers() -> Iterator[Any]:
    """The local variables of callers, the nearest first."""
    frame = sys._getframe(2)
    for _ in range(_MOST_CALLERS):
        yield frame.f_locals
        if frame.f_back is None:
            return
        frame = frame.f_back


def outer_transfer(own: Any) -> Any:
    """The ``kv_transfer_config`` of the MultiConnector that is making a connector; ``None`` if there is none.

    ``own`` is the connector's. MultiConnector gives each of its connectors a configuration of its own, but vLLM reads
    ``kv_load_failure_policy`` from the outer one, to which the inner one has no way. So the callers are looked at.
    """
    for variables in _callers():
        transfer = getattr(variables.get("vllm_config"), "kv_transfer_config", None)
        if transfer is not None and transfer is not own and transfer.kv_connector == "MultiConnector":
            return transfer
    return None


def model() -> Any:
    """The model of the runner that registers its caches; ``None`` if none of the callers is such a runner.

    A connector is told of the caches and not of the model, whose weights may be replaced while the engine runs.
    """
    for variables in _callers():
        get = getattr(variables.get("self"), "get_model", None)
        found = get() if callable(get) else None
        if callable(getattr(found, "state_dict", None)):
            return found
    return None


def on_reset(pool: Any, heard: Callable[[], None]) -> None:
    """Calls ``heard`` when vLLM is asked to reset its prefix cache, which it refuses while a request has blocks.

    Connectors hear of neither, unless the caller asks for it.
    """
    reset = getattr(pool, "reset_prefix_cache", None)
    if reset is None:
        return

    @functools.wraps(reset)
    def resetting() -> Any:
        heard()
        return reset()

    pool.reset_prefix_cache = resetting


def resumed(cached: Any, index: int) -> bool:
    """Whether entry ``index`` of ``scheduled_cached_reqs`` comes back from preemption with new blocks."""
    ids = getattr(cached, "resumed_req_ids", None)
    if ids is not None:
        return cached.req_ids[index] in ids
    return bool(cached.resumed_from_preemption[index])


def asks_prompt_logprobs(request: Any) -> bool:
    """Whether a request wants log-probabilities of its prompt, for which the prompt must be computed."""
    params = request.sampling_params
    if params is None:
        return False
    if getattr(params, "prompt_logprobs", None) is not None:
        return True
    return bool(getattr(params, "prompt_logprob_token_ids", None))


def local_blocks(pool: Any, request: Any, groups: int = 1) -> int:
    """How many engine blocks of a request vLLM's own prefix cache has at the moment: a hint, which costs no state.

    ``groups`` have engine blocks of equal length; all of them must have a block.
    """
    find = getattr(pool, "get_cached_block", None)
    if find is None:
        return 0
    count = 0
    for name in getattr(request, "block_hashes", ()):
        if not find(name, list(range(groups))):
            break
        count += 1
    return count


def tables(blocks: Any) -> list[list[int]]:
    """The block ids of each cache group, from ``KVCacheBlocks`` or a tuple of lists."""
    ids: Iterable[Any] = blocks.get_block_ids() if hasattr(blocks, "get_block_ids") else blocks
    return [list(one) for one in ids]


def has_exact_tables() -> bool:
    """Whether this version tells which blocks of a window it keeps, and takes loads of several groups that failed."""
    base = importlib.import_module("vllm.distributed.kv_transfer.kv_connector.v1.base")
    output = importlib.import_module("vllm.v1.core.sched.output")
    return hasattr(base, "KVConnectorTransferResults") and hasattr(output, "KVConnectorBlockState")


def exact_tables(output: Any, name: str) -> list[list[int]]:
    """The block ids of a request that is scheduled in this step, where 0 is a block that is not kept any more.

    vLLM's lists of new blocks do not tell which earlier blocks the request has lost.
    """
    return tables(output.kv_connector_block_state.get_block_ids(name))
