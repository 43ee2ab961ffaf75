from collections.abc import Sequence
from typing import Any

MEDIUM_STORAGE: str

class BlockStored:
    def __init__(
        self,
        *,
        block_hashes: Sequence[bytes | int],
        parent_block_hash: bytes | int | None,
        token_ids: list[int],
        block_size: int,
        lora_id: int | None,
        medium: str | None,
        lora_name: str | None,
        group_idx: int | None = None,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

class KVEventBatch:
    events: list[Any]
