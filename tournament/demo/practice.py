"""An event to practise with: invented pairs, whose tables play by themselves while a new director
directs.

Tables only tell their totals, so no chips move; the event counts in no rating and in no season, and
its players are set apart from those of the salon.
"""

import uuid
from random import Random

import structlog
from django.db import transaction

from ledger.drafts import CommandReused, StreamMoved
from ledger.reading import events_in
from scoring.errors import Refusal
from tournament.demo.evening import invent_pairs, open_swiss
from tournament.domain.tournament.lifecycle import BeginPractice, EnterPhase
from tournament.domain.tournament.practice_lessons import missed, report_scores
from tournament.domain.tournament.results import EnterResult, TableCleared
from tournament.domain.tournament.rounds import RoundPublished
from tournament.domain.tournament.state import RoundState, State
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.subjects import SHAPES
from tournament.models import GameSeat, Player, Salon, Tournament, TournamentPlayer
from tournament.projections.computed import NOT_THE_EVENTS
from tournament.recording.tournaments import direct
from tournament.streams.codec import decode, find_stored_name
from tournament.streams.folds import fold_of, require_fold

ACTOR = "practice"
PAIRS, ROUNDS = 8, 3
FIRST_TABLES, ALL_TABLES = 15, 45  # seconds after a round is published
MICROSECONDS = 1_000_000

log_line = structlog.stdlib.get_logger(__name__)


def open_practice(
    salon: Salon, *, name: str, actor: str, command: str, seed: int | None = None
) -> Tournament:
    """Set up an event to practise with, its pairs entered and at the door. The same command again
    gives the same event.

    Raises Refusal, CommandReused, StreamMoved.
    """
    with transaction.atomic():
        row = open_swiss(salon, name, command, rounds=ROUNDS, seed=seed, actor=actor)
        if row.version == 1:
            taken = set(Player.objects.filter(salon=salon).values_list("name", flat=True))
            pairs = invent_pairs(Random(command), PAIRS, taken=taken)  # noqa: S311 - nothing is kept secret by it
            acts: list[Command] = [BeginPractice(), EnterPhase(phase="registration"), *pairs]
            key = uuid.uuid5(uuid.UUID(command), "practice").hex
            direct(salon, row.pk, acts, actor=actor, command=key, version=1)
        row.refresh_from_db()
        set_apart(row)
    return row


def play_on(salon: Salon, *, now: int) -> None:
    """Let the tables of every event to practise with report what they have played by `now`
    (microseconds UTC).
    """
    for row in Tournament.objects.filter(
        salon=salon, phase="running", practice=True, hidden=False
    ).order_by("pk"):
        try:
            _play_on(salon, row, now)
        except NOT_THE_EVENTS:
            raise
        except Exception as error:
            # It can't be folded: all other events go on.
            log_line.error(
                "a practice event could not be played on",
                tournament=row.pk,
                error=f"{type(error).__name__}: {error}",
            )


def _play_on(salon: Salon, row: Tournament, now: int) -> None:
    set_apart(row)
    folded = fold_of(salon.log_id, row.pk)
    if folded is None:
        return
    results = _results_due(salon, row, folded.state, now)
    if results:
        _report(salon, row, results, folded.version)


def set_apart(row: Tournament) -> None:
    """Note of the event's players, new ones included, that they are nobody; those who have played
    elsewhere are left as they are.
    """
    state = require_fold(row.salon.log_id, row.pk).state
    players = {player for entry in state.entries for player in entry.everybody}
    for player in Player.objects.filter(pk__in=players, practice=False).order_by("pk"):
        elsewhere = TournamentPlayer.objects.filter(player=player, stream__practice=False)
        if not elsewhere.exists() and not GameSeat.objects.filter(player=player).exists():
            Player.objects.filter(pk=player.pk).update(practice=True)


def _results_due(salon: Salon, row: Tournament, state: State, now: int) -> list[EnterResult]:
    """The results that are in by now and that nobody has written down; half of the tables are
    quick.
    """
    last = state.last
    if last is None or not last.published or last.closed:
        return []
    played = (now - _find_published_at(salon, row)) // MICROSECONDS
    quick = len(last.tables) // 2 if played < ALL_TABLES else len(last.tables)
    taken_back = _find_cleared_tables(salon, row, last)
    return [
        EnterResult(
            round=last.number, table=table.table, results=report_scores(state, table, last.number)
        )
        for table in (last.tables[:quick] if played >= FIRST_TABLES else ())
        if not table.has_started
        and not missed(state, table, last.number)
        and table.table not in taken_back
    ]


def _find_published_at(salon: Salon, row: Tournament) -> int:
    name, _schema = find_stored_name(RoundPublished(round=1))
    events = events_in(salon.log_id, [row.pk]).filter(type=name).order_by("-version")
    return events.values_list("recorded_at", flat=True).first() or 0


def _find_cleared_tables(salon: Salon, row: Tournament, each: RoundState) -> set[int]:
    """The tables of a round whose result the director took back: they are the director's now."""
    names = {name for (name, _schema), shape in SHAPES.items() if shape is TableCleared}
    events = events_in(salon.log_id, [row.pk]).filter(type__in=names).order_by("version")
    facts = [decode(*event) for event in events.values_list("type", "schema", "body")]
    return {fact.table for fact in facts if fact.round == each.number}


def _report(salon: Salon, row: Tournament, results: list[EnterResult], version: int) -> None:
    try:
        direct(salon, row.pk, results, actor=ACTOR, command=uuid.uuid4().hex, version=version)
    except (Refusal, StreamMoved, CommandReused):
        return  # The director was first; the tables come again.
