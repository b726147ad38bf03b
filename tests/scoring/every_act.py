"""Every act that there is at a state, tried: what `legal_next` and `offer` suggest is taken, and
nothing else is.

States are reached by chance: each step is one of the acts that the state before it offers, at
tables of all house rules, with poor players, substitutes, rulings, misdeals, acts taken back and
games called.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis.strategies import SearchStrategy

from scoring.commands import EndGame, StartGame, Undo
from scoring.errors import Refusal
from scoring.game import AnyGame
from tests.scoring.laws import folded
from tests.scoring.legal_sets import a_member, belongs, beside, members
from tests.scoring.table import DIRECTOR

CLOSING = EndGame(kind="called", by="somebody", reason="time is up")
NAMES = {
    "A": "Asha",
    "B": "Brin",
    "C": "Cato",
    "D": "Dara",
    "E": "Esen",
    "N": "Nilo",
    "S": "Sira",
    "W": "Wren",
}

type Act = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """What can be tried in one game: its `cards`, the `words` of its acts, and `tried`, every act
    of its small collections.

    `tried` also gives some acts of the large ones, so that they are refused where they are out of
    place. `options` are its house rules, `rulings` what a director may rule in a hand, `short` the
    collections that end a hand early.
    """

    game: AnyGame
    cards: Sequence[str]
    words: Sequence[str]
    tried: Callable[[Sequence[str], Random], Iterable[Act]]
    options: SearchStrategy[dict[str, Any]]
    rulings: Callable[[Sequence[str], Random], list[dict[str, Any]]] = lambda seats, chance: []
    short: frozenset[str] = frozenset()


def started(space: Space, options: dict[str, Any], players: int) -> Any:
    """The first state of a game, None where these house rules don't let one begin."""
    seats = next(seats for seats in space.game.seatings if len(seats) == players)
    start = StartGame(
        record="made",
        players=tuple((seat, NAMES[seat]) for seat in seats),
        rules=space.game.read_rules(options),
    )
    try:
        return folded(space.game, space.game.decide(start, None))
    except Refusal:
        return None


def walk(space: Space, state: Any, chance: Random, *, steps: int) -> Iterator[Any]:
    """States one after the other, each by an act that the one before it offers; to the end of the
    game or a dead end.

    What ends a hand early comes rarely, and at every second table so does a trick without its
    cards.
    """
    rare = space.short | ({"winners"} if chance.random() < 0.5 else set())
    yield state
    for _ in range(steps):
        events = next(
            (
                events
                for act in _steps(space, state, chance, rare)
                if (events := taken(space, act, state))
            ),
            None,
        )
        if events is None:
            return
        state = folded(space.game, events, state)
        yield state


def _steps(space: Space, state: Any, chance: Random, rare: frozenset[str]) -> Iterator[Any]:
    """Acts to go on with: now and then a ruling, a step back or the end of the game, else one of
    those offered.
    """
    shown = shown_of(space, state)
    if shown["hand"] is not None and chance.random() < 0.08:
        yield from _rulings(space, state, chance)
    if chance.random() < 0.03:
        yield from undoable(shown)
    if chance.random() < 0.03:
        yield from closings(shown)
    legal = space.game.legal_next(shown)
    for collection in _in_turn([*legal], chance, rare):
        form = (
            _modest(chance.choice(legal[collection]))
            if chance.random() < 0.7
            else chance.choice(legal[collection])
        )
        act = (
            a_trick(space, shown, chance)
            if collection == "tricks"
            else a_member(form, chance, space.cards)
        )
        if act is not None:
            yield _read(
                space,
                collection,
                _opened(space, state, act, chance) if collection == "hands" else act,
                state,
            )


def _modest(form: dict[str, Any]) -> dict[str, Any]:
    """The form with the lowest calls and contracts alone, else every auction ends at the top."""
    return {
        each: allowed[:2] if each in ("call", "contract") else allowed
        for each, allowed in form.items()
    }


def _in_turn(collections: list[str], chance: Random, rare: frozenset[str]) -> list[str]:
    """The collections in a random order, the rare ones mostly last."""
    chance.shuffle(collections)
    return sorted(collections, key=lambda collection: collection in rare and chance.random() < 0.95)


def _opened(space: Space, state: Any, act: dict[str, Any], chance: Random) -> dict[str, Any]:
    """An opening as it was offered, or what a director lets pass: another dealer, chips that are
    missing, calls out of turn.
    """
    if space.game.rulings is None or chance.random() < 0.6:
        return act
    excuses = chance.sample(["bad_dealer", "bad_trump", "bad_call", "out_of_turn", "no_chips"], 3)
    excused = {**act, "rulings": [{"kind": "accept_hand", "excuses": excuses, **DIRECTOR}]}
    if space.game.has_dealer and "bad_dealer" in excuses:
        excused["dealer"] = chance.choice([*state.players])
    return (
        {**excused, "players": {next(iter(state.players)): "Ezra"}}
        if chance.random() < 0.3
        else excused
    )


def ruled(space: Space, state: Any, chance: Random) -> Any:
    """The state after one more ruling: of some the one that leaves fewest, but somebody, who may
    still win the next trick.
    """
    return min(
        (_with_ruling(space, state, chance) for _ in range(12)),
        key=lambda after: _takers(space, after) or len(NAMES),
    )


