"""Text of notifications: the state at the time of sending, never more than the entry's
own page shows, and nothing that is over.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from time import time_ns

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.accounts.permissions import Visitor
from tournament.domain.standings.values import Scale
from tournament.domain.tournament.state import MICROSECONDS, EntryState, RoundState
from tournament.formats.local.dates import date_text
from tournament.models import Game
from tournament.pushes.notification_triggers import Kind, Matter
from tournament.queries.confirmation_rows import read_confirmation
from tournament.queries.entry_page import to_confirm
from tournament.queries.entry_paths import seat_at
from tournament.queries.round_clocks import ShownClock, clock_of
from tournament.queries.scale_words import own_bye_words
from tournament.queries.stage_views import at_stage, is_knockout
from tournament.queries.tournament import (
    PointsByRound,
    ShownTable,
    TournamentView,
    is_silent,
    list_tables,
    points_by_round,
)

HOUR = 3600  # seconds
TIME = "H:i"
# For how many seconds it is worth telling.
WORTH = {Kind.SEAT: 2 * HOUR, Kind.START: HOUR // 2}
WORTH_LONGER = 12 * HOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The text of a notification: a newer one of the same `topic` replaces the older."""

    title: str
    body: str
    topic: str


class TournamentForPhone:
    """A tournament as a phone is told of it: `visitor` is whoever holds the link of an entry."""

    def __init__(self, at: TournamentView, visitor: Visitor) -> None:
        self.at, self.visitor = at, visitor

    @cached_property
    def points(self) -> PointsByRound:
        """The points of every round, which tables are shown with."""
        return points_by_round(self.at)

    def round(self, number: int) -> RoundState | None:
        """The round with this number, once it is published."""
        rounds = self.at.state.rounds
        return next((each for each in rounds if each.number == number and each.published), None)

    def is_on(self, each: RoundState) -> bool:
        """Whether a round is the one that is played: the last one published, not closed."""
        last = [one.number for one in self.at.state.rounds if one.published][-1]
        return each.number == last and not each.closed

    def table_of(self, each: RoundState, entry: str) -> ShownTable | None:
        """The table of an entry in a round."""
        return next(iter(list_tables(self.at, each, entry=entry, known=self.points)), None)


def seconds_worth(kind: Kind) -> int:
    """For how many seconds a matter is worth telling."""
    return WORTH.get(kind, WORTH_LONGER)


def words_of(tournament: TournamentForPhone, entry: EntryState, matter: Matter) -> Words | None:
    """Return the notification to an entry's phones about a matter; None if there is
    nothing left to tell.
    """
    each = tournament.round(matter.round)
    if each is None:
        return None
    if matter.kind in (Kind.SEAT, Kind.START):
        body = _of_the_round(tournament, each, entry, matter) if tournament.is_on(each) else ""
    elif is_silent(tournament.at, tournament.visitor, matter.round):
        body = ""
    else:
        body = _of_the_table(tournament, entry, matter)
    title = tournament.at.name_next(entry.id)
    return Words(title=title, body=body, topic=_topic(matter)) if body else None


def _topic(matter: Matter) -> str:
    if matter.kind in (Kind.SEAT, Kind.START):
        return "seat"
    if matter.kind is Kind.CONFIRM:
        return f"confirm {matter.game}"
    return f"table {matter.round} {matter.table}"


def _of_the_round(
    tournament: TournamentForPhone, each: RoundState, entry: EntryState, matter: Matter
) -> str:
    """Return the entry's seat in the current round, and when it starts or ends; "" for a
    start without a table, and if its page shows nothing.
    """
    shown = tournament.table_of(each, entry.id)
    if shown is None:
        stays = is_knockout(tournament.at.state.stage_in(each.number)) or matter.kind is Kind.START
        scale = tournament.at.state.stage_in(each.number).scale
        return "" if stays else _without_table(scale, each, entry.id)
    words = {"number": each.number, "seat": _seat(tournament, each, shown, entry.id)}
    if matter.kind is Kind.SEAT:
        return f"{_('Round %(number)d: %(seat)s.') % words} {_begins(each)}".strip()
    clock = clock_of(each, shown.table.table)
    if clock is None or _begins(each):
        return ""
    return f"{_('Round %(number)d has started: %(seat)s.') % words} {_until(clock)}".strip()


