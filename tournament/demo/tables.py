"""The tables of a tournament played by chance: a game begun where a round seats it, its hands
recorded one by one.
"""

import uuid
from dataclasses import dataclass, field
from random import Random

from scoring.commands import EndGame, Undo
from scoring.precedence.commands import CountTricks, OpenHand
from scoring.precedence.play import PRECEDENCE
from scoring.precedence.seats import SEATS
from scoring.precedence.state import State as PrecedenceState
from tournament.demo.card_play import play_hand, sheet_of
from tournament.demo.mishaps import DIRECTOR
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command
from tournament.models import Game, Salon
from tournament.recording import door
from tournament.recording.tournaments import direct, start_linked_game
from tournament.streams.folds import fold_of

TAKEN_BACK = 10  # how often a hand is counted wrongly at first, in a hundred


@dataclass(slots=True)
class Evening:
    """A tournament under way: its salon, its stream and the version it is at, pairs to come and
    games that are over.
    """

    salon: Salon
    rng: Random
    actor: str
    hands: int
    stream: str
    version: int = 1
    waiting: list[MakeEntry] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The tournament as it stands."""
        folded = fold_of(self.salon.log_id, self.stream, version=self.version)
        assert folded is not None
        return folded.state  # type: ignore[no-any-return]

    def does(self, *commands: Command) -> None:
        """Record what the director does."""
        if commands:
            done = direct(
                self.salon,
                self.stream,
                commands,
                actor=self.actor,
                command=uuid.uuid4().hex,
                version=self.version,
            )
            self.version = done.version

    def happens(self, percent: int) -> bool:
        """Whether something that happens so often happens now."""
        return self.rng.random() * 100 < percent


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
        actor=evening.actor,
        command=uuid.uuid4().hex,
        version=evening.version,
    )
    evening.version += 1
    return game, game.version


def played_out(evening: Evening, number: int, table: int) -> Game:
    """The game of a round's table, called after as many hands as the evening has time for, or over
    before.
    """
    game, version = begun(evening, number, table)
    for _ in range(evening.hands):
        version = hand(evening, game, version)
        if _state(evening, game, version).closed is not None:
            return game
    _record(evening, game, version, EndGame(kind="called", by=DIRECTOR, reason="Time was up."))
    return game


def hand(evening: Evening, game: Game, version: int) -> int:
    """Record a hand by its totals, now and then twice: it was counted wrongly and is taken back;
    the version after it.
    """
    due = PRECEDENCE.table(_state(evening, game, version))["next"]
    dealer = due["dealer"] or evening.rng.choice(SEATS)
    played = play_hand(evening.rng, dealer=dealer, trump=due["trump"])
    sheet = sheet_of(played, detail="totals", opening=OpenHand(dealer=dealer))
    recorded = door.record_sheet(
        evening.salon,
        game.pk,
        sheet,
        actor=evening.actor,
        command=uuid.uuid4().hex,
        version=version,
    )
    if (
        not evening.happens(TAKEN_BACK)
        or _state(evening, game, recorded.version).closed is not None
    ):
        return recorded.version
    before = _state(evening, game, recorded.version).trail[-1].version
    version = _record(evening, game, recorded.version, Undo(version=before + 1))
    return _record(evening, game, version, CountTricks(ns=played.tricks[0], ew=played.tricks[1]))


def _record(evening: Evening, game: Game, version: int, act: object) -> int:
    """Record one act; the version after it."""
    recorded = door.record_acts(
        evening.salon,
        game.pk,
        [act],
        actor=evening.actor,
        command=uuid.uuid4().hex,
        version=version,
    )
    return recorded.version


def _state(evening: Evening, game: Game, version: int) -> PrecedenceState:
    folded = fold_of(evening.salon.log_id, game.pk, version=version)
    assert folded is not None
    state: PrecedenceState = folded.state
    return state
