"""A whole tournament played by chance through the director's own commands.

Late entries, no-shows, withdrawals, disputes and corrections are among it, some of these after the round was closed.
"""

import uuid
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from scoring.commands import EndGame, Undo
from scoring.precedence.commands import CountTricks, OpenHand
from scoring.precedence.play import PRECEDENCE
from scoring.precedence.seats import SEATS
from tournament import recording
from tournament.demo.mishaps import corrected, mishaps
from tournament.demo.playing import play_hand, sheet_of
from tournament.demo.season import NAMES
from tournament.desk import direct, open_tournament, start_linked_game
from tournament.directing.commands import (
    CheckIn,
    ClearTable,
    CloseRound,
    DrawRound,
    EnterPhase,
    EnterResult,
    ForfeitTable,
    GivePenalty,
    MakeEntry,
    PublishRound,
    Return,
    Withdraw,
)
from tournament.directing.state import State
from tournament.folds import fold_of
from tournament.models import Game, Salon
from tournament.standings.values import Result, Stage

DIRECTOR = "The director"
TIE_BREAKS = ("buchholz_cut_1", "buchholz", "sonneborn_berger", "score_difference")
# How often something out of the ordinary happens, in a hundred.
LATE, ABSENT, TYPED, MISTYPED, TAKEN_BACK, GONE, BACK, PENALTY, SEEN_LATER = 5, 1, 10, 30, 10, 1, 30, 50, 40


@dataclass(slots=True)
class Evening:
    """A tournament under way: its salon, its stream and the version it is at, pairs to come and games that are over."""

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

    def does(self, *commands: Any) -> None:
        """Record what the director does."""
        if commands:
            done = direct(self.salon, self.stream, commands, actor=self.actor, command=uuid.uuid4().hex, version=self.version)
            self.version = done.version

    def happens(self, percent: int) -> bool:
        """Whether something that happens so often happens now."""
        return self.rng.random() * 100 < percent


def play_evening(salon: Salon, *, entries: int, rounds: int, seed: int, hands: int, actor: str, progress: Callable[[int], None]) -> str:
    """Play a Swiss of pairs from the first entry to the end; its stream. `progress` is told how many tables are done.

    Every table plays `hands` hands by chance within the rules, some only tell their totals.
    """
    rng = Random(seed)  # noqa: S311 - nothing is kept secret by it
    stage = Stage(kind="swiss", rounds=rounds, tie_breaks=TIE_BREAKS)
    name = f"Simulated evening {seed}"
    row = open_tournament(salon, actor=actor, command=uuid.uuid4().hex, name=name, game="precedence", stage=stage, seed=seed)
    evening = Evening(salon=salon, rng=rng, actor=actor, hands=hands, stream=row.pk)
    _register(evening, entries)
    done = 0
    for number in range(1, rounds + 1):
        _before_round(evening, number)
        evening.does(DrawRound(round=number), PublishRound(round=number))
        for _ in _tables(evening, number):
            done += 1
            progress(done)
        evening.does(CloseRound(round=number))
    evening.does(EnterPhase(phase="finished"))
    return evening.stream


def _register(evening: Evening, count: int) -> None:
    everybody = invented_pairs(evening.rng, count)
    late = [pair for pair in everybody[2:] if evening.happens(LATE)]
    evening.waiting = late
    here = [pair for pair in everybody if pair not in late]
    evening.does(EnterPhase(phase="registration"))
    evening.does(*here)
    evening.does(*(CheckIn(entry=entry.id) for entry in evening.state.entries))
    evening.does(EnterPhase(phase="running"))


def invented_pairs(rng: Random, count: int, *, taken: Collection[str] = ()) -> list[MakeEntry]:
    """Pairs of people with names that nobody has, none of those `taken` among them."""
    first, second = zip(*(name.split(" ", 1) for name in NAMES), strict=True)
    names = [f"{one} {two}{after}" for after, one, two in product(("", " the Elder", " the Younger"), first, second)]
    chosen = rng.sample([name for name in names if name not in taken], 2 * count)
    pairs = zip(chosen[::2], chosen[1::2], strict=True)
    return [MakeEntry(players=(("1", one), ("2", two)), rating=rng.randrange(1200, 2000)) for one, two in pairs]


