"""The rows of streams as their events give them; the places where the stored ones
differ; and their correction.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.shape import JsonObject
from tournament.models import Game as GameRow
from tournament.models import GameSeat, HandSide, Salon
from tournament.models import Hand as HandRow
from tournament.models.written_json import as_stored
from tournament.projections import game_rows, stream_rows
from tournament.projections.difference import Difference, short
from tournament.projections.written_rows import Values, put_rows
from tournament.streams.folds import Folded
from tournament.streams.types import StreamType


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRows:
    """The rows that one game should have: its own by column, those of its seats, those of
    its closed hands by number, those of the sides in them.
    """

    game: JsonObject
    seats: set[Values]
    hands: dict[int, game_rows.ClosedHand]
    sides: set[Values]


class StoredGameRows(NamedTuple):
    """The rows that one game has; `game` None if it has none, and no other row either."""

    game: JsonObject | None
    seats: set[Values]
    hands: dict[int, str]
    sides: set[Values]


type Rows = GameRows | stream_rows.ExpectedRows


def rows_of(salon: Salon, stream: str, folded: Folded, first: int, last: int) -> Rows:
    """The rows that a stream should have when it is folded this far: from its event at
    position `first` to the one at `last`.
    """
    if isinstance(folded.kind, StreamType):
        return stream_rows.rows_of(salon, stream, first, folded.kind, folded.state)
    game, state = folded.game, folded.state
    columns = {
        "salon_id": salon.pk,
        "started_position": first,
        **game_rows.build_lasting_columns(game, state),
        **game_rows.game_columns(folded, position=last),
    }
    hands = game_rows.list_closed_hands(game, state)
    return GameRows(
        game=columns,
        seats=set(game_rows.seat_values(stream, state, first)),
        hands={hand.number: hand for hand in hands},
        sides=set(game_rows.side_values(stream, hands)),
    )


def size(rows: Rows) -> int:
    """The number of rows."""
    return (
        1 + len(rows.seats) + len(rows.hands) + len(rows.sides)
        if isinstance(rows, GameRows)
        else sum(map(len, rows.rows.values()))
    )


def compared(expected: Mapping[str, Rows], *, mended: bool = False) -> dict[str, list[Difference]]:
    """Compare the stored rows of streams with the expected ones; the differences of each
    stream that has any.
    """
    games = {stream: rows for stream, rows in expected.items() if isinstance(rows, GameRows)}
    others = {stream: rows for stream, rows in expected.items() if not isinstance(rows, GameRows)}
    stored = _read_stored_rows(list(games))
    found = {
        **{
            stream: list(_game_differences(stream, rows, stored[stream], mended=mended))
            for stream, rows in games.items()
        },
        **{
            stream: stream_rows.compare_rows(stream, rows, mended=mended)
            for stream, rows in others.items()
        },
    }
    return {stream: found[stream] for stream in expected if found[stream]}


def replace(expected: Mapping[str, Rows]) -> None:
    """Put the rows of these streams right."""
    games = {stream: rows for stream, rows in expected.items() if isinstance(rows, GameRows)}
    for stream, rows in expected.items():
        if not isinstance(rows, GameRows):
            stream_rows.replace_kind(stream, rows)
    if games:
        _replace_games(games)


def _read_stored_rows(games: Sequence[str]) -> dict[str, StoredGameRows]:
    """The rows that each of these games has."""
    rows = as_stored(GameRow.objects.filter(pk__in=games))
    stored = {row["id"]: row for row in rows}
    known = list(stored)
    seats: dict[str, set[Values]] = defaultdict(set)
    hands: dict[str, dict[int, str]] = defaultdict(dict)
    sides: dict[str, set[Values]] = defaultdict(set)
    for seat in GameSeat.objects.filter(game__in=known).values_list(*game_rows.SEAT_COLUMNS):
        seats[seat[1]].add(seat)
    # Of all, also of silent games, whoever is answered meanwhile: `objects` has what they may see.
    results = HandRow._base_manager.filter(game__in=known)
    for stream, number, result in results.values_list("game_id", "number", "result__text"):
        hands[stream][number] = result
    totals = HandSide._base_manager.filter(game__in=known)
    for side in totals.values_list(*game_rows.SIDE_COLUMNS):
        sides[side[0]].add(side)
    return {
        stream: StoredGameRows(stored.get(stream), seats[stream], hands[stream], sides[stream])
        for stream in games
    }


def _game_differences(
    stream: str, rows: GameRows, stored: StoredGameRows, *, mended: bool
) -> Iterator[Difference]:
    if stored.game is None:
        missing = f"the row of {rows.game['record']} is missing"
        yield Difference(table="game", key=stream, column="", message=missing, mended=mended)
        return
    for column, value in rows.game.items():
        if stored.game[column] != value:
            message = f"{column} is {short(stored.game[column])}, its events say {short(value)}"
            yield Difference(
                table="game", key=stream, column=column, message=message, mended=mended
            )
    if rows.sides and not stored.sides:
        missing = "the rows of the sides in its hands are missing"
        yield Difference(
            table=HandSide._meta.db_table, key=stream, column="", message=missing, mended=mended
        )
    folded = rows.sides - stored.sides if stored.sides else ()
    for model, by_key, is_there, should_be in (
        (GameSeat, _seats_by_key, stored.seats - rows.seats, rows.seats - stored.seats),
        (HandSide, _sides_by_key, stored.sides - rows.sides, folded),
    ):
        for key, column, message in stream_rows.differing(by_key(is_there), by_key(should_be)):
            yield Difference(
                table=model._meta.db_table, key=key, column=column, message=message, mended=mended
            )
    results = {number: hand.result for number, hand in rows.hands.items()}
    for number in sorted(stored.hands.keys() | results.keys()):
        if stored.hands.get(number) != results.get(number):
            column, message = _hand_difference(
                number, stored.hands.get(number), results.get(number)
            )
            yield Difference(
                table="hand",
                key=f"{stream}/{number}",
                column=column,
                message=message,
                mended=mended,
            )


def _seats_by_key(seats: Iterable[Values]) -> dict[str, JsonObject]:
    return {str(seat[0]): dict(zip(game_rows.SEAT_COLUMNS, seat, strict=True)) for seat in seats}


def _sides_by_key(sides: Iterable[Values]) -> dict[str, JsonObject]:
    return {
        f"{game}/{number}/{side}": dict(
            zip(game_rows.SIDE_COLUMNS, (game, number, side, *rest), strict=True)
        )
        for game, number, side, *rest in sides
    }


def _hand_difference(number: int, stored: str | None, folded: str | None) -> tuple[str, str]:
    if stored is None:
        return "", f"the row of hand {number} is missing"
    if folded is None:
        return "", f"hand {number} has a row and was not played"
    return "result", f"result is {short(stored)}, its events say {short(folded)}"


def _replace_games(games: Mapping[str, GameRows]) -> None:
    # A game without a row has no others: each of them refers to it.
    known = list(GameRow.objects.filter(pk__in=games).values_list("pk", flat=True))
    put_rows((GameRow, [{"id": stream, **rows.game} for stream, rows in games.items()]))
    for model in (GameSeat, HandRow, HandSide) if known else ():
        model._base_manager.filter(game__in=known).delete()
    game_rows.write_seats([seat for rows in games.values() for seat in rows.seats])
    game_rows.write_hands({stream: list(rows.hands.values()) for stream, rows in games.items()})
