"""A client of KV Store, which keeps the key-value caches of LLM inference: see :class:`KvClient`."""

from kvstore_client._version import __version__
from kvstore_client.client import Block, CommonPrefix, KvClient, WriteResult
from kvstore_client.errors import (
    CancelledError,
    Code,
    DataLossError,
    DeadlineExceededError,
    FailedPreconditionError,
    FieldViolation,
    InternalError,
    InvalidArgumentError,
    KvError,
    NotFoundError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnauthenticatedError,
    UnavailableError,
    UnimplementedError,
)
from kvstore_client.extra import Item, tagged_extra
from kvstore_client.names import BlockChain, Partition
from kvstore_client.operation import Retry
from kvstore_client.parts import BlockResult
from kvstore_client.pool import Cancel
from kvstore_client.tls import Tls

__all__ = [
    "Block",
    "BlockChain",
    "BlockResult",
    "Cancel",
    "CancelledError",
    "Code",
    "CommonPrefix",
    "DataLossError",
    "DeadlineExceededError",
    "FailedPreconditionError",
    "FieldViolation",
    "InternalError",
    "InvalidArgumentError",
    "Item",
    "KvClient",
    "KvError",
    "NotFoundError",
    "OutOfRangeError",
    "Partition",
    "PermissionDeniedError",
    "ResourceExhaustedError",
    "Retry",
    "Tls",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "WriteResult",
    "__version__",
    "tagged_extra",
]
