"""The one door through which a table's acts become facts: decide, store, project, in one
transaction.

What happens to an act, in this order:

1. `record_acts`, `record_sheet` or `start_game` makes an `Order` of it: who asks, under which id,
  on which stream.
2. `record_on` takes the state of the stream as `fold_of` has it, and refuses a version that isn't
  the newest.
3. `decide_and_fold` asks the game's `decide` for events, and its `evolve` for the state after
   them; names and words that belong to no event are put aside by `PrivateData`.
4. `_append` makes drafts of the events (`drafts_of`: stored names, bodies, transfers of chips),
   with what they do in the streams of other games.
5. `store.append` hashes them into the chain and inserts them; in the same transaction go the rows:
   `IncrementalGameRows` where only the row of a game that goes on changes, else `_write_rows`.
6. `_remember` keeps the fold for the next act, and `hint` tells the background that the log moved.

The same command again has the answer that it had the first time, and stores nothing.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

from django.db import IntegrityError
from django.utils.translation import gettext as _

from ledger import store, times
from ledger.chain import Stored
from ledger.drafts import Appended, CommandClaim, CommandReused, LogClosed, StreamMoved
from scoring.attestations import ActHandedOver, HandEntered
from scoring.commands import EndGame, StartGame
from scoring.confirmation import check_undo
from scoring.effective_history import course_of
from scoring.ending import decide_end
from scoring.errors import NotationError, Refusal, RuleViolation
from scoring.events import EntryRetracted, HandClosed
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.left_pots import read_opening_pot
from scoring.shape import JsonMapping
from scoring.sheets import HandSheet
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.projections.game_rows import IncrementalGameRows, goes_on, project
from tournament.projections.stream_rows import project_kind
from tournament.recording.left_pots import ChangedGame, pots_moved
from tournament.recording.private_data import PrivateData
from tournament.recording.wake_workers import hint
from tournament.salons.players import NameTaken, plain_names
from tournament.streams.codec import encode
from tournament.streams.drafts import drafts_of
from tournament.streams.folds import (
    MEMORY,
    Folded,
    add_attestation,
    advance_fold,
    fold_corrected_game,
    fold_of,
    read_course,
)
from tournament.streams.types import HOUSE, AnyStreamType, StreamState, StreamType

type Decided = tuple[list[object], Any]  # events, and the state after them, as their kind folds


class Outcome(NamedTuple):
    """The outcome of an act: its events, the fold after them, in a correction when what is stated
    anew was played, and what becomes of other games.
    """

    events: Sequence[object]
    after: Folded
    times: Sequence[int | None] | None = None
    beside: Sequence[ChangedGame] = ()


class Prepare(Protocol):
    """Makes of an act or a sheet the same with ids for names and digests for words."""

    def __call__[Act](self, act: Act, /) -> Act: ...


GAME_ID = re.compile(r"[0-9a-f]{32}")
TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The answer to an act: the game's id and version after it; `repeated` when this
    command had been taken before. `columns` are the values of the game's own row since,
    if the act wrote just that and rows of its hands; else None.
    """

    game: str
    version: int
    repeated: bool = False
    columns: JsonMapping | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """A request to record something: `command` is chosen by the sender, `content` what the command
    says, as bytes.

    `occurred_at` is when it happened, in microseconds UTC; None: now, as it is recorded.
    `handed_over`: it was tapped on another phone than the one that sends it. `relies_on` are the
    versions of other streams from which it was decided.
    """

    salon: Salon
    stream: str
    actor: str
    command: str
    content: bytes
    occurred_at: int | None = None
    handed_over: bool = False
    relies_on: Mapping[str, int] = field(default_factory=dict)

    @property
    def claim(self) -> CommandClaim:
        return CommandClaim(id=self.command, actor=self.actor, content=self.content)


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
    handed_over: bool = False,
    opening_pot: Mapping[str, object] | None = None,
) -> GameRow:
    """Begin a game with `players` by name (seat to name); a name that the salon doesn't know is a
    new player.

    `opening_pot` is what an earlier game left for it, as a record has it. The command's id, 32
    hexadecimal digits, is the game's id: the same command again gives the same game. Raises
    Refusal, CommandReused, StreamMoved when the id is another salon's game.
    """
    if not GAME_ID.fullmatch(command):
        raise NotationError("the id of a new game is 32 hexadecimal digits", path="command")
    game = GAMES[kind]
    record = f"{kind}-{command[:16]}"
    act = StartGame(
        record=record,
        players=plain_names(players.items()),
        rules=game.read_rules(options),
        table=table or None,
        played_on=played_on,
        note=note or None,
        opening_pot=read_opening_pot(opening_pot, game, record=record)
        if opening_pot is not None
        else None,
    )
    order = WriteRequest(
        salon=salon,
        stream=command,
        actor=actor,
        command=command,
        content=_content(command, act),
        occurred_at=occurred_at,
        handed_over=handed_over,
    )
    try:
        record_new(order, game, lambda prepare: decide_and_fold(game, prepare(act), None))
    except IntegrityError:
        if GameRow.objects.filter(salon=salon, record=act.record).exclude(pk=command).exists():
            raise CommandReused(command) from None
        raise
    return GameRow.objects.get(pk=command, salon=salon)


