"""The two listeners of `serve --https`: the one that speaks HTTPS, and the plain one,
which leads to it.
"""

import os
from dataclasses import dataclass

DOORS = "ACCORD_DOORS"  # set by `serve` for the processes that answer
HTTPS_PORT = 443


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """Their ports, and whether the certificate is of an authority of the salon's own, which phones
    have to be told to trust.
    """

    secure: int
    plain: int
    own_authority: bool

    def secure_address(self, host: str, path: str) -> str:
        """The address of `path` on `host` (without a port) over HTTPS."""
        port = "" if self.secure == HTTPS_PORT else f":{self.secure}"
        return f"https://{host}{port}{path}"


def remember(doors: Doors) -> None:
    """Let every process that serves from here on know the doors."""
    os.environ[DOORS] = f"{doors.secure} {doors.plain} {int(doors.own_authority)}"


def doors() -> Doors | None:
    """The doors of this server; None where it has one, or a proxy stands in front."""
    said = os.environ.get(DOORS, "").split()
    if not said:
        return None
    return Doors(secure=int(said[0]), plain=int(said[1]), own_authority=said[2] == "1")
