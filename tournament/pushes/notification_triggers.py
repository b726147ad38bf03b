"""Triggers of notifications: a reader of the log that leaves a notice for every phone
whose entry an event concerns.

A notice names a matter and holds no words: they are made when it is sent, from the
state at that time. Two readers at once, or one that comes twice, leave it once.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Self

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from ledger.models import Event, Log
from scoring.shape import JsonMapping
from tournament.domain.tournament.state import MICROSECONDS, State
from tournament.models import Notice, PushSubscription, Tournament, TournamentGame
from tournament.projections.computed import NOT_THE_EVENTS
from tournament.streams.tournament_rows import state_of

EVENTS_A_LOOK = 2000
# So long a hand waits to be confirmed at the table before phones are told of it.
TO_CONFIRM_AT_THE_TABLE = timedelta(seconds=60)
NOW = timedelta(0)

log_line = structlog.stdlib.get_logger(__name__)


class Kind(StrEnum):
    """The kinds of matters."""

    SEAT = "seat"  # where the entry sits in a round that was published, or since somebody moved it
    START = "start"  # the clock of the round began
    CONFIRM = "confirm"  # a hand waits for the entry's side
    DISPUTED = "disputed"  # a hand at its table
    RULED = "ruled"  # a disputed hand stands
    CORRECTED = "corrected"  # a game at its table
    RESULT = "result"  # the desk changed the result of its table


SEATED = "tournament.round_published"
SWAPPED = "tournament.entries_swapped"
STARTED = "tournament.clock_started"
RESULTS = (
    "tournament.result_entered",
    "tournament.table_forfeited",
    "tournament.table_excused",
    "tournament.table_cleared",
)
OF_A_GAME = {
    "hand.closed": Kind.CONFIRM,
    "hand.disputed": Kind.DISPUTED,
    "dispute.ruled": Kind.RULED,
    "game.corrected": Kind.CORRECTED,
}
TYPES = (SEATED, SWAPPED, STARTED, *RESULTS, *OF_A_GAME)


@dataclass(frozen=True, slots=True)
class Matter:
    """One thing to be told: of round `round` and its table, of a `game` (stream) and its hand where
    it is about one. `entry` is the line of the log where it may come more than once, else 0.
    """

    kind: Kind
    round: int
    table: int = 0
    game: str = ""
    hand: int = 0
    entry: int = 0

    @property
    def text(self) -> str:
        """As it is stored."""
        game = self.game or "-"
        return f"{self.kind} {self.round} {self.table} {game} {self.hand} {self.entry}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The matter that was stored so."""
        kind, number, table, game, *rest = text.split()
        (hand, entry), game = map(int, rest), "" if game == "-" else game
        return cls(Kind(kind), int(number), int(table), game, hand, entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """A matter, by which line of the log it came, the entries of a tournament (its stream) that it
    concerns, and from when on it is to be told.
    """

    tournament: str
    entries: Collection[str]
    matter: Matter
    position: int
    due_at: datetime


type States = Callable[[str], State]  # of tournaments by their streams


def look_for_matters() -> None:
    """Leave notices of what was recorded since phones were last told."""
    behind = PushSubscription.objects.filter(told_until__lt=F("link__salon__log__position"))
    for log in Log.objects.filter(pk__in=behind.values("link__salon__log")).order_by("pk"):
        while _look(log):
            pass


def concerns_in(events: Sequence[Event], tournaments: Collection[str]) -> Iterator[Concern]:
    """Yield the concerns of these tournaments' entries in these events."""
    found = TournamentGame.objects.filter(
        game__in={event.stream for event in events if event.type in OF_A_GAME},
        stream__in=tournaments,
    )
    games = {each.game: each for each in found}
    states = cache(lambda tournament: state_of(Tournament.objects.get(pk=tournament)))
    for event in events:
        try:
            concern = _concern(event, games.get(event.stream), tournaments, states)
        except NOT_THE_EVENTS:
            raise
        except Exception as error:
            # Its tournament can't be folded: phones of all others are told.
            log_line.error(
                "phones could not be told of an event",
                line=event.position,
                error=f"{type(error).__name__}: {error}",
            )
            continue
        if concern is not None:
            yield concern


def _concern(
    event: Event, game: TournamentGame | None, tournaments: Collection[str], states: States
) -> Concern | None:
    if game is not None and event.type in OF_A_GAME:
        return _of_a_game(event, game, states)
    if event.stream in tournaments:
        return _of_a_tournament(event, states)
    return None


def _look(log: Log) -> bool:
    """Leave notices of the next events; whether there may be more."""
    behind = PushSubscription.objects.filter(link__salon__log=log, told_until__lt=log.position)
    phones = list(behind.select_related("link"))
    if not phones:
        return False
    since = min(phone.told_until for phone in phones)
    recorded = Event.objects.filter(log=log, position__gt=since, position__lte=log.position)
    events = list(recorded.filter(type__in=TYPES).order_by("position")[:EVENTS_A_LOOK])
    until = events[-1].position if len(events) == EVENTS_A_LOOK else log.position
    notices = list(_notices(phones, events))
    with transaction.atomic():
        Notice.objects.bulk_create(notices, ignore_conflicts=True)
        left = PushSubscription.objects.filter(pk__in=[phone.pk for phone in phones])
        left.filter(told_until__lt=until).update(told_until=until)
    return until < log.position


def _notices(phones: Sequence[PushSubscription], events: Sequence[Event]) -> Iterator[Notice]:
    now = timezone.now()
    of_an_entry: dict[tuple[str, str], list[PushSubscription]] = defaultdict(list)
    for phone in phones:
        of_an_entry[phone.link.tournament, phone.link.entry].append(phone)
    for concern in concerns_in(events, {phone.link.tournament for phone in phones}):
        told = [
            phone for entry in concern.entries for phone in of_an_entry[concern.tournament, entry]
        ]
        said = {"matter": concern.matter.text, "made_at": now, "due_at": concern.due_at}
        yield from (
            Notice(subscription=phone, **said)
            for phone in told
            if concern.position > phone.told_until
        )


def _of_a_game(event: Event, game: TournamentGame, states: States) -> Concern:
    facts, kind = _facts(event), OF_A_GAME[event.type]
    hand = facts.get("number", facts.get("hand", 0))
    entry, wait = (0, TO_CONFIRM_AT_THE_TABLE) if kind is Kind.CONFIRM else (event.position, NOW)
    return Concern(
        tournament=game.stream_id,
        entries=_at_the_table(states(game.stream_id), game.round, game.table),
        matter=Matter(kind, game.round, game.table, game.game, hand, entry),
        position=event.position,
        due_at=timezone.now() + wait,
    )


def _of_a_tournament(event: Event, states: States) -> Concern | None:
    """None where it is nothing to anybody: the first result of a table."""
    facts, state, due = _facts(event), states(event.stream), timezone.now()
    number: int = facts["round"]
    table: int = facts.get("table") or 0
    if event.type in RESULTS:
        if not _has_earlier_result(event, number, table):
            return None
        matter = Matter(kind=Kind.RESULT, round=number, table=table, entry=event.position)
        entries: Collection[str] = _at_the_table(state, number, table)
    elif event.type == STARTED:
        matter = Matter(kind=Kind.START, round=number)
        entries = _in_the_round(state, number)
        due = max(due, datetime.fromtimestamp(facts["at"] / MICROSECONDS, UTC))
    else:
        matter = Matter(kind=Kind.SEAT, round=number, entry=event.position)
        swapped = (facts["one"], facts["two"]) if event.type == SWAPPED else None
        entries = swapped or _in_the_round(state, number)
    return Concern(
        tournament=event.stream, entries=entries, matter=matter, position=event.position, due_at=due
    )


def _has_earlier_result(event: Event, number: int, table: int) -> bool:
    """Return whether the result of a table was entered before this event."""
    before = Event.objects.filter(
        log=event.log_id, stream=event.stream, version__lt=event.version, type__in=RESULTS
    )
    said = map(_facts, before)
    return any(facts["round"] == number and facts["table"] == table for facts in said)


def _in_the_round(state: State, number: int) -> Collection[str]:
    return {entry for each in state.rounds if each.number == number for entry in each.seated}


def _at_the_table(state: State, number: int, table: int) -> Collection[str]:
    found = [each.table(table) for each in state.rounds if each.number == number]
    return {entry for each in found if each is not None for entry in each.entries}


def _facts(event: Event) -> JsonMapping:
    facts: JsonMapping = json.loads(event.body)
    return facts
