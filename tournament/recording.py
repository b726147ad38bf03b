"""The one door through which a table's acts become facts: decide, store, project, in one transaction."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from ledger import store
from ledger.drafts import Appended, Claim, StreamMoved
from scoring.commands import StartGame
from scoring.errors import NotationError, Refusal
from scoring.game import Game
from scoring.games import GAMES
from tournament.drafting import drafts_of
from tournament.folds import MEMORY, Folded, fold_of
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.people import plain_name, player_ids
from tournament.projections.inline import project
from tournament.shapes import encode
from tournament.texts import Sealing

type Decided = tuple[list[Any], Any]  # events, and the state after them
type Prepare = Callable[[Any], Any]  # an act or sheet with ids for names and digests for words


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What an act came to: the game's id and version after it; `repeated` when this command had been taken before."""

    game: str
    version: int
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Who asks for what under which id: `command` is chosen by the sender, `content` what the command says, as bytes.

    `occurred_at` is when it happened, in microseconds UTC; None: now, as it is recorded.
    """

    salon: Salon
    stream: str
    actor: str
    command: str
    content: bytes
    occurred_at: int | None = None

    @property
    def claim(self) -> Claim:
        return Claim(id=self.command, actor=self.actor, content=self.content)


def start_game(
    salon: Salon,
    *,
    actor: str,
    command: str,
    kind: str,
    players: Mapping[str, str],
    options: Mapping[str, object],
    table: str = "",
    played_on: str | None = None,
    note: str | None = None,
    occurred_at: int | None = None,
) -> GameRow:
    """Begin a game with `players` by name (seat to name); a name that the salon doesn't know is a new player.

    The command's id is the game's id, so the same command again gives the same game. Raises Refusal, CommandReused.
    """
    game = GAMES[kind]
    act = StartGame(
        record=f"{kind}-{command[:16]}",
        players=_distinct(players),
        rules=game.read_rules(options),
        table=table or None,
        played_on=played_on,
        note=note or None,
    )
    order = Order(salon=salon, stream=command, actor=actor, command=command, content=encode(act), occurred_at=occurred_at)
    record_new(order, game, lambda prepare: decided(game, prepare(act), None))
    return GameRow.objects.get(pk=command, salon=salon)


def record_acts(
    salon: Salon,
    stream: str,
    acts: Sequence[Any],
    *,
    actor: str,
    command: str,
    version: int,
    place: Mapping[str, int] | None = None,
    occurred_at: int | None = None,
) -> Recorded:
    """Record acts of one table on top of version `version` of its game; all of them or none.

    `place` names the hand and trick the acts are meant for. Raises Refusal, StreamMoved when the game is at another version or place, CommandReused, LookupError for no such game. The
    same command again gives the same answer.
    """

    def decide(game: Game, state: Any, prepare: Prepare) -> Decided:
        if place and place.items() - game.place(state).items():
            raise StreamMoved(stream, expected=version, actual=state.version)
        events: list[Any] = []
        for act in acts:
            new, state = decided(game, prepare(act), state)
            events += new
        return events, state

    order = Order(salon=salon, stream=stream, actor=actor, command=command, content=encode(list(acts)), occurred_at=occurred_at)
    return _record_on(order, version, decide, named=any(getattr(act, "players", ()) for act in acts))


def record_sheet(
    salon: Salon, stream: str, sheet: Any, *, actor: str, command: str, version: int, occurred_at: int | None = None
) -> Recorded:
    """Record a whole hand from its sheet, as `record_acts` does: the same events that its acts would give."""

    def decide(game: Game, state: Any, prepare: Prepare) -> Decided:
        return game.decide_sheet(prepare(sheet), state)

    order = Order(salon=salon, stream=stream, actor=actor, command=command, content=encode(sheet), occurred_at=occurred_at)
    return _record_on(order, version, decide, named=bool(sheet.opening.players))


def preview_sheet(salon: Salon, stream: str, sheet: Any) -> Folded:
    """The game as it would be with this hand; nothing is stored. Raises Refusal, LookupError for no such game."""
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no game {stream}")
    _, after = folded.game.decide_sheet(sheet, folded.state)
    return Folded(folded.game, after.version, after)


def record_new(order: Order, game: Game, decide: Callable[[Prepare], Decided]) -> Recorded:
    """Record the first events of a new game, its players and words with them, in one transaction.

    Raises Refusal, StreamMoved when the stream exists already, CommandReused.
    """
    with transaction.atomic():
        answer = store.answer_to(order.salon.log_id, order.claim)
        if answer is None:
            sealing = Sealing(order.salon)
            events, after = decide(_preparing(order.salon, sealing))
            answer = _append(order, game, None, events, after, sealing)
    return Recorded(game=order.stream, version=answer.versions[order.stream], repeated=answer.repeated)


def decided(game: Game, act: Any, state: Any) -> Decided:
    """The events of one act and the state after them. Raises Refusal."""
    events = game.decide(act, state)
    for event in events:
        state = game.evolve(state, event)
    return events, state


def _record_on(order: Order, version: int, decide: Callable[[Game, Any, Prepare], Decided], *, named: bool) -> Recorded:
    """`named`: the command names players, who may be new; then they are stored with it or not at all."""
    folded = fold_of(order.salon.log_id, order.stream, version=version)
    if folded is None:
        raise LookupError(f"there is no game {order.stream}")
    sealing = Sealing(order.salon)
    try:
        if folded.version != version:
            raise StreamMoved(order.stream, expected=version, actual=folded.version)
        with transaction.atomic() if named else nullcontext():
            events, after = decide(folded.game, folded.state, _preparing(order.salon, sealing))
            answer = _append(order, folded.game, folded.state, events, after, sealing)
    except (Refusal, StreamMoved):
        earlier = store.answer_to(order.salon.log_id, order.claim)
        if earlier is None:
            raise
        answer = earlier
    return Recorded(game=order.stream, version=answer.versions[order.stream], repeated=answer.repeated)


def _append(order: Order, game: Game, before: Any, events: Sequence[Any], after: Any, sealing: Sealing) -> Appended:
    now = time.time_ns() // 1000

    def write_rows(stored: Sequence[store.Stored]) -> None:
        sealing.store()
        project(order.salon, order.stream, game, before, after, first=stored[0].position, last=stored[-1].position)
        transaction.on_commit(lambda: MEMORY.put(order.stream, Folded(game, after.version, after)))

    drafts = drafts_of(order.stream, game, events, after, now=now if order.occurred_at is None else order.occurred_at)
    expected = {order.stream: before.version if before is not None else 0}
    return store.append(order.salon.log_id, order.claim, drafts, expected=expected, now=now, project=write_rows)


def _preparing(salon: Salon, sealing: Sealing) -> Prepare:
    return lambda act: _seated(salon, sealing.seal(act))


def _seated(salon: Salon, act: Any) -> Any:
    """An act or a sheet with player ids in place of the names of those who sit."""
    if hasattr(act, "opening"):
        return replace(act, opening=_seated(salon, act.opening))
    names = getattr(act, "players", ())
    if not names:
        return act
    ids = player_ids(salon, [name for _, name in names])
    return replace(act, players=tuple((seat, ids[name]) for seat, name in names))


def _distinct(players: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The (seat, name) pairs. Raises NotationError for an empty name or one at two seats."""
    names = {seat: plain_name(name) for seat, name in players.items()}
    for place, (seat, name) in enumerate(names.items()):
        if not name or len(name) > 80:
            raise NotationError("a name of 1 to 80 characters is expected here", path=f"players.{seat}")
        if name in list(names.values())[:place]:
            raise NotationError(f"{name} sits in two seats; each seat has its own player", path=f"players.{seat}")
    return tuple(names.items())
