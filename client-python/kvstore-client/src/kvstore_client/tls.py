"""TLS of this client: the system's authorities or others, and a certificate of the client's own."""

from __future__ import annotations

import os
import socket
import ssl
import threading
from dataclasses import dataclass

from kvstore_client.errors import KvError, UnavailableError


@dataclass(frozen=True)
class Tls:
    """How to trust and be trusted. All are names of PEM files; new connections follow what the files hold by then.

    ``ca``: authorities to trust instead of the system's. ``cert`` and ``key``: the client's certificate, its own first,
    and its private key, not encrypted, for servers that ask for one. Raises ``ValueError`` if only one is given.
    """

    ca: str | os.PathLike[str] | None = None
    cert: str | os.PathLike[str] | None = None
    key: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        if (self.cert is None) != (self.key is None):
            raise ValueError("tls: give both cert and key, or neither")


class Contexts:
    """Contexts of OpenSSL, made anew when a file has changed. Thread-safe."""

    def __init__(self, tls: Tls) -> None:
        """Reads no file yet."""
        self._tls = tls
        self._lock = threading.Lock()
        self._made: tuple[tuple[object, ...], ssl.SSLContext] | None = None

    def context(self) -> ssl.SSLContext:
        """A context with what the files hold now. Raises ``OSError`` or ``ValueError`` if a file is of no use."""
        files = [file for file in (self._tls.ca, self._tls.cert, self._tls.key) if file is not None]
        state: tuple[object, ...] = tuple((s.st_mtime_ns, s.st_size, s.st_ino) for s in map(os.stat, files))
        with self._lock:
            if self._made is None or self._made[0] != state:
                self._made = state, self._make()
            return self._made[1]

    def _make(self) -> ssl.SSLContext:
        tls = self._tls
        try:
            context = ssl.create_default_context(cafile=tls.ca)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            # Python 3.13 sets it, and then refuses authorities without a key usage, which other clients accept.
            context.verify_flags &= ~ssl.VERIFY_X509_STRICT
            context.set_alpn_protocols(["h2"])
            if tls.cert is not None and tls.key is not None:
                # With a password that is wrong, so that an encrypted key is an error and asks nobody.
                context.load_cert_chain(tls.cert, tls.key, password="")
        except (ssl.SSLError, ValueError) as e:
            raise ValueError(f"tls: {tls}: {e}") from None
        return context


def wrap(sock: socket.socket, context: ssl.SSLContext, host: str, name: str) -> ssl.SSLSocket:
    """The handshake, within the socket's own timeout. Raises ``UnavailableError`` if the ends do not agree."""
    try:
        wrapped = context.wrap_socket(sock, server_hostname=host)
    except ssl.SSLCertVerificationError as e:
        raise UnavailableError(
            f"{name}: its certificate is not accepted: {e.verify_message}; give Tls(ca=...) the authority that"
            " issued it, or use a name that the certificate has"
        ) from None
    except (ssl.SSLError, OSError) as e:
        raise _no_tls(name, e) from None
    if wrapped.selected_alpn_protocol() != "h2":
        wrapped.close()
        raise UnavailableError(f"{name} speaks TLS but not HTTP/2")
    return wrapped


def _no_tls(name: str, cause: OSError) -> KvError:
    return UnavailableError(f"{name}: no TLS connection: {cause}")
