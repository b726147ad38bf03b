"""Screens on the wall, one for each kind of part: what sweeps look at."""

from tests.tournament.helpers.playing import a_command
from tournament.domain.screens.rules import KINDS, TEXT, HoldPart, Part
from tournament.models import Salon
from tournament.recording.screens import add_screen, keep_screen

# The addresses of these screens.
WALLS = tuple(KINDS)


def hang_walls(salon: Salon) -> None:
    """A screen for each kind, at the address of its name, which shows that alone."""
    for kind in KINDS:
        by = {"actor": "user:1", "command": a_command()}
        row = add_screen(salon, name=kind, address=kind, actor="user:1", command=a_command())
        part = Part(kind=kind, note="Soup from nine" if kind == TEXT else "")
        keep_screen(salon, row.pk, HoldPart(part=part), version=1, **by)
