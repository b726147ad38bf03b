"""Some correction of a game by chance, kind by kind, and the game as it should be after it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from scoring.corrections import (
    Change,
    CorrectHand,
    CorrectOptions,
    CorrectSeats,
    InsertHand,
    RemoveHand,
    ReopenGame,
)
from scoring.effective_history import Course
from scoring.errors import Refusal
from scoring.game import AnyGame
from scoring.options import Option
from tests.scoring.corrected import SAID, Corrected, Intended

type Drawn = tuple[Change, Intended]
type Pool = Sequence[Mapping[str, Any]]  # hands that may have been played instead

# What may come of a correction in a game that its rules bring to an end.
CONSEQUENCES = ("goes on", "is over", "another winner", "surplus", "counts again")


def tries(chance: Random, table: Corrected, pool: Pool, kind: str = "") -> set[str]:
    """Try some correction; its kind and what came of it, nothing where it was refused: that changes
    nothing.
    """
    kind = kind or chance.choice(list(KINDS))
    facts, state, course = list(table.facts), table.state, table.course
    try:
        change, intended = KINDS[kind](chance, table, pool)
        table.correct(change, intended)
    except Refusal:
        assert table.facts == facts
        return set()
    return {kind, *_came_of(table.game, state, course, table)} - (
        {"goes on"} if kind == "reopened" else set()
    )


def a_change(chance: Random, table: Corrected, pool: Pool) -> Drawn:
    """Some correction of any kind, and the game as it should be after it. Raises Refusal."""
    return KINDS[chance.choice(list(KINDS))](chance, table, pool)


def _came_of(game: AnyGame, before: Any, course: Course, table: Corrected) -> set[str]:
    was, now = (sum(part.surplus for part in each) for each in (course, table.course))
    found = {"surplus"} if now > was else {"counts again"} if now < was else set()
    if before.closed is None or table.state.closed is None:
        return found | (
            {"goes on"} if before.closed else {"is over"} if table.state.closed else set()
        )
    winners = [game.result(state).get("winners") for state in (before, table.state)]
    return found | ({"another winner"} if winners[0] != winners[1] else set())


def _hand(chance: Random, table: Corrected, pool: Pool) -> Drawn:
    hands, place = _hands(chance, table)
    hands[place : place + 1] = [chance.choice(pool)]
    return CorrectHand(hand=place + 1, sheet=_sheet(table, hands[place])), replace(
        table.intended, hands=tuple(hands)
    )


def _inserted(chance: Random, table: Corrected, pool: Pool) -> Drawn:
    hands, place = _hands(chance, table)
    hands.insert(place, chance.choice(pool))
    return InsertHand(hand=place + 1, sheet=_sheet(table, hands[place])), replace(
        table.intended, hands=tuple(hands)
    )


def _removed(chance: Random, table: Corrected, _pool: Pool) -> Drawn:
    hands, place = _hands(chance, table)
    return RemoveHand(hand=place + 1), replace(
        table.intended, hands=tuple(hands[:place] + hands[place + 1 :])
    )


def _ruled(chance: Random, table: Corrected, _pool: Pool) -> Drawn:
    """A ruling is added to a hand that is closed."""
    hands, place = _hands(chance, table)
    if hands:
        hands[place] = {
            **hands[place],
            "rulings": [*hands[place].get("rulings", []), a_ruling(chance, table)],
        }
    hand = hands[place] if hands else {}
    return CorrectHand(hand=place + 1, sheet=_sheet(table, hand)), replace(
        table.intended, hands=tuple(hands)
    )


def a_ruling(chance: Random, table: Corrected) -> dict[str, Any]:
    """Some ruling of a kind that this game has."""
    rulings, seats = table.game.rulings, list(table.state.players)
    assert rulings is not None
    kind, sides, places = (
        chance.choice(rulings.kinds),
        list(table.game.teams or seats),
        [*seats, *rulings.pots],
    )
    about: dict[str, Any] = {"trick": chance.randint(1, 5), "seat": chance.choice(seats)}
    if kind == "adjust_points":
        about = {"side": chance.choice(sides), "points": chance.choice([-60, -5, 7, 120])}
    elif kind == "adjust_tricks":
        about = dict(zip(("from", "to"), chance.sample(sides, 2), strict=True)) | {"tricks": 1}
    elif kind == "move_chips":
        about = dict(zip(("from", "to"), chance.sample(places, 2), strict=True)) | {
            "chips": chance.randint(1, 4)
        }
    return {"kind": kind, **about, **SAID}


def _seats(chance: Random, table: Corrected, _pool: Pool) -> Drawn:
    hands, place = _hands(chance, table)
    names = dict(table.state.players)
    seats = list(names)
    turned = dict(zip(seats, [*seats[1:], seats[0]], strict=True))
    sitting = chance.choice([{}, {seat: names[turned[seat]] for seat in seats}, {seats[0]: "Ezra"}])
    last = min(len(hands), place + chance.randint(1, 3))
    hands = [
        {**hand, "players": sitting} if place <= number < last else hand
        for number, hand in enumerate(hands)
    ]
    return CorrectSeats(first=place + 1, last=last, players=tuple(sitting.items())), replace(
        table.intended, hands=tuple(hands)
    )


def _options(chance: Random, table: Corrected, _pool: Pool) -> Drawn:
    option = chance.choice(table.game.options)
    options = {
        **table.intended.options,
        option.name: _choice(chance, option, len(table.state.players)),
    }
    return CorrectOptions(rules=table.game.read_rules(options)), replace(
        table.intended, options=options
    )


def _choice(chance: Random, option: Option, seats: int) -> Any:
    if option.choices:
        return chance.choice(option.choices)[0]
    if option.name == "hands":
        return seats * chance.randint(1, 4)
    much = option.name in ("target_score", "opening_chips")
    return chance.randint(20, 400) if much else chance.randint(max(1, option.least), 20)


def _reopened(_chance: Random, table: Corrected, _pool: Pool) -> Drawn:
    return ReopenGame(), replace(table.intended, ended=None)


def _hands(chance: Random, table: Corrected) -> tuple[list[Mapping[str, Any]], int]:
    """The hands as they should be, and the place of one of them."""
    hands = list(table.intended.hands)
    return hands, chance.randrange(max(1, len(hands)))


def _sheet(table: Corrected, hand: Mapping[str, Any]) -> Any:
    return table.game.read_sheet(hand, table.state.rules)


KINDS: dict[str, Callable[[Random, Corrected, Pool], Drawn]] = {
    "hand": _hand,
    "inserted": _inserted,
    "removed": _removed,
    "ruled": _ruled,
    "seats": _seats,
    "options": _options,
    "reopened": _reopened,
}
