"""The next matches of a knock-out (formats.md F7)."""

from collections.abc import Sequence

from scoring.errors import RuleViolation, sentence
from tournament.domain.brackets.places import champion, is_over
from tournament.domain.brackets.progress import Absent, MatchState, ready
from tournament.domain.brackets.values import Match
from tournament.domain.pairing.seats import first_dealer, in_seats
from tournament.domain.pairing.values import Contender, Draw, DrawnTable, Reason, digest
from tournament.domain.standings.knockout import knockout_so_far
from tournament.domain.standings.values import BRACKETS, DOUBLE, Stage, Tournament

SOURCES = ("seed", "winner", "loser", "survivor")


def draw_knockout(tournament: Tournament, number: int, players: Sequence[Contender]) -> Draw:
    """All matches that can be played now, a table each.

    Raises RuleViolation `game_over` once it is decided, `too_few` while nobody in it is there to
    play.
    """
    so_far = knockout_so_far(tournament)
    if is_over(so_far):
        raise RuleViolation(
            "game_over",
            "the knock-out is over; %(entry)s has won it",
            path="stage.rounds",
            entry=champion(so_far),
        )
    of = {player.entry: player for player in players}
    matches = [state for state in ready(so_far) if of.keys() >= set(state.entries)]
    if not matches:
        message = sentence(
            "no match can be played in round %(number)s: somebody of each is away", number=number
        )
        raise RuleViolation("too_few", message, path="entries")
    tables = tuple(
        _table(tournament, number, table, state, of) for table, state in enumerate(matches, start=1)
    )
    return Draw(
        round=number,
        tables=tables,
        byes=(),
        broken=(),
        engine=tournament.engine,
        digest=digest(tournament, number, players),
        construction=construction_of(tournament.stage, len(so_far.seeds)),
    )


def construction_of(stage: Stage, entries: int) -> str:
    """Return the name of a knock-out tree."""
    kind = "double elimination" if stage.knockout.elimination == DOUBLE else "knock-out"
    return f"{kind} {entries}"


def _table(
    tournament: Tournament, number: int, table: int, state: MatchState, of: dict[str, Contender]
) -> DrawnTable:
    one, two = (of[entry] for entry in state.entries if not isinstance(entry, Absent))
    first, second = in_seats(one, two, seed=tournament.lots_seed, number=number)
    return DrawnTable(
        table=table,
        entries=(first.entry, second.entry),
        dealer=first_dealer(tournament.game, seed=tournament.lots_seed, number=number, table=table),
        why=(match_reason(state.match, len(state.games)),),
        match=state.match.number,
        bracket=state.match.bracket,
    )


def match_reason(match: Match, games: int) -> Reason:
    """Which match it is, and where its entries come from."""
    one, two = match.places
    return Reason(
        tier="match",
        cost=0,
        numbers=(
            match.number,
            BRACKETS.index(match.bracket),
            match.round,
            SOURCES.index(one.kind),
            one.number,
            SOURCES.index(two.kind),
            two.number,
            games + 1,
        ),
    )
