"""What tells the weights of the models that LMCache names."""

from __future__ import annotations

import logging
import os
import threading
from collections import OrderedDict

from kvstore_client import weights

from kvstore_lmcache.names import Unsupported

_log = logging.getLogger("kvstore.lmcache")

#: Models that are remembered.
_MOST = 64

#: Seconds that the first call for a model waits. Weights that were read before take a look at their files.
_MOMENT = 1.0

_HINT = "set model_id to a name for the weights, and another one for other weights"


class Models:
    """Digests of models' weights, made on a thread: LMCache's threads wait for a moment, once. Thread-safe.

    LMCache's keys have a model's name as the engine was given it, which says nothing of its weights. ``model_id`` says
    it in their place.
    """

    def __init__(self, model_id: str = "", moment: float = _MOMENT) -> None:
        """``moment``: seconds that the first call for a model waits."""
        self._model_id = model_id
        self._moment = moment
        self._lock = threading.Lock()
        #: By name, what tells the weights, and why nothing does; neither while they are read.
        self._found: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def of(self, name: str) -> str:
        """What tells a model's weights. Raises :class:`Unsupported` while it is being found out, or if nothing does."""
        if self._model_id:
            return self._model_id
        unread = ("", f"the weights of {name} are not read yet")
        finding = None
        with self._lock:
            if name not in self._found:
                self._found[name] = unread
                while len(self._found) > _MOST:
                    self._found.popitem(last=False)
                finding = threading.Thread(target=self._find, args=(name,), name="kvstore-weights", daemon=True)
        if finding:
            finding.start()
            finding.join(self._moment)
        with self._lock:
            found, flaw = self._found.get(name, unread)
        if flaw:
            raise Unsupported(flaw)
        return found

    def _find(self, name: str) -> None:
        try:
            found = (digest(name), "")
            _log.info("KV Store: the weights of %s are read", name)
        except Unsupported as e:
            found = ("", str(e))
        with self._lock:
            self._found[name] = found


def digest(name: str) -> str:
    """32 hexadecimal digits of a model's weights and configuration. Raises :class:`Unsupported` if none are at hand.

    A name of the hub needs a cache with a single revision: nothing tells which one the engine has.
    """
    place = weights.folder(name)
    if not os.path.exists(name) and place:
        revisions = os.listdir(os.path.dirname(place))
        if len(revisions) > 1:
            raise Unsupported(f"the hub's cache has {len(revisions)} revisions of {name}; {_HINT}")
    try:
        found = weights.of_folder(place, beside=("config.json",)) if place else ""
    except OSError as e:
        raise Unsupported(f"the weights in {place} cannot be read ({e}); {_HINT}") from None
    if not found:
        raise Unsupported(f"nothing at hand tells the weights of {name}; {_HINT}")
    return found[:32]
