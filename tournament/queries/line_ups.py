"""Line-ups as pages show them: who has handed one in, what is still to be said, and those that are
open. What is sealed is nowhere here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.games import GAMES
from tournament.domain.tournament.lookups import line_ups_are_open
from tournament.domain.tournament.sides import sides_at
from tournament.domain.tournament.state import RoundState, TableState
from tournament.queries.tournament import TournamentView
from tournament.recording.line_ups import list_kept_line_ups

SEALED, MISSING, LOST, OPEN = "sealed", "missing", "lost", "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamToSeat:
    """A team at a table of a round, or at the `tables` of its match from this one on. Its line-up
    is `open`, `sealed`, `missing`, or `lost`: handed
    in on another server, so that it has to be handed in again.

    `members` are those it can choose from and `seats` what is asked for, by name; `seated` are
    (name, seat) pairs once it is open. `against` are the others of the table, by their line-ups
    once all of it are open.
    """

    round: int
    table: int
    entry: str
    name: str
    state: str
    members: tuple[str, ...]
    seats: tuple[str, ...]
    seated: tuple[tuple[str, str], ...]
    against: tuple[str, ...]
    tables: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """The key that tells its form from the others of a page."""
        return f"{self.round}-{self.entry}"

    @property
    def may_hand_in(self) -> bool:
        """Whether its line-up can be handed in, or changed."""
        return self.state != OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class TableToSeat:
    """The teams of a table of a round; `is_open` once it is known who of all of them plays. Of
    several tables of a match the first asks for all of them (`asks`).
    """

    table: int
    teams: tuple[TeamToSeat, ...]
    is_open: bool
    asks: bool = True


def tables_to_seat(at: TournamentView, each: RoundState) -> list[TableToSeat]:
    """The tables of a round at which teams meet whose line-ups are asked for, in order; none where
    all of an entry play.
    """
    if not at.state.stage_in(each.number).line_up or not each.published:
        return []
    kept = list_kept_line_ups(at.row.salon, at.row.pk, each.number)
    return [
        TableToSeat(
            table=table.table,
            teams=tuple(_team(at, each, table, entry, kept) for entry in table.entries),
            is_open=line_ups_are_open(at.state, each.number, table),
            asks=at.state.match_of(each.number, table)[0].table == table.table,
        )
        for table in each.tables
    ]


def to_hand_in(at: TournamentView, entry: str) -> list[TeamToSeat]:
    """The tables of a team in rounds that are published and not closed."""
    return [
        team
        for each in at.state.rounds
        if not each.closed
        for table in tables_to_seat(at, each)
        if table.asks
        for team in table.teams
        if team.entry == entry
    ]


def _team(
    at: TournamentView, each: RoundState, table: TableState, key: str, kept: set[str]
) -> TeamToSeat:
    entry = at.state.entry(key)
    members = entry.members_in(each.number) if entry is not None else ()
    is_open = entry is not None and each.number in dict(entry.line_ups)
    seats = _seats(at, each, table, key)
    playing = entry.players_in(each.number) if entry is not None and is_open else ()
    match = at.state.match_of(each.number, table)
    state = OPEN if is_open else _read_status(each, key, kept)
    return TeamToSeat(
        round=each.number,
        table=match[0].table,
        tables=tuple(other.table for other in match),
        entry=key,
        name=at.entries.get(key, key),
        state=state,
        members=tuple(at.players.get(player, "") for _place, player in members),
        seats=seats,
        seated=tuple(
            (at.players.get(player, ""), seat)
            for (_place, player), seat in zip(playing, seats, strict=False)
        ),
        against=tuple(
            at.name_in(each.number, other)
            if len(match) == 1 and line_ups_are_open(at.state, each.number, table)
            else at.entries.get(other, other)
            for other in table.entries
            if other != key
        ),
    )


def _read_status(each: RoundState, key: str, kept: set[str]) -> str:
    if key not in dict(each.sealed):
        return MISSING
    return SEALED if key in kept else LOST


def _seats(at: TournamentView, each: RoundState, table: TableState, key: str) -> tuple[str, ...]:
    """The seat of each player of a line-up, in order, with the table if a match has
    several; "" if that is not laid down.
    """
    match = at.state.match_of(each.number, table)
    if len(match) == 1:
        return _seats_at_table(at, each, table, key)
    return tuple(
        _("Table %(table)d, %(seat)s") % {"table": part.table, "seat": seat}
        if seat
        else _("Table %(table)d, player %(number)d") % {"table": part.table, "number": place}
        for part in match
        for place, seat in enumerate(_seats_at_table(at, each, part, key), 1)
    )


def _seats_at_table(
    at: TournamentView, each: RoundState, table: TableState, key: str
) -> tuple[str, ...]:
    sides: Sequence[Sequence[str]] = sides_at(at.state.game, len(table.entries))
    size = at.state.stage_in(each.number).line_up
    place = table.entries.index(key)
    if place >= len(sides) or len(sides[place]) != size:
        return ("",) * size
    names = GAMES[at.state.game].seat_names
    return tuple(str(names[seat]) for seat in sides[place])
