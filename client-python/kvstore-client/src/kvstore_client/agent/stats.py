"""Counters of the agent."""

from __future__ import annotations


class Stats:
    """Numbers by name; a reason, a code or a state stands behind a dot. For one thread."""

    def __init__(self) -> None:
        """Nothing was counted; the names that a reader looks for first are there."""
        self._values: dict[str, float] = dict.fromkeys(
            ("breaker_open", "fetched_bytes", "service_late", "stored_bytes"), 0
        )

    def add(self, name: str, value: float = 1) -> None:
        """Counts."""
        self._values[name] = self._values.get(name, 0) + value

    def set(self, name: str, value: float) -> None:
        """The number is now this one."""
        self._values[name] = value

    def values(self) -> dict[str, float]:
        """A copy."""
        return dict(self._values)
