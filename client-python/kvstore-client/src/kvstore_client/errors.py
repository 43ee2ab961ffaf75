"""The errors of this package: gRPC's status codes, and one exception class for each."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


class Code(enum.IntEnum):
    """gRPC's status codes. ``kvstore.proto`` says what each means here."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


@dataclass(frozen=True)
class FieldViolation:
    """A field of a request that breaks its rule: its name on the wire, such as ``block_tokens``, and the rule."""

    field: str
    description: str


class KvError(Exception):
    """An operation, or one block of it, that did not succeed.

    The message is the server's, or says what went wrong here. ``retry_delay`` is how many seconds the server asked to
    be left alone, or ``None`` if it did not say. ``violations`` is empty unless the code is ``INVALID_ARGUMENT``.
    """

    code: Code = Code.UNKNOWN

    # Whether the failure is of this client or the connection, not the server's word; and whether an answer had begun.
    _local = False
    _answered = False

    def __init__(
        self,
        message: str,
        *,
        code: Code | None = None,
        violations: Sequence[FieldViolation] = (),
        retry_delay: float | None = None,
    ) -> None:
        if code is not None:
            self.code = code
        super().__init__(f"{self.code.name}: {message}")
        self.message = message
        self.violations = tuple(violations)
        self.retry_delay = retry_delay

    @property
    def retryable(self) -> bool:
        """Whether the same operation may succeed a little later, here or at another data plane."""
        return self.code in (Code.UNAVAILABLE, Code.RESOURCE_EXHAUSTED)


class CancelledError(KvError):
    """The client was closed, or the caller gave the operation up."""

    code = Code.CANCELLED


class InvalidArgumentError(KvError):
    """A field of the request breaks its rule; ``violations`` names it."""

    code = Code.INVALID_ARGUMENT


class DeadlineExceededError(KvError):
    """The time that the caller gave has passed."""

    code = Code.DEADLINE_EXCEEDED


class NotFoundError(KvError):
    """No such block is stored."""

    code = Code.NOT_FOUND


class PermissionDeniedError(KvError):
    """The resource does not exist, or is not granted to this key: the same answer."""

    code = Code.PERMISSION_DENIED


class ResourceExhaustedError(KvError):
    """The server is at its limit."""

    code = Code.RESOURCE_EXHAUSTED


class FailedPreconditionError(KvError):
    """An admin must act: the storage refuses the service, or a newer version of it wrote the block."""

    code = Code.FAILED_PRECONDITION


class OutOfRangeError(KvError):
    """The block is larger than the buffer that was given for it."""

    code = Code.OUT_OF_RANGE


class UnimplementedError(KvError):
    """The server does not know the call."""

    code = Code.UNIMPLEMENTED


class InternalError(KvError):
    """A flaw of the server, or an answer that breaks the protocol."""

    code = Code.INTERNAL


class UnavailableError(KvError):
    """No data plane could be reached, or the storage behind it does not answer."""

    code = Code.UNAVAILABLE


class DataLossError(KvError):
    """The block is damaged: its bytes, or what came as its bytes, do not have its checksum or name."""

    code = Code.DATA_LOSS


class UnauthenticatedError(KvError):
    """No key, or one that the server does not know."""

    code = Code.UNAUTHENTICATED


_BY_CODE: dict[Code, type[KvError]] = {kind.code: kind for kind in KvError.__subclasses__()}


def error(
    code: int,
    message: str,
    violations: Sequence[FieldViolation] = (),
    retry_delay: float | None = None,
) -> KvError:
    """The exception for a status code; a number that gRPC does not have, or OK, is UNKNOWN."""
    try:
        known = Code(code)
    except ValueError:
        known = Code.UNKNOWN
    if known is Code.OK:
        known = Code.UNKNOWN
    kind = _BY_CODE.get(known, KvError)
    return kind(message, code=known, violations=violations, retry_delay=retry_delay)
