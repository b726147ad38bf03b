"""The director's door: a tournament is opened and directed through the one door for facts, its
games with it.
"""

import secrets
import uuid
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from django.db import IntegrityError, transaction

from ledger.drafts import CommandReused, StreamMoved
from ledger.reading import versions_in
from scoring.errors import RuleViolation, sentence
from scoring.games import GAMES
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.deals import check_dealt
from tournament.domain.tournament.games import LinkGame, UnlinkGame
from tournament.domain.tournament.lookups import need_line_ups
from tournament.domain.tournament.outcomes import GamesSeen
from tournament.domain.tournament.short_addresses import ChooseAddress
from tournament.domain.tournament.sides import seats_of, sides_at
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command
from tournament.models import Game, Salon, Tournament
from tournament.recording import line_ups, table_games
from tournament.recording.calls import ends_calls, let_calls_lapse
from tournament.recording.door import Outcome as Came
from tournament.recording.door import (
    Prepare,
    Recorded,
    WriteRequest,
    decide_and_fold,
    record_new,
    record_on,
    start_game,
)
from tournament.recording.imported_people import settle_people
from tournament.salons.persons import merged_players
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.codec import encode
from tournament.streams.folds import Folded, advance_fold, fold_of
from tournament.streams.short_addresses import holder_of
from tournament.streams.types import TOURNAMENT

TRIES = 5  # so often somebody else may be first
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
    later: Sequence[Stage] = (),
) -> Tournament:
    """Set up a tournament as a draft; the command's id is its stream, and unless `seed` is given
    its lots come from chance.

    The same command again gives the same tournament. Raises Refusal, CommandReused, StreamMoved.
    """
    act = OpenTournament(
        record=record or f"tournament-{command[:16]}",
        name=name,
        game=game,
        seed=_seed_of_command(salon, command, secrets.randbelow(SEEDS)) if seed is None else seed,
        stage=stage,
        conditions=conditions or Conditions(),
        silent_from=silent_from,
        rated=rated,
        later=tuple(later),
    )
    try:
        return _open_tournament(salon, act, actor=actor, command=command)
    except CommandReused:
        first = act.seed if seed is not None else _seed_of_command(salon, command, act.seed)
        if first == act.seed:
            raise
        # Sent twice at once: the first one drew the lots.
        return _open_tournament(salon, replace(act, seed=first), actor=actor, command=command)


def _seed_of_command(salon: Salon, command: str, new_seed: int) -> int:
    """The seed of the tournament that this command has set up already, else the one just
    drawn (`new_seed`).
    """
    known = Tournament.objects.filter(pk=command, salon=salon).first()
    return int(known.state.seed) if known is not None else new_seed


def _open_tournament(salon: Salon, act: OpenTournament, *, actor: str, command: str) -> Tournament:
    order = WriteRequest(
        salon=salon, stream=command, actor=actor, command=command, content=encode([command, act])
    )
    try:
        record_new(order, TOURNAMENT, lambda prepare: decide_and_fold(TOURNAMENT, act, None))
    except IntegrityError:
        if Tournament.objects.filter(salon=salon, record=act.record).exclude(pk=command).exists():
            raise CommandReused(command) from None
        raise
    return Tournament.objects.get(pk=command, salon=salon)


