"""Makes connections over which the API key may go."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import time

from kvstore_client import hosts, tls
from kvstore_client.errors import DeadlineExceededError, KvError, UnauthenticatedError, UnavailableError
from kvstore_client.frames import ConnectionLostError
from kvstore_client.http2 import Connection

#: Longest time for a connection to be made, its TLS included, in seconds.
CONNECT = 10.0


class NobodyThereError(ConnectionLostError):
    """The system said at once that nothing listens there, or that there is no such host."""


class Dialer:
    """Makes connections: plaintext on this machine, TLS elsewhere, unless told otherwise."""

    def __init__(self, secured: tls.Tls | None, *, plaintext_anywhere: bool, stall: float) -> None:
        """``stall``: seconds of silence after which a server is taken for frozen."""
        self._plaintext_anywhere = plaintext_anywhere
        self._forced = secured is not None
        self._contexts = tls.Contexts(secured or tls.Tls())
        self._stall = stall

    def encrypts(self, address: hosts.Address) -> bool:
        """Whether a connection there is encrypted."""
        return not self._plaintext_anywhere and (self._forced or not address.loopback)

    def check(self) -> None:
        """Reads the files for TLS. Raises ``OSError`` or ``ValueError`` if one is of no use."""
        self._contexts.context()

    def dial(self, address: hosts.Address, deadline: float, *, stall: bool = True) -> Connection:
        """A connection over which the key may go. Raises ``ConnectionLostError`` if there is none to be had."""
        left = min(CONNECT, deadline - time.monotonic())
        if left <= 0:
            raise DeadlineExceededError(f"no time left to connect to {address}")
        until = time.monotonic() + left
        try:
            sock = _connect(address, until)
        except (ConnectionRefusedError, socket.gaierror) as e:
            raise NobodyThereError(f"no connection to {address}: {e}") from None
        except OSError as e:
            raise ConnectionLostError(f"no connection to {address}: {e}") from None
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            if self.encrypts(address):
                sock.settimeout(max(0.001, until - time.monotonic()))
                sock = tls.wrap(sock, self._context(), address.bare_host, str(address))
            else:
                self._require_near(sock, address)
                sock.settimeout(None)
            return Connection(sock, str(address), self._stall if stall else 0)
        except KvError as e:
            sock.close()
            if isinstance(e, UnavailableError):
                raise ConnectionLostError(e.message) from None
            raise
        except OSError as e:
            sock.close()
            raise ConnectionLostError(f"no connection to {address}: {e}") from None

    def _context(self) -> ssl.SSLContext:
        try:
            return self._contexts.context()
        except (OSError, ValueError) as e:
            raise UnavailableError(str(e)) from None

    def _require_near(self, sock: socket.socket, address: hosts.Address) -> None:
        """Even a ``localhost`` that some resolver sends elsewhere does not get the key in clear."""
        peer = ipaddress.ip_address(sock.getpeername()[0].partition("%")[0])
        if not self._plaintext_anywhere and not peer.is_loopback:
            failure = UnauthenticatedError(
                f"the API key was not sent: the connection to {address} is not encrypted and leaves this machine; use"
                " tls=Tls(...), or accept it with plaintext_anywhere=True"
            )
            failure._local = True
            raise failure


def _connect(address: hosts.Address, until: float) -> socket.socket:
    """A connection to the first address of a host that takes one. Each has an equal share of the time that is left."""
    last = OSError("the host has no address")
    found = socket.getaddrinfo(address.bare_host, address.port, type=socket.SOCK_STREAM)
    for index, (family, kind, protocol, _, where) in enumerate(found):
        share = (until - time.monotonic()) / (len(found) - index)
        if share <= 0:
            raise TimeoutError("timed out")
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(share)
            sock.connect(where)
            return sock
        except OSError as e:
            sock.close()
            last = e
    try:
        raise last
    finally:
        del last  # its traceback has this frame: a cycle
