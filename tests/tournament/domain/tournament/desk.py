"""A director's evening in a few words: commands one after the other, and the facts and the state
they come to.
"""

from typing import Any

import pytest

from scoring.errors import Refusal
from tournament.domain.standings.values import Result, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.state import EntryState, State
from tournament.domain.tournament.subject import Event
from tournament.domain.tournament.subjects import decide, evolve

SWISS = Stage(kind="swiss", rounds=5, tie_breaks=("buchholz",))
ROBIN = Stage(kind="round_robin")


class Desk:
    """A tournament while it is directed: `events` so far and the `state` they come to."""

    def __init__(self, stage: Stage = SWISS, opening: OpenTournament | None = None) -> None:
        self.events: list[Event] = []
        self.state: State | None = None
        self.does(
            opening
            or OpenTournament(
                record="spring-cup", name="Spring Cup", game="precedence", seed=7, stage=stage
            )
        )

    @property
    def now(self) -> State:
        assert self.state is not None
        return self.state

    def entry(self, key: str) -> EntryState:
        found = self.now.entry(key)
        assert found is not None
        return found

    def does(self, *commands: Any) -> "Desk":
        for command in commands:
            for event in decide(command, self.state):
                self.events.append(event)
                self.state = evolve(self.state, event)
        return self


def with_entries(count: int, stage: Stage = SWISS) -> Desk:
    """A tournament in registration with so many pairs."""
    desk = Desk(stage).does(EnterPhase(phase="registration"))
    return desk.does(
        *(
            MakeEntry(players=(("1", f"a{number}"), ("2", f"b{number}")))
            for number in range(1, count + 1)
        )
    )


def running(count: int, stage: Stage = SWISS) -> Desk:
    """The same, started, everybody checked in."""
    desk = with_entries(count, stage)
    return desk.does(
        *(CheckIn(entry=entry.id) for entry in desk.now.entries), EnterPhase(phase="running")
    )


def drawn(count: int, stage: Stage = SWISS) -> Desk:
    """The same with round 1 drawn and published."""
    return running(count, stage).does(DrawRound(round=1), PublishRound(round=1))


def result(
    table: int = 1, scores: tuple[int, int] = (262, 187), round: int = 1, **more: Any
) -> EnterResult:
    """The result of a table by its two scores."""
    results = tuple(Result(score=100 * score) for score in scores)
    return EnterResult(round=round, table=table, results=results, **more)


def played(desk: Desk) -> Desk:
    """The same after its last round got a result at every table, and was closed."""
    last = desk.now.last
    assert last is not None
    desk.does(
        *(
            result(table.table, (250 + table.table, 200), last.number)
            for table in last.tables
            if not table.is_settled
        )
    )
    return desk.does(CloseRound(round=last.number))


def code_of(desk: Desk, command: Any) -> str:
    """The code with which a command is refused; nothing happens then."""
    before = desk.state
    with pytest.raises(Refusal) as refusal:
        desk.does(command)
    assert desk.state == before
    assert refusal.value.message
    return refusal.value.code
