"""Recent results at the salon's tables, from rows: typed results of closed rounds,
games that are over, and deal by deal the hands of those. Practice counts for
nothing here either.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
from django.db.models import Count, Max, QuerySet, Sum

from scoring.games import GAMES
from scoring.shape import JsonMapping
from tournament.domain.standings.rare_results import Recorded, recorded
from tournament.domain.standings.values import HUNDREDTHS
from tournament.domain.tournament.state import State
from tournament.models import Game, HandSide, Salon, Tournament, TournamentGame, TournamentRound
from tournament.models.visibility import unseen_games

REMEMBERED = 16
# So far back is looked, however long the salon has played: by when they began.
LATEST_EVENTS, LATEST_GAMES = 100, 2_000


class Group(NamedTuple):
    """Results that can be compared: `sides` at a table, of a whole game, or of one deal of it."""

    sides: int
    deal: bool

    @property
    def name(self) -> str:
        """The group in a page: `2`, or `2-deal`."""
        return f"{self.sides}-deal" if self.deal else str(self.sides)


class _Result(msgspec.Struct):
    score: int | None = None
    chips: int | None = None
    built: int | None = None


class _Board(msgspec.Struct):
    scores: tuple[int, ...] = ()


class _Table(msgspec.Struct):
    entries: tuple[str, ...]
    results: tuple[_Result, ...] = ()
    boards: tuple[_Board, ...] = ()
    forfeit: bool = False
    game: str | None = None


class _Round(msgspec.Struct):
    tables: tuple[_Table, ...]
    stage: int = 1


class _Stage(msgspec.Struct):
    kind: str = ""


class _Conditions(msgspec.Struct):
    options: tuple[tuple[str, object], ...] = ()


class _Tournament(msgspec.Struct):
    stage: _Stage
    conditions: _Conditions
    stages: tuple[_Stage, ...] = ()

    def kind_of(self, each: _Round) -> str:
        """The format of a round."""
        return self.stages[each.stage - 1].kind if self.stages else self.stage.kind


class _Selection(NamedTuple):
    """Of which game results are wanted, what of them is compared (`number`), and to which score
    they were played.
    """

    log: int
    salon: int
    game: str
    number: str
    target: object


_TOURNAMENT = msgspec.json.Decoder(_Tournament)
_ROUND = msgspec.json.Decoder(_Round)


def read_recorded_results(salon: Salon, state: State, number: str) -> Mapping[Group, Recorded]:
    """The results at tables of this salon in the game of a tournament, played to the same
    score, by `number` (`score`, `chips` or `built`; in hundredths), in the latest
    events and games.

    A result that is corrected in a closed round counts anew from the next round closed
    on.
    """
    options = dict(state.conditions.options)
    target = options.get(GAMES[state.game].target, GAMES[state.game].winning_score)
    selection = _Selection(salon.log_id, salon.pk, state.game, number, target)
    return _group_results(selection, _stamp(selection))


def _stamp(selection: _Selection) -> object:
    """A value that changes when another round is closed or another game is over."""
    rounds = TournamentRound.objects.filter(
        stream__in=_latest_events(selection).values("pk"), closed=True
    )
    closed = rounds.aggregate(Count("pk"), Max("pk"))
    over = _latest_games(selection).aggregate(
        Count("pk"), Max("pk"), Max("position"), Sum("version")
    )
    return tuple(closed.values()), tuple(over.values()), unseen_games()


def _latest_events(selection: _Selection) -> QuerySet[Tournament]:
    found = Tournament.objects.filter(salon=selection.salon, game=selection.game, practice=False)
    return found.order_by("-started_position")[:LATEST_EVENTS]


def _latest_games(selection: _Selection) -> QuerySet[Game]:
    found = Game.objects.filter(salon=selection.salon, kind=selection.game, finished=True)
    return found.order_by("-started_position")[:LATEST_GAMES]


@lru_cache(maxsize=REMEMBERED)
def _group_results(selection: _Selection, _stamp: object) -> Mapping[Group, Recorded]:
    found: dict[Group, list[Sequence[int]]] = defaultdict(list)
    typed: set[str] = set()
    for group, numbers in _read_typed_results(selection, typed):
        found[group].append(numbers)
    for group, numbers in _came_to(selection, typed):
        found[group].append(numbers)
    return {group: recorded(results) for group, results in found.items()}


def _read_typed_results(
    selection: _Selection, typed: set[str]
) -> Iterator[tuple[Group, Sequence[int]]]:
    """The typed results of closed rounds; the games that they count instead of go into `typed`."""
    events = _latest_events(selection).values_list("pk", "state__text")
    decoded = {pk: _TOURNAMENT.decode(state) for pk, state in events}
    same = {
        pk
        for pk, each in decoded.items()
        if dict(each.conditions.options).get(
            GAMES[selection.game].target, GAMES[selection.game].winning_score
        )
        == selection.target
    }
    rows = TournamentRound.objects.filter(stream__in=decoded, closed=True)
    for stream, state in rows.values_list("stream", "state__text").iterator():
        each = _ROUND.decode(state)
        kind = decoded[stream].kind_of(each)
        for table in each.tables:
            if not table.results or table.forfeit:
                continue
            typed.add(table.game or "")
            if stream in same:
                yield from _of_table(table, kind, selection.number)


def _of_table(table: _Table, kind: str, number: str) -> Iterator[tuple[Group, Sequence[int]]]:
    if table.boards:
        yield from (
            (Group(len(board.scores), True), board.scores) for board in table.boards if board.scores
        )
        return
    with_partners = kind == "rotating" and len(table.entries) == 4
    sides = table.results[:2] if with_partners else table.results
    numbers = [_number(result, number) for result in sides]
    if None not in numbers:
        yield Group(len(numbers), False), [each for each in numbers if each is not None]


def _number(result: _Result, name: str) -> int | None:
    if name == "score":
        return result.score
    found = result.chips if name == "chips" else result.built
    return None if found is None else HUNDREDTHS * found


def _came_to(selection: _Selection, typed: set[str]) -> Iterator[tuple[Group, Sequence[int]]]:
    """The results of the games that are over, without those that a typed result replaces."""
    games: dict[str, JsonMapping] = {
        pk: state
        for pk, state, not_played in _latest_games(selection).values_list(
            "pk", "state", "not_played"
        )
        if not not_played
    }
    practised = TournamentGame.objects.filter(stream__practice=True, game__in=[*games])
    left_out = {*typed, *practised.values_list("game", flat=True), *unseen_games()}
    same = []
    for pk, table in games.items():
        target = table.get(GAMES[selection.game].target, selection.target)
        if pk not in left_out and target == selection.target:
            same.append(pk)
            numbers = list(_of_sides(table, selection.number))
            yield Group(len(numbers), False), numbers
    hands: dict[tuple[str, int], list[int]] = defaultdict(list)
    sides = HandSide.objects.filter(game__in=same, points__isnull=False)
    for game, hand, points in sides.values_list("game", "number", "points").iterator():
        hands[game, hand].append(round(HUNDREDTHS * (points or 0)))
    yield from ((Group(len(points), True), points) for points in hands.values())


def _of_sides(table: JsonMapping, number: str) -> Iterator[int]:
    """The result of each side of a game, the chips of partners together."""
    for side, score in table["score"].items():
        chips = table.get("chips") if number == "chips" else None
        reached = sum(chips.get(seat, 0) for seat in side) if chips else score
        yield round(HUNDREDTHS * reached)
