"""The KV connector of vLLM for KV Store: ``--kv-transfer-config '{"kv_connector":"KvStoreConnector", ...}'``."""

from kvstore_vllm._version import __version__

__all__ = ["__version__"]
