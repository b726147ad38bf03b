"""The one door through which a table's acts become facts: decide, store, project, in one transaction."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import IntegrityError

from ledger import store
from ledger.drafts import Appended, Claim, CommandReused, StreamMoved
from scoring.commands import StartGame
from scoring.errors import NotationError, Refusal
from scoring.game import Game
from scoring.games import GAMES
from tournament.drafting import drafts_of
from tournament.folds import MEMORY, Folded, fold_of
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.people import NameTaken, Roster, plain_names
from tournament.projections.inline import project
from tournament.shapes import encode
from tournament.tasks import hint
from tournament.texts import Sealing

type Decided = tuple[list[Any], Any]  # events, and the state after them
type Prepare = Callable[[Any], Any]  # an act or sheet with ids for names and digests for words

GAME_ID = re.compile(r"[0-9a-f]{32}")
TRIES = 3


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

    The command's id, 32 hexadecimal digits, is the game's id: the same command again gives the same game.
    Raises Refusal, CommandReused, StreamMoved when the id is another salon's game.
    """
    if not GAME_ID.fullmatch(command):
        raise NotationError("the id of a new game is 32 hexadecimal digits", path="command")
    game = GAMES[kind]
    act = StartGame(
        record=f"{kind}-{command[:16]}",
        players=plain_names(players.items()),
        rules=game.read_rules(options),
        table=table or None,
        played_on=played_on,
        note=note or None,
    )
    order = Order(salon=salon, stream=command, actor=actor, command=command, content=_content(command, act), occurred_at=occurred_at)
    try:
        record_new(order, game, lambda prepare: decided(game, prepare(act), None))
    except IntegrityError:
        if GameRow.objects.filter(salon=salon, record=act.record).exclude(pk=command).exists():
            raise CommandReused(command) from None
        raise
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

    `place` names the hand and trick the acts are meant for. The same command again gives the same answer. Raises
    Refusal, StreamMoved when the game is at another version or place, CommandReused, LookupError for no such game.
    """
    if not acts:
        raise NotationError("at least one act is expected here")

    def decide(game: Game, state: Any, prepare: Prepare) -> Decided:
        if place and place.items() - game.place(state).items():
            raise StreamMoved(stream, expected=version, actual=state.version)
        events: list[Any] = []
        for act in acts:
            new, state = decided(game, prepare(act), state)
            events += new
        return events, state

    order = Order(salon=salon, stream=stream, actor=actor, command=command, content=_content(stream, *acts), occurred_at=occurred_at)
    return _record_on(order, version, decide)


def record_sheet(
    salon: Salon, stream: str, sheet: Any, *, actor: str, command: str, version: int, occurred_at: int | None = None
) -> Recorded:
    """Record a whole hand from its sheet, as `record_acts` does: the same events that its acts would give."""

    def decide(game: Game, state: Any, prepare: Prepare) -> Decided:
        return game.decide_sheet(prepare(sheet), state)

    order = Order(salon=salon, stream=stream, actor=actor, command=command, content=_content(stream, sheet), occurred_at=occurred_at)
    return _record_on(order, version, decide)


def preview_sheet(salon: Salon, stream: str, sheet: Any) -> Folded:
    """The game as it would be with this hand; nothing is stored. Raises Refusal, LookupError for no such game."""
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no game {stream}")
    _, after = folded.game.decide_sheet(_Outside(salon).seat(sheet), folded.state)
    return Folded(folded.game, after.version, after)


def record_new(order: Order, game: Game, decide: Callable[[Prepare], Decided]) -> Recorded:
    """Record the first events of a new game, its players and words with them, all or none.

    Raises Refusal, CommandReused, StreamMoved when the stream exists already, IntegrityError when the record's id does.
    """

    def attempt(outside: _Outside) -> Appended:
        answer = store.answer_to(order.salon.log_id, order.claim)
        if answer is not None:
            return answer
        events, after = decide(outside.prepare)
        return _append(order, game, None, events, after, outside)

    return _recorded(order, attempt)


def decided(game: Game, act: Any, state: Any) -> Decided:
    """The events of one act and the state after them. Raises Refusal."""
    events = game.decide(act, state)
    for event in events:
        state = game.evolve(state, event)
    return events, state


def _record_on(order: Order, version: int, decide: Callable[[Game, Any, Prepare], Decided]) -> Recorded:

    def attempt(outside: _Outside) -> Appended:
        folded = fold_of(order.salon.log_id, order.stream, version=version)
        if folded is None:
            raise LookupError(f"there is no game {order.stream}")
        try:
            if folded.version != version:
                raise StreamMoved(order.stream, expected=version, actual=folded.version)
            events, after = decide(folded.game, folded.state, outside.prepare)
            return _append(order, folded.game, folded.state, events, after, outside)
        except (Refusal, StreamMoved):
            earlier = store.answer_to(order.salon.log_id, order.claim)
            if earlier is None:
                raise
            return earlier

    return _recorded(order, attempt)


class _Outside:
    """What a command brings that is kept outside the log: its new players and its words."""

    def __init__(self, salon: Salon) -> None:
        self._roster = Roster(salon)
        self._sealing = Sealing(salon)

    def prepare(self, act: Any) -> Any:
        """An act or a sheet with ids for names and digests for words."""
        return self.seat(self._sealing.seal(act))

    def seat(self, act: Any) -> Any:
        """An act or a sheet with player ids in place of the names of those who sit."""
        if hasattr(act, "opening"):
            return replace(act, opening=self.seat(act.opening))
        if not getattr(act, "players", ()):
            return act
        return replace(act, players=self._roster.seated(act.players))

    def store(self) -> None:
        """Keep them. Raises NameTaken."""
        self._roster.store()
        self._sealing.store()


def _recorded(order: Order, attempt: Callable[[_Outside], Appended], *, tries: int = TRIES) -> Recorded:
    """The answer of `attempt`, which is made again from the start when somebody else made one of its new players first."""
    try:
        answer = attempt(_Outside(order.salon))
    except NameTaken:
        if tries == 1:
            raise
        return _recorded(order, attempt, tries=tries - 1)
    return Recorded(game=order.stream, version=answer.versions[order.stream], repeated=answer.repeated)


def _append(order: Order, game: Game, before: Any, events: Sequence[Any], after: Any, outside: _Outside) -> Appended:
    now = time.time_ns() // 1000

    def write_rows(stored: Sequence[store.Stored]) -> None:
        outside.store()
        project(order.salon, order.stream, game, before, after, stored=stored)
        MEMORY.put(order.salon.log_id, order.stream, Folded(game, after.version, after))
        hint(order.salon.log_id)

    drafts = drafts_of(order.stream, game, events, after, now=now if order.occurred_at is None else order.occurred_at)
    expected = {order.stream: before.version if before is not None else 0}
    return store.append(order.salon.log_id, order.claim, drafts, expected=expected, now=now, project=write_rows)


def _content(stream: str, *acts: Any) -> bytes:
    """What a command says, as bytes: which game is meant, and each act by its name."""
    return encode([stream, *([type(act).__name__, act] for act in acts)])
