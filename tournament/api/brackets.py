"""The bracket of a knock-out: every match with where its two come from, who plays it and what came
of it.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from django.http import Http404
from msgspec import Struct
from rest_framework.request import Request

from scoring.shape import JsonObject
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.domain.brackets.places import places
from tournament.domain.brackets.progress import Absent, MatchState, Occupant
from tournament.queries.bracket_words import has_bye_before, names_of_match
from tournament.queries.stage_views import SeenBracket, find_bracket
from tournament.queries.tournament import TournamentView
from tournament.queries.tournament_visibility import public_or_404

STAGE = msgspec.Meta(ge=1, le=99, description="The bracket of this stage.")


class MatchSide(Struct, frozen=True, kw_only=True):
    """One of the two of a match: the `source` it comes from, as `{"kind": "winner", "number": 3}`
    (seed, winner, loser, survivor), and the entry, null while nobody is known, or where nobody
    comes (`nobody`). `label` is what stands in its place in the drawing: the name of the entry, or
    where it comes from (`winner of M3`, `place 5 of stage 1`); `bye`: it has no match before this
    one. `won` counts its games.
    """

    source: JsonObject
    entry: str | None
    label: str
    bye: bool
    name: str
    nobody: bool
    won: int


class PlayedByOthers(Struct, frozen=True, kw_only=True):
    """What was played of a match on a wrong premise, by others than the results of now send there:
    the winner of each game, null for a drawn one.
    """

    entries: Sequence[str]
    winners: Sequence[str | None]


class BracketMatch(Struct, frozen=True, kw_only=True):
    """A match: its bracket is winners, losers, final, reset or third, its round counts within that;
    the status is waits, ready, decided, walk_over or not_needed. `games` are the winners of its
    games so far, null for a drawn one; `winner` is null while it isn't decided, or nobody goes on.
    """

    match: int
    bracket: str
    round: int
    status: str
    sides: list[MatchSide]
    games: Sequence[str | None]
    winner: str | None
    wrong: list[PlayedByOthers]


class BracketPlaces(Struct, frozen=True, kw_only=True):
    """The entries that share the places from `first` to `last`."""

    first: int
    last: int
    entries: Sequence[str]


class Bracket(Struct, frozen=True, kw_only=True):
    """A knock-out as far as it has come: entries in the order of their seeds, matches in that of
    their numbers, and the places of all who are out, and of the winner. Nothing before it has two
    entries; `silent`: later rounds are hidden from this visitor. `coming`: its `stage` has not
    begun, so that it has no entries yet, and its matches are those of as many as are planned.
    """

    version: int
    stage: int
    coming: bool
    silent: bool
    seeds: Sequence[str]
    matches: list[BracketMatch]
    places: list[BracketPlaces]


class AskedStage(Struct, frozen=True, kw_only=True):
    """Which stage's bracket is wanted; that of the last knock-out without."""

    stage: Annotated[int, STAGE] | None = None


class BracketViewSet(ApiViewSet):
    """The bracket of a knock-out."""

    act = Permission.SEE_SALON

    @document_action(query=AskedStage)
    def read_bracket(self, request: Request, tournament: str) -> Bracket:
        """Who meets whom in a knock-out and who has won; of several stages the last that is one
        and has begun, else the first to come, or the one asked for. 404 for any other format.
        """
        at = public_or_404(self.visitor, tournament)
        asked = self.query(AskedStage).stage
        seen = find_bracket(at, self.visitor, "" if asked is None else str(asked))
        if seen is None:
            raise Http404
        return _bracket(at, seen)


def _bracket(at: TournamentView, seen: SeenBracket) -> Bracket:
    so_far = seen.shown.progress
    return Bracket(
        version=at.row.version,
        stage=seen.stage,
        coming=seen.is_coming,
        silent=seen.shown.hidden,
        seeds=so_far.seeds if so_far is not None else (),
        matches=[_match(at, seen, state) for state in so_far.states] if so_far is not None else [],
        places=[build_struct(BracketPlaces, each) for each in places(so_far)]
        if so_far is not None and not seen.is_coming
        else [],
    )


def _match(at: TournamentView, seen: SeenBracket, state: MatchState) -> BracketMatch:
    labels = names_of_match(state, at.entries, seen.origins)
    return build_struct(
        BracketMatch,
        state,
        match=state.match.number,
        bracket=state.match.bracket,
        round=state.match.round,
        sides=[
            MatchSide(
                source=msgspec.to_builtins(place),
                entry=_entry(entry),
                label=labels[turn],
                bye=has_bye_before(state.match, turn),
                name=at.entries.get(str(entry), ""),
                nobody=entry is Absent.NOBODY,
                won=state.games.count(_entry(entry) or ""),
            )
            for turn, (entry, place) in enumerate(
                zip(state.entries, state.match.places, strict=True)
            )
        ],
        winner=_entry(state.winner),
        wrong=[build_struct(PlayedByOthers, each) for each in state.wrong],
    )


def _entry(entry: Occupant) -> str | None:
    return entry if isinstance(entry, str) else None
