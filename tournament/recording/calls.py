"""The door for calls: a table calls the director, a director comes and answers, or the table takes
its call back.

Each call is a stream of its own. So it never moves the stream of a game or of a tournament, and
nobody's form at the desk is refused because a table has called meanwhile.
"""

import uuid
from collections.abc import Sequence
from functools import partial
from typing import TypedDict

from django.db import IntegrityError

from ledger import times
from ledger.drafts import StreamMoved
from scoring.errors import RuleViolation, sentence
from tournament.domain.calls.rules import RULE, Keeping, LetCallLapse, MakeCall
from tournament.domain.tournament.draws import DropRound
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import CloseRound
from tournament.domain.tournament.subject import Command as TournamentCommand
from tournament.models import Call, Salon, TournamentGame
from tournament.recording import door
from tournament.streams.codec import encode
from tournament.streams.folds import Folded, advance_fold
from tournament.streams.types import CALL

HOUR = 3_600_000_000  # microseconds
MOST_AN_HOUR = 20  # calls of one table
TRIES = 5
OVER = ("finished", "archived")  # phases in which nobody at a desk waits for calls


class TablePlace(TypedDict):
    """The place of a table in a tournament: "" and 0 in none."""

    tournament: str
    round: int
    number: int


def open_call(salon: Salon, label: str) -> Call | None:
    """The call of this table that nobody has answered yet."""
    return Call.objects.filter(salon=salon, table=label, ended_at=None).first()


def make_call(
    salon: Salon, label: str, reason: str, *, game: str, actor: str, command: str
) -> door.Recorded:
    """Call the director to a table, where the game with the stream `game` is played ("" none); the
    command's id is the stream of the call. The same command again makes no second call.

    Raises RuleViolation `called_already` while the table waits, `too_many_calls` after twenty in an
    hour, NotationError for another reason than the six, StreamMoved, CommandReused.
    """
    now = _now()
    if not Call.objects.filter(pk=command, salon=salon).exists():
        _check(salon, label, now)
    act = MakeCall(table=label, reason=reason, at=now, game=game, **_in_tournament(salon, game))
    order = door.WriteRequest(
        salon=salon,
        stream=command,
        actor=actor,
        command=command,
        content=encode([command, "MakeCall", label, reason]),
    )
    try:
        return door.record_new(order, CALL, lambda prepare: door.decide_and_fold(CALL, act, None))
    except IntegrityError:  # two phones of one table at once
        if open_call(salon, label) is None:
            raise
        raise _reject_second_call(label) from None


def keep_call(
    salon: Salon, stream: str, act: type[Keeping], *, actor: str, command: str
) -> door.Recorded:
    """Record what becomes of a call now, on top of whatever has become of it before.

    Raises RuleViolation `call_over`, `call_taken_up` or `call_open`, `called_already` where the
    table has called anew meanwhile; StreamMoved, CommandReused, LookupError for no such call.
    """
    row = Call.objects.filter(pk=stream, salon=salon).first()
    if row is None:
        raise LookupError(f"there is no call {stream}")
    order = door.WriteRequest(
        salon=salon,
        stream=stream,
        actor=actor,
        command=command,
        content=encode([stream, act.__name__]),
    )
    for left in reversed(range(TRIES)):
        try:
            return door.record_on(order, row.version, partial(_decide, act(at=_now())))
        except StreamMoved:
            if not left:
                raise
            row.refresh_from_db()
        except IntegrityError:  # it was to be open again, and another one is
            if open_call(salon, row.table) is None:
                raise
            raise _reject_second_call(row.table) from None
    raise AssertionError("the last try raises")


def let_calls_lapse(
    salon: Salon, stream: str, commands: Sequence[TournamentCommand], *, actor: str, command: str
) -> None:
    """End the open calls of a tournament that end with what was just done in it: those of a round
    with the round, all of them with the tournament.
    """
    waiting = Call.objects.filter(salon=salon, tournament=stream, ended_at=None)
    for row in waiting.order_by("made_at") if ends_calls(commands) else ():
        if any(_ends(each, row) for each in commands):
            follows = uuid.uuid5(uuid.UUID(command), f"lapse {row.pk}").hex
            keep_call(salon, row.pk, LetCallLapse, actor=actor, command=follows)


def ends_calls(commands: Sequence[TournamentCommand]) -> bool:
    """Whether one of these may end calls."""
    return any(isinstance(each, CloseRound | DropRound | EnterPhase) for each in commands)


def _ends(command: TournamentCommand, row: Call) -> bool:
    if isinstance(command, EnterPhase):
        return command.phase in OVER
    return isinstance(command, CloseRound | DropRound) and command.round == row.round


def _decide(act: Keeping, folded: Folded, _prepare: door.Prepare) -> door.Outcome:
    events, state = door.decide_and_fold(CALL, act, folded.state)
    return door.Outcome(events, advance_fold(folded, state))


def _check(salon: Salon, label: str, now: int) -> None:
    """Raises RuleViolation `called_already`, `too_many_calls`."""
    if open_call(salon, label) is not None:
        raise _reject_second_call(label)
    lately = Call.objects.filter(salon=salon, table=label, made_at__gt=now - HOUR).count()
    if lately >= MOST_AN_HOUR:
        message = sentence(
            "table %(table)s has called %(calls)s times within an hour; go to the director",
            table=label,
            calls=lately,
        )
        raise RuleViolation("too_many_calls", message, rule=RULE)


def _reject_second_call(label: str) -> RuleViolation:
    message = sentence("table %(table)s has called the director already", table=label)
    return RuleViolation("called_already", message, rule=RULE)


def _in_tournament(salon: Salon, game: str) -> TablePlace:
    """The running tournament that a game counts in, and where; none for a game of none."""
    linked = TournamentGame.objects.filter(
        game=game, stream__salon=salon, stream__phase="running"
    ).first()
    if not game or linked is None:
        return TablePlace(tournament="", round=0, number=0)
    return TablePlace(tournament=linked.stream_id, round=linked.round, number=linked.table)


def _now() -> int:
    return times.now()
