"""The terminal's output when the server is ready: the addresses, and a code for the
phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import segno

from tournament.server.environment.addresses import is_this_machine, network_address
from tournament.server.environment.listeners import HTTPS_PORT

EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not listened on
HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
QUIET_ZONE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Addresses of the salon: for this machine, and for others ("" if none can reach it)."""

    here: str
    others: str


def addresses(host: str, port: int, *, scheme: str = "http", name: str = "") -> Addresses:
    """The addresses of a server that listens at `host` (0.0.0.0 = everywhere) and `port`; `name` is
    the one that its certificate is for.
    """
    at = "" if scheme == "https" and port == HTTPS_PORT else f":{port}"
    if name:
        named = f"{scheme}://{name}{at}/"
        return Addresses(here=named, others=named)
    if host in EVERY_ADDRESS:
        network = network_address()
        return Addresses(
            here=f"{scheme}://localhost{at}/",
            others=f"{scheme}://{network}{at}/" if network else "",
        )
    named = f"{scheme}://[{host}]{at}/" if ":" in host else f"{scheme}://{host}{at}/"
    return Addresses(here=named, others="" if is_this_machine(host) else named)


def banner(
    where: Addresses, *, key: str, bold: bool, more: Sequence[str] = (), first: str = ""
) -> str:
    """The whole text. `key` opens the first visit, "" when the salon has an owner; `bold` for a
    terminal that can; `more` is said before the code, and `first` is where phones go first.
    """
    target = (where.others or where.here) + (f"first-visit/{key}/" if key else "")
    lines = ["Accord is open.", "", f"  On this machine  {where.here}"]
    if where.others:
        lines.append(f"  On the network   {where.others}")
    if key:
        lines += [
            "",
            "No owner yet. Open this address once, it makes the salon yours:",
            "",
            f"  {_bold(target) if bold else target}",
        ]
    if more:
        lines += ["", *more]
    if where.others:
        lines += ["", *code(first or target)]
    lines += ["", "Ctrl-C closes it; nothing that was recorded is lost."]
    return "\n".join(f"  {line}".rstrip() for line in ["", *lines, ""])


def code(text: str) -> list[str]:
    """A QR code in lines of half blocks, light on dark as a terminal shows it, two rows a line."""
    rows = [
        [bool(module) for module in row]
        for row in segno.make(text, error="l").matrix_iter(border=QUIET_ZONE)
    ]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return [
        "".join(HALVES[pair] for pair in zip(above, below, strict=True))
        for above, below in zip(rows[::2], rows[1::2], strict=True)
    ]


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"
