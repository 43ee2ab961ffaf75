# The signatures of SGLang on which the backend relies, so that types are checked where SGLang is not installed.
# tests/test_typings.py holds them against SGLang's own.
from typing import Any

# Of tests.
Engine: Any
