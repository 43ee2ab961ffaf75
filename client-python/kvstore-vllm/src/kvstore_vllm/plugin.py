"""The entry point ``vllm.general_plugins``, which vLLM loads in every one of its processes."""

from __future__ import annotations

NAME = "KvStoreConnector"


def register() -> None:
    """Makes vLLM know the connector by its name. Loads nothing else; vLLM may call it more than once."""
    from vllm.distributed.kv_transfer.kv_connector.factory import KVConnectorFactory

    if NAME not in KVConnectorFactory._registry:
        KVConnectorFactory.register_connector(NAME, "kvstore_vllm.connector", NAME)
