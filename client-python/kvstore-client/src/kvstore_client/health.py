"""Whether to use a data plane, by what came of using it. Times are seconds of one clock; callers hold one lock."""

from __future__ import annotations

import enum

# The constants of the Java SDK's RoutingRules, which has the reason for each.
EJECTION_BASE = 1.0
EJECTION_MOST = 30.0
TIMEOUTS_TO_EJECT = 5
TIMEOUT_LEAST = 0.1


class State(enum.Enum):
    """The operations that may be sent to a data plane: any, one to try it, none."""

    WHOLE = 1
    ON_TRIAL = 2
    EJECTED = 3


class Health:
    """Whether to use a data plane, by what came of using it.

    A failure ejects it, the n-th in a row for n seconds, 30 at most; then one operation at a time tries it, and the
    first answer makes it whole.
    """

    def __init__(self) -> None:
        """Whole."""
        self.ejections = 0
        self.unreachable = False
        self._since = 0.0
        self._until = 0.0
        self._news: float | None = None
        self._timeouts = 0
        self._trial = False

    def state(self, now: float) -> State:
        """The operations that may be sent there now."""
        if self.ejections == 0:
            return State.WHOLE
        return State.EJECTED if now < self._until else State.ON_TRIAL

    def begin_trial(self) -> bool:
        """Takes the one place of an operation that tries it; :meth:`end_trial` gives it back."""
        if self._trial:
            return False
        self._trial = True
        return True

    def end_trial(self) -> None:
        """The operation that tried it is over."""
        self._trial = False

    def answered(self, began: float) -> bool:
        """It answered an operation that began then; whether it was ejected until now.

        What began before the last failure says nothing: a data plane that stops finishes what it has.
        """
        if self._is_old(began):
            return False
        self._timeouts = 0
        if self.ejections == 0 or began < self._since:
            return False
        self._news = began
        self.ejections = 0
        return True

    def failed(self, began: float, now: float, *, unreachable: bool) -> bool:
        """An operation that began then failed there as others may not; whether this ejects it.

        Operations that fail together count once.
        """
        if self._is_old(began):
            return False
        if self.ejections and (began < self._since or now < self._until):
            return False
        self.ejections += 1
        self._since = now
        self._until = now + min(EJECTION_MOST, EJECTION_BASE * self.ejections)
        self.unreachable = unreachable
        return True

    def timed_out(self, began: float, now: float) -> bool:
        """An operation met its deadline and not a byte had come; whether this ejects the data plane."""
        if self._is_old(began) or now - began < TIMEOUT_LEAST:
            return False
        self._timeouts += 1
        if self._timeouts < TIMEOUTS_TO_EJECT:
            return False
        self._timeouts = 0
        return self.failed(began, now, unreachable=False)

    def forget(self, now: float) -> None:
        """It was started anew: nothing is known of it, and what began before says nothing."""
        self._news = now
        self.ejections = 0
        self._timeouts = 0

    def _is_old(self, began: float) -> bool:
        return self._news is not None and began < self._news
