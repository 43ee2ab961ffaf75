"""Leaves a service alone that is away."""

from __future__ import annotations

from collections import deque

from kvstore.errors import DeadlineExceededError, KvError, UnavailableError

#: So many errors within so many seconds open the breaker; then the service is tried every so many seconds.
ERRORS, WINDOW, PROBE = 5, 10.0, 5.0


def is_away(failure: BaseException | None) -> bool:
    """Whether an error says that the service is away, or as good as that."""
    return isinstance(failure, (UnavailableError, DeadlineExceededError))


class Breaker:
    """Open while the service is away. For one thread; time is passed in, in seconds."""

    def __init__(self) -> None:
        """Closed."""
        self.open = False
        self._errors: deque[float] = deque(maxlen=ERRORS)

    def failed(self, failure: KvError | None, now: float) -> bool:
        """An operation ended with this error; whether the breaker opened by it."""
        if self.open or not is_away(failure):
            return False
        self._errors.append(now)
        self.open = len(self._errors) == ERRORS and now - self._errors[0] <= WINDOW
        return self.open

    def close(self) -> None:
        """The service answered a probe."""
        self.open = False
        self._errors.clear()
