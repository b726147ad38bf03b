"""What the terminal shows when the server is ready: where to go, and a code for the phone."""

from dataclasses import dataclass

import segno

from tournament.server.addresses import is_this_machine, network_address

EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not listened on
HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
QUIET_ZONE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Where the salon answers: for this machine, and for others ("" when none can reach it)."""

    here: str
    others: str


def addresses(host: str, port: int) -> Addresses:
    """The addresses of a server that listens at `host` (0.0.0.0 = everywhere) and `port`."""
    if host in EVERY_ADDRESS:
        network = network_address()
        return Addresses(
            here=f"http://localhost:{port}/", others=f"http://{network}:{port}/" if network else ""
        )
    named = f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
    return Addresses(here=named, others="" if is_this_machine(host) else named)


def banner(where: Addresses, *, key: str, bold: bool) -> str:
    """The whole text. `key` opens the first visit, "" when the salon has an owner; `bold` for a
    terminal that can.
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
    if where.others:
        lines += ["", *code(target)]
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
