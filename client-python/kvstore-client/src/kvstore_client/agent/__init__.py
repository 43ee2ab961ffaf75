"""Transfers of blocks outside of the engine's process: see :class:`Agent`.

An engine whose threads keep the interpreter's lock slows down every transfer in its process. The agent is a process of
its own (``python -m kvstore_client.agent``), which reads and writes blocks in memory that it shares with the engine.
"""

from kvstore_client.agent.engine import Agent
from kvstore_client.agent.memory import SlotPool
from kvstore_client.agent.progress import NO_SLOT, Progress, ReservedSlot
from kvstore_client.agent.settings import AgentSettings

__all__ = ["NO_SLOT", "Agent", "AgentSettings", "Progress", "ReservedSlot", "SlotPool"]
