"""The HiCache backend of SGLang for KV Store: ``--hicache-storage-backend dynamic``, see :mod:`.backend`."""

from kvstore_sglang._version import __version__

__all__ = ["__version__"]
