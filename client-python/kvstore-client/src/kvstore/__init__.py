"""A client of KV Store, which keeps the key-value caches of LLM inference: see :class:`KvClient`."""

from kvstore._version import __version__
from kvstore.client import Block, CommonPrefix, KvClient, WriteResult
from kvstore.errors import (
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
from kvstore.extra import Item, tagged_extra
from kvstore.names import BlockChain, Partition
from kvstore.operation import Retry
from kvstore.parts import BlockResult
from kvstore.pool import Cancel
from kvstore.tls import Tls

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
