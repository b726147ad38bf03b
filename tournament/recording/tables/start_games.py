"""Games begun at every table of a round: those that fit begin, and what is left over says why."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction

from scoring.errors import Refusal, RuleViolation, Sentence, sentence
from tournament.domain.house.table_labels import MOST_TABLES, next_labels
from tournament.domain.tournament.counting import is_free
from tournament.domain.tournament.state import State
from tournament.models import Salon, Table
from tournament.recording.tables.salon_tables import add_tables
from tournament.recording.tables.table_labels import free_labels, labels_of, list_busy_tables
from tournament.recording.tournaments import seats_at, start_linked_game
from tournament.streams.folds import fold_of
from tournament.streams.game_results import every_outcome_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunGame:
    """A table of the round, the label of the salon's table at which its game was begun, and the
    game.
    """

    table: int
    label: str
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWithoutGame:
    """A table of the round that has no game, and why."""

    table: int
    why: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedRound:
    """The games that were begun and the tables left without one; `made` are the labels of
    tables that the salon had not before.
    """

    begun: tuple[BegunGame, ...]
    left: tuple[TableWithoutGame, ...]
    made: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StartRequest:
    """A request to begin the games of a round: who asks, on top of which version of the
    event, and whether tables may be made for it.

    `tables` is "none", "lacking" (as many as the round has more tables than the salon),
    or "all" (wherever none is free).
    """

    round: int
    actor: str
    command: str
    version: int
    tables: str = "lacking"


def start_round(salon: Salon, stream: str, wish: StartRequest) -> StartedRound:
    """Begin a game at every table of a round that has neither game nor result; each where it is
    drawn, else at a free table.

    Where none can begin nothing is recorded, and no table is made. Raises RuleViolation
    `all_started`, StreamMoved, LookupError.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no tournament {stream}")
    state: State = folded.state
    outcomes = every_outcome_of(salon, state)
    waiting = [
        table.table
        for each in state.rounds
        if each.number == wish.round
        for table in each.tables
        if is_free(table, outcomes)
    ]
    if not waiting:
        raise RuleViolation(
            "all_started", "every table of the round has its game or its result", path="table"
        )
    unseated = dict(_list_unseated_tables(salon, state, wish.round, waiting))
    able = [table for table in waiting if table not in unseated]
    with transaction.atomic():
        made = _make_tables(
            salon, wish, needed=len(able), in_round=_tables_drawn(state, wish.round)
        )
        labels = _labels(able, free_labels(salon))
        begun, refused = _begin_games(salon, stream, wish, labels, _with_games(state, wish.round))
        if not begun:
            transaction.set_rollback(True)
    playing = list_busy_tables(salon)
    without_table = {table: _why_no_table(table, playing) for table in able if table not in labels}
    without_game = unseated | refused | without_table
    return StartedRound(
        begun=tuple(begun),
        left=tuple(
            TableWithoutGame(table=table, why=without_game[table]) for table in sorted(without_game)
        ),
        made=made if begun else (),
    )


def _list_unseated_tables(
    salon: Salon, state: State, number: int, waiting: Iterable[int]
) -> Iterable[tuple[int, Sentence]]:
    """The tables whose entries can't sit down, with why."""
    for table in waiting:
        try:
            seats_at(salon, state, round=number, table=table)
        except RuleViolation as refused:
            yield table, refused.sentence


def _tables_drawn(state: State, number: int) -> int:
    return max((len(each.tables) for each in state.rounds if each.number == number), default=0)


def _make_tables(
    salon: Salon, wish: StartRequest, *, needed: int, in_round: int
) -> tuple[str, ...]:
    """The labels of the tables that were made for the round."""
    there, free = len(labels_of(salon)), len(free_labels(salon))
    lacking = max(0, needed - free)
    most = {"none": 0, "lacking": max(0, in_round - there), "all": lacking}[wish.tables]
    count = min(lacking, most, MOST_TABLES - there)
    if count <= 0:
        return ()
    used = Table.objects.filter(salon=salon).values_list("label", flat=True)
    labels = tuple(next_labels([*used, *list_busy_tables(salon)], count))
    add_tables(salon, labels, actor=wish.actor, command=_follows(wish, "tables"))
    return labels


def _labels(waiting: Iterable[int], free: list[str]) -> Mapping[int, str]:
    """Which of the salon's free tables each table of the round plays at: its own number, else the
    next that nobody needs.
    """
    tables = list(waiting)
    own = {table: str(table) for table in tables if str(table) in free}
    others = [label for label in free if label not in own.values()]
    moved = dict(zip((table for table in tables if table not in own), others, strict=False))
    return {table: (own | moved)[table] for table in tables if table in own or table in moved}


def _with_games(state: State, number: int) -> set[int]:
    """The tables of a round that have a game: one that was not played is taken off before another
    begins.
    """
    return {
        table.table
        for each in state.rounds
        if each.number == number
        for table in each.tables
        if table.game is not None
    }


def _begin_games(
    salon: Salon, stream: str, wish: StartRequest, labels: Mapping[int, str], with_games: set[int]
) -> tuple[list[BegunGame], dict[int, Sentence]]:
    """The games that begin, and why others don't; where there is a game already two facts are
    recorded, else one.
    """
    begun: list[BegunGame] = []
    refused: dict[int, Sentence] = {}
    for table, label in labels.items():
        facts = len(begun) + sum(each.table in with_games for each in begun)
        command, version = _follows(wish, f"table {table}"), wish.version + facts
        try:
            with transaction.atomic():
                game = start_linked_game(
                    salon,
                    stream,
                    round=wish.round,
                    table=table,
                    label=label,
                    actor=wish.actor,
                    command=command,
                    version=version,
                )
        except Refusal as refusal:
            refused[table] = refusal.sentence
        else:
            begun.append(BegunGame(table=table, label=label, game=game.pk))
    return begun, refused


def _why_no_table(table: int, playing: set[str]) -> Sentence:
    if str(table) in playing:
        return sentence("another game is still on at that table of the salon")
    return sentence("no table of the salon is free")


def _follows(wish: StartRequest, what: str) -> str:
    """The id of a command that is a part of this one."""
    return uuid.uuid5(uuid.UUID(wish.command), what).hex
