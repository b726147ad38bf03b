"""The rows of a game, written with its events: the table as it stands, a row for each closed hand
and one for each side in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import chain, takewhile
from typing import NamedTuple

from ledger.batch import Beside, Statement
from ledger.chain import Stored
from scoring.common_state import GameState
from scoring.confirmation import is_disputed, write_confirmation
from scoring.events import NOT_PLAYED
from scoring.game import AnyGame
from scoring.shape import JsonMapping, JsonObject
from scoring.side_results import SideResult
from tournament.models import Game as GameRow
from tournament.models import GameSeat, HandSide, Salon
from tournament.models import Hand as HandRow
from tournament.models.written_json import JSONText, json_text
from tournament.projections.written_rows import Values, put_rows, put_values
from tournament.streams.folds import Folded

GAME = "SELECT 1 FROM tournament_game WHERE id = %s"
UPDATE_GAME = (
    'UPDATE tournament_game SET finished = %s, "table" = %s, final = %s, disputed = %s, '
    "not_played = %s, position = %s, version = %s, state = %s, marks = %s, confirmation = %s"
    " WHERE id = %s AND {recorded}"
)
ADD_HAND = (
    "INSERT INTO tournament_hand (game_id, number, result) SELECT id, %s, %s FROM "
    "tournament_game WHERE id = %s AND {recorded}"
    " ON CONFLICT (game_id, number) DO UPDATE SET result = excluded.result"
)
SIDE = f"({', '.join(['%s'] * len(SideResult._fields))})"
SIDE_COLUMNS = ("game_id", "number", *SideResult._fields)
SIDES = f"INSERT INTO tournament_handside ({', '.join(SIDE_COLUMNS)}) "
INSTEAD = " ON CONFLICT (game_id, number, side) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in SideResult._fields[1:]
)
# Short, since Django reads each letter for marks. Where all say nothing, no value has a type.
ADD_SIDES = (
    SIDES  # noqa: S608 - constants only
    + "SELECT id, CAST(%s AS int), column1, CAST(column2 AS int), column3,"
    " CAST(column4 AS boolean),"
    " CAST(column5 AS int), CAST(column6 AS float), CAST(column7 AS int), CAST(column8 AS int),"
    " CAST(column9 AS int) FROM (VALUES {sides}) AS side, tournament_game"
    " WHERE id = %s AND {{recorded}}" + INSTEAD
)
HAND_COLUMNS = ("game_id", "number", "result")
SEAT_COLUMNS = ("id", "game_id", "seat", "player_id", "started_position")


class ClosedHand(NamedTuple):
    """The values for the rows of a closed hand: its number, its result as JSON, and the
    result of each side.
    """

    number: int
    result: JSONText
    sides: Sequence[SideResult]


def game_columns(folded: Folded, *, position: int) -> JsonObject:
    """The columns of a game's row after the event at `position`, without those that never
    change.
    """
    closed, said = folded.state.closed, folded.confirmation
    return {
        "finished": closed is not None,
        "table": folded.state.table or "",
        "final": said.final,
        "disputed": any(map(is_disputed, said.hands.values())),
        "not_played": closed is not None and closed.kind == NOT_PLAYED,
        "position": position,
        "version": folded.version,
        "state": json_text(folded.game.table(folded.state)),
        "marks": json_text(folded.marks._asdict()) if folded.marks is not None else None,
        "confirmation": _confirmation(folded),
    }


def _confirmation(folded: Folded) -> JSONText | None:
    """The confirmation of the game's hands, None if nothing was said."""
    state, said = folded.state, folded.confirmation
    if not said.hands and not said.final:
        return None
    return json_text(write_confirmation(folded.game, list(state.players), state.played, said))


def build_lasting_columns(game: AnyGame, state: GameState) -> JsonObject:
    """The columns of a game's row that stay as they are from its first event on."""
    return {
        "record": state.record,
        "kind": game.name,
        "played_on": date.fromisoformat(state.played_on) if state.played_on else None,
        "seats": json_text(dict(state.players)),
    }


def seat_values(stream: str, state: GameState, first: int) -> list[Values]:
    """The values for the seat rows of a game that began at position `first`, in the order
    of SEAT_COLUMNS.
    """
    return [
        (f"{stream}-{seat}", stream, seat, player, first) for seat, player in state.players.items()
    ]