def record_acts(
    salon: Salon,
    stream: str,
    acts: Sequence[object],
    *,
    actor: str,
    command: str,
    version: int,
    place: Mapping[str, int] | None = None,
    occurred_at: int | None = None,
    handed_over: bool = False,
    seat: str = "",
) -> Recorded:
    """Record acts of one stream on top of its version `version`: of a table's game, or of what else
    a stream can be; all of them or none.

    `place` names the hand and trick the acts are meant for, `seat` the player who enters them ("" a
    scorer). The same command again gives the same answer. Raises Refusal, StreamMoved when the game
    is at another version or place, CommandReused, LookupError for no such game.
    """
    if not acts:
        raise NotationError("at least one act is expected here")

    def decide(folded: Folded, prepare: Prepare) -> Outcome:
        kind, state = folded.kind, folded.state
        if place and place.items() - folded.game.place(state).items():
            raise StreamMoved(stream, expected=version, actual=state.version)
        events: list[object] = []
        for act in acts:
            new, state = decide_and_fold(kind, prepare(act), state)
            events += new
        return _outcome(salon, stream, folded, events, state, seat)

    order = WriteRequest(
        salon=salon,
        stream=stream,
        actor=actor,
        command=command,
        content=_content(stream, *acts),
        occurred_at=occurred_at,
        handed_over=handed_over,
    )
    return record_on(order, version, decide)


def record_sheet(
    salon: Salon,
    stream: str,
    sheet: HandSheet,
    *,
    actor: str,
    command: str,
    version: int,
    hand: int | None = None,
    occurred_at: int | None = None,
    handed_over: bool = False,
    seat: str = "",
) -> Recorded:
    """Record a whole hand from its sheet, as `record_acts` does: the same events that its acts
    would give. `hand` is the number of the one that is meant.
    """

    def decide(folded: Folded, prepare: Prepare) -> Outcome:
        if hand is not None and folded.game.place(folded.state)["hand"] != hand:
            raise StreamMoved(stream, expected=version, actual=folded.version)
        return _outcome(
            salon, stream, folded, *folded.game.decide_sheet(prepare(sheet), folded.state), seat
        )

    order = WriteRequest(
        salon=salon,
        stream=stream,
        actor=actor,
        command=command,
        content=_content(stream, sheet),
        occurred_at=occurred_at,
        handed_over=handed_over,
    )
    return record_on(order, version, decide)


def version_after(salon: Salon, stream: str, command: str) -> int:
    """The version of a stream right after a command: what is meant by who knows only what was sent
    before.

    Nothing else is recorded in between exactly when it is still the newest. Raises StreamMoved for
    a command that this stream never saw.
    """
    version = store.version_after(salon.log_id, command, stream)
    if version is None:
        raise StreamMoved(stream, expected=0, actual=0)
    return version


def find_earlier_answer(
    salon: Salon, stream: str, *acts: object, actor: str, command: str
) -> Recorded | None:
    """The answer that these acts, or this sheet, got when their command was taken; None if
    it wasn't. Raises CommandReused if it said something else then.
    """
    claim = CommandClaim(id=command, actor=actor, content=_content(stream, *acts))
    answer = store.answer_to(salon.log_id, claim)
    return _build_answer(stream, answer) if answer is not None else None


