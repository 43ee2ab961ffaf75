"""Blocks of engines that give a key in place of a prompt's tokens: see :class:`OpaqueStore`."""

from kvstore.opaque.entries import Entry
from kvstore.opaque.keys import ObjectKind, partition_name
from kvstore.opaque.settings import StoreSettings
from kvstore.opaque.store import OpaqueStore

__all__ = ["Entry", "ObjectKind", "OpaqueStore", "StoreSettings", "partition_name"]
