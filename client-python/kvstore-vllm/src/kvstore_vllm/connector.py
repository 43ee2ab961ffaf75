"""The class that vLLM makes, once in its scheduler and once in each worker. Its halves raise nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import vllm
from vllm.distributed.kv_transfer.kv_connector.v1.base import KVConnectorBase_V1, KVConnectorRole, SupportsHMA

from kvstore_vllm import compat, media
from kvstore_vllm.messages import Handshake, Orders, Report
from kvstore_vllm.metrics import PromMetrics, Tally
from kvstore_vllm.scheduler import SchedulerHalf
from kvstore_vllm.settings import Settings
from kvstore_vllm.worker import WorkerHalf

log = logging.getLogger("vllm.kvstore")


class KvStoreConnector(KVConnectorBase_V1, SupportsHMA):
    """vLLM's KV cache in KV Store. ``docs/engines/vllm.md`` tells how to use it."""

    def __init__(self, vllm_config: Any, role: Any, kv_cache_config: Any) -> None:
        """Raises ``ValueError`` for a setting that breaks its rule."""
        super().__init__(vllm_config=vllm_config, role=role, kv_cache_config=kv_cache_config)
        transfer = vllm_config.kv_transfer_config
        settings = Settings.of(transfer.kv_connector_extra_config, transfer.kv_role)
        outer = compat.outer_transfer(transfer)
        self._scheduler: SchedulerHalf | None = None
        self._worker: WorkerHalf | None = None
        if role == KVConnectorRole.SCHEDULER:
            flaw = compat.flaw(vllm.__version__)
            if flaw:
                log.warning("KV Store: %s", flaw)
            # A block that cannot be loaded is computed: a cache never fails a request.
            for one in (transfer, outer):
                if one is not None:
                    one.kv_load_failure_policy = "recompute"
            told = getattr(vllm_config, "kv_events_config", None)
            self._scheduler = SchedulerHalf(
                settings,
                events=bool(told and told.enable_kv_cache_events),
                digests=media.hashes(vllm_config),
                late=outer is not None,
            )
        else:
            self._worker = WorkerHalf(settings, vllm_config, kv_cache_config, late=outer is not None)

    @property
    def requires_kv_delivery(self) -> bool:
        """A save that is lost is a miss later on."""
        return False

    # --- worker ---

    def register_kv_caches(self, kv_caches: dict[str, Any]) -> None:
        """Learns where keys and values are."""
        from vllm.distributed.parallel_state import get_tensor_model_parallel_rank

        self._half_of_worker().register(kv_caches, get_tensor_model_parallel_rank())

    def get_handshake_metadata(self) -> Handshake | None:
        """Tells the scheduler's half under which name this worker keeps its blocks.

        MultiConnector passes on what its first connector says, to all: there it is told with the first step.
        """
        return self._half_of_worker().early_handshake

    def start_load_kv(self, forward_context: Any, **kwargs: Any) -> None:
        """Begins loads, also without a forward pass."""
        self._half_of_worker().load(self._orders())

    def wait_for_layer_load(self, layer_name: str) -> None:
        """Nothing: a request is scheduled when all its layers are there."""

    def save_kv_layer(self, layer_name: str, kv_layer: Any, attn_metadata: Any, **kwargs: Any) -> None:
        """Nothing: blocks are saved when all their layers are there."""

    def wait_for_save(self) -> None:
        """Takes snapshots of the blocks that this step completed."""
        self._half_of_worker().save(self._orders())

    def get_finished(self, finished_req_ids: set[str]) -> tuple[set[str] | None, set[str] | None]:
        """The requests whose loads are done. Saves need no blocks: they are snapshots."""
        return None, self._half_of_worker().finished() or None

    def get_transfer_results(self, finished_req_ids: set[str]) -> Any:
        """As :meth:`get_finished`, with the requests that vLLM computes from their start since their load failed."""
        results = super().get_transfer_results(finished_req_ids)
        results.failed_recving |= self._half_of_worker().failed_requests()
        return results

    def get_block_ids_with_load_errors(self) -> set[int]:
        """Blocks for vLLM to compute, if the agent was replaced between the admission of a request and its load."""
        return self._half_of_worker().failed_blocks()

    def build_connector_worker_meta(self) -> Report | None:
        """Tells the scheduler's half of saves to order again."""
        return self._half_of_worker().report()

    # --- scheduler ---

    def set_xfer_handshake_metadata(self, metadata: dict[int, Any]) -> None:
        """Learns what the workers keep."""
        self._half_of_scheduler().workers(metadata)

    def set_xfer_handshake_metadata_pp_aware(self, metadata: dict[tuple[int, int], Any]) -> None:
        """Learns what the workers keep."""
        self._half_of_scheduler().workers(metadata)

    def bind_gpu_block_pool(self, gpu_block_pool: Any) -> None:
        """Lets the connector see what vLLM's own prefix cache has."""
        self._half_of_scheduler().pool(gpu_block_pool)

    def on_new_request(self, request: Any) -> None:
        """Begins the fetch of a request."""
        self._half_of_scheduler().arrives(request)

    def get_num_new_matched_tokens(self, request: Any, num_computed_tokens: int) -> tuple[int | None, bool]:
        """How many tokens are in the agent's memory for a request; loads are asynchronous always."""
        return self._half_of_scheduler().matched(request, num_computed_tokens)

    def update_state_after_alloc(self, request: Any, blocks: Any, num_external_tokens: int) -> None:
        """Notes into which blocks a request is loaded."""
        self._half_of_scheduler().allocated(request, blocks, num_external_tokens)

    def build_connector_meta(self, scheduler_output: Any) -> Orders:
        """The loads and saves of a step."""
        return self._half_of_scheduler().orders(scheduler_output)

    def update_connector_output(self, connector_output: Any) -> None:
        """Learns which loads are done."""
        self._half_of_scheduler().step_ended(connector_output)

    def request_finished(self, request: Any, block_ids: list[int]) -> tuple[bool, dict[str, Any] | None]:
        """Forgets a request, whose blocks vLLM may free."""
        self._half_of_scheduler().ends(request)
        return False, None

    def request_finished_all_groups(
        self, request: Any, block_ids: tuple[list[int], ...]
    ) -> tuple[bool, dict[str, Any] | None]:
        """Forgets a request, whose blocks vLLM may free."""
        self._half_of_scheduler().ends(request)
        return False, None

    def reset_cache(self) -> bool | None:
        """Leaves the store alone from now on: the engine may have new weights, and partitions name the old ones."""
        self._half_of_scheduler().reset()
        return True

    def take_events(self) -> Iterable[Any]:
        """Blocks that are stored by now, with the medium STORAGE, if vLLM publishes events."""
        return self._half_of_scheduler().events()

    # --- both ---

    def get_kv_connector_stats(self) -> Tally | None:
        """What was counted since the last call."""
        return (self._scheduler or self._half_of_worker()).stats()

    def shutdown(self) -> None:
        """Leaves the agent."""
        (self._scheduler or self._half_of_worker()).close()

    @classmethod
    def build_kv_connector_stats(cls, data: dict[str, Any] | None = None) -> Tally:
        """Statistics as they come from another process."""
        return Tally(data)

    @classmethod
    def build_prom_metrics(
        cls, vllm_config: Any, metric_types: Any, labelnames: list[str], per_engine_labelvalues: dict[int, list[object]]
    ) -> PromMetrics:
        """The connector's metrics."""
        return PromMetrics(vllm_config, metric_types, labelnames, per_engine_labelvalues)

    def _orders(self) -> Orders:
        orders = self._get_connector_metadata()
        return orders if isinstance(orders, Orders) else Orders()

    def _half_of_worker(self) -> WorkerHalf:
        assert self._worker is not None, "a call for a worker came to the scheduler"
        return self._worker

    def _half_of_scheduler(self) -> SchedulerHalf:
        assert self._scheduler is not None, "a call for the scheduler came to a worker"
        return self._scheduler