def preview_sheet(salon: Salon, stream: str, sheet: HandSheet) -> Folded:
    """The game as it would be with this hand; nothing is stored. Raises Refusal, LookupError for no
    such game.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no game {stream}")
    _, after = folded.game.decide_sheet(PrivateData(salon).seat(sheet), folded.state)
    return Folded(folded.game, after.version, after)


def record_new(
    order: WriteRequest, kind: AnyGame | AnyStreamType, decide: Callable[[Prepare], Decided]
) -> Recorded:
    """Record the first events of a new game or other stream, its players and words with them, all
    or none.

    Raises Refusal, CommandReused, StreamMoved when the stream exists already, IntegrityError when
    the record's id does.
    """

    def attempt(private: PrivateData) -> Recorded:
        answer = store.answer_to(order.salon.log_id, order.claim)
        if answer is not None:
            return _build_answer(order.stream, answer)
        events, after = decide(private.prepare)
        return _append(order, None, Outcome(events, Folded(kind, after.version, after)), private)

    return _record_with_retries(order, attempt)


def decide_and_fold(kind: AnyGame | AnyStreamType, act: object, state: Any) -> Decided:  # noqa: ANN401 - the state of that kind
    """The events of one act and the state after them. Raises Refusal."""
    events = (
        decide_end(kind, act, state)
        if isinstance(act, EndGame) and not isinstance(kind, StreamType)
        else kind.decide(act, state)
    )
    for event in events:
        state = kind.evolve(state, event)
    return events, state


def record_on(
    order: WriteRequest, version: int, decide: Callable[[Folded, Prepare], Outcome]
) -> Recorded:
    """Record what is decided on top of version `version` of a game, all or none. Raises as
    `record_acts` does.
    """

    def attempt(private: PrivateData) -> Recorded:
        folded = fold_of(order.salon.log_id, order.stream, version=version)
        if folded is None:
            raise LookupError(f"there is no stream {order.stream}")
        try:
            if folded.version != version:
                raise StreamMoved(order.stream, expected=version, actual=folded.version)
            return _append(order, folded, decide(folded, private.prepare), private)
        except (Refusal, StreamMoved):
            earlier = store.answer_to(order.salon.log_id, order.claim)
            if earlier is None:
                raise
            return _build_answer(order.stream, earlier)

    return _record_with_retries(order, attempt)


def _record_with_retries(
    order: WriteRequest, attempt: Callable[[PrivateData], Recorded], *, tries: int = TRIES
) -> Recorded:
    """The answer of `attempt`, which is made again from the start when somebody else made one of
    its new players first.
    """
    try:
        return attempt(PrivateData(order.salon))
    except NameTaken:
        if tries == 1:
            raise
        return _record_with_retries(order, attempt, tries=tries - 1)


def _build_answer(stream: str, answer: Appended, columns: JsonMapping | None = None) -> Recorded:
    return Recorded(
        game=stream,
        version=answer.versions[stream],
        repeated=answer.repeated,
        columns=columns if not answer.repeated else None,
    )


def _outcome(
    salon: Salon,
    stream: str,
    folded: Folded,
    events: Sequence[object],
    state: StreamState,
    seat: str,
) -> Outcome:
    """The outcome of acts on top of a fold. An undo in a game that was corrected may take a
    corrected hand with it.

    Raises RuleViolation `out_of_turn` for an undo of what somebody has confirmed.
    """
    after, retracts = (
        advance_fold(folded, state),
        any(isinstance(event, EntryRetracted) for event in events),
    )
    if folded.marks is not None and retracts:
        played = read_course(salon.log_id, stream, folded.game, version=folded.version)
        course = course_of(folded.game, enumerate(events, folded.version + 1), played.course)
        after = fold_corrected_game(folded.game, course, state.version)
    if retracts:
        check_undo(folded.state, after.state, folded.confirmation)
        _check_table_is_free(salon, stream, folded, after)
    entered = [
        HandEntered(hand=event.number, seat=seat)
        for event in events
        if seat and isinstance(event, HandClosed)
    ]
    for fact in entered:
        after = add_attestation(after, fact)
    return Outcome([*events, *entered], after)


def reopens(before: Folded, after: Folded) -> bool:
    """Whether a game that was over isn't any more."""
    return before.state.closed is not None and after.state.closed is None


