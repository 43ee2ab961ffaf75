"""Blocks of engines that give a key in place of a prompt's tokens: see :class:`OpaqueStore`."""

from kvstore_client.opaque.entries import Entry
from kvstore_client.opaque.keys import ObjectKind, partition_name
from kvstore_client.opaque.settings import StoreSettings
from kvstore_client.opaque.store import OpaqueStore

__all__ = ["Entry", "ObjectKind", "OpaqueStore", "StoreSettings", "partition_name"]
