"""The director's door: a tournament is opened and directed through the one door for facts, its games with it."""

import json
import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction

from ledger.drafts import CommandReused
from scoring.errors import RuleViolation, sentence
from scoring.games import GAMES
from tournament.directing.commands import CloseRound, DrawRound, LinkGame, OpenTournament, Outcome, SwapEntries
from tournament.directing.conditions import Conditions
from tournament.directing.sides import seats_of, sides_at
from tournament.directing.state import State
from tournament.folds import Folded, fold_of, gone_on
from tournament.kinds import TOURNAMENT
from tournament.models import Game, Salon, Tournament
from tournament.outcomes import outcomes_at, versions_of
from tournament.people import names_of
from tournament.recording import Order, Prepare, Recorded, decided, record_acts, record_new, record_on, start_game
from tournament.recording import Outcome as Came
from tournament.shapes import encode
from tournament.standings.values import Stage

SEEDS = 2**31


def open_tournament(
    salon: Salon,
    *,
    actor: str,
    command: str,
    name: str,
    game: str,
    stage: Stage,
    conditions: Conditions | None = None,
    silent_from: int | None = None,
    rated: bool = True,
    record: str = "",
    seed: int | None = None,
) -> Tournament:
    """Set up a tournament as a draft; the command's id is its stream, and unless `seed` is given its lots come from chance.

    The same command again gives the same tournament. Raises Refusal, CommandReused, StreamMoved.
    """
    act = OpenTournament(
        record=record or f"tournament-{command[:16]}",
        name=name,
        game=game,
        seed=_drawn(salon, command, secrets.randbelow(SEEDS)) if seed is None else seed,
        stage=stage,
        conditions=conditions or Conditions(),
        silent_from=silent_from,
        rated=rated,
    )
    try:
        return _opened(salon, act, actor=actor, command=command)
    except CommandReused:
        first = act.seed if seed is not None else _drawn(salon, command, act.seed)
        if first == act.seed:
            raise
        return _opened(salon, replace(act, seed=first), actor=actor, command=command)  # sent twice at once: the first one drew the lots


def _drawn(salon: Salon, command: str, drawn: int) -> int:
    """The seed of the tournament that this command has set up already, else the one just `drawn`."""
    known = Tournament.objects.filter(pk=command, salon=salon).first()
    return int(json.loads(known.state)["seed"]) if known is not None else drawn


def _opened(salon: Salon, act: OpenTournament, *, actor: str, command: str) -> Tournament:
    order = Order(salon=salon, stream=command, actor=actor, command=command, content=encode([command, act]))
    try:
        record_new(order, TOURNAMENT, lambda prepare: decided(TOURNAMENT, act, None))
    except IntegrityError:
        if Tournament.objects.filter(salon=salon, record=act.record).exclude(pk=command).exists():
            raise CommandReused(command) from None
        raise
    return Tournament.objects.get(pk=command, salon=salon)


def direct(salon: Salon, stream: str, commands: Sequence[Any], *, actor: str, command: str, version: int) -> Recorded:
    """Record what a director does on top of version `version` of a tournament; all of it or nothing.

    Draws, closings and swaps see the linked games that are finished by now, and rely on them: a hand recorded in between
    moves a stream. Raises Refusal, StreamMoved, CommandReused, LookupError.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None or folded.kind is not TOURNAMENT:
        raise LookupError(f"there is no tournament {stream}")
    order = Order(
        salon=salon,
        stream=stream,
        actor=actor,
        command=command,
        content=encode([stream, *([type(each).__name__, each] for each in commands)]),
        relies_on=seen_by(salon, folded.state, commands),
    )
    outcomes = tuple(outcomes_at(salon, order.relies_on).values())
    return record_on(order, version, partial(_decided, commands, outcomes))


def _decided(commands: Sequence[Any], outcomes: tuple[Outcome, ...], folded: Folded, prepare: Prepare) -> Came:
    events, state = [], folded.state
    for each in commands:
        seeing = replace(each, outcomes=outcomes) if isinstance(each, DrawRound | CloseRound | SwapEntries) else each
        new, state = decided(TOURNAMENT, prepare(seeing), state)
        events += new
    return Came(events, gone_on(folded, state))


def seen_by(salon: Salon, state: State, commands: Sequence[Any]) -> Mapping[str, int]:
    """The versions of the linked games that these commands count: all, or for a swap alone those of the rounds before it."""
    if any(isinstance(each, DrawRound | CloseRound) for each in commands):
        return versions_of(salon, state)
    earlier = max((each.round - 1 for each in commands if isinstance(each, SwapEntries)), default=0)
    return versions_of(salon, replace(state, rounds=state.rounds[:earlier])) if earlier > 0 else {}


def start_linked_games(
    salon: Salon, stream: str, *, round: int, labels: Mapping[int, str], actor: str, command: str, version: int
) -> list[Game]:
    """Begin the games of these tables of a round, each at the physical table with its label; all of them or none.

    Raises as `start_linked_game` does.
    """
    with transaction.atomic():
        return [
            start_linked_game(
                salon,
                stream,
                round=round,
                table=table,
                label=label,
                actor=actor,
                command=command if place == 0 else uuid.uuid5(uuid.UUID(command), f"table {table}").hex,
                version=version + place,
            )
            for place, (table, label) in enumerate(labels.items())
        ]


def start_linked_game(salon: Salon, stream: str, *, round: int, table: int, label: str, actor: str, command: str, version: int) -> Game:
    """Begin the game of a round's table at the physical table `label`, and count it there: both or neither.

    The first entry's players sit in the game's first team, the second's in the other; its house rules are those of the
    tournament. Raises RuleViolation for entries that
    can't sit down so, Refusal, StreamMoved, CommandReused.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no tournament {stream}")
    state: State = folded.state
    players = seats_at(salon, state, round=round, table=table)
    with transaction.atomic():
        game = start_game(
            salon, actor=actor, command=command, kind=state.game, players=players, options=dict(state.conditions.options), table=label
        )
        follows = uuid.uuid5(uuid.UUID(command), "link").hex
        link = LinkGame(round=round, table=table, game=game.pk)
        record_acts(salon, stream, [link], actor=actor, command=follows, version=version)
    return game


def seats_at(salon: Salon, state: State, *, round: int, table: int) -> dict[str, str]:
    """Who sits where at a table of a round, by name. Raises RuleViolation `bad_seats` where its entries don't fill the game."""
    sides = sides_at(state.game)
    drawn = state.rounds[round - 1].table(table) if 1 <= round <= len(state.rounds) else None
    entries = [state.entry(key) for key in drawn.entries] if drawn is not None else []
    pairs = [tuple(dict(entry.players_in(round)).values()) for entry in entries if entry is not None]
    seated = [seats_of(state.game, place, pair) for place, pair in enumerate(pairs)]
    if len(pairs) != len(sides) or not sides or not all(seated):
        message = sentence("a game can be started for a table of two pairs; type the result of any other")
        raise RuleViolation("bad_seats", rule="tournaments", message=message, path="table")
    ids = {seat: player for side in seated for seat, player in side}
    names = names_of(salon, ids.values())
    return {seat: names[ids[seat]] for seat in GAMES[state.game].seatings[0]}