def _before_round(evening: Evening, number: int) -> None:
    """Late entries come, some leave, some return; somebody gets a penalty."""
    coming = [pair for pair in evening.waiting if number > 1 and evening.happens(60)]
    evening.waiting = [pair for pair in evening.waiting if pair not in coming]
    evening.does(*coming)
    evening.does(*(CheckIn(entry=entry.id) for entry in evening.state.entries if not entry.checked_in))
    playing = [entry for entry in evening.state.entries if not entry.is_withdrawn]
    gone = [entry for entry in playing[4:] if number > 1 and evening.happens(GONE)]
    back = [entry for entry in evening.state.entries if entry.is_withdrawn and evening.happens(BACK)]
    evening.does(*(Withdraw(entry=entry.id, reason="They had to catch a train.") for entry in gone))
    evening.does(*(Return(entry=entry.id) for entry in back))
    if evening.happens(PENALTY):
        entry = evening.rng.choice(playing)
        evening.does(GivePenalty(entry=entry.id, points=-50, after_round=number - 1, reason="Late for the round.", by=DIRECTOR))
    if evening.games and evening.happens(SEEN_LATER):
        corrected(evening.rng, evening.rng.choice(evening.games), actor=evening.actor)


def _tables(evening: Evening, number: int) -> Iterator[None]:
    for table in evening.state.rounds[number - 1].tables:
        if evening.happens(ABSENT):
            absent = (evening.rng.choice(table.entries),)
            evening.does(ForfeitTable(round=number, table=table.table, absent=absent, reason="Nobody came."))
        elif evening.happens(TYPED):
            _typed(evening, number, table.table)
        else:
            _played(evening, number, table.table)
        yield


def _typed(evening: Evening, number: int, table: int) -> None:
    """A table that only tells its totals; now and then they were wrong at first."""
    if evening.happens(MISTYPED):
        evening.does(_totals(evening, number, table), ClearTable(round=number, table=table, reason="The scores were swapped."))
    evening.does(_totals(evening, number, table))


def _totals(evening: Evening, number: int, table: int) -> EnterResult:
    scores = [100 * evening.rng.randrange(40, 330) for _ in range(2)]
    return EnterResult(round=number, table=table, results=tuple(Result(score=score) for score in scores))


def _played(evening: Evening, number: int, table: int) -> None:
    """A table whose game is recorded hand by hand and called when time is up; some hands are taken back and recorded again."""
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
    version = game.version
    for _ in range(evening.hands):
        version = _hand(evening, game, version)
        if _state(evening, game, version).closed is not None:
            break
    else:
        _act(evening, game, version, EndGame(kind="called", by=DIRECTOR, reason="Time was up."))
    mishaps(evening.rng, game, actor=evening.actor)
    evening.games.append(game)


def _hand(evening: Evening, game: Game, version: int) -> int:
    """Record a hand by its totals, now and then twice: it was counted wrongly and is taken back; the version after it."""
    due = PRECEDENCE.table(_state(evening, game, version))["next"]
    dealer = due["dealer"] or evening.rng.choice(SEATS)
    hand = play_hand(evening.rng, dealer=dealer, trump=due["trump"])
    sheet = sheet_of(hand, detail="totals", opening=OpenHand(dealer=dealer))
    recorded = recording.record_sheet(evening.salon, game.pk, sheet, actor=evening.actor, command=uuid.uuid4().hex, version=version)
    if not evening.happens(TAKEN_BACK) or _state(evening, game, recorded.version).closed is not None:
        return recorded.version
    before = _state(evening, game, recorded.version).trail[-1].version
    version = _act(evening, game, recorded.version, Undo(version=before + 1))
    return _act(evening, game, version, CountTricks(ns=hand.tricks[0], ew=hand.tricks[1]))


def _act(evening: Evening, game: Game, version: int, act: Any) -> int:
    """Record one act; the version after it."""
    recorded = recording.record_acts(evening.salon, game.pk, [act], actor=evening.actor, command=uuid.uuid4().hex, version=version)
    return recorded.version


def _state(evening: Evening, game: Game, version: int) -> Any:
    folded = fold_of(evening.salon.log_id, game.pk, version=version)
    assert folded is not None
    return folded.state
