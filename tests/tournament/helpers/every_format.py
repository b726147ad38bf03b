"""An event of every format in the middle of its play, and two ways in which its second round may
end.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.tournament.helpers.evenings import does, here
from tests.tournament.helpers.playing import a_command
from tournament.domain.standings.values import (
    HUNDREDTHS,
    BoardResult,
    Duplicate,
    Movement,
    Pods,
    Result,
    Scale,
    Stage,
    Takes,
)
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.state import TableState
from tournament.models import Salon, Tournament
from tournament.recording.duplicate_deals import draw_deals
from tournament.recording.tournaments import open_tournament
from tournament.streams.tournament_rows import state_of

CHIPS = Scale(kind="chips", bye=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """What is played, by how many entries of how many people, and in which later stages."""

    stage: Stage
    entries: int
    people: int
    game: str = "precedence"
    later: tuple[Stage, ...] = ()


FORMATS: Mapping[str, Format] = {
    "swiss": Format(stage=Stage(rounds=4, tie_breaks=("buchholz",)), entries=4, people=2),
    "round robin": Format(stage=Stage(kind="round_robin"), entries=4, people=2),
    "rotating": Format(stage=Stage(kind="rotating"), entries=8, people=1),
    "pods": Format(
        stage=Stage(kind="pods", pods=Pods(sizes=(3,)), scale=CHIPS),
        entries=9, people=1, game="preference",
    ),
    "pods by score": Format(
        stage=Stage(kind="pods", rounds=4, pods=Pods(sizes=(3,), seating="score"), scale=CHIPS),
        entries=9, people=1, game="preference",
    ),
    "movement": Format(
        stage=Stage(
            kind="movement",
            movement=Movement(movement="howell", deals_a_round=2),
            scale=Scale(kind="matchpoints"),
        ),
        entries=4, people=2,
    ),
    "duplicate": Format(
        stage=Stage(
            kind="duplicate",
            rounds=4,
            duplicate=Duplicate(deals=8, scoring="imps"),
            scale=Scale(kind="imps"),
        ),
        entries=4, people=2,
    ),
    "the same patience": Format(
        stage=Stage(
            kind="duplicate",
            rounds=3,
            duplicate=Duplicate(deals=6, scoring="built"),
            scale=Scale(kind="built"),
        ),
        entries=3, people=1, game="order_of_precedence",
    ),
    "knockout": Format(stage=Stage(kind="knockout"), entries=8, people=2),
    "stages": Format(
        stage=Stage(rounds=2, tie_breaks=("buchholz",)),
        entries=4, people=2, later=(Stage(kind="knockout", takes=Takes(top=2)),),
    ),
}  # fmt: skip


def registered(salon: Salon, name: str) -> Tournament:
    """An event of this format with all its entries, in registration."""
    chosen = FORMATS[name]
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Lantern Cup",
        game=chosen.game,
        stage=chosen.stage,
        seed=7,
        conditions=Conditions(players=chosen.people),
        later=chosen.later,
    )
    entries = [
        MakeEntry(
            players=tuple(
                (str(place), f"Player {number}{'ab'[place - 1]}")
                for place in range(1, chosen.people + 1)
            )
        )
        for number in range(1, chosen.entries + 1)
    ]
    return does(row, EnterPhase(phase="registration"), *entries)


def running(salon: Salon, name: str) -> Tournament:
    """The same with everybody here, its deals drawn where it has any, before round 1."""
    row = registered(salon, name)
    row = does(row, *here(row), EnterPhase(phase="running"))
    if FORMATS[name].stage.plays_same_deals:
        draw_deals(salon, row.pk, actor="user:1", command=a_command(), version=row.version)
        row.refresh_from_db()
    return row


def plays(row: Tournament, number: int, *, turned: bool = False) -> Tournament:
    """The event after a round with all its results, whatever they are, or `turned` about: drawn
    and published before, if it isn't yet.
    """
    if len(state_of(row).rounds) < number:
        row = does(row, DrawRound(round=number), PublishRound(round=number))
    return does(row, *results_of(row, number, turned=turned), CloseRound(round=number))


def goes_on(row: Tournament, *, is_planned: bool) -> Tournament:
    """The event after what comes next whatever the results were: of a plan another round that is
    published, of stages nothing, as a cut waits for the silence to end.
    """
    state = state_of(row)
    if is_planned:
        number = len(state.rounds) + 1
        return does(row, DrawRound(round=number), PublishRound(round=number))
    return row


def results_of(row: Tournament, number: int, *, turned: bool) -> list[EnterResult]:
    """A result for every table of a round; no entry has the same either way."""
    state = state_of(row)
    kind = state.stage.kind
    return [
        _result(kind, number, table, turned=turned)
        for table in state.rounds[number - 1].tables
        if len(table.entries) > 1 or table.deals
    ]


def _result(kind: str, number: int, table: TableState, *, turned: bool) -> EnterResult:
    sides = 2 if kind == "rotating" else len(table.entries)
    if table.deals:
        boards = tuple(
            BoardResult(deal=deal, scores=_scores(table, sides, turned=turned))
            for deal in table.deals
        )
        return EnterResult(round=number, table=table.table, boards=boards)
    chips = [20, -5, -15] if kind == "pods" else []
    values = chips or [26 * HUNDREDTHS * 10, 18 * HUNDREDTHS * 10 + table.table * HUNDREDTHS]
    told = values[::-1] if turned else values
    results = tuple(Result(chips=value) if chips else Result(score=value) for value in told)
    return EnterResult(round=number, table=table.table, results=results)


def _scores(table: TableState, sides: int, *, turned: bool) -> tuple[int, ...]:
    if sides == 1:  # who of those that play alone is ahead
        built = 10 * int(table.entries[0])
        return ((50 - built if turned else built + 3) * HUNDREDTHS,)
    ahead, behind = (31 + table.table) * HUNDREDTHS, 12 * HUNDREDTHS
    return (behind, ahead) if turned else (ahead, behind)
