"""Addresses of servers, and the hosts to which a route may send this client, and so its key."""

from __future__ import annotations

import ipaddress
import logging
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

LOG = logging.getLogger("kvstore")

_PRIVATE = (
    "localhost",
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "[::1]",
    "[fc00::/7]",
    "[fe80::/10]",
)

_NAME = re.compile(
    r"(?=.{1,253}\Z)[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?"
)

#: Some resolvers take a name that ends with a number for an IP address, such as 10.1 or 0x7f000001.
_NUMERIC = re.compile(r"(.*\.)?([0-9]+|0[xX][0-9A-Fa-f]*)\.?")

_FOUR = re.compile(r"(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}")
_SIX = re.compile(r"\[[0-9A-Fa-f:.]{2,45}\]")

#: Hosts that were warned of; beyond that many there is no warning.
_WARNED = 100

_IP = ipaddress.IPv4Address | ipaddress.IPv6Address


class Address(NamedTuple):
    """Where a server listens; an IPv6 address is in brackets."""

    host: str
    port: int

    @property
    def bare_host(self) -> str:
        """The host without brackets."""
        return self.host.strip("[]")

    @property
    def loopback(self) -> bool:
        """Whether no byte to it leaves this machine. A name other than ``localhost`` is never believed to be so."""
        if self.host.lower() == "localhost":
            return True
        found = _literal(self.host)
        return found is not None and found.is_loopback

    def __str__(self) -> str:
        """As it was written."""
        return f"{self.host}:{self.port}"


def parse(option: str, text: str) -> Address:
    """An address such as ``127.0.0.1:8085``, ``[::1]:8085`` or ``kv.example.com:443``; ``ValueError`` for another."""
    host, _, port = text.rpartition(":")
    good = port.isascii() and port.isdigit() and 0 < int(port) < 65_536
    if good and (_literal(host) is not None or _is_name(host)):
        return Address(host, int(port))
    raise ValueError(f'{option}: "{text}" is not host:port; write it like 127.0.0.1:8085 or [::1]:8085')


def _is_name(host: str) -> bool:
    return bool(_NAME.fullmatch(host)) and not _NUMERIC.fullmatch(host)


def _literal(host: str) -> _IP | None:
    """An IP address; ``None`` if it is none, or is written in a way that not everybody reads alike."""
    try:
        if _FOUR.fullmatch(host):
            return ipaddress.IPv4Address(host)
        if _SIX.fullmatch(host):
            found = ipaddress.IPv6Address(host[1:-1])
            return found.ipv4_mapped or found
    except ValueError:
        pass
    return None


def _plain(name: str) -> str:
    return name.lower().removesuffix(".")


def pattern(text: str) -> Callable[[str], bool]:
    """Which hosts are meant: ``*``, a name, ``*.`` and the end of names, an IP address, or a network.

    IPv6 is in brackets: ``[fd00::/8]``. Raises ``ValueError`` for another text.
    """
    if text == "*":
        return lambda _: True
    below = text.startswith("*.")
    if _is_name(text[2:] if below else text):
        wanted = _plain(text[1:] if below else text)
        if below:
            return lambda host: _is_name(host) and _plain(host).endswith(wanted)
        return lambda host: _is_name(host) and _plain(host) == wanted
    network = _network(text)

    def takes(host: str) -> bool:
        address = _literal(host)
        return address is not None and address in network

    return takes


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    bracketed = text.startswith("[") and text.endswith("]")
    host, slash, bits = (text[1:-1] if bracketed else text).partition("/")
    address = _literal(f"[{host}]" if bracketed else host)
    if address is not None and (not slash or re.fullmatch("0|[1-9][0-9]{0,2}", bits)):
        try:
            return ipaddress.ip_network(f"{address}/{bits}" if slash else str(address), strict=False)
        except ValueError:
            pass
    raise ValueError(
        f'routed_hosts: "{text}" is not *, a name, *. and the end of names, an IP address,'
        " or a network such as 10.0.0.0/8 or [fd00::/8]"
    )


class RoutedHosts:
    """The hosts at which a data plane of a route is believed to be, as in the Java SDK."""

    def __init__(self, control_plane: Sequence[Address], patterns: Sequence[str], *, trusted: bool) -> None:
        """``trusted``: servers have to show a certificate of authorities that the caller named."""
        self._dotless = False
        self._warned: set[str] = set()
        if patterns:
            self._takes = [pattern(text) for text in patterns]
            self._text = "routed_hosts are " + ", ".join(patterns)
        elif trusted:
            self._takes = [pattern("*")]
            self._text = "any"
        else:
            near = [text for address in control_plane for text in _near(address.host)]
            self._takes = [pattern(text) for text in (*_PRIVATE, *near)]
            self._dotless = True
            self._text = (
                "without Tls(ca=...) these are hosts of the control plane's domain, names without a dot and"
                " private IP addresses; name others with routed_hosts"
            )

    def may_be(self, name: str, address: Address) -> bool:
        """Whether a data plane may be there; if not, a warning says so once."""
        host = address.host
        if self._dotless and re.fullmatch("[A-Za-z][A-Za-z0-9-]*", host):
            return True
        if any(takes(host) for takes in self._takes):
            return True
        if host not in self._warned and len(self._warned) < _WARNED:
            self._warned.add(host)
            LOG.warning(
                'data plane %s is left out, and the API key is not sent there: its address "%s" is at no host that'
                " this client trusts: %s",
                name,
                address,
                self._text,
            )
        return False

    def __str__(self) -> str:
        """For people: which hosts these are."""
        return self._text


def _near(host: str) -> list[str]:
    """A control plane's host, and where it has a domain of its own, all names there."""
    domain = host.partition(".")[2]
    if _is_name(host) and domain.find(".") > 0:
        return [host, "*." + domain]
    return [host]
