"""The results of the games that count in a tournament, folded from their own streams."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from ledger.reading import versions_in
from scoring.common_state import GameState
from scoring.game import AnyGame
from scoring.shape import JsonMapping
from tournament.domain.standings.values import HUNDREDTHS, Result
from tournament.domain.tournament.counting import Outcomes, all_games, list_counted_games
from tournament.domain.tournament.outcomes import Outcome
from tournament.domain.tournament.state import State
from tournament.models import Salon
from tournament.models.lru_cache import RecentValues
from tournament.streams.folds import fold_at
from tournament.streams.kept_outcomes import keep_outcomes, read_kept

REMEMBERED = 10_000

_remembered = RecentValues[tuple[int, str, int], tuple[Outcome | None]](REMEMBERED)


def outcomes_of(salon: Salon, state: State) -> Outcomes:
    """The outcomes of the games that count and are over, by their streams."""
    return outcomes_at(salon, versions_in(salon.log_id, list_counted_games(state.rounds)))


def every_outcome_of(salon: Salon, state: State) -> Outcomes:
    """The outcomes of all games at the tables of the rounds that are over, those that
    don't count too.
    """
    return outcomes_at(salon, versions_in(salon.log_id, all_games(state.rounds)))


def outcomes_at(
    salon: Salon, versions: Mapping[str, int], *, uncommitted: Collection[str] = ()
) -> Outcomes:
    """The outcomes of the games at these versions, those that were over then; any that is
    `uncommitted` isn't remembered.
    """
    log = salon.log_id
    unknown = {
        game: version
        for game, version in versions.items()
        if game not in uncommitted and _remembered.get((log, game, version)) is None
    }
    for game, outcome in read_kept(log, versions, wanted=unknown).items():
        _remembered.put((log, game, unknown.pop(game)), (outcome,))
    found = (
        _folded_outcome(log, game, version)
        if game in uncommitted
        else outcome_at(salon, game, version)
        for game, version in versions.items()
    )
    outcomes = {outcome.game: outcome for outcome in found if outcome is not None}
    new = sum(game in outcomes for game in unknown)
    settled = {game: each for game, each in outcomes.items() if game not in uncommitted}
    keep_outcomes(log, versions, settled, new=new)
    return outcomes


def outcome_at(salon: Salon, stream: str, version: int) -> Outcome | None:
    """The outcome of a game after `version` events, None while it is played: a stored
    event never changes, so that stays right.
    """
    key = (salon.log_id, stream, version)
    known = _remembered.get(key)
    if known is None:
        known = (_folded_outcome(*key),)
        _remembered.put(key, known)
    return known[0]


def forget() -> None:
    """Fold anew whatever is asked for from here on."""
    _remembered.clear()


def _folded_outcome(log: int, stream: str, version: int) -> Outcome | None:
    folded = fold_at(log, stream, version)
    return outcome_of(stream, folded.game, folded.state) if folded is not None else None


def outcome_of(stream: str, game: AnyGame, state: GameState) -> Outcome | None:
    """The outcome of a game in this state; None while it is played."""
    if state.closed is None:
        return None
    if not state.closed.has_result:
        return Outcome(game=stream, results=(), hands=0, kind=state.closed.kind)
    came_to = game.result(state)
    hands: Sequence[JsonMapping] = came_to["hands"]
    of_seat = {seat: team for team in game.teams for seat in team}
    by_seat = tuple(
        _result(of_seat.get(seat, seat), seat, came_to, hands)
        for seat in max(game.seatings, key=len)
        if seat in state.players
    )
    results = tuple(_result(team, team, came_to, hands) for team in game.teams) or by_seat
    return Outcome(
        game=stream,
        results=results,
        hands=len(hands),
        kind=state.closed.kind,
        by_seat=by_seat,
        by_hand=tuple(
            tuple(round(HUNDREDTHS * (side.points or 0)) for side in game.sides(hand))
            for hand in game.hand_results(state, 0)
        ),
    )


def _result(side: str, seats: str, came_to: JsonMapping, hands: Sequence[JsonMapping]) -> Result:
    """The result of these seats of a side; a game of chips only is scored by them. Its
    tricks are known if every hand was played out and says them.
    """
    chips = sum(came_to["chips"][seat] for seat in seats) if "chips" in came_to else None
    score = came_to.get("score", chips)
    return Result(
        score=HUNDREDTHS * (score[side] if isinstance(score, dict) else score),
        tricks=_sum(hands, "tricks", side) if all(hand.get("tricks") for hand in hands) else None,
        audits=_sum(hands, "audits", side),
        excess=came_to["excess"][side] if "excess" in came_to else None,
        chips=chips,
        built=came_to["score"] if "chips" not in came_to else None,
    )


def _sum(hands: Iterable[JsonMapping], what: str, team: str) -> int:
    return sum((hand.get(what) or {}).get(team, 0) for hand in hands)
