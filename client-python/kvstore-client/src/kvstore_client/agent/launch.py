"""Starts an agent's process, and is its first half: the one that waits until the second one serves, or says why not."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import logging.handlers
import os
import signal
import subprocess
import sys

from kvstore_client.agent.server import Server, TakenError
from kvstore_client.agent.settings import AgentSettings

_log = logging.getLogger("kvstore.agent")

_STARTING = 60.0  # seconds
_LOG_BYTES = 1 << 20
_FORMAT = "%(asctime)s %(levelname)s agent %(process)d: %(message)s"

#: The exit code of a start that found another agent in its place.
TAKEN = 3


def use_all_processors() -> None:
    """For the calling thread and what it starts: an engine binds threads to processors that it needs for itself."""
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))


def start(settings: AgentSettings, path: str) -> str | None:
    """Starts an agent at a path and waits for it; why there is none, or ``None``.

    The agent is no child of this process, and outlives it. Another agent that came first is no flaw. It runs on the
    processors of the calling thread.
    """
    command = [sys.executable, "-m", "kvstore_client.agent", "serve", "--detach", *flags(settings), "--socket", path]
    environment = dict(os.environ)
    if "PYTHONPATH" in environment:  # the agent starts in another folder
        paths = environment["PYTHONPATH"].split(os.pathsep)
        environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, paths))
    try:
        done = subprocess.run(  # noqa: S603 - the interpreter that runs this
            command,
            cwd=os.path.dirname(path),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=_STARTING,
            start_new_session=True,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as e:
        return str(e)
    if done.returncode in (0, TAKEN):
        return None
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return said[-1][:1000] if said else f"it ended with code {done.returncode}"


def flags(settings: AgentSettings) -> list[str]:
    """The settings, but for the socket, as words of the command line."""
    words = []
    for name, value in settings.as_json().items():
        if value is True:
            words.append(f"--{name.replace('_', '-')}")
        elif name != "socket" and value is not False and value not in ("", []):
            text = ",".join(value) if isinstance(value, list) else str(value)
            words.append(f"--{name.replace('_', '-')}={text}")
    return words


def serve(settings: AgentSettings, path: str, log: str, *, detach: bool) -> int:
    """Runs an agent; the exit code. ``detach``: in the background, once it serves. ``log``: a file, or empty."""
    if not detach:
        _log_to(log)
        return _run(settings, path, -1)
    told, tell = os.pipe()
    child = os.fork()
    if child:
        os.close(tell)
        if os.read(told, 1):
            return 0
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    os.close(told)
    os.setsid()
    os.umask(0o077)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    log = log or path + ".log"
    _log_to(log)
    return _run(settings, path, tell, log)


def _run(settings: AgentSettings, path: str, tell: int, log: str = "") -> int:
    def ready() -> None:
        if tell >= 0:
            _leave_the_terminal(log)
            os.write(tell, b"1")
            os.close(tell)

    try:
        asyncio.run(Server(settings, path).run(ready))
    except TakenError as e:
        sys.stderr.write(f"{e}\n")
        return TAKEN
    except (OSError, ValueError) as e:
        sys.stderr.write(f"the agent cannot start: {e}\n")
        return 1
    return 0


def _log_to(path: str) -> None:
    handler: logging.Handler = logging.StreamHandler()
    if path:
        handler = logging.handlers.RotatingFileHandler(path, maxBytes=_LOG_BYTES, backupCount=1)
    logging.basicConfig(level=logging.INFO, format=_FORMAT, handlers=[handler])


def _leave_the_terminal(log: str) -> None:
    """Standard input and output are nothing; what Python says when it dies goes to the log."""
    nothing = os.open(os.devnull, os.O_RDWR)
    errors = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((nothing, 0), (nothing, 1), (errors, 2)):
        os.dup2(source, target)
    os.close(nothing)
    os.close(errors)
