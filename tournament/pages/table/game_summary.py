"""A game at a glance: what a list of tables says of it, read from its row."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils.translation import get_language

from scoring.games import GAMES
from scoring.shape import JsonMapping
from tournament.models import Game, Salon
from tournament.models.lru_cache import RecentValues, new_token
from tournament.models.visibility import unseen_games
from tournament.models.written_json import json_text
from tournament.queries.listed_games import Line, ListedGame
from tournament.salons.public_names import Audience, find_shown_names

GLANCES = 2048  # in memory, of some four kilobytes each


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The players of a side, their score (None: hidden), and whether they have won the
    game.
    """

    team: str
    names: str
    score: int | None
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """One game in two lines. `hand` is the number of the open or next one, `state` the table as its
    row holds it.

    Of a `silent` game there is neither, nor a score: 0 and nothing. Nobody ever changes one: a part
    of a page about it is `known_by` its number.
    """

    game: str
    kind: str
    table: str
    played_on: date | None
    hand: int
    finished: bool
    sides: tuple[Side, ...]
    state: JsonMapping
    silent: bool = False
    known_by: int = field(default_factory=new_token, compare=False)


_kept = RecentValues[object, tuple[Line, Glance]](GLANCES)


def glances(salon: Salon, games: Iterable[Game], audience: Audience) -> list[Glance]:
    """Games of the salon in their order, with their players' names as they are now for this
    audience: one query for all.
    """
    return _glances_of(salon, [(_line(game), game.is_silent) for game in games], audience)


def list_glances(salon: Salon, games: Sequence[ListedGame], audience: Audience) -> list[Glance]:
    """Return the summaries of games whose lines are known: unchanged ones come from
    memory, and if all are unchanged, no query is made.
    """
    unseen = unseen_games()
    # A pseudonym is written in the salon's language.
    whose = audience, salon.names_shown, get_language()
    keys = [(each.line.game, each.line.game in unseen, whose) for each in games]
    found = [_recall_glance(key, each.line) for key, each in zip(keys, games, strict=True)]
    new = [
        (key, each.line)
        for key, each, glance in zip(keys, games, found, strict=True)
        if glance is None
    ]
    made = _glances_of(salon, [(line, silent) for (_game, silent, _), line in new], audience)
    for (key, line), glance in zip(new, made, strict=True):
        _kept.put(key, (line, glance))
    others = iter(made)
    return [glance or next(others) for glance in found]


def forget() -> None:
    """Look at every game anew."""
    _kept.clear()


def _recall_glance(key: object, line: Line) -> Glance | None:
    """Return the summary made of this very line; None if the line has changed."""
    kept = _kept.get(key)
    return kept[1] if kept is not None and kept[0] == line else None


def _line(game: Game) -> Line:
    """The line of a row, without what its reader may not see, or anybody's name."""
    return Line(
        game=game.pk,
        kind=game.kind,
        table=game.table,
        played_on=game.played_on,
        finished=game.finished,
        seats=json_text(game.seats),
        state="" if game.is_silent else json_text(game.state),
        called=None,
    )


def _glances_of(
    salon: Salon, lines: Sequence[tuple[Line, bool]], audience: Audience
) -> list[Glance]:
    """Return the summaries of these lines, each with whether its game is silent."""
    seated = [(line, silent, json.loads(line.seats)) for line, silent in lines]
    ids = {player for _line, _silent, seats in seated for player in seats.values()}
    names = find_shown_names(salon, ids, audience) if seated else {}
    return [
        _glance(line, {seat: names.get(player, "") for seat, player in seats.items()}, silent)
        for line, silent, seats in seated
    ]


def _glance(line: Line, players: Mapping[str, str], silent: bool) -> Glance:
    state = json.loads(line.state) if not silent else None
    sides = list(state["score"]) if state is not None else list(GAMES[line.kind].teams or players)
    hand = (state["hand"] or state["next"])["number"] if state is not None else 0
    played_on = line.played_on
    return Glance(
        game=line.game,
        kind=line.kind,
        table=line.table,
        played_on=date.fromisoformat(played_on) if isinstance(played_on, str) else played_on,
        hand=hand,
        finished=bool(line.finished),
        sides=tuple(_side(team, state, players) for team in sorted(sides, key=_seat_of(line.kind))),
        state=state or {},
        silent=state is None,
    )


def _seat_of(kind: str) -> Callable[[str], int]:
    """Sides stand in the order in which their first seats are dealt to."""
    seats = list(GAMES[kind].seat_names)
    return lambda team: seats.index(team[0])


def _side(team: str, state: JsonMapping | None, players: Mapping[str, str]) -> Side:
    names = " & ".join(players[seat] for seat in team)
    if state is None:
        return Side(team=team, names=names, score=None, won=False)
    return Side(team=team, names=names, score=state["score"][team], won=team in state["winners"])