def _with_ruling(space: Space, state: Any, chance: Random) -> Any:
    for act in _rulings(space, state, chance):
        state = folded(space.game, taken(space, act, state), state)
    return state


def _takers(space: Space, state: Any) -> int:
    return sum(
        len(form["seat"])
        for form in space.game.legal_next(shown_of(space, state)).get("winners", ())
    )


def _rulings(space: Space, state: Any, chance: Random) -> Iterable[Any]:
    if space.game.rulings is None:
        return ()
    ruling = chance.choice(space.rulings([*state.players], chance))
    return space.game.rulings.read_all({"rulings": [{**ruling, **DIRECTOR}]})


def a_trick(space: Space, shown: dict[str, Any], chance: Random) -> dict[str, Any] | None:
    """The next trick card by card as `offer` lets it through, None where no card can lie there."""
    cards: list[str] = []
    while (offer := space.game.offer(shown, cards))["seat"]:
        if not offer["legal"]:
            return None
        cards.append(chance.choice(offer["legal"]))
    return {"cards": cards}


def check_state(space: Space, state: Any, chance: Random) -> int:
    """Try everything at a state: an act is taken exactly when it belongs to what is offered. How
    many acts that were.
    """
    shown, seats = shown_of(space, state), [*state.players]
    legal = space.game.legal_next(shown)
    assert {*legal} <= {*space.game.acts}
    found = [
        (name, act)
        for name, forms in legal.items()
        if name != "tricks"
        for form in forms
        for act in members(form, chance, space.cards)
    ]
    near = (
        (name, other)
        for name, act in chance.sample(found, min(len(found), 12))
        for other in beside(act, chance, (*space.words, *space.cards))
    )
    tried = [
        *found,
        *near,
        *(
            each
            for each in space.tried(seats, chance)
            if each[0] != "tricks" or "tricks" not in legal
        ),
    ]
    for name, act in tried:
        offered = any(belongs(form, act, space.cards) for form in legal.get(name, ()))
        refusal = why_refused(space, name, act, state)
        assert offered == (refusal is None), (
            f"{name} {act} is "
            f"{'offered and refused' if offered else 'taken and not offered'}: {refusal}"
        )
    shared = check_shared(space, state, shown)
    return (
        len(tried) + shared + (check_trick(space, state, shown, chance) if "tricks" in legal else 0)
    )


def check_shared(space: Space, state: Any, shown: dict[str, Any]) -> int:
    """What every game offers: one act to take back, and the end of the game between two hands."""
    acts = [CLOSING, *(Undo(version=version) for version in range(state.version + 2))]
    offered = [*closings(shown), *undoable(shown)]
    for act in acts:
        assert (act in offered) == bool(taken(space, act, state)), act
    return len(acts)


def check_trick(space: Space, state: Any, shown: dict[str, Any], chance: Random) -> int:
    """Every card at every place of the next trick, after cards that are offered: how many that
    were.

    With the last card it is seen whether the whole trick is taken; a card refused before is refused
    whatever follows it.
    """
    drafted: list[str] = []
    tried = 0
    while (offer := space.game.offer(shown, drafted))["seat"]:
        assert "refused" not in offer or {*offer["legal"]} == {*space.cards} - {*offer["refused"]}
        is_last, number = len(drafted) == len(offer["order"]) - 1, len(offer["order"])
        for card in space.cards:
            rest = chance.sample(
                [other for other in space.cards if other not in (*drafted, card)],
                number - 1 - len(drafted),
            )
            refusal = why_refused(space, "tricks", {"cards": [*drafted, card, *rest]}, state)
            if is_last:
                assert (card in offer["legal"]) == (refusal is None), (
                    f"{card} after {drafted}: {refusal}"
                )
            elif card not in offer["legal"]:
                assert refusal is not None, f"{card} after {drafted} is not offered, and yet taken"
        tried += len(space.cards)
        if not offer["legal"]:
            break
        drafted.append(chance.choice(offer["legal"]))
    return tried


def shown_of(space: Space, state: Any) -> dict[str, Any]:
    """The table of a state as its row holds it."""
    shown: dict[str, Any] = json.loads(json.dumps(space.game.table(state)))
    return shown


def why_refused(space: Space, collection: str, act: dict[str, Any], state: Any) -> Refusal | None:
    """Why an act is refused, as it is read or by the rules; None where it is taken."""
    try:
        space.game.decide(_read(space, collection, act, state), state)
    except Refusal as refusal:
        return refusal
    return None


def _read(space: Space, collection: str, act: dict[str, Any], state: Any) -> Any:
    return space.game.acts[collection](act, state.rules)


def taken(space: Space, act: Any, state: Any) -> list[Any]:
    """The facts of an act, none where it is refused."""
    try:
        return space.game.decide(act, state)
    except Refusal:
        return []


def closings(shown: dict[str, Any]) -> list[Any]:
    """The end of the game is offered between two hands, once one is over."""
    return [CLOSING] if shown["stage"] == "opening" and shown["hands"] else []


def undoable(shown: dict[str, Any]) -> list[Any]:
    return [Undo(version=shown["undo"]["version"])] if shown["undo"] else []
