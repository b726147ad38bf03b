"""Client addresses: the address a request comes from, and the one it is counted under."""

import ipaddress
from functools import lru_cache

REMEMBERED, LONGEST = 4096, 100  # addresses, and the characters of one with its zone
NETWORK_OF_ONE = 64  # bits: whoever has one IPv6 address has all that begin so


def find_client_address(peer: str, forwarded: str, proxies: int) -> str:
    """Return the client's address: of the connection, or the one that the first of this
    many trusted proxies wrote in X-Forwarded-For.

    `forwarded` is the whole header, several of them joined by commas; entries that a
    visitor wrote there before the proxies aren't trusted.
    """
    seen = [each.strip() for each in forwarded.split(",") if each.strip()]
    return seen[-proxies] if proxies and len(seen) >= proxies else peer


def group_address(address: str) -> str:
    """Return the address, for IPv6 the network that belongs to one visitor; any other text
    unchanged.
    """
    return _group_address(address) if len(address) <= LONGEST else address


@lru_cache(maxsize=REMEMBERED)  # asked twice for each request
def _group_address(address: str) -> str:
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(number, ipaddress.IPv4Address):
        return address
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((number, NETWORK_OF_ONE), strict=False))
