"""The records of players: every finished game as each of its players saw it, kept until the game is
corrected or opened again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import msgspec

from ledger.chain import Stored
from ledger.reading import events_in
from scoring.common_state import GameState
from tournament.domain.careers.career import FinishedGame, PlayedGame, split_by_player
from tournament.models import Game, Reckoning, Salon
from tournament.models.visibility import unseen_games
from tournament.models.written_json import json_text
from tournament.projections.computed import ComputedProjection, States, generation_of, reckonings
from tournament.salons.persons import ids_of_person, merged_players
from tournament.streams.folds import Folded, fold_of
from tournament.streams.types import StreamType

_DECODER = msgspec.json.Decoder(PlayedGame)


def _find_touched_games(salon: Salon, events: Sequence[Stored]) -> set[str]:
    """The games that are over now, or were when somebody last looked."""
    streams = {event.stream for event in events}
    over = Game.objects.filter(pk__in=streams, finished=True).values_list("pk", flat=True)
    kept = Reckoning.objects.filter(log=salon.log_id, projection=CAREERS.name, subject__in=streams)
    now = generation_of(salon.log_id, CAREERS.name)
    # Of the generation that counts, and of the one that a rebuild fills: named, they are found by
    # the subject.
    return {*over, *kept.filter(generation__in=[now, now + 1]).values_list("subject", flat=True)}


def _career_states(salon: Salon, stream: str) -> States:
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        return {}
    place = events_in(salon.log_id, [stream]).values_list("position", flat=True).get(version=1)
    return careers_in(stream, place, folded)


def careers_in(stream: str, place: int, folded: Folded) -> States:
    """The career rows of a stream in this state that began at entry `place`: empty if it
    is no game, isn't over or was not played.
    """
    if (
        isinstance(folded.kind, StreamType)
        or folded.state.closed is None
        or not folded.state.closed.has_result
    ):
        return {}
    return {
        player: json_text(game)
        for player, game in split_by_player(_build_finished_game(stream, place, folded))
    }


def _subjects(salon: Salon) -> Iterable[str]:
    return (
        Game.objects.filter(salon=salon, finished=True).order_by("pk").values_list("pk", flat=True)
    )


CAREERS = ComputedProjection(
    name="careers", touched=_find_touched_games, compute=_career_states, subjects=_subjects
)


def career_games(salon: Salon, player: str) -> list[PlayedGame]:
    """The finished games of a player that have been counted by now and may be seen, the earliest
    first.
    """
    stood_for, unseen = merged_players(salon), unseen_games()
    found = [
        (game, state)
        for each in ids_of_person(salon, player)
        for game, _about, state in reckonings(salon.log_id, CAREERS.name, about=each)
    ]
    games = [_DECODER.decode(state) for game, state in found if game not in unseen]
    return sorted(
        (_with_persons(each, stood_for) for each in games), key=lambda each: (each.place, each.game)
    )


def _with_persons(played: PlayedGame, stood_for: Mapping[str, str]) -> PlayedGame:
    """The same with each merged player as who stands for them."""
    if not stood_for:
        return played
    partners, opponents = (
        tuple(stood_for.get(player, player) for player in players)
        for players in (played.partners, played.opponents)
    )
    return replace(played, partners=partners, opponents=opponents)


def _seats(state: GameState) -> dict[str, str]:
    """The player whose game it is at each seat: the one who sat there in every hand that
    counts, else the one who sat down first.
    """
    seats = dict(state.players)
    sat = [
        seats | dict(getattr(getattr(closed, "hand", closed), "players", ()))
        for closed in state.results
    ]
    for seat in seats:
        players = {each[seat] for each in sat}
        if len(players) == 1:
            (seats[seat],) = players
    return seats if len(set(seats.values())) == len(seats) else dict(state.players)


def _build_finished_game(stream: str, place: int, folded: Folded) -> FinishedGame:
    game, state = folded.game, folded.state
    return FinishedGame(
        game=stream,
        kind=game.name,
        place=place,
        played_on=state.played_on or "",
        seats=tuple(_seats(state).items()),
        table=game.table(state),
        result=game.result(state),
    )