def direct(
    salon: Salon,
    stream: str,
    commands: Sequence[Command],
    *,
    actor: str,
    command: str,
    version: int,
) -> Recorded:
    """Record what a director does on top of version `version` of a tournament; all of it or
    nothing.

    It sees the games at the tables it is about, and relies on them: a hand recorded in between
    moves a stream. Games that it ends are ended first. A line-up that is the last of its table
    opens them all. Calls that nobody has answered end with their round or their tournament. Raises
    Refusal, StreamMoved, CommandReused, LookupError.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None or folded.kind is not TOURNAMENT:
        raise LookupError(f"there is no tournament {stream}")
    _check_addresses(salon, stream, commands)
    line_up = folded.state.stage.line_up
    commands, handed_in = line_ups.sealed(salon, stream, folded.state, commands, command)
    content = encode([stream, *([type(each).__name__, each] for each in commands)])
    commands = line_ups.with_sealed(salon, stream, commands, handed_in)
    together = line_up or table_games.ends_games(commands) or ends_calls(commands)
    with transaction.atomic() if together else nullcontext():
        ended = table_games.end_games(salon, folded.state, commands, actor=actor, command=command)
        chosen = table_games.read_chosen_games(salon, commands)
        relied = table_games.find_deciding_games(folded.state, commands) | {
            each.stream for each in chosen
        }
        relies_on = versions_in(salon.log_id, relied)
        order = WriteRequest(
            salon=salon,
            stream=stream,
            actor=actor,
            command=command,
            content=content,
            relies_on=relies_on,
        )
        seen = table_games.read_games_seen(salon, folded.state, relies_on, ended, chosen)
        stood_for = merged_players(salon)
        recorded = record_on(order, version, partial(_decide_commands, commands, seen, stood_for))
        if line_up and not recorded.repeated:
            _keep_line_ups(salon, stream, handed_in, actor=actor, command=command)
        if not recorded.repeated:
            let_calls_lapse(salon, stream, commands, actor=actor, command=command)
            settle_people(stream, folded.state, commands)
        return recorded


def direct_on_top(
    salon: Salon,
    stream: str,
    commands: Sequence[Command],
    *,
    actor: str,
    command: str,
    version: int,
) -> Recorded:
    """The same for what depends on nothing that others do meanwhile: on top of whatever there is by
    then. Raises StreamMoved only where others were first again and again.
    """
    for _each in range(TRIES - 1):
        try:
            return direct(salon, stream, commands, actor=actor, command=command, version=version)
        except StreamMoved:
            version = Tournament.objects.values_list("version", flat=True).get(pk=stream)
    return direct(salon, stream, commands, actor=actor, command=command, version=version)


def _keep_line_ups(
    salon: Salon,
    stream: str,
    handed_in: Sequence[line_ups.SubmittedLineUp],
    *,
    actor: str,
    command: str,
) -> None:
    """Keep what was handed in, forget what is open, and open what is complete."""
    folded = fold_of(salon.log_id, stream)
    assert folded is not None
    line_ups.store_line_ups(salon, stream, folded.state, handed_in)
    complete = line_ups.all_handed_in(salon, stream, folded.state, handed_in)
    if complete is not None:
        follows = line_ups.opening(command)
        direct(salon, stream, [complete], actor=actor, command=follows, version=folded.version)


def _check_addresses(salon: Salon, stream: str, commands: Sequence[Command]) -> None:
    """Raises RuleViolation `address_taken` for a short address that another tournament of the salon
    came to first.
    """
    for each in commands:
        if isinstance(each, ChooseAddress) and holder_of(salon, each.address) not in (None, stream):
            message = sentence(
                "another tournament has the address %(address)s already", address=each.address
            )
            raise RuleViolation("address_taken", message, rule="tournaments", path="address")


def _decide_commands(
    commands: Sequence[Command],
    seen: GamesSeen,
    stood_for: Mapping[str, str],
    folded: Folded,
    prepare: Prepare,
) -> Came:
    events, state = [], folded.state
    for each in commands:
        act = _as_known_here(prepare(table_games.add_games_seen(each, seen)), state, stood_for)
        new, state = decide_and_fold(TOURNAMENT, act, state)
        events += new
    return Came(events, advance_fold(folded, state))


def _as_known_here(act: Command, state: State, stood_for: Mapping[str, str]) -> Command:
    """An act that names people, each by the id under which they are in the tournament already:
    someone may have entered before two records were merged.
    """
    players = getattr(act, "players", ())
    if not stood_for or not players:
        return act
    here = {player for entry in state.entries for player in entry.everybody}
    here |= {single.player for single in state.singles}
    known = {stood_for[player]: player for player in here if player in stood_for}
    seated = tuple((place, known.get(player, player)) for place, player in players)
    return replace(act, players=seated)  # type: ignore[call-arg]  # whoever names people has them


def start_linked_game(
    salon: Salon,
    stream: str,
    *,
    round: int,
    table: int,
    label: str,
    actor: str,
    command: str,
    version: int,
) -> Game:
    """Begin the game of a round's table at the physical table `label`, and count it there: both or
    neither.

    The first entry's players sit in the game's first team, the second's in the other; its house
    rules are those of the tournament. Raises RuleViolation for entries that can't sit down so,
    `no_deals` before they are fixed, Refusal, StreamMoved, CommandReused.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no tournament {stream}")
    state: State = folded.state
    check_dealt(state)
    players = seats_at(salon, state, round=round, table=table)
    with transaction.atomic():
        game = start_game(
            salon,
            actor=actor,
            command=command,
            kind=state.game,
            players=players,
            options=dict(state.conditions.options),
            table=label,
        )
        follows = uuid.uuid5(uuid.UUID(command), "link").hex
        link = LinkGame(round=round, table=table, game=game.pk)
        direct(salon, stream, [link], actor=actor, command=follows, version=version)
    return game


def restart_linked_game(
    salon: Salon,
    stream: str,
    *,
    round: int,
    table: int,
    label: str,
    actor: str,
    command: str,
    version: int,
) -> Game:
    """Take the game off a round's table and begin another there: both or neither.

    Raises RuleViolation `game_missing` for a table without a game, and as `start_linked_game`.
    """
    with transaction.atomic():
        taken_off = direct(
            salon,
            stream,
            [UnlinkGame(round=round, table=table)],
            actor=actor,
            command=uuid.uuid5(uuid.UUID(command), "again").hex,
            version=version,
        )
        return start_linked_game(
            salon,
            stream,
            round=round,
            table=table,
            label=label,
            actor=actor,
            command=command,
            version=taken_off.version,
        )


def seats_at(salon: Salon, state: State, *, round: int, table: int) -> dict[str, str]:
    """The players in the seats at a table of a round, by name. Raises RuleViolation
    `bad_seats` if its entries don't fill the game, `line_ups_sealed` if it is not yet
    known who of them plays.
    """
    drawn = state.rounds[round - 1].table(table) if 1 <= round <= len(state.rounds) else None
    if drawn is not None:
        need_line_ups(state, round, drawn)
    pairs = [
        tuple(dict(state.players_at(round, drawn, key)).values())
        for key in (drawn.entries if drawn is not None else ())
        if drawn is not None and state.entry(key) is not None
    ]
    sides = sides_at(state.game, len(pairs))
    seated = [seats_of(state.game, len(pairs), place, pair) for place, pair in enumerate(pairs)]
    if not sides or not all(seated):
        message = sentence(
            "a game can be started for a table whose players fill its seats; type the result of "
            "any other"
        )
        raise RuleViolation("bad_seats", message, rule="tournaments", path="table")
    ids = {seat: player for side in seated for seat, player in side}
    names = names_of(salon, ids.values(), Audience.SALON)
    seats = max(GAMES[state.game].seatings, key=len)
    return {seat: names[ids[seat]] for seat in seats if seat in ids}