def _check_table_is_free(salon: Salon, stream: str, before: Folded, after: Folded) -> None:
    """Raise RuleViolation `table_taken` for an undo by which a game goes on where another one is
    played.
    """
    label = after.state.table or ""
    if reopens(before, after) and GameRow.is_open_at(salon, label, but=stream):
        words = _(
            "Another game is being played at table %(table)s. A director can correct this one."
        )
        raise RuleViolation("table_taken", words % {"table": label}, rule="Corrections")


def _append(
    order: WriteRequest, before: Folded | None, outcome: Outcome, private: PrivateData
) -> Recorded:
    if order.handed_over:
        handed = ActHandedOver()
        events, after = [*outcome.events, handed], add_attestation(outcome.after, handed)
        outcome = outcome._replace(events=events, after=after)
    now, after = times.now(), outcome.after
    occurred_at = now if order.occurred_at is None else order.occurred_at
    drafts = drafts_of(order.stream, after, outcome.events, now=occurred_at, times=outcome.times)
    pots = pots_moved(
        order.salon, order.stream, before.state if before is not None else None, after
    )
    for each in reversed(pots):  # chips leave the one game before they come to the other
        drafts = [*drafts_of(each.stream, each.after, each.events, now=occurred_at), *drafts]
    for each in outcome.beside:
        drafts += drafts_of(each.stream, each.after, each.events, now=occurred_at, times=each.times)
    elsewhere = [*pots, *outcome.beside]
    expected = {**order.relies_on, order.stream: before.version if before is not None else 0}
    expected |= {each.stream: each.before.version for each in elsewhere}
    append = partial(
        store.append, order.salon.log_id, order.claim, drafts, expected=expected, now=now
    )
    try:
        if (
            before is None
            or isinstance(after.kind, StreamType)
            or elsewhere
            or not private.empty
            or not goes_on(before.state, after.state)
        ):
            answer = append(
                project=partial(_write_rows, order, before, after, private, elsewhere),
                closes=_closes(after),
            )
            return _build_answer(order.stream, answer)
        rows = IncrementalGameRows(order.stream, before.state, after)
        answer = append(beside=rows)
    except LogClosed:
        raise RuleViolation(
            "moved", "the salon has moved to another place: nothing more is recorded here"
        ) from None
    if not answer.repeated:
        _remember(order, after)
    return _build_answer(order.stream, answer, rows.columns)


def _closes(after: Folded) -> bool | None:
    """Whether the log takes nothing more after this: the house says so, and nothing else."""
    return bool(after.state.moved_to) if after.kind is HOUSE else None


def _write_rows(
    order: WriteRequest,
    before: Folded | None,
    after: Folded,
    private: PrivateData,
    elsewhere: Sequence[ChangedGame],
    stored: Sequence[Stored],
) -> None:
    private.store()
    state = before.state if before is not None else None
    for each in elsewhere:
        project(
            order.salon, each.stream, each.before.state, each.after, stored=_of(each.stream, stored)
        )
        MEMORY.put(order.salon.log_id, each.stream, each.after)
    stored = _of(order.stream, stored)
    if isinstance(after.kind, StreamType):
        project_kind(order.salon, order.stream, after.kind, state, after.state, stored=stored)
    else:
        project(order.salon, order.stream, state, after, stored=stored)
    _remember(order, after)


def _of(stream: str, stored: Sequence[Stored]) -> list[Stored]:
    return [event for event in stored if event.stream == stream]


def _remember(order: WriteRequest, after: Folded) -> None:
    MEMORY.put(order.salon.log_id, order.stream, after)
    hint(order.salon.log_id)


def _content(stream: str, *acts: object) -> bytes:
    """The content of a command as bytes: which game is meant, and each act by its name."""
    return encode([stream, *([type(act).__name__, act] for act in acts)])
