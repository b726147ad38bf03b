"""The games at a tournament's tables as its director's commands meet them: what they came to, and
those that a command ends.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from scoring.commands import EndGame
from scoring.common_state import GameState
from scoring.events import NOT_PLAYED
from tournament.domain.tournament.counting import all_games, goes_on, list_counted_games
from tournament.domain.tournament.cuts import BeginStage
from tournament.domain.tournament.draws import DrawRound, DropRound
from tournament.domain.tournament.ended_games import (
    END,
    EndRoundGames,
    EndTableGame,
    FreeTables,
    Settling,
)
from tournament.domain.tournament.leavers import SettleLeaver
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.outcomes import ChosenGame, GamesSeen
from tournament.domain.tournament.play_offs import RecordPlayOff
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.state import State, TableState
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.swaps import SwapEntries
from tournament.models import Game, Salon, TournamentGame
from tournament.recording.door import record_acts
from tournament.recording.rulings import name_in_records
from tournament.streams.folds import fold_of
from tournament.streams.game_results import outcomes_at

NO_HAND = "No hand of it was recorded."  # kept with the game, in the words of its record
# The commands that may end games.
type Ending = DropRound | EndRoundGames | EndTableGame | FreeTables | Settling
ENDINGS = (DropRound, EndRoundGames, EndTableGame, FreeTables, Settling)
# By the stream of a game its round, its table, and how it ended.
type Ended = dict[str, tuple[int, int, str]]


def ends_games(commands: Sequence[Command]) -> bool:
    """Whether one of these commands may end games besides what it records of the tournament."""
    return any(isinstance(each, ENDINGS) for each in commands)


def end_games(
    salon: Salon, state: State, commands: Sequence[Command], *, actor: str, command: str
) -> Ended:
    """End the games that these commands end, each with their reason: not played before a hand was
    closed, else abandoned. A result takes the place of a game without any hand unasked.

    Raises Refusal, StreamMoved.
    """
    if not ends_games(commands):
        return {}
    by = name_in_records(salon, actor)
    ended: Ended = {}
    for each, number, table in _to_end(state, commands):
        folded = fold_of(salon.log_id, table.game or "")
        if folded is None or folded.state.closed is not None:
            continue
        unasked = _reason_unasked(each, folded.state)
        reason = (each.reason if _is_asked_to_end(each) else "") or unasked
        if not reason:
            continue
        kind = _kind(each, folded.state)
        act = EndGame(kind=kind, by=by, reason=reason)
        follows = uuid.uuid5(uuid.UUID(command), f"end {table.game}").hex
        record_acts(
            salon, table.game or "", [act], actor=actor, command=follows, version=folded.version
        )
        ended[table.game or ""] = (number, table.table, kind)
    return ended


def find_deciding_games(state: State, commands: Sequence[Command]) -> set[str]:
    """The games that decide these commands: of a draw or a closing all that count, of a swap those
    before it, else at their tables.
    """
    if any(
        isinstance(
            each, DrawRound | CloseRound | BeginStage | RecordPlayOff | EnterPhase | SettleLeaver
        )
        for each in commands
    ):
        return list_counted_games(state.rounds)
    if any(isinstance(each, FreeTables | PublishRound) for each in commands):
        return all_games(state.rounds)
    of_rounds = {each.round for each in commands if isinstance(each, DropRound | EndRoundGames)}
    if of_rounds:
        return all_games(each for each in state.rounds if each.number in of_rounds)
    earlier = max((each.round - 1 for each in commands if isinstance(each, SwapEntries)), default=0)
    if earlier > 0:
        return list_counted_games(state.rounds[:earlier])
    tables = (_table_of(state, each) for each in commands if _sees(each))
    return {table.game for table in tables if table is not None and table.game is not None}


def read_chosen_games(salon: Salon, commands: Sequence[Command]) -> tuple[ChosenGame, ...]:
    """The games of the salon that decide play-offs by these commands; what is no game of its is
    left out.
    """
    asked = {game for each in commands if isinstance(each, RecordPlayOff) for game in each.games}
    if not asked:
        return ()
    counted = TournamentGame.objects.filter(stream__salon=salon, game__in=asked)
    counting = set(counted.values_list("game", flat=True))
    found = []
    for stream in sorted(
        Game.objects.filter(salon=salon, pk__in=asked).values_list("pk", flat=True)
    ):
        folded = fold_of(salon.log_id, stream)
        if folded is not None:
            found.append(
                ChosenGame(
                    stream=stream,
                    game=folded.game.name,
                    players=tuple(folded.state.players.values()),
                    counts=stream in counting,
                )
            )
    return tuple(found)


def read_games_seen(
    salon: Salon,
    state: State,
    versions: Mapping[str, int],
    ended: Ended,
    chosen: tuple[ChosenGame, ...] = (),
) -> GamesSeen:
    """The outcomes of the games at these versions, and the games that go on; `chosen` are
    those that commands name besides.
    """
    outcomes = outcomes_at(salon, versions, uncommitted=ended)
    live = [
        (each.number, table.table)
        for each in state.rounds
        for table in each.tables
        if table.game in versions and goes_on(table, outcomes)
    ]
    return GamesSeen(
        outcomes=tuple(outcomes.values()),
        live=tuple(live),
        ended=tuple(ended.values()),
        chosen=chosen,
    )


def add_games_seen(command: Command, seen: GamesSeen) -> Command:
    """The command with what the desk sees of games."""
    if isinstance(command, RecordPlayOff):
        return replace(command, outcomes=seen.outcomes, chosen=seen.chosen)
    if isinstance(
        command, DrawRound | CloseRound | SwapEntries | BeginStage | EnterPhase | SettleLeaver
    ):
        return replace(command, outcomes=seen.outcomes)
    seeing_one: Any = command
    return replace(seeing_one, seen=seen) if _sees(command) else command


def _sees(command: Command) -> bool:
    return any(each.name == "seen" for each in fields(command))


def _to_end(state: State, commands: Sequence[Command]) -> Iterator[tuple[Ending, int, TableState]]:
    """The tables with a game that one of the commands ends, each with its command and round."""
    for each in commands:
        if isinstance(each, DropRound | EndRoundGames | FreeTables):
            earlier = isinstance(each, FreeTables)
            rounds = [
                other
                for other in state.rounds
                if (other.number < each.round if earlier else other.number == each.round)
            ]
            yield from (
                (each, other.number, table)
                for other in rounds
                for table in other.tables
                if table.game is not None
            )
        elif isinstance(each, EndTableGame | Settling):
            table = _table_of(state, each)
            if table is not None and _may_end(each, table):
                yield each, each.round, table


def _may_end(command: EndTableGame | Settling, table: TableState) -> bool:
    """Whether a table has a game that this command ends, or ends where nobody has dealt in it."""
    if table.game is None:
        return False
    return (
        isinstance(command, EndTableGame)
        or command.game == END
        or (not command.game and not table.detached)
    )


def _is_asked_to_end(command: Ending) -> bool:
    """Whether a command says itself that games end."""
    return not isinstance(command, Settling) or command.game == END


def _kind(command: Ending, state: GameState) -> str:
    """The way a game ends: as the command says, else not played before a hand was closed."""
    said = getattr(command, "kind", "")
    if not state.results and (not said or isinstance(command, EndRoundGames)):
        return NOT_PLAYED
    return said or "abandoned"


def _reason_unasked(command: Ending, state: GameState) -> str:
    """Why a game without any hand ends where its table gets another result; "" for other games and
    commands, which need a reason of the director's.
    """
    has_hand = state.hand is not None or bool(state.results)
    return NO_HAND if isinstance(command, Settling) and not has_hand else ""


def _table_of(state: State, command: Command) -> TableState | None:
    number, table = getattr(command, "round", 0), getattr(command, "table", 0)
    return state.rounds[number - 1].table(table) if 1 <= number <= len(state.rounds) else None
