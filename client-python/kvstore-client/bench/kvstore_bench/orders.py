"""Orders as lines of JSON on standard input, and answers on standard output, for a program that another one drives."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

Order = Mapping[str, Any]
Say = Callable[[Mapping[str, Any]], None]


def serve(handlers: Mapping[str, Callable[[Order, Say], None]]) -> None:
    """Carries out orders until the input ends. A handler says its answers; one that raises answers ``failure``."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # a library that prints does not spoil the answers

    def say(answer: Mapping[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    for line in sys.stdin:
        order = json.loads(line)
        try:
            handlers[order["do"]](order, say)
        except Exception as e:
            say({"failure": f"{order['do']}: {type(e).__name__}: {e}"})
