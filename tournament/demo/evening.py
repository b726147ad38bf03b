"""A whole tournament played by chance through the director's own commands.

Late entries, no-shows, withdrawals, disputes and corrections are among it, some of these after the
round was closed.
"""

import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import batched, product
from random import Random

from scoring.shape import JsonObject
from tournament.demo.mishaps import corrected, mishaps
from tournament.demo.tables import Evening, play_out
from tournament.domain.standings.values import Result, Stage
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Return, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import ClearTable, EnterResult, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.state import EntryState, TableState
from tournament.models import Salon, Tournament
from tournament.recording.tournaments import open_tournament

DIRECTOR = "The director"
# Names that nobody has.
NAMES = (
    "Brass Otter",
    "Velvet Heron",
    "Paper Comet",
    "Copper Badger",
    "Midnight Teapot",
    "Silver Snail",
    "Lantern Fox",
    "Amber Walrus",
    "Quiet Thunder",
    "Marble Wren",
    "Crooked Candle",
    "Ivory Newt",
    "Salted Plum",
    "Hollow Kettle",
    "Scarlet Moth",
    "Gentle Anvil",
    "Winter Turnip",
    "Painted Gull",
    "Twelfth Pebble",
    "Drifting Spoon",
    "Solemn Goose",
    "Tin Nightingale",
    "Humble Pike",
    "Borrowed Crown",
)
GENERATIONS = ("", " the Elder", " the Younger")
TIE_BREAKS = ("buchholz_cut_1", "buchholz", "sonneborn_berger", "score_difference")
# How often something out of the ordinary happens, in a hundred.
LATE, ABSENT, TYPED, MISTYPED, GONE, BACK, PENALTY, SEEN_LATER = 5, 1, 10, 30, 1, 30, 50, 40


def play_evening_of_pairs(
    salon: Salon,
    *,
    entries: int,
    rounds: int,
    seed: int,
    hands: int,
    actor: str,
    progress: Callable[[int], None],
) -> Evening:
    """Play a Swiss of pairs from the first entry to the end; what happened. `progress` is told how
    many tables are done.

    Every table plays `hands` hands by chance within the rules, some only tell their totals.
    """
    rng = Random(seed)  # noqa: S311 - nothing is kept secret by it
    name = f"Simulated evening {seed}"
    row = open_swiss(salon, name, uuid.uuid4().hex, rounds=rounds, seed=seed, actor=actor)
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
    return evening


def open_swiss(
    salon: Salon,
    name: str,
    command: str,
    *,
    rounds: int,
    seed: int | None,
    actor: str,
    conditions: Conditions | None = None,
) -> Tournament:
    """Set up a Swiss of pairs."""
    stage = Stage(kind="swiss", rounds=rounds, tie_breaks=TIE_BREAKS)
    asked: JsonObject = {"stage": stage, "conditions": conditions, "seed": seed}
    asked |= {"name": name, "game": "precedence"}
    return open_tournament(salon, actor=actor, command=command, **asked)


def _register(evening: Evening, count: int) -> None:
    everybody = invent_pairs(evening.rng, count)
    late = [pair for pair in everybody[2:] if evening.happens(LATE)]
    evening.waiting = late
    here = [pair for pair in everybody if pair not in late]
    evening.does(EnterPhase(phase="registration"))
    evening.does(*here)
    evening.does(*(CheckIn(entry=entry.id) for entry in evening.state.entries))
    evening.does(EnterPhase(phase="running"))


def invent_pairs(
    rng: Random, count: int, *, taken: Collection[str] = (), players: int = 2
) -> list[MakeEntry]:
    """Pairs of people with names that nobody has, none of those `taken` among them; or entries of
    so many `players`.
    """
    first, second = zip(*(name.split(" ", 1) for name in NAMES), strict=True)
    names = [f"{one} {two}{after}" for after, one, two in product(GENERATIONS, first, second)]
    chosen = rng.sample([name for name in names if name not in taken], players * count)
    return [
        MakeEntry(
            players=tuple((str(place), name) for place, name in enumerate(entered, start=1)),
            rating=rng.randrange(1200, 2000),
        )
        for entered in batched(chosen, players, strict=True)
    ]


def count_names() -> int:
    """Return the number of people that can be invented."""
    return len(GENERATIONS) * len(NAMES) ** 2


def _before_round(evening: Evening, number: int) -> None:
    """Late entries come, some leave, some return; somebody gets a penalty."""
    coming = [pair for pair in evening.waiting if number > 1 and evening.happens(60)]
    evening.waiting = [pair for pair in evening.waiting if pair not in coming]
    evening.does(*coming, counted="late_entries")
    evening.does(
        *(CheckIn(entry=entry.id) for entry in evening.state.entries if not entry.checked_in)
    )
    playing = [entry for entry in evening.state.entries if not entry.is_withdrawn]
    gone = [entry for entry in playing[4:] if number > 1 and evening.happens(GONE)]
    back = [
        entry for entry in evening.state.entries if entry.is_withdrawn and evening.happens(BACK)
    ]
    leaving = [Withdraw(entry=entry.id, reason="They had to catch a train.") for entry in gone]
    evening.does(*leaving, counted="withdrawals")
    evening.does(*(Return(entry=entry.id) for entry in back), counted="returns")
    if evening.happens(PENALTY):
        give_penalty(evening, playing, number - 1)
    if evening.games and evening.happens(SEEN_LATER):
        evening.happened["hands_corrected_later"] += 1
        corrected(evening.rng, evening.rng.choice(evening.games), actor=evening.actor)


def give_penalty(evening: Evening, playing: Sequence[EntryState], after_round: int) -> None:
    """Somebody who plays gets a penalty."""
    entry, why = evening.rng.choice(playing).id, "Late for the round."
    given = GivePenalty(entry=entry, points=-50, after_round=after_round, reason=why, by=DIRECTOR)
    evening.does(given, counted="penalties")


def nobody_came(evening: Evening, number: int, table: TableState) -> None:
    """One side of a table doesn't show up."""
    absent, why = (evening.rng.choice(table.entries),), "Nobody came."
    evening.does(ForfeitTable(round=number, table=table.table, absent=absent, reason=why))


def _tables(evening: Evening, number: int) -> Iterator[None]:
    for table in evening.state.rounds[number - 1].tables:
        if evening.happens(ABSENT):
            evening.happened["no_shows"] += 1
            nobody_came(evening, number, table)
        elif evening.happens(TYPED):
            _type_totals(evening, number, table.table)
        else:
            game = play_out(evening, number, table.table)
            mishaps(evening.rng, game, actor=evening.actor)
            evening.games.append(game)
        yield


def _type_totals(evening: Evening, number: int, table: int) -> None:
    """A table that only tells its totals; now and then they were wrong at first."""
    evening.happened["typed"] += 1
    if evening.happens(MISTYPED):
        evening.happened["cleared"] += 1
        evening.does(
            totals(evening, number, table),
            ClearTable(round=number, table=table, reason="The scores were swapped."),
        )
    evening.does(totals(evening, number, table))


def totals(evening: Evening, number: int, table: int) -> EnterResult:
    scores = [100 * evening.rng.randrange(40, 330) for _ in range(2)]
    return EnterResult(
        round=number, table=table, results=tuple(Result(score=score) for score in scores)
    )
