"""The tables of a tournament played by chance: a game begun where a round seats it, its hands
recorded one by one.
"""

import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypedDict

from scoring.commands import EndGame, Undo
from scoring.errors import RuleViolation
from scoring.games import GAMES
from scoring.precedence.commands import CountTricks, OpenHand
from scoring.precedence.play import PRECEDENCE
from scoring.precedence.seats import SEATS
from tournament.demo.card_play import hand_by_chance, play_hand, sheet_of
from tournament.demo.mishaps import DIRECTOR
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command
from tournament.models import Game, Salon, Tournament
from tournament.recording import door
from tournament.recording.duplicate_deals import next_deal
from tournament.recording.stocks import open_deal
from tournament.recording.tournaments import direct, start_linked_game
from tournament.streams.folds import require_fold

TAKEN_BACK = 10  # how often a hand is counted wrongly at first, in a hundred
MOST_OFTEN = 80  # what happens more often than usual still doesn't always happen

type Watching = Callable[[Evening, str], None]


class Claim(TypedDict):
    """By whom and under which key something is recorded."""

    actor: str
    command: str


DRAWN, STAGE_OVER = "drawn", "stage over"  # the moments at which an evening is watched


@dataclass(slots=True)
class Evening:
    """A tournament under way: its salon, its stream and the version it is at, pairs to come and
    games that are over.

    What goes wrong happens `often` times as often as usual; `happened` counts it. `stand_ins` are
    names of people who are there and play only when somebody is missing. `watching` is told of each
    round drawn and each stage that is over.
    """

    salon: Salon
    rng: Random
    actor: str
    hands: int
    stream: str
    version: int = 1
    waiting: list[MakeEntry] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    often: float = 1
    happened: Counter[str] = field(default_factory=Counter)
    stand_ins: list[str] = field(default_factory=list)
    watching: Watching | None = None

    @property
    def state(self) -> State:
        """The tournament as it stands."""
        return require_fold(self.salon.log_id, self.stream, version=self.version).state  # type: ignore[no-any-return]

    def does(self, *commands: Command, counted: str = "") -> None:
        """Record what the director does, each act counted as what has happened."""
        if counted:
            self.happened[counted] += len(commands)
        if commands:
            done = direct(self.salon, self.stream, commands, **self.claim(), version=self.version)
            self.version = done.version

    def claim(self) -> Claim:
        """Return the actor, and a command key that only this command has."""
        return {"actor": self.actor, "command": uuid.uuid4().hex}

    def can(self, *commands: Command, unless: tuple[str, ...]) -> bool:
        """Whether this could be recorded; it is, then. Refused it may be with one of these codes
        alone.
        """
        try:
            self.does(*commands)
        except RuleViolation as refusal:
            if refusal.code not in unless:
                raise
            return False
        return True

    def catches_up(self) -> None:
        """Go on from what somebody else has recorded."""
        self.version = Tournament.objects.values_list("version", flat=True).get(pk=self.stream)

    def happens(self, percent: float) -> bool:
        """Whether something that happens so often happens now."""
        return self.rng.random() * 100 < percent

    def goes_wrong(self, percent: float, what: str = "") -> bool:
        """Whether something that usually goes wrong so often does now; counted as `what`."""
        wrong = self.happens(min(percent * self.often, max(percent, MOST_OFTEN)))
        if wrong and what:
            self.happened[what] += 1
        return wrong

    def tells_watchers(self, moment: str) -> None:
        """Tell who watches that this moment has come."""
        if self.watching is not None:
            self.watching(self, moment)


def begun(evening: Evening, number: int, table: int) -> tuple[Game, int]:
    """The game of a round's table, begun at the salon's table of the same number, and its
    version.
    """
    game = start_linked_game(
        evening.salon,
        evening.stream,
        round=number,
        table=table,
        label=str(table),
        **evening.claim(),
        version=evening.version,
    )
    evening.version += 1
    return game, game.version


def play_out(evening: Evening, number: int, table: int, *, ended: str = "called") -> Game:
    """The game of a round's table, `ended` after as many hands as the table has deals or the
    evening has time for, or over before.
    """
    game, version = begun(evening, number, table)
    seated = evening.state.rounds[number - 1].table(table)
    assert seated is not None
    for _ in range(len(seated.deals) or evening.hands):
        version = hand(evening, game, version)
        if _state(evening, game, version).closed is not None:
            return game
    _record(evening, game, version, EndGame(kind=ended, by=DIRECTOR, reason="Time was up."))
    return game


def hand(evening: Evening, game: Game, version: int) -> int:
    """Record a hand as the table of its game does; the version after it."""
    if game.kind == PRECEDENCE.name:
        return _precedence_hand(evening, game, version)
    version = _open_next_deal(evening, game, version)
    acts, _after = hand_by_chance(evening.rng, GAMES[game.kind], _state(evening, game, version))
    return _record(evening, game, version, *acts)


def _open_next_deal(evening: Evening, game: Game, version: int) -> int:
    """Open the deal that everybody plays, where there is one; the version after it."""
    deal = next_deal(game, _state(evening, game, version).played + 1)
    if deal is None or deal.stock is None:
        return version
    opened = open_deal(evening.salon, game, deal.stock, **evening.claim(), version=version)
    return opened.version


def _precedence_hand(evening: Evening, game: Game, version: int) -> int:
    """Record a hand by its totals, now and then twice: it was counted wrongly and is taken back;
    the version after it.
    """
    due = PRECEDENCE.table(_state(evening, game, version))["next"]
    dealer = due["dealer"] or evening.rng.choice(SEATS)
    played = play_hand(evening.rng, dealer=dealer, trump=due["trump"])
    sheet = sheet_of(played, detail="totals", opening=OpenHand(dealer=dealer))
    recorded = door.record_sheet(evening.salon, game.pk, sheet, **evening.claim(), version=version)
    if (
        not evening.happens(TAKEN_BACK)
        or _state(evening, game, recorded.version).closed is not None
    ):
        return recorded.version
    before = _state(evening, game, recorded.version).trail[-1].version
    version = _record(evening, game, recorded.version, Undo(version=before + 1))
    return _record(evening, game, version, CountTricks(ns=played.tricks[0], ew=played.tricks[1]))


def _record(evening: Evening, game: Game, version: int, *acts: object) -> int:
    """Record acts in one go; the version after them."""
    recorded = door.record_acts(evening.salon, game.pk, acts, **evening.claim(), version=version)
    return recorded.version


def _state(evening: Evening, game: Game, version: int) -> Any:  # noqa: ANN401 - the state of that game
    return require_fold(evening.salon.log_id, game.pk, version=version).state
