# The signatures of vLLM on which the connector relies, so that types are checked where vLLM is not installed.
# tests/test_typings.py holds them against vLLM's own.
from typing import Any

__version__: str

# Of tests.
LLM: Any
SamplingParams: Any