def _without_table(scale: Scale, each: RoundState, entry: str) -> str:
    bye = next((bye for bye in each.byes if bye.entry == entry), None)
    if bye is None:
        return ""
    return _("Round %(number)d: %(out)s") % {
        "number": each.number,
        "out": own_bye_words(scale, bye),
    }


def _seat(tournament: TournamentForPhone, each: RoundState, shown: ShownTable, entry: str) -> str:
    """`table 5, West`, of a team that plays at several `tables 5, 6, West`."""
    side = seat_at(at_stage(tournament.at, each.stage), shown.table, entry).seat
    place = (
        _("table %(table)s of the salon") % {"table": shown.salon_table}
        if shown.salon_table
        else _("table %(table)s") % {"table": shown.table.table}
    )
    if shown.match is not None:
        place = _("tables %(tables)s") % {"tables": ", ".join(map(str, shown.match.tables))}
    return f"{place}, {side}" if side else place


def _begins(each: RoundState) -> str:
    """From when the clock of a round runs, where that lies ahead; else ""."""
    clock = each.clock
    if clock is None or clock.since is None or clock.since <= time_ns() // 1000:
        return ""
    begins = datetime.fromtimestamp(clock.since // MICROSECONDS, UTC)
    return _("Starts %(time)s.") % {"time": _time(begins)}


def _until(clock: ShownClock) -> str:
    """When time is over; "" while the clock stands."""
    return _("Until %(time)s.") % {"time": _time(clock.ends_at)} if clock.ends_at else ""


def _time(moment: datetime) -> str:
    return date_text(timezone.localtime(moment), TIME)


def _of_the_table(tournament: TournamentForPhone, entry: EntryState, matter: Matter) -> str:
    """Return the news about a game or result at the entry's table; "" if it is over."""
    place = {"number": matter.round, "table": matter.table, "hand": matter.hand}
    match matter.kind:
        case Kind.CONFIRM:
            return _confirm(tournament, entry, matter)
        case Kind.DISPUTED if matter.hand in _list_disputed_hands(matter.game):
            said = _(
                "Hand %(hand)d is disputed: round %(number)d, table %(table)d. "
                "The director decides."
            )
        case Kind.RULED:
            said = _(
                "The director ruled that hand %(hand)d stands: round %(number)d, table %(table)d."
            )
        case Kind.CORRECTED:
            said = _("Your game was corrected: round %(number)d, table %(table)d.")
        case Kind.RESULT:
            said = _("The desk changed your result: round %(number)d, table %(table)d.")
        case _:
            return ""
    return said % place


def _confirm(tournament: TournamentForPhone, entry: EntryState, matter: Matter) -> str:
    """The hands of a game that wait for the entry, where this is the last of them."""
    waiting = [each for each in to_confirm(tournament.at, entry) if each.game == matter.game]
    hands = [hand for each in waiting for hand in each.hands]
    if not hands or matter.hand != max(hands):
        return ""
    said = ngettext(
        "Confirm hand %(hands)s: round %(number)d, table %(table)d.",
        "Confirm hands %(hands)s: round %(number)d, table %(table)d.",
        len(hands),
    )
    return said % {
        "hands": ", ".join(map(str, hands)),
        "number": matter.round,
        "table": matter.table,
    }


def _list_disputed_hands(game: str) -> list[int]:
    """Return the hands of a game that wait for the director; none for a hidden game."""
    row = Game.objects.select_related("salon").filter(pk=game).first()
    if row is None or row.is_silent:
        return []
    return read_confirmation(row, list(row.seats), closed=row.state["hands"]).disputed
