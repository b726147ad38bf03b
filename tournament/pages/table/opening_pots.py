"""The pots of earlier games that a game may begin with, as forms offer and send them: `9
first-evening`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from tournament.models import Salon
from tournament.pages.common.games import title_of_game
from tournament.recording.left_pots import list_left_pots


@dataclass(frozen=True, slots=True, kw_only=True)
class PotChoice:
    """A pot that can be chosen: `value` as the form sends it, its chips, the title of the game that
    left it, its table, and when it was left there; None for one that the game has taken already.
    """

    value: str
    chips: int
    title: str
    table: str
    left_at: datetime | None = None


def choices_of(salon: Salon, kind: str) -> list[PotChoice]:
    """The pots that games of this kind left in the salon, the latest first."""
    return [
        PotChoice(
            value=format_pot(pot.game.record, pot.chips),
            chips=pot.chips,
            title=title_of_game(pot.game),
            table=pot.game.table,
            left_at=datetime.fromtimestamp(pot.left_at / 1_000_000, UTC),
        )
        for pot in list_left_pots(salon, kind)
    ]


def format_pot(record: str, chips: int) -> str:
    """Format a pot as a form sends it."""
    return f"{chips} {record}"


def parse_pot(text: str) -> Mapping[str, object] | None:
    """Parse a form's value as a record has it; None for an empty pot. A value that no form
    wrote is refused when the record is read.
    """
    chips, _space, record = text.partition(" ")
    if not text:
        return None
    is_number = chips.isascii() and chips.isdigit() and len(chips) < 10
    return {"from": record, "chips": int(chips) if is_number else chips}
