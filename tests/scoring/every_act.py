"""Every act that there is at a state, tried: a table's offer is what its rules accept, and nothing else is accepted.

Each game has a `Space`: what can be tried at a state, and what of it the table, as its row holds it, offers. States are
those of recorded games, act by act.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.commands import EndGame, Undo
from scoring.errors import Refusal
from scoring.game import Game
from scoring.records import read_record

CLOSING = EndGame(kind="called", by="somebody", reason="time is up")


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """The acts of one game: `acts_of` a sheet at a state, all there are to be `tried`, and those `offered` by a table."""

    game: Game
    acts_of: Callable[[Any, Any], Sequence[Any]]
    tried: Callable[[Any], Iterable[Any]]
    offered: Callable[[dict[str, Any]], Iterable[Any]]
    cards: Sequence[str] = ()
    trick: Callable[[tuple[str, ...]], Any] | None = None


def states_of(space: Space, record: dict[str, Any]) -> Iterator[Any]:
    """The states of a record after each of its acts, to its end or to the first act that its rules refuse."""
    read, game = read_record(record), space.game
    state = folded(game, game.decide(read.start, None), None)
    yield state
    for sheet in read.sheets:
        for act in space.acts_of(sheet, state):
            try:
                events = game.decide(act, state)
            except Refusal:
                return
            state = folded(game, events, state)
            yield state


def folded(game: Game, events: Iterable[Any], state: Any) -> Any:
    for event in events:
        state = game.evolve(state, event)
    return state


def check_state(space: Space, state: Any) -> int:
    """Try everything at a state; how many acts that were.

    What comes to the same facts as an offered act is that act in other words. An offered act is refused only where
    somebody can't pay for it, or where a ruling given before leaves a number of tricks that can't be.
    """
    shown = json.loads(json.dumps(space.game.table(state)))
    offered = {*space.offered(shown), *closings(shown), *undoable(shown)}
    tried = {*space.tried(state), *offered, CLOSING, *(Undo(version=version) for version in range(state.version + 2))}
    facts = {act: facts_of(space, act, state) for act in tried}
    told = [facts[act] for act in offered]
    for act, found in facts.items():
        if isinstance(found, Refusal):
            excused = found.code == "no_chips" or found.path == "rulings"
            assert act not in offered or excused, f"{act} is offered and refused: {found.message}"
        else:
            assert act in offered or found in told, f"{act} is accepted and not offered"
    return len(tried) + (check_trick(space, state, shown) if space.trick and shown["stage"] == "play" else 0)


def facts_of(space: Space, act: Any, state: Any) -> Any:
    """The facts of an act, or why it is refused."""
    try:
        return space.game.decide(act, state)
    except Refusal as refusal:
        return refusal


def closings(shown: dict[str, Any]) -> list[Any]:
    """The end of the game is offered between two hands, once one is over."""
    return [CLOSING] if shown["stage"] == "opening" and shown["hands"] else []


def undoable(shown: dict[str, Any]) -> list[Any]:
    return [Undo(version=shown["undo"]["version"])] if shown["undo"] else []


def check_trick(space: Space, state: Any, shown: dict[str, Any]) -> int:
    """Every card at every place of the next trick, after cards that are offered: how many that were."""
    assert space.trick is not None
    drafted: list[str] = []
    number, by_cards = len(shown["hand"]["winners"]), len(shown["hand"]["plays"]) == len(shown["hand"]["winners"])
    size = len(space.game.offer(shown, [])["order"])
    for place in range(size):
        offered = space.game.offer(shown, drafted)
        assert {*offered["legal"]} | {*offered["refused"]} == {*space.cards}
        for card in space.cards:
            rest = [other for other in space.cards if other not in (*drafted, card)][: size - 1 - place]
            found = facts_of(space, space.trick((*drafted, card, *rest)), state)
            here = isinstance(found, Refusal) and found.path == f"plays[{number}][{place}]"
            if not by_cards:
                assert isinstance(found, Refusal)
            else:
                assert here == (card in offered["refused"]), f"{card} after {drafted}"
        if not offered["legal"]:
            break
        drafted.append(offered["legal"][state.version * (place + 7) % len(offered["legal"])])
    return size * len(space.cards)
