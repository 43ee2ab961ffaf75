"""A second connector, as strict as NixlConnector: it takes no handshake but its own, and loads and saves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vllm.distributed.kv_transfer.kv_connector.v1.base import (
    KVConnectorBase_V1,
    KVConnectorHandshakeMetadata,
    KVConnectorMetadata,
    SupportsHMA,
)


@dataclass
class SecondHandshake(KVConnectorHandshakeMetadata):
    """It says nothing."""


class SecondMetadata(KVConnectorMetadata):
    """It says nothing."""


class SecondConnector(KVConnectorBase_V1, SupportsHMA):
    """Raises if vLLM hands it what another connector said."""

    def get_handshake_metadata(self) -> KVConnectorHandshakeMetadata | None:
        """As NixlConnector has one."""
        return SecondHandshake()

    def set_xfer_handshake_metadata(self, metadata: dict[int, Any]) -> None:
        """As NixlConnector checks it."""
        for one in metadata.values():
            if not isinstance(one, SecondHandshake):
                raise ValueError("SecondConnector expects SecondHandshake for its handshake")

    def set_xfer_handshake_metadata_pp_aware(self, metadata: dict[tuple[int, int], Any]) -> None:
        """As NixlConnector checks it."""
        self.set_xfer_handshake_metadata({rank: one for (_, rank), one in metadata.items()})

    def start_load_kv(self, forward_context: Any, **kwargs: Any) -> None:
        """Nothing."""

    def wait_for_layer_load(self, layer_name: str) -> None:
        """Nothing."""

    def save_kv_layer(self, layer_name: str, kv_layer: Any, attn_metadata: Any, **kwargs: Any) -> None:
        """Nothing."""

    def wait_for_save(self) -> None:
        """Nothing."""

    def get_num_new_matched_tokens(self, request: Any, num_computed_tokens: int) -> tuple[int | None, bool]:
        """Nothing."""
        return 0, False

    def update_state_after_alloc(self, request: Any, blocks: Any, num_external_tokens: int) -> None:
        """Nothing."""

    def build_connector_meta(self, scheduler_output: Any) -> KVConnectorMetadata:
        """Nothing."""
        return SecondMetadata()

    def request_finished_all_groups(
        self, request: Any, block_ids: tuple[list[int], ...]
    ) -> tuple[bool, dict[str, Any] | None]:
        """Nothing."""
        return False, None
