"""Two scorers at one table, in any order: nothing is lost, the late one is told so, and repeating
changes nothing.
"""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger.drafts import CommandReused, StreamMoved
from ledger.reading import read_stream
from scoring.commands import Undo
from scoring.errors import Refusal
from scoring.precedence.commands import (
    CallMisdeal,
    CountTricks,
    DeclareMeld,
    MakeBid,
    OpenHand,
    TakeTrick,
)
from tests.tournament.helpers.tables import (
    ACTOR,
    PRECEDENCE,
    a_salon,
    act,
    bids,
    new_command,
    sit_down,
    state_of,
)
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.recording.door import Recorded, record_sheet
from tournament.streams.folds import fold, fold_of

SEAT = st.sampled_from("NESW")
SCORER = st.sampled_from(["first", "second"])
ACTS = st.one_of(
    st.builds(
        OpenHand,
        dealer=st.none() | SEAT,
        players=st.sampled_from([(), (("N", "Fir"),), (("N", "Birch"), ("E", "Ash"))]),
    ),
    st.builds(MakeBid, seat=SEAT, tricks=st.integers(0, 6)),
    st.builds(
        DeclareMeld,
        seat=SEAT,
        kind=st.just("run"),
        cards=st.sampled_from([("2V", "3V", "4V"), ("7B", "8B", "9B")]),
    ),
    st.builds(TakeTrick, seat=SEAT),
    st.builds(CountTricks, ns=st.integers(4, 9), ew=st.integers(4, 9)),
    st.just(CallMisdeal()),
)
HAND = {"bids": bids("2323"), "tricks": {"NS": 7, "EW": 6}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A command that was taken, as it was sent, and what it was answered."""

    command: str
    version: int
    act: Any
    answer: Recorded


class TwoScorers(RuleBasedStateMachine):
    """Each scorer knows the version of the game they last saw, and acts on it."""

    salon: Salon
    game: str

    @initialize()
    def begin(self) -> None:
        self.salon = TwoScorers.place
        self.game = sit_down(self.salon).pk
        self.seen = {"first": 5, "second": 5}
        self.version = 5
        self.stored = self.bodies()
        self.taken: list[Sent] = []

    place: Salon

    def bodies(self) -> list[tuple[int, str, str]]:
        return [
            (event.version, event.type, event.body)
            for event in read_stream(self.salon.log_id, self.game)
        ]

    def send(self, scorer: str, one: Any) -> None:
        """Send an act on top of what the scorer last saw; too late is always refused, and refusals
        store nothing.
        """
        command, seen, before = new_command(), self.seen[scorer], self.stored
        try:
            answer = self.sent(one, command, seen)
        except StreamMoved:
            assert seen != self.version
            assert self.bodies() == before
        except Refusal:
            assert seen == self.version
            assert self.bodies() == before
        else:
            assert seen == self.version
            assert not answer.repeated
            self.stored = self.bodies()
            assert self.stored[: len(before)] == before
            assert answer.version == len(self.stored) > len(before)
            self.version = self.seen[scorer] = answer.version
            self.taken.append(Sent(command=command, version=seen, act=one, answer=answer))

    def sent(self, one: Any, command: str, version: int) -> Recorded:
        if isinstance(one, dict):
            sheet = PRECEDENCE.read_sheet(one, PRECEDENCE.read_rules({}))
            return record_sheet(
                self.salon, self.game, sheet, actor=ACTOR, command=command, version=version
            )
        return act(self.salon, self.game, one, version=version, command=command)

    @rule(scorer=SCORER, one=ACTS)
    def acts(self, scorer: str, one: Any) -> None:
        self.send(scorer, one)

    @rule(scorer=SCORER, winner=SEAT)
    def goes_on_as_the_table_expects(self, scorer: str, winner: str) -> None:
        table = PRECEDENCE.table(state_of(self.salon, self.game))
        if table["stage"] == "opening":
            self.send(scorer, OpenHand(dealer=table["next"]["dealer"] or "N"))
        elif table["stage"] == "bids":
            self.send(scorer, MakeBid(seat=table["hand"]["bidder"], tricks=3))
        elif table["stage"] == "play":
            self.send(scorer, TakeTrick(seat=winner))

    @rule(scorer=SCORER)
    def writes_a_whole_hand(self, scorer: str) -> None:
        state = state_of(self.salon, self.game)
        self.send(scorer, {**HAND, "dealer": PRECEDENCE.table(state)["next"]["dealer"] or "N"})

    @rule(scorer=SCORER)
    def takes_back_what_is_seen(self, scorer: str) -> None:
        table = PRECEDENCE.table(state_of(self.salon, self.game))
        self.send(scorer, Undo(version=table["undo"]["version"] if table["undo"] else 1))

    @rule(scorer=SCORER)
    def looks_again(self, scorer: str) -> None:
        self.seen[scorer] = self.version

    @precondition(lambda self: self.taken)
    @rule(place=st.integers(0), otherwise=st.booleans())
    def sends_an_earlier_command_again(self, place: int, *, otherwise: bool) -> None:
        sent = self.taken[place % len(self.taken)]
        if otherwise:
            with pytest.raises(CommandReused):
                self.sent(EndOfAll, sent.command, sent.version)
        else:
            again = self.sent(sent.act, sent.command, sent.version)
            assert (again.version, again.repeated) == (sent.answer.version, True)
        assert self.bodies() == self.stored

    @invariant()
    def what_is_remembered_is_what_the_events_say(self) -> None:
        if not hasattr(self, "stored"):
            return
        folded, fresh = (
            fold_of(self.salon.log_id, self.game),
            fold(read_stream(self.salon.log_id, self.game)),
        )
        assert folded == fresh
        assert Game.objects.get(pk=self.game).version == self.version == len(self.stored)

    def teardown(self) -> None:
        if hasattr(self, "stored"):
            assert list(audit(self.salon)) == []


EndOfAll = CountTricks(ns=13, ew=0)  # an act that none of the others is


def play(salon: Salon, examples: int, steps: int) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    TwoScorers.place = salon
    quick = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(TwoScorers, settings=quick)


def test_two_scorers_in_any_order_lose_nothing(own_database: object) -> None:
    play(a_salon(), examples=15, steps=30)


@pytest.mark.long
def test_two_scorers_in_very_many_orders_lose_nothing(own_database: object) -> None:
    play(a_salon(), examples=300, steps=60)
