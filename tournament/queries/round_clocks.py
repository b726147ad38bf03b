"""The clock of a round as the room sees it: what is left of it, when it ends, the extension of a
table, the last hand.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from time import time_ns

from tournament.domain.tournament.state import MICROSECONDS, RoundState
from tournament.models import Game, Tournament
from tournament.models.written_json import select_list
from tournament.streams.tournament_rows import round_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClock:
    """A clock as it stands now, with the `extension` of one table (seconds).

    `seconds_left` is below 0 when time is over and None where the last hand was called without a
    clock; `ends_at` is None while the clock stands. `version` changes with whatever a director does
    to it, and with nothing else.
    """

    seconds_left: int | None
    ends_at: datetime | None
    last_hand: bool
    extension: int
    version: str

    @property
    def is_over(self) -> bool:
        """Whether time is over."""
        return self.seconds_left is not None and self.seconds_left < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClock:
    """The clock of the table at which a game counts; `clock` None while none was started, or the
    round is closed. It is the table at `place`, from 1 on, of so many of its match.
    """

    row: Tournament
    round: int
    table: int
    clock: ShownClock | None
    place: int = 1
    tables: int = 1

    @property
    def version(self) -> str:
        """A value that changes with whatever a director does to the clock."""
        return self.clock.version if self.clock is not None else "none"


def clock_of(each: RoundState | None, table: int | None = None) -> ShownClock | None:
    """The clock of a round that is not closed, as one of its tables has it where `table` names one;
    None where it has none.
    """
    if each is None or each.clock is None or each.closed:
        return None
    clock = each.clock
    found = each.table(table) if table is not None else None
    extension = found.extension if found is not None else 0
    ends = (
        None
        if clock.since is None
        else clock.since + (clock.seconds + extension) * MICROSECONDS - clock.spent
    )
    return ShownClock(
        seconds_left=clock.seconds_left(time_ns() // 1000, extension) if clock.seconds else None,
        ends_at=datetime.fromtimestamp(ends // MICROSECONDS, UTC) if ends is not None else None,
        last_hand=clock.last_hand,
        extension=extension,
        version=f"{clock.seconds}.{clock.spent}.{clock.since}.{extension}.{clock.last_hand:d}",
    )


def tables_meeting(each: RoundState, number: int) -> list[int]:
    """The tables of a round at which those of one table meet, by number: itself among them, alone
    but where a match has several (F10).
    """
    table = each.table(number)
    those = set(table.entries) if table is not None else set[str]()
    return [other.table for other in each.tables if set(other.entries) == those]


# Every look at a pad or a board asks it, mostly of a game that counts in no running event.
_COUNTS_IN = f"""
SELECT {select_list(Tournament, "e", but="state")}, t.round AS at_round, t."table" AS at_table
  FROM tournament_tournamentgame t JOIN tournament_tournament e ON e.id = t.stream_id
  WHERE t.game = %s AND e.phase = 'running' ORDER BY t.id LIMIT 1"""  # noqa: S608 - columns of ours


def clock_at(game: Game) -> TableClock | None:
    """The clock of the table at which this game counts in a running event; None where it counts in
    none.
    """
    for row in Tournament.objects.raw(_COUNTS_IN, [game.pk]):
        number, table = vars(row)["at_round"], vars(row)["at_table"]
        each = round_of(row.pk, number)
        match = tables_meeting(each, table) if each is not None else []
        return TableClock(
            row=row,
            round=number,
            table=table,
            clock=clock_of(each, table),
            place=match.index(table) + 1 if table in match else 1,
            tables=len(match) or 1,
        )
    return None
