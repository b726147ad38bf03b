"""Line-ups on their way (F10): what a captain hands in goes into the log as a commitment, and lies
apart from it until it is opened.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.crypto import salted_hmac

from tournament.domain.tournament import team_line_ups
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command
from tournament.models import Salon, SealedLineUp
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedLineUp:
    """A line-up of a round that is to be kept apart."""

    round: int
    line_up: team_line_ups.LineUp


def sealed(
    salon: Salon, stream: str, state: State, commands: Sequence[Command], command: str
) -> tuple[list[Command], list[SubmittedLineUp]]:
    """The commands with commitments in place of names, and what is to be kept of them.

    The salt follows from the command's id and the server's secret key, so that the same command
    again says the same. Raises RuleViolation `bad_line_up`.
    """
    sealed_commands: list[Command] = []
    line_ups: list[SubmittedLineUp] = []
    for each in commands:
        if isinstance(each, team_line_ups.ChangeLineUp):
            places = _places(salon, state, each) if state.stage.line_up else ()
            sealed_commands.append(replace(each, members=(), places=places))
            continue
        if not isinstance(each, team_line_ups.HandInLineUp) or not state.stage.line_up:
            sealed_commands.append(
                replace(each, members=()) if isinstance(each, team_line_ups.HandInLineUp) else each
            )
            continue
        salt = salted_hmac(
            "tournament.line_ups",
            f"{stream} {command} {each.round} {each.entry}",
            algorithm="sha256",
        ).hexdigest()
        places = _places(salon, state, each)
        line_up = team_line_ups.LineUp(entry=each.entry, places=places, salt=salt)
        commitment = team_line_ups.commitment_of(state.record, each.round, line_up)
        sealed_commands.append(replace(each, members=(), commitment=commitment))
        line_ups.append(SubmittedLineUp(round=each.round, line_up=line_up))
    return sealed_commands, line_ups


def with_sealed(
    salon: Salon, stream: str, commands: Sequence[Command], handed_in: Sequence[SubmittedLineUp]
) -> list[Command]:
    """The commands, those that open line-ups with what was kept of them or is handed in with
    them.
    """
    completed: list[Command] = []
    for each in commands:
        if isinstance(each, team_line_ups.OpenLineUps):
            now = tuple(new.line_up for new in handed_in if new.round == each.round)
            each = replace(each, line_ups=(*_read_sealed_line_ups(salon, stream, each.round), *now))
        completed.append(each)
    return completed


def store_line_ups(
    salon: Salon, stream: str, state: State, handed_in: Sequence[SubmittedLineUp]
) -> None:
    """Keep these line-ups apart, and forget all that are open by now or whose round was drawn
    anew; `state` is that after it.
    """
    for each in handed_in:
        SealedLineUp.objects.update_or_create(
            tournament=stream,
            round=each.round,
            entry=each.line_up.entry,
            defaults={
                "salon": salon,
                "places": ",".join(each.line_up.places),
                "salt": each.line_up.salt or "",
            },
        )
    waiting = team_line_ups.still_sealed(state)
    gone = [
        row.pk
        for row in SealedLineUp.objects.filter(tournament=stream)
        if (row.round, row.entry) not in waiting
    ]
    SealedLineUp.objects.filter(pk__in=gone).delete()


def all_handed_in(
    salon: Salon, stream: str, state: State, handed_in: Sequence[SubmittedLineUp]
) -> team_line_ups.OpenLineUps | None:
    """The command that opens the line-ups of a table once all of them are submitted and
    kept here; None as long as one is missing.
    """
    waiting = team_line_ups.still_sealed(state)
    for each in handed_in:
        table = next(
            table
            for table in state.rounds[each.round - 1].tables
            if each.line_up.entry in table.entries
        )
        here = {line_up.entry for line_up in _read_sealed_line_ups(salon, stream, each.round)}
        if all((each.round, entry) in waiting and entry in here for entry in table.entries):
            return team_line_ups.OpenLineUps(round=each.round, table=table.table)
    return None


def opening(command: str) -> str:
    """The id of the command that opens what a captain's command completed."""
    return uuid.uuid5(uuid.UUID(command), "open line-ups").hex


def list_kept_line_ups(salon: Salon, stream: str, number: int) -> set[str]:
    """The entries whose sealed line-up of a round lies here: all that were handed in on this
    server.
    """
    rows = SealedLineUp.objects.filter(salon=salon, tournament=stream, round=number)
    return set(rows.values_list("entry", flat=True))


def _places(
    salon: Salon,
    state: State,
    command: team_line_ups.HandInLineUp | team_line_ups.ChangeLineUp,
) -> tuple[str, ...]:
    """The places of those who are named. Raises RuleViolation `bad_line_up`."""
    entry = state.entry(command.entry)
    if entry is None:
        return ()  # which is for the rules to refuse
    members = entry.members_in(command.round)
    names = names_of(salon, [player for _place, player in members], Audience.SALON)
    named = [(place, names[player]) for place, player in members]
    return team_line_ups.find_chosen_places(
        entry.id,
        named,
        command.members,
        state.stage.players_a_match,
        tables=state.stage.tables_a_match,
    )


def _read_sealed_line_ups(
    salon: Salon, stream: str, number: int
) -> tuple[team_line_ups.LineUp, ...]:
    rows = SealedLineUp.objects.filter(salon=salon, tournament=stream, round=number)
    return tuple(
        team_line_ups.LineUp(entry=row.entry, places=tuple(row.places.split(",")), salt=row.salt)
        for row in rows.order_by("pk")
    )
