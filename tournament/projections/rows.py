"""What the rows of streams should hold by their events; where the stored ones differ; and how they are put right."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tournament.folds import Folded
from tournament.kinds import Kind
from tournament.models import Game as GameRow
from tournament.models import Hand as HandRow
from tournament.models import Salon
from tournament.projections import kept
from tournament.projections.difference import Difference, short
from tournament.projections.inline import game_columns, hand_columns, lasting_columns, write_hands


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRows:
    """What the rows of one game should hold: its own by column, those of its closed hands by number."""

    game: dict[str, Any]
    hands: dict[int, str]


type Rows = GameRows | kept.KeptRows


def rows_of(salon: Salon, stream: str, folded: Folded, first: int, last: int) -> Rows:
    """What the rows of a stream should hold when it is folded so far: from its event at position `first` to the one at `last`."""
    if isinstance(folded.kind, Kind):
        return kept.rows_of(salon, stream, first, folded.kind, folded.state)
    game, state = folded.game, folded.state
    columns = {"salon_id": salon.pk, "started_position": first, **lasting_columns(game, state), **game_columns(folded, position=last)}
    return GameRows(game=columns, hands={hand["number"]: hand["result"] for hand in hand_columns(game, state)})


def size(rows: Rows) -> int:
    """How many rows these are."""
    return 1 + len(rows.hands) if isinstance(rows, GameRows) else sum(map(len, rows.rows.values()))


def compared(expected: Mapping[str, Rows], *, mended: bool = False) -> dict[str, list[Difference]]:
    """Where the stored rows of streams are not what they should be, for each stream that has such a place."""
    games = {stream: rows for stream, rows in expected.items() if isinstance(rows, GameRows)}
    others = {stream: rows for stream, rows in expected.items() if not isinstance(rows, GameRows)}
    found = {
        **{stream: list(_game_differences(stream, *each, mended=mended)) for stream, each in _with_stored(games).items()},
        **{stream: kept.compared_kind(stream, rows, mended=mended) for stream, rows in others.items()},
    }
    return {stream: found[stream] for stream in expected if found[stream]}


def replace(expected: Mapping[str, Rows]) -> None:
    """Put the rows of these streams right."""
    games = {stream: rows for stream, rows in expected.items() if isinstance(rows, GameRows)}
    for stream, rows in expected.items():
        if not isinstance(rows, GameRows):
            kept.replace_kind(stream, rows)
    if games:
        _replace_games(games)


def _with_stored(games: Mapping[str, GameRows]) -> dict[str, tuple[GameRows, dict[str, Any] | None, dict[int, str]]]:
    """What the rows of each game should hold, and what its own and those of its hands do hold."""
    stored: dict[str, Any] = {row["id"]: row for row in GameRow.objects.filter(pk__in=games).values()}
    hands: dict[str, dict[int, str]] = defaultdict(dict)
    for stream, number, result in HandRow.objects.filter(game__in=games).values_list("game_id", "number", "result"):
        hands[stream][number] = result
    return {stream: (rows, stored.get(stream), hands[stream]) for stream, rows in games.items()}


def _game_differences(
    stream: str, rows: GameRows, stored: Mapping[str, Any] | None, hands: Mapping[int, str], *, mended: bool
) -> Iterator[Difference]:
    if stored is None:
        missing = f"the row of {rows.game['record']} is missing"
        yield Difference(table="game", key=stream, column="", message=missing, mended=mended)
        return
    for column, value in rows.game.items():
        if stored[column] != value:
            message = f"{column} is {short(stored[column])}, its events say {short(value)}"
            yield Difference(table="game", key=stream, column=column, message=message, mended=mended)
    for number in sorted(hands.keys() | rows.hands.keys()):
        if hands.get(number) != rows.hands.get(number):
            column, message = _hand_difference(number, hands.get(number), rows.hands.get(number))
            yield Difference(table="hand", key=f"{stream}/{number}", column=column, message=message, mended=mended)


def _hand_difference(number: int, stored: str | None, folded: str | None) -> tuple[str, str]:
    if stored is None:
        return "", f"the row of hand {number} is missing"
    if folded is None:
        return "", f"hand {number} has a row and was not played"
    return "result", f"result is {short(stored)}, its events say {short(folded)}"


def _replace_games(games: Mapping[str, GameRows]) -> None:
    columns = list(next(iter(games.values())).game)
    GameRow.objects.bulk_create(
        [GameRow(id=stream, **rows.game) for stream, rows in games.items()],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=columns,
    )
    HandRow.objects.filter(game__in=games).delete()
    write_hands([(stream, number, result) for stream, rows in games.items() for number, result in rows.hands.items()])
