"""Where an entry sits and with whom, in words: its seat, who plays with it and against it, whether
it deals first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from scoring.games import GAMES
from tournament.domain.standings.values import SeatedTable
from tournament.domain.tournament.counting import plays_with_partners
from tournament.domain.tournament.sides import sides_at
from tournament.domain.tournament.state import TableState
from tournament.queries.sides import side_words
from tournament.queries.tournament import Directed


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatWords:
    """The seat of an entry at a table, `North` or `N–S`, and by their numbers who plays with it and
    against it; `deals`: it has a seat of its own and deals the first hand.
    """

    seat: str
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    deals: bool


def seat_at(at: Directed, table: TableState, entry: str) -> SeatWords:
    """Where an entry of a table sits."""
    place, count = table.entries.index(entry), len(table.entries)
    seated = SeatedTable(
        table=table.table,
        entries=table.entries,
        partners=plays_with_partners(at.state.stage, table),
    )
    sides = sides_at(at.state.game, count)
    own = sides[place] if count > 1 and place < len(sides) and len(sides[place]) == 1 else ""
    return SeatWords(
        seat=str(GAMES[at.state.game].seat_names[own])
        if own
        else side_words(at.state.game, count)[place],
        partners=seated.partners_of(place),
        opponents=seated.opponents(place),
        deals=bool(own) and own == table.dealer,
    )


def company_at(at: Directed, number: int, sits: SeatWords) -> str:
    """With whom and against whom an entry that sits so plays in round `number`, by name."""
    partners = [at.name_in(number, other) for other in sits.partners]
    opponents = [at.name_in(number, other) for other in sits.opponents]
    return company_words(partners, opponents, deals=sits.deals)


def company_words(partners: Sequence[str], opponents: Sequence[str], *, deals: bool = False) -> str:
    """With whom and against whom somebody of a table plays, by name; "" for one alone."""
    words = ""
    if opponents:
        words = _("against %(names)s") % {"names": in_a_row(opponents)}
    if partners:
        words = _("with %(partner)s, %(against)s") % {
            "partner": in_a_row(partners),
            "against": words,
        }
    return _("%(company)s; deals first") % {"company": words} if deals and words else words


def in_a_row(names: Iterable[str]) -> str:
    """Names as a sentence has them: `Cato, Dane and Ede`."""
    return get_text_list([*names], _("and"))
