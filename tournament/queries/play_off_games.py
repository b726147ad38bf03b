"""The games that decided a play-off, and those that may have: of the people who play it off alone,
over, and counted nowhere else.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from tournament.domain.tournament.play_offs import is_decisive
from tournament.domain.tournament.sides import seats_of, sides_at
from tournament.models import Game, TournamentGame
from tournament.queries.number_format import hundredths
from tournament.queries.tournament import TournamentView
from tournament.salons.preferences import as_text
from tournament.streams.folds import Folded, fold_of
from tournament.streams.game_results import outcome_of

LOOKED_AT = 500  # the latest games
MOST_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffGame:
    """A game (its stream) between those who play off: at which `table` of the salon, "" where none
    is known, and what it came to for whom, in words, "" where it has come to nothing.
    """

    game: str
    table: str
    words: str


def games_that_may_decide(at: TournamentView, order: Collection[str]) -> list[PlayOffGame]:
    """The games between those entries alone that are over and decide nothing yet, the latest
    first.
    """
    people = set(_entries(at, order))
    taken = {game for each in at.state.play_offs if not each.cancelled for game in each.games}
    counted = TournamentGame.objects.filter(stream__salon=at.row.salon).values("game")
    rows = (
        Game.objects.filter(salon=at.row.salon, kind=at.state.game, finished=True, not_played=False)
        .exclude(pk__in=counted)
        .order_by("-started_position")
        .values_list("pk", "table", "seats")[:LOOKED_AT]
    )
    theirs = [
        (game, table)
        for game, table, seats in rows
        if game not in taken and people.issuperset(seats.values())
    ]
    return [each for each in _games_in_words(at, theirs[:MOST_SHOWN], order) if each.words]


def games_that_decided(
    at: TournamentView, games: Sequence[str], order: Collection[str]
) -> list[PlayOffGame]:
    """These games in their order, those that the salon still has."""
    tables = dict(Game.objects.filter(salon=at.row.salon, pk__in=games).values_list("pk", "table"))
    return list(
        _games_in_words(at, [(game, tables[game]) for game in games if game in tables], order)
    )


def start_query(at: TournamentView, order: Sequence[str]) -> str:
    """The query of the form that starts a game, so that those entries sit down for their
    play-off with the house rules of the tournament; "" if they don't fill a game.
    """
    entries = [entry for entry in at.state.entries if entry.id in order]
    pairs = [[player for _place, player in entry.players] for entry in entries]
    seated = [seats_of(at.state.game, len(pairs), place, pair) for place, pair in enumerate(pairs)]
    if not sides_at(at.state.game, len(pairs)) or not all(seated):
        return ""
    players = {f"players.{seat}": at.players[player] for side in seated for seat, player in side}
    options = {f"options.{name}": as_text(value) for name, value in at.state.conditions.options}
    return urlencode({"game": at.state.game} | players | options)


def _games_in_words(
    at: TournamentView, games: Sequence[tuple[str, str]], order: Collection[str]
) -> Iterator[PlayOffGame]:
    """These games (stream and table) with what they came to."""
    entries = _entries(at, order)
    for stream, table in games:
        folded = fold_of(at.row.salon.log_id, stream)
        if folded is None:
            continue
        words = _came_to(at, entries, stream, folded)
        yield PlayOffGame(game=stream, table=table, words=words)


def _came_to(at: TournamentView, entries: Mapping[str, str], stream: str, folded: Folded) -> str:
    """The result of each side: `Ada & Ben 262, Cleo & Dan 187`; "" without an end that
    decides.
    """
    game, players = folded.game, folded.state.players
    outcome = outcome_of(stream, game, folded.state)
    if outcome is None or not is_decisive(outcome):
        return ""
    alone = [seat for seat in max(game.seatings, key=len) if seat in players]
    names = [
        at.entries.get(entries.get(players.get(side[0], ""), ""), side)
        for side in game.teams or alone
    ]
    return ", ".join(
        f"{name} {hundredths(result.score or 0)}"
        for name, result in zip(names, outcome.results, strict=False)
    )


def _entries(at: TournamentView, order: Collection[str]) -> Mapping[str, str]:
    """The entry of everybody who plays for one of these."""
    return {
        player: entry.id
        for entry in at.state.entries
        if entry.id in order
        for player in entry.everybody
    }
