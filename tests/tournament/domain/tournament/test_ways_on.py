"""From every state of a round there is a way on: to the round closed with the right result, by
offered acts alone.

A machine walks the states of a table in any order: typed, forfeited, excused, its game live, over,
abandoned, not played, detached, corrected, the round closed, opened again, the next one drawn.
After each step another director, who knows nothing but what the desk shows, leads the round to
where every table counts what really happened and it is closed.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scoring.errors import Refusal
from tests.tournament.domain.tournament.desk import SWISS, Desk, drawn
from tournament.domain.standings.values import Result
from tournament.domain.tournament.counting import (
    differing,
    goes_on,
    list_held_tables,
    missing,
    results_of,
    what_counts,
)
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.ended_games import EndTableGame, FreeTables
from tournament.domain.tournament.games import (
    AcceptDifference,
    CountGame,
    DetachGame,
    LinkGame,
    UnlinkGame,
)
from tournament.domain.tournament.manual_pairing import BeginManualPairing, EndManualPairing
from tournament.domain.tournament.outcomes import GamesSeen, Outcome
from tournament.domain.tournament.results import ClearTable, EnterResult, ExcuseTable, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.domain.tournament.state import RoundState, TableState
from tournament.domain.tournament.todo import todo

TABLES = st.sampled_from([1, 2])
BEGINNINGS = st.sampled_from(["", "live", "live", "played", "abandoned", "not_played"])
RIGHT = (Result(score=26200), Result(score=18700))  # what really happened at every table
WRONG = (Result(score=1200), Result(score=9900))
STEPS = {
    "results",
    "abandoned",
    "close",
    "publish",
    "manual_pairing",
    "draw",
    "finish",
    "held",
    "differences",
    "beside",
    "clock",
}


class Games:
    """The games of the salon as far as the desk sees them: those that are over, and what a
    director's end makes of one.
    """

    def __init__(self) -> None:
        self.outcomes: dict[str, Outcome] = {}
        self.begun: list[str] = []

    def end(self, game: str, kind: str, results: tuple[Result, ...] = WRONG) -> None:
        played = kind != "not_played"
        self.outcomes[game] = Outcome(
            game=game, results=results if played else (), hands=3 if played else 0, kind=kind
        )

    def copied(self) -> "Games":
        other = copy(self)
        other.outcomes = dict(self.outcomes)
        other.begun = list(self.begun)
        return other


class Director:
    """Does at the desk what pages and programs can: the games a command ends are ended first, and
    it sees what games came to.
    """

    def __init__(self, desk: Desk, games: Games) -> None:
        self.desk, self.games = desk, games

    def copied(self) -> "Director":
        desk = copy(self.desk)
        desk.events = list(self.desk.events)
        return Director(desk, self.games.copied())

    def does(self, command: Any) -> None:
        """Raises Refusal, and nothing has happened then."""
        games, ended = self.games.copied(), []
        for number, table in self._to_end(command):
            kind = "not_played" if table.table == 1 else "abandoned"
            games.end(str(table.game), kind)
            ended.append((number, table.table, kind))
        live = [
            (each.number, table.table)
            for each in self.rounds
            for table in each.tables
            if goes_on(table, games.outcomes)
        ]
        outcomes = tuple(games.outcomes.values())
        if hasattr(command, "seen"):
            command = replace(
                command, seen=GamesSeen(outcomes=outcomes, live=tuple(live), ended=tuple(ended))
            )
        elif isinstance(command, CloseRound | DrawRound):
            command = replace(command, outcomes=outcomes)
        self.desk.does(command)
        self.games = games

    def tries(self, command: Any) -> bool:
        try:
            self.does(command)
        except Refusal:
            return False
        return True

    @property
    def rounds(self) -> tuple[RoundState, ...]:
        return self.desk.now.rounds

    def _to_end(self, command: Any) -> Iterator[tuple[int, TableState]]:
        if isinstance(command, FreeTables):
            yield from list_held_tables(self.rounds, self.games.outcomes)
        elif isinstance(command, EndTableGame) or getattr(command, "game", "") == "end":
            table = self.rounds[command.round - 1].table(command.table)
            if table is not None and goes_on(table, self.games.outcomes):
                yield command.round, table


def leads_on(director: Director) -> None:
    """Take what the to-do list names until round 1 is closed, every table counts what happened, and
    the last round is published.
    """
    for _ in range(20):
        desk, outcomes = director.desk, director.games.outcomes
        steps = {each.step: each for each in todo(desk.now, outcomes)}
        assert steps.keys() <= STEPS
        first = director.rounds[0]
        wrong = [table for table in first.tables if results_of(table, outcomes, SWISS) != RIGHT]
        if "held" in steps:
            director.does(FreeTables(round=steps["held"].round, reason="the round begins"))
        elif "differences" in steps:
            number = steps["differences"].round
            table = differing(director.rounds[number - 1], outcomes, SWISS)[0]
            director.does(
                AcceptDifference(round=number, table=table.table, reason="the pad was wrong")
            )
        elif "beside" in steps:
            director.does(
                EndTableGame(
                    round=steps["beside"].round,
                    table=int(steps["beside"].names[0]),
                    reason="it is settled",
                )
            )
        elif wrong:
            director.does(settling(1, wrong[0], outcomes, asks=first.closed))
        elif not first.closed:
            director.does(CloseRound(round=1))
        elif "manual_pairing" in steps:
            director.does(EndManualPairing(round=steps["manual_pairing"].round))
        elif "publish" in steps:
            director.does(PublishRound(round=steps["publish"].round))
        else:
            return
    raise AssertionError("the director goes round in circles")


def settling(
    number: int, table: TableState, outcomes: dict[str, Outcome], *, asks: bool
) -> EnterResult:
    """What types the right result of a table, and says what becomes of its game where one
    goes on.
    """
    live = goes_on(table, outcomes) and not table.detached
    return EnterResult(
        round=number,
        table=table.table,
        results=RIGHT,
        game="end" if live else "",
        reason="so it was" if live or asks else None,
    )


class Evening(RuleBasedStateMachine):
    """Two tables of a first round, and a second one that may be drawn."""

    @initialize(
        games=st.tuples(BEGINNINGS, BEGINNINGS), settled=st.booleans(), by_hand=st.booleans()
    )
    def begin(self, games: tuple[str, str], settled: bool, by_hand: bool) -> None:
        """Games that go on or are over at the tables, and perhaps a round that is closed and the
        next one drawn, perhaps being paired by hand.
        """
        self.director = Director(drawn(4), Games())
        for label, kind in enumerate(games, 1):
            self.a_game_begins(label) if kind else None
            self.its_game_ends_at_the_pad(label, kind, right=False) if kind not in (
                "",
                "live",
            ) else None
        if settled:
            for table in self.director.rounds[0].tables:
                self.director.tries(settling(1, table, self.director.games.outcomes, asks=True))
            self.director.does(CloseRound(round=1))
            self.director.does(DrawRound(round=2))
            if by_hand:
                self.director.does(BeginManualPairing(round=2, reason="two guests"))

    def table(self, label: int) -> TableState:
        found = self.director.rounds[0].table(label)
        assert found is not None
        return found

    def lacks(self) -> bool:
        return bool(missing(self.director.rounds[0], self.director.games.outcomes, SWISS))

    @rule(label=TABLES)
    def a_game_begins(self, label: int) -> None:
        game = f"g{len(self.director.games.begun)}"
        if self.director.tries(LinkGame(round=1, table=label, game=game)):
            self.director.games.begun.append(game)

    @rule(
        label=TABLES,
        kind=st.sampled_from(["played", "called", "abandoned", "not_played"]),
        right=st.booleans(),
    )
    def its_game_ends_at_the_pad(self, label: int, kind: str, right: bool) -> None:
        table = self.table(label)
        if table.game is not None and goes_on(table, self.director.games.outcomes):
            self.director.games.end(table.game, kind, RIGHT if right else WRONG)

    @rule(label=TABLES)
    def its_game_is_opened_again(self, label: int) -> None:
        self.director.games.outcomes.pop(self.table(label).game or "", None)

    @rule(label=TABLES)
    def its_game_is_corrected(self, label: int) -> None:
        game = self.table(label).game or ""
        found = self.director.games.outcomes.get(game)
        if found is not None and found.results:
            self.director.games.outcomes[game] = replace(
                found, results=RIGHT if found.results == WRONG else WRONG
            )

    @rule(
        label=TABLES,
        becomes=st.sampled_from(["", "end", "detach"]),
        reason=st.sampled_from([None, "so it was"]),
        right=st.booleans(),
    )
    def a_result_is_typed(self, label: int, becomes: str, reason: str | None, right: bool) -> None:
        results = RIGHT if right else WRONG
        live = (
            goes_on(self.table(label), self.director.games.outcomes)
            and not self.table(label).detached
        )
        done = self.director.tries(
            EnterResult(round=1, table=label, results=results, game=becomes, reason=reason)
        )
        assert not (done and live and not becomes)

    @rule(label=TABLES, becomes=st.sampled_from(["", "end", "detach"]), excused=st.booleans())
    def somebody_did_not_come_or_it_is_excused(
        self, label: int, becomes: str, excused: bool
    ) -> None:
        absent = self.table(label).entries[:1]
        if excused:
            self.director.tries(ExcuseTable(round=1, table=label, reason="lost", game=becomes))
        else:
            self.director.tries(
                ForfeitTable(round=1, table=label, absent=absent, game=becomes, reason="late")
            )

    @rule(
        label=TABLES,
        act=st.sampled_from(
            [ClearTable, CountGame, DetachGame, UnlinkGame, AcceptDifference, EndTableGame]
        ),
    )
    def something_else_is_done(self, label: int, act: Any) -> None:
        abandoned, complete = (
            what_counts(self.table(label), self.director.games.outcomes) == "abandoned",
            not self.lacks(),
        )
        done = self.director.tries(act(round=1, table=label, reason="so it was"))
        counts = what_counts(self.table(label), self.director.games.outcomes)
        assert not (done and act is ClearTable and abandoned and counts == "game")
        assert not (complete and self.director.rounds[0].closed and self.lacks()), (
            "a closed round lost a result"
        )

    @rule(
        act=st.sampled_from(
            [
                CloseRound(round=1),
                ReopenRound(round=1, reason="x"),
                DrawRound(round=2),
                PublishRound(round=2),
            ]
        )
    )
    def the_evening_goes_on(self, act: Any) -> None:
        if self.director.tries(act) and isinstance(act, CloseRound):
            assert not self.lacks()

    @precondition(lambda self: len(self.director.rounds) > 1)
    @rule()
    def a_published_round_meets_no_game_of_an_earlier_one(self) -> None:
        director = self.director.copied()
        if not director.rounds[1].published and director.tries(PublishRound(round=2)):
            assert not list_held_tables(director.rounds, director.games.outcomes)

    @invariant()
    def there_is_a_way_on(self) -> None:
        if hasattr(self, "director"):
            leads_on(self.director.copied())

    @invariant()
    def nothing_that_was_not_said_counts(self) -> None:
        for table in self.director.rounds[0].tables if hasattr(self, "director") else ():
            outcome = self.director.games.outcomes.get(table.game or "")
            if what_counts(table, self.director.games.outcomes) == "game":
                assert outcome is not None
                assert outcome.kind in ("played", "called") or table.counted


TestEvening = Evening.TestCase
TestEvening.settings = settings(
    max_examples=100,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
