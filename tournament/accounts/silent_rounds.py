"""Parts of tournaments hidden from visitors who neither direct nor audit: silent
rounds until the tournament is over, and draws before they are published.

A game that counts in a silent round shows only its players; its own players and the
scorers at its table see it whole, because otherwise they could neither play nor
confirm. A visitor's visibility is set once, when the visitor is known
(`access.activate_visitor`), and applied by the rows of games and all code that
reads events: a page doesn't check it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from ledger.reading import fetch_all
from scoring.shape import JsonMapping
from tournament.accounts.permissions import Permission, Visitor
from tournament.domain.tournament.draws import RoundDrawn
from tournament.domain.tournament.games import DifferenceAccepted
from tournament.domain.tournament.results import ResultEntered
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import OfRound
from tournament.domain.tournament.subjects import SHAPES
from tournament.domain.tournament.swaps import EntriesSwapped
from tournament.models import Game, Tournament, TournamentGame, TournamentRound
from tournament.models.visibility import get_visibility
from tournament.models.written_json import JSONText, json_value

# The fields of stored events that tell results, and how many rounds after the first silent one they
# begin to.
HIDDEN: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "tournament.result_entered": (0, ("results", "hands", "boards")),
    "tournament.difference_accepted": (0, ("results",)),
    "tournament.round_drawn": (1, ("why", "next_best", "byes_why", "totals")),
    "tournament.entries_swapped": (1, ("why", "byes_why", "totals")),
}
# The facts of a round; all they say but its number is hidden before it is published.
STORED_OF_A_ROUND = frozenset(
    name for (name, _schema), fact in SHAPES.items() if issubclass(fact, OfRound)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """The hidden parts of a tournament: results from round `silent_from` on (None: of no
    round), draws of all but the `published`.
    """

    silent_from: int | None
    published: frozenset[int]

    def draw(self, number: int) -> bool:
        """Whether who meets whom in round `number` is hidden."""
        return number not in self.published


# Every page asks it: as a query set it takes three times as long.
_SILENT_GAMES = """
SELECT g.id, g."table", CAST(g.seats AS text) FROM tournament_game g WHERE g.id IN (
  SELECT t.game FROM tournament_tournamentgame t
    JOIN tournament_tournament e ON e.id = t.stream_id
    WHERE t.silent AND e.salon_id = %s AND e.phase = 'running')"""


class SightOf:
    """The visibility of silent games for one visitor."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor

    @cached_property
    def unseen(self) -> frozenset[str]:
        """The games in silent rounds that this visitor neither plays in nor records."""
        if sees_silent(self.visitor):
            return frozenset()
        games = fetch_all(_SILENT_GAMES, [self.visitor.salon.pk])
        return frozenset(
            game
            for game, table, seats in games
            if not self._knows(game, table, json_value(JSONText(seats)))
        )

    def hides(self, row: Game) -> bool:
        """Whether the game of this row is among `unseen`: at a table where the visitor records the
        database isn't asked.
        """
        # Of a row of which only some columns are wanted the others are not read for this.
        read = row.__dict__
        known = "table" in read and "seats" in read and self._knows(row.pk, row.table, row.seats)
        return not known and row.pk in self.unseen

    def hidden(self, streams: Iterable[str]) -> dict[str, Hidden]:
        """Return the hidden parts of those of these streams that are tournaments."""
        return silences(self.visitor, streams)

    def _knows(self, game: str, table: str, seats: Mapping[str, str]) -> bool:
        players = self.visitor.players
        own = game == self.visitor.game or not players.isdisjoint(seats.values())
        return own or self.visitor.may(Permission.RECORD, table=table)


class AllSilent:
    """The visibility before the visitor is known: all silent games are hidden."""

    @cached_property
    def unseen(self) -> frozenset[str]:
        """All games in silent rounds."""
        silent = TournamentGame.objects.filter(stream__phase="running", silent=True)
        return frozenset(silent.values_list("game", flat=True))

    def hides(self, row: Game) -> bool:
        """Whether the game of this row is among them."""
        return row.pk in self.unseen


def sees_silent(visitor: Visitor) -> bool:
    """Whether a visitor sees the results of silent rounds, and draws that are not published, at
    once.
    """
    return visitor.may(Permission.DIRECT) or visitor.may(Permission.AUDIT)


def silences(visitor: Visitor, streams: Iterable[str]) -> dict[str, Hidden]:
    """Return the parts hidden from this visitor, by tournament: all of these streams that
    are one, unless the visitor sees everything.
    """
    if sees_silent(visitor):
        return {}
    rows = Tournament.objects.filter(salon=visitor.salon, pk__in=set(streams))
    heads: Iterable[tuple[str, str, State]] = rows.values_list("pk", "phase", "state")
    begun = {row: state.silence if phase == "running" else None for row, phase, state in heads}
    published: dict[str, set[int]] = {row: set() for row in begun}
    rounds = TournamentRound.objects.filter(stream__in=begun, published=True)
    for stream, number in rounds.values_list("stream", "number"):
        published[stream].add(number)
    return {
        row: Hidden(silent_from=first, published=frozenset(published[row]))
        for row, first in begun.items()
    }


def read_hidden(streams: Iterable[str]) -> dict[str, Hidden]:
    """Return the parts hidden from the current visitor; nothing if there is none."""
    seen = get_visibility()
    return seen.hidden(streams) if isinstance(seen, SightOf) else {}


def conceal(fact: object, hidden: Hidden | None) -> object:
    """Return a tournament's fact without parts that reveal silent results: typed ones, and
    the scores of a draw. None: all of it is hidden.
    """
    if hidden is None:
        return fact
    if isinstance(fact, OfRound) and hidden.draw(fact.round):
        return None
    begun = hidden.silent_from
    if begun is None:
        return fact
    match fact:
        case ResultEntered(round=number) if number >= begun:
            return replace(fact, results=(), hands=None, boards=())
        case DifferenceAccepted(round=number) if number >= begun:
            return replace(fact, results=())
        case RoundDrawn(round=number) if number > begun:
            tables = tuple(replace(table, why=(), next_best=None) for table in fact.tables)
            return replace(fact, tables=tables, byes_why=(), totals=())
        case EntriesSwapped(round=number) if number > begun:
            return replace(fact, why=(), byes_why=(), totals=())
        case _:
            return fact


def withheld(
    kind: str, body: JsonMapping, hidden: Hidden | None
) -> tuple[dict[str, object], list[str]]:
    """The same for an event of the type `kind` as it is stored: what is left of its body, and the
    names of the fields that are not.
    """
    if hidden is not None and kind in STORED_OF_A_ROUND and hidden.draw(body["round"]):
        return {"round": body["round"]}, [name for name in body if name != "round"]
    later, without = HIDDEN.get(kind, (0, ()))
    begun = hidden.silent_from if hidden is not None else None
    if begun is None or not without or body.get("round", 0) < begun + later:
        return dict(body), []
    return cast("dict[str, object]", _without(body, without)), list(without)


def _without(value: object, fields: Sequence[str]) -> object:
    if isinstance(value, Mapping):
        return {name: _without(part, fields) for name, part in value.items() if name not in fields}
    return [_without(part, fields) for part in value] if isinstance(value, list) else value
