"""Write a planned game down through the recording door, each step at the time it would have
happened.
"""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

from scoring.commands import AdjustPoints, EndGame, Undo
from scoring.games import GAMES
from scoring.precedence.commands import CallMisdeal, Command, MakeBid, OpenHand
from scoring.precedence.play import PRECEDENCE
from scoring.precedence.seats import SEATS
from scoring.precedence.sheet import Sheet
from scoring.precedence.state import State
from scoring.precedence.whole_hand import acts_of
from tournament.demo.card_play import PlayedHand, play_hand, sheet_of
from tournament.demo.season import PlannedGame
from tournament.demo.two_servers import DEALS, acts_of_a_hand
from tournament.models import Salon
from tournament.recording import door
from tournament.streams.folds import fold_of

DIRECTOR = "The director"
SECONDS_AN_ACT = (9, 40)
SECONDS_A_HAND = (360, 660)
LIVE_HANDS = 3  # played before the hand that is open now
LIVE_TRICKS = 5  # of the open hand
CLOSE = 12
TRIES = 3_000


class Scribe:
    """Who writes one game down: its place in the stream, and the time of the next step."""

    def __init__(
        self, salon: Salon, plan: PlannedGame, rng: Random, *, actor: str, until: datetime
    ) -> None:
        self.plan = plan
        self.clock = plan.begins
        self._salon, self.rng, self._actor, self._until = salon, rng, actor, until
        self._stream, self._version = self._command(), 0

    @property
    def state(self) -> Any:  # noqa: ANN401 - of the game that is played
        """The game as it stands: a `State` of its kind."""
        folded = fold_of(self._salon.log_id, self._stream, version=self._version)
        assert folded is not None
        return folded.state

    def next_hand(self) -> PlayedHand:
        """What the next hand will be, dealt by whoever deals next."""
        due = PRECEDENCE.table(self.state)["next"]
        return play_hand(
            self.rng,
            dealer=due["dealer"] or self.rng.choice(SEATS),
            trump=due["trump"],
            nerve=self.plan.nerve,
        )

    def start(self) -> None:
        """Begin the game."""
        row = door.start_game(
            self._salon,
            actor=self._actor,
            command=self._stream,
            kind=self.plan.kind,
            players=self.plan.players,
            options=self.plan.options,
            table=self.plan.table,
            played_on=self.plan.begins.date().isoformat(),
            occurred_at=self._now(),
        )
        self._went(row.version)

    def act(self, *acts: object) -> None:
        """Record acts that were made together; the next step comes a few seconds later."""
        recorded = door.record_acts(
            self._salon,
            self._stream,
            acts,
            actor=self._actor,
            command=self._command(),
            version=self._version,
            occurred_at=self._now(),
        )
        self._went(recorded.version)

    def sheet(self, sheet: Sheet) -> None:
        """Record a whole hand; the next step comes as much later as a hand takes."""
        recorded = door.record_sheet(
            self._salon,
            self._stream,
            sheet,
            actor=self._actor,
            command=self._command(),
            version=self._version,
            occurred_at=self._now(),
        )
        self._went(recorded.version)

    def take_back(self) -> None:
        """Undo the last act."""
        self.act(Undo(version=self.state.trail[-1].version + 1))

    def _went(self, version: int) -> None:
        self._version = version
        step = SECONDS_AN_ACT if self.plan.detail == "acts" else SECONDS_A_HAND
        self.clock = min(self.clock + timedelta(seconds=self.rng.uniform(*step)), self._until)

    def _now(self) -> int:
        return int(self.clock.timestamp() * 1_000_000)

    def _command(self) -> str:
        return uuid.uuid4().hex


