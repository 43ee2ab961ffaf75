"""``python -m kvstore_client.agent``: serves, or tells how an agent does."""

from __future__ import annotations

import argparse
import glob
import os
import socket
import sys
from dataclasses import MISSING, fields
from typing import Any

from kvstore_client.agent import launch, peers
from kvstore_client.agent.messages import Frames, MalformedError, Message, encode
from kvstore_client.agent.settings import AgentSettings

_ABOUT = """\
Reads and writes blocks for the engines of this user, in memory that it shares with them.

An engine starts its agent itself; start one by hand to see it work. The API key comes from --key-file, or from
KV_API_KEY in the environment. SIGTERM ends it, after up to 10 s for blocks that are still to be written."""

_HELP = {
    "slot_bytes": "the largest block in bytes, up to 64 MiB",
    "resource": "the storage account by its registered name",
    "endpoints": "data planes as host:port, all of them, with commas between",
    "control_plane": "control planes as host:port, in place of endpoints",
    "region": "where this machine is, for the control plane",
    "key_file": "a file with the API key, read again when it changes",
    "ca_file": "authorities to trust, as PEM",
    "cert_file": "a certificate of the agent's own, as PEM",
    "cert_key_file": "its private key, as PEM",
    "plaintext_anywhere": "send key and blocks unencrypted to other machines",
    "host_memory": "bytes of memory for blocks",
    "connections": "threads that read and write",
    "deadline": "seconds that a prefetch may take",
    "write_queue": "bytes of blocks that may wait to be written",
    "linger": "seconds that the agent stays after its last engine",
    "socket": "path of the socket; by default one that the settings name",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m kvstore_client.agent", description=_ABOUT, formatter_class=_Formatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="serve | status")
    serve = commands.add_parser("serve", help="run an agent", description=_ABOUT, formatter_class=_Formatter)
    for field in fields(AgentSettings):
        flag = f"--{field.name.replace('_', '-')}"
        if str(field.type) == "bool":
            serve.add_argument(flag, action="store_true", help=_HELP[field.name])
            continue
        default = None if field.default is MISSING else field.default
        kind: Any = {"int": int, "float": float}.get(str(field.type), str)
        if str(field.type).startswith("tuple"):
            kind = _list
        said = _HELP[field.name] + (f" (default {default})" if default not in (None, "", ()) else "")
        serve.add_argument(flag, type=kind, default=default, required=default is None, help=said)
    serve.add_argument("--log", default="", metavar="FILE", help="log to this file, not to standard error")
    serve.add_argument("--detach", action="store_true", help="go to the background, once engines may connect")
    status = commands.add_parser("status", help="print counters of agents that run")
    status.add_argument("--socket", default="", help="path of one agent's socket; by default all agents of this user")
    return parser


class _Formatter(argparse.RawDescriptionHelpFormatter):
    pass


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def main(words: list[str] | None = None) -> int:
    """The exit code."""
    options = vars(_parser().parse_args(words))
    if options.pop("command") == "status":
        return _status(options["socket"])
    log, detach = options.pop("log"), options.pop("detach")
    try:
        settings = AgentSettings(**options)
        path = settings.socket or peers.sockets(settings)[-1]
    except (OSError, ValueError) as e:
        sys.stderr.write(f"--{str(e).replace('_', '-', str(e).partition(':')[0].count('_'))}\n")
        return 2
    return launch.serve(settings, path, os.path.abspath(log) if log else "", detach=detach)


def _status(path: str) -> int:
    found = [path] if path else sorted(glob.glob(os.path.join(glob.escape(peers.folder()), "*.socket")))
    answers = 0
    for one in found:
        try:
            told = ask(one)
        except (OSError, MalformedError) as e:
            sys.stderr.write(f"{one}: no agent answers: {e}\n")
            continue
        answers += 1
        settings, values = told.mapping("settings"), told.mapping("values")
        sys.stdout.write(f"# {one}: {settings['resource']}, slots of {settings['slot_bytes']} bytes\n")
        for name in sorted(values):
            value = values[name]
            sys.stdout.write(f"{name} {value:.6g}\n" if isinstance(value, float) else f"{name} {value}\n")
    if not answers and not path:
        sys.stderr.write("no agent of this user runs\n")
    return 0 if answers else 1


def ask(path: str) -> Message:
    """The counters and settings of an agent. Raises ``OSError`` or ``MalformedError`` if none answers."""
    frames = Frames()
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(5)
        sock.connect(path)
        sock.sendall(encode("status"))
        while True:
            data = sock.recv(65536)
            if not data:
                raise MalformedError("it closed the connection")
            for message in frames.feed(data):
                if message.kind != "stats":
                    raise MalformedError(message.text("text"))
                return message


if __name__ == "__main__":
    sys.exit(main())
