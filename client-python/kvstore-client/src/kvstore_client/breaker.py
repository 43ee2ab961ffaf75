"""Leaves a service alone that is away."""

from __future__ import annotations

from collections import defaultdict, deque

from kvstore_client.errors import DeadlineExceededError, KvError, UnavailableError

#: So many errors within so many seconds open the breaker; then the service is tried every so many seconds.
ERRORS, WINDOW, PROBE = 5, 10.0, 5.0


def is_away(failure: BaseException | None) -> bool:
    """Whether an error says that the service is away, or as good as that."""
    return isinstance(failure, (UnavailableError, DeadlineExceededError))


class Breaker:
    """Open while the service is away. For one thread; time is passed in, in seconds.

    Errors of one kind of operation in a row open it however far apart they are: a service that is late makes fewer of
    them the later it is, and may answer other operations in time.
    """

    def __init__(self) -> None:
        """Closed."""
        self.open = False
        self._errors: deque[float] = deque(maxlen=ERRORS)
        self._least = 0
        self._in_a_row: defaultdict[str, int] = defaultdict(lambda: self._least)

    def failed(self, failure: KvError | None, now: float, kind: str = "") -> bool:
        """An operation ended with this error; whether the breaker opened by it."""
        if self.open or not is_away(failure):
            return False
        self._errors.append(now)
        self._in_a_row[kind] += 1
        in_window = len(self._errors) == ERRORS and now - self._errors[0] <= WINDOW
        self.open = in_window or self._in_a_row[kind] >= ERRORS
        return self.open

    def succeeded(self, kind: str = "") -> None:
        """An operation was answered."""
        self._in_a_row[kind] = 0

    def close(self) -> None:
        """The service answered a probe.

        The next error opens the breaker again, unless an operation of the same kind succeeds before.
        """
        self.open = False
        self._errors.clear()
        self._in_a_row.clear()
        self._least = ERRORS - 1