def written(scribe: Scribe) -> Iterator[None]:
    """Write the whole game, one step at a time."""
    scribe.start()
    yield
    if scribe.plan.kind != PRECEDENCE.name:
        yield from _elsewhere(scribe)
        return
    while scribe.state.closed is None:
        if scribe.plan.special == "live" and scribe.state.played == LIVE_HANDS:
            yield from _open_hand(scribe)
            return
        if scribe.plan.special == "called" and scribe.state.played == LIVE_HANDS:
            scribe.act(EndGame(kind="called", by=DIRECTOR, reason="The salon closes at eleven."))
            return
        if (
            scribe.plan.special == "misdeal"
            and scribe.state.played == 1
            and scribe.state.redealt is None
        ):
            yield from _misdeal(scribe)
        yield from _hand(scribe)


def _elsewhere(scribe: Scribe) -> Iterator[None]:
    """Another game, hand by hand to its end; a patience has none but the player's."""
    while scribe.state.closed is None:
        if not GAMES[scribe.plan.kind].ends_itself and scribe.state.played == DEALS:
            scribe.act(
                EndGame(
                    kind="called", by=scribe.plan.players["A"], reason="Enough for one evening."
                )
            )
        else:
            scribe.act(*acts_of_a_hand(scribe.rng, scribe.plan.kind, scribe.state))
        yield


def _hand(scribe: Scribe) -> Iterator[None]:
    hand = _close_hand(scribe) if scribe.plan.special == "draw" else scribe.next_hand()
    if scribe.plan.detail == "acts":
        yield from _act_by_act(scribe, _acts(hand))
        return
    scribe.sheet(_sheet(scribe, hand))
    yield


def _act_by_act(scribe: Scribe, acts: list[Command]) -> Iterator[None]:
    for act in acts:
        if (
            scribe.plan.special == "undo"
            and scribe.state.played == 1
            and isinstance(act, MakeBid)
            and len(_open_bids(scribe.state)) == 2
        ):
            scribe.act(MakeBid(seat=act.seat, tricks=max(0, act.tricks - 1)))
            yield
            scribe.take_back()
            yield
        scribe.act(act)
        yield
    if scribe.plan.special == "undo" and scribe.state.played == 2:
        scribe.take_back()
        yield
        scribe.act(acts[-1])
        yield


def _open_hand(scribe: Scribe) -> Iterator[None]:
    """The hand that is being played now."""
    acts = _acts(scribe.next_hand())
    for act in acts[: len(acts) - 13 + LIVE_TRICKS]:
        scribe.act(act)
        yield


def _misdeal(scribe: Scribe) -> Iterator[None]:
    hand = scribe.next_hand()
    acts: tuple[Command, ...] = (OpenHand(dealer=hand.dealer), *hand.melds[:1], CallMisdeal())
    for act in acts:
        scribe.act(act)
        yield


def _close_hand(scribe: Scribe) -> PlayedHand:
    """A hand after which the scores are close, and equal if it is the last; any other where none
    comes up soon enough.
    """
    state = scribe.state
    apart = 0 if state.played + 1 == state.rules.hands_limit else CLOSE
    for _ in range(TRIES):
        hand = scribe.next_hand()
        _, after = PRECEDENCE.decide_sheet(
            sheet_of(hand, detail="totals", opening=OpenHand(dealer=hand.dealer)), state
        )
        if abs(after.score[0] - after.score[1]) <= apart:
            break
    return hand


def _sheet(scribe: Scribe, hand: PlayedHand) -> Sheet:
    sits = (
        (("E", scribe.plan.stands_by),)
        if scribe.plan.special == "substitute" and scribe.state.played == 2
        else ()
    )
    sheet = sheet_of(
        hand, detail=scribe.plan.detail, opening=OpenHand(dealer=hand.dealer, players=sits)
    )
    if scribe.plan.special != "ruling" or scribe.state.played != 1:
        return sheet
    ruling = AdjustPoints(
        side="NS", points=-10, by=DIRECTOR, reason="A card was led out of turn and could be seen."
    )
    return replace(sheet, rulings=(ruling,))


def _acts(hand: PlayedHand) -> list[Command]:
    return acts_of(
        sheet_of(hand, detail="cards", opening=OpenHand(dealer=hand.dealer)), hand.dealer
    )


def _open_bids(state: State) -> dict[str, int]:
    return dict(state.hand.bids) if state.hand else {}
