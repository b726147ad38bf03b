"""What the games that count in a tournament came to, folded from their own streams."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db.models import Max

from ledger.models import Event
from tournament.directing.commands import Outcome
from tournament.directing.field import Outcomes, linked_games
from tournament.directing.state import State
from tournament.folds import fold_of
from tournament.models import Salon
from tournament.standings.values import HUNDREDTHS, Result

REMEMBERED = 10_000


def outcomes_of(salon: Salon, state: State) -> Outcomes:
    """What the linked games that are finished came to, by their streams."""
    games = sorted(linked_games(state.rounds))
    versions = dict(Event.objects.filter(stream__in=games).values_list("stream").annotate(Max("version"))) if games else {}
    found = (_outcome(salon, game, versions[game]) for game in games if game in versions)
    return {outcome.game: outcome for outcome in found if outcome is not None}


@lru_cache(maxsize=REMEMBERED)
def _outcome(salon: Salon, stream: str, version: int) -> Outcome | None:
    """What a game came to after `version` events, None while it is played: a stored event never changes, so that stays right."""
    folded = fold_of(salon.log_id, stream)
    if folded is None or folded.state.closed is None:
        return None
    came_to = folded.game.result(folded.state)
    hands: Sequence[Mapping[str, Any]] = came_to["hands"]
    results = tuple(_result(team, came_to, hands) for team in folded.game.teams)
    return Outcome(game=stream, results=results, hands=len(hands))


def _result(team: str, came_to: Mapping[str, Any], hands: Sequence[Mapping[str, Any]]) -> Result:
    return Result(
        score=HUNDREDTHS * came_to["score"][team],
        tricks=_sum(hands, "tricks", team),
        audits=_sum(hands, "audits", team),
        excess=came_to["excess"][team] if "excess" in came_to else None,
        chips=sum(came_to["chips"][seat] for seat in team) if "chips" in came_to else None,
    )


def _sum(hands: Iterable[Mapping[str, Any]], what: str, team: str) -> int:
    return sum((hand.get(what) or {}).get(team, 0) for hand in hands)
