"""A request to a gateway that needs no key -> the error, if a web page may have made it.

A page of any site can send requests to the user's own machine, and so spend what a gateway there
may spend. If the site also gives its name the address of that machine (DNS rebinding), the page
reads the answers. A browser says in `Host` which name led to the gateway, and in `Origin` which
site the page is from; other clients send no `Origin`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from starlette.requests import Request

from ..errors import ProviderError, quoted
from .config import fits

__all__ = ["refuse_pages"]

_PORT: Final = re.compile(r":[0-9]*\Z")


def refuse_pages(http: Request, hosts: Sequence[str]) -> None:
    """Refuse a request for another host, or of a page from another host.

    Accepted are the names that no DNS server decides on, and `hosts`. Without `hosts`, requests are
    looked at only where they arrive at an address of this machine alone.

    Raises `ProviderError`.
    """
    server = http.scope.get("server") or ("",)  # ASGI lets a server leave it out
    if not (hosts or _is_loopback(server[0])):
        return
    host = _name(http.headers.get("host", ""))
    if not (host == "" or _is_local(host) or _address(host) or _is_listed(host, hosts)):
        reason = "expected `localhost`, an address or a name of `hosts`"
        raise ProviderError("permission", f"host {quoted(host)}, {reason}")
    origin = http.headers.get("origin")
    if origin is None:
        return
    page = _name(origin.partition("://")[2])  # nothing for `null`, which any page can send
    is_own = page != "" and (page == host or _is_local(page))
    if not (is_own or _is_listed(page, hosts)):
        reason = "expected this host or a name of `hosts`"
        raise ProviderError("permission", f"origin {quoted(origin)}, {reason}")


def _name(text: str) -> str:
    """Return the name in `name:port`, as DNS compares names."""
    name = _PORT.sub("", text).lower().removesuffix(".")
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def _is_local(name: str) -> bool:
    """Whether a name is that of this machine everywhere (RFC 6761, 6.3)."""
    return name == "localhost" or name.endswith(".localhost") or _is_loopback(name)


def _is_loopback(address: str) -> bool:
    found = _address(address)
    mapped = getattr(found, "ipv4_mapped", None)  # of a socket for both kinds of addresses
    return found is not None and (mapped or found).is_loopback


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _is_listed(name: str, hosts: Sequence[str]) -> bool:
    return any(fits(name, host.lower().removesuffix(".")) for host in hosts)
