"""The L2 adapter of LMCache for KV Store: ``--l2-adapter '{"type":"plugin", ...}'``, see :mod:`.adapter`."""

from kvstore_lmcache._version import __version__

__all__ = ["__version__"]