def list_closed_hands(game: AnyGame, state: GameState, *, above: int = 0) -> list[ClosedHand]:
    """The values for the rows of the closed hands, those with a number above `above`."""
    return [
        ClosedHand(number, json_text(hand), game.sides(hand))
        for number, hand in enumerate(game.hand_results(state, above), above + 1)
    ]


def side_values(game: str, hands: Iterable[ClosedHand]) -> list[Values]:
    """The values for the side rows of these hands, in the order of SIDE_COLUMNS."""
    return [(game, hand.number, *side) for hand in hands for side in hand.sides]


def goes_on(before: GameState, after: GameState) -> bool:
    """Whether the rows of a game come from one state to the other by its own row and at most one
    more hand, as nearly always.
    """
    hands = len(before.results)
    return _count_unchanged_hands(before, after) == hands and len(after.results) <= hands + 1


@dataclass(slots=True)
class IncrementalGameRows:
    """The rows of a game that goes on from the state `before` to a fold. A lost row stays lost.

    It keeps nobody from recording; `manage.py rebuild` makes it again. `columns` are those of the
    game's own row, once the rows were asked for.
    """

    stream: str
    before: GameState
    folded: Folded
    columns: JsonMapping | None = None

    def __call__(self, stored: Sequence[Stored]) -> Beside:
        """The rows after these events, which lead from the one to the other."""
        stream, folded = self.stream, self.folded
        self.columns = game_columns(folded, position=stored[-1].position)
        changes = [Statement(UPDATE_GAME, [*self.columns.values(), stream])]
        for hand in list_closed_hands(folded.game, folded.state, above=len(self.before.results)):
            changes.append(Statement(ADD_HAND, [hand.number, hand.result, stream]))
            changes += _insert_sides(stream, hand)
        return Beside(there=Statement(GAME, [stream]), changes=changes)


def project(
    salon: Salon, stream: str, before: GameState | None, folded: Folded, *, stored: Sequence[Stored]
) -> None:
    """Bring the rows of a game from the state `before` (None: no game yet) to the fold after the
    events just stored.
    """
    game, after = folded.game, folded.state
    columns = game_columns(folded, position=stored[-1].position)
    if before is None:
        first = stored[0].position
        own = {"id": stream, "salon_id": salon.pk, "started_position": first}
        put_rows(
            (GameRow, [own | build_lasting_columns(game, after) | columns]),
            (GameSeat, _seat_columns(seat_values(stream, after, first))),
        )
    elif not GameRow.objects.filter(pk=stream).update(**columns):
        return  # A lost row: see above.
    unchanged = 0 if before is None else _count_unchanged_hands(before, after)
    if before is not None and unchanged < len(before.results):
        HandRow.objects.filter(game=stream, number__gt=unchanged).delete()
        HandSide.objects.filter(game=stream, number__gt=unchanged).delete()
    if unchanged < len(after.results):
        write_hands({stream: list_closed_hands(game, after, above=unchanged)})


def _count_unchanged_hands(before: GameState, after: GameState) -> int:
    """The number of first closed hands that are the same in both states."""
    return sum(
        1
        for _ in takewhile(
            lambda pair: pair[0] is pair[1], zip(before.results, after.results, strict=False)
        )
    )


def write_seats(seats: Sequence[Values]) -> None:
    """Write these rows, in the place of those with the same ids."""
    put_rows((GameSeat, _seat_columns(seats)))


def _seat_columns(seats: Sequence[Values]) -> list[JsonObject]:
    return [dict(zip(SEAT_COLUMNS, seat, strict=True)) for seat in seats]


def write_hands(games: Mapping[str, Sequence[ClosedHand]]) -> None:
    """Write the rows of these hands by game, in the place of those of the same numbers."""
    results = [(game, hand.number, hand.result) for game in games for hand in games[game]]
    sides = [side for game in games for side in side_values(game, games[game])]
    put_values(HandRow, HAND_COLUMNS, HAND_COLUMNS[:2], results)
    put_values(HandSide, SIDE_COLUMNS, SIDE_COLUMNS[:3], sides)


def _insert_sides(stream: str, hand: ClosedHand) -> list[Statement]:
    """The statement that adds the rows of the sides of a hand, none where no side has any."""
    if not hand.sides:
        return []
    values = [hand.number, *chain.from_iterable(hand.sides), stream]
    return [Statement(_add_sides(len(hand.sides)), values)]


@cache
def _add_sides(count: int) -> str:
    return ADD_SIDES.format(sides=", ".join([SIDE] * count))
