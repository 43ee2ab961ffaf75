from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

@dataclass
class HiCacheStorageConfig:
    tp_rank: int
    tp_size: int
    pp_rank: int
    pp_size: int
    attn_cp_rank: int
    attn_cp_size: int
    is_mla_model: bool
    enable_storage_metrics: bool
    is_page_first_layout: bool
    model_name: str | None
    extra_config: dict[str, Any] | None = None

class PoolName(str, Enum):
    KV = "kv"
    SWA = "swa"

@dataclass
class PoolTransfer:
    name: PoolName
    host_indices: Any = None
    device_indices: Any = None
    keys: list[str] | None = None

@dataclass
class PoolTransferResult:
    kv_hit_pages: int
    extra_pool_hit_pages: dict[str, int]

    @classmethod
    def empty(cls) -> PoolTransferResult: ...

class HiCacheStorage(ABC):
    def register_mem_pool_host(self, mem_pool_host: Any) -> None: ...
    def register_mem_host_pool_v2(self, host_pool: Any, host_pool_name: Any) -> None: ...
    def batch_exists_v2(
        self, keys: list[str], pool_transfers: Sequence[PoolTransfer] | None = None, extra_info: Any = None
    ) -> PoolTransferResult: ...
    def batch_get_v2(self, transfers: Sequence[PoolTransfer], extra_info: Any = None) -> dict[str, list[bool]]: ...
    def batch_set_v2(self, transfers: Sequence[PoolTransfer], extra_info: Any = None) -> dict[str, list[bool]]: ...
    def batch_get_v1(self, keys: list[str], host_indices: Any, extra_info: Any = None) -> list[bool]: ...
    def batch_set_v1(self, keys: list[str], host_indices: Any, extra_info: Any = None) -> list[bool]: ...
    @abstractmethod
    def get(self, key: str, target_location: Any = None, target_sizes: Any = None) -> Any: ...
    @abstractmethod
    def batch_get(self, keys: list[str], target_locations: Any = None, target_sizes: Any = None) -> list[Any] | int: ...
    @abstractmethod
    def set(self, key: str, value: Any = None, target_location: Any = None, target_sizes: Any = None) -> bool: ...
    @abstractmethod
    def batch_set(
        self, keys: list[str], values: Any = None, target_locations: Any = None, target_sizes: Any = None
    ) -> bool: ...
    @abstractmethod
    def exists(self, key: str) -> bool: ...
    def batch_exists(self, keys: list[str], extra_info: Any = None) -> int: ...
    def clear(self) -> None: ...
