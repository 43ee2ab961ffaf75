"""Digests of the adapters (LoRA) that requests name, made on a thread: the scheduler never waits for a slow disk."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kvstore_client import adapters

from kvstore_vllm.extras import Unnamed

#: Seconds between two looks at an adapter's files.
_EACH = 1.0

#: Seconds after which a look is too old to be believed.
_FRESH = 3.0

#: Seconds for which an adapter is looked at after its last request.
_USED = 600.0

#: Seconds that the first request of an adapter waits for the first look, which takes milliseconds where files are near.
_FIRST = 0.05


@dataclass(frozen=True)
class Adapter:
    """An adapter whose files are known: ``number`` is vLLM's, ``state`` is :func:`kvstore_client.adapters.state`."""

    number: int
    state: str
    digest: bytes


@dataclass
class _Look:
    """What was seen of a path: an empty ``state`` or no ``digest`` if there is no adapter."""

    state: str = ""
    digest: bytes = b""
    at: float = float("-inf")
    used: float = 0.0


class Adapters:
    """Looks at adapters' files, once a second while requests name them. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._looks: dict[str, _Look] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def of(self, request: Any) -> Adapter | None:
        """The adapter of a vLLM request, or ``None`` if it has none.

        Raises :class:`Unnamed` while it is not known what its files hold; it waits for the first look for 50 ms.
        """
        asked = request.lora_request
        if not asked:
            return None
        if getattr(asked, "tensorizer_config_dict", None):
            raise Unnamed("an adapter that tensorizer loads is told by no file at hand")
        path = str(getattr(asked, "lora_path", "") or "")
        with self._changed:
            look = self._looks.get(path)
            if look is None:
                look = self._looks[path] = _Look(used=self._clock())
                self._begin()
                self._changed.notify_all()
                self._changed.wait_for(lambda: look.at > float("-inf"), _FIRST)
            look.used = self._clock()
            if look.at < look.used - _FRESH:
                raise Unnamed("the files of an adapter are not read yet")
            if not look.digest:
                raise Unnamed(
                    "the files of an adapter are not at hand; name its folder, or load it from the hub's cache"
                )
            form = b"3d" if getattr(asked, "is_3d_lora_weight", False) else b""
            return Adapter(asked.lora_int_id, look.state, hashlib.sha256(look.digest + form).digest())

    def close(self) -> None:
        """Ends the thread, which may still read a file."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="kvstore-adapters", daemon=True)
            self._thread.start()

    def _watch(self) -> None:
        while True:
            with self._changed:
                new = [path for path, look in self._looks.items() if look.at == float("-inf")]
                if not new:
                    self._changed.wait(_EACH)
                if self._closed:
                    return
                old = self._clock() - _USED
                for path in [path for path, look in self._looks.items() if look.used < old]:
                    del self._looks[path]
                paths = new or list(self._looks)
            for path in paths:
                self._look(path)

    def _look(self, path: str) -> None:
        begun = self._clock()
        with self._changed:
            known = self._looks.get(path)
        if known is None:
            return
        state, digest = adapters.state(path), known.digest
        if state != known.state or not digest:
            digest = self._digest(path, state)
        with self._changed:
            known.state, known.digest, known.at = state, digest, begun
            self._changed.notify_all()

    @staticmethod
    def _digest(path: str, state: str) -> bytes:
        """None if files changed meanwhile: the next look will tell."""
        try:
            found = adapters.digest(path) if state else b""
        except OSError:
            return b""
        return found if adapters.state(path) == state else b""
