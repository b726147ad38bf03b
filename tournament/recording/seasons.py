"""The directors' door for seasons: begun and kept through the one door for facts."""

from scoring.errors import RuleViolation
from tournament.domain.season.rules import RULE, AddEvent, Command, OpenSeason, SeasonRule
from tournament.models import Salon, Season, Tournament
from tournament.recording.door import (
    Recorded,
    WriteRequest,
    decide_and_fold,
    record_acts,
    record_new,
)
from tournament.streams.codec import encode
from tournament.streams.tournament_rows import state_of
from tournament.streams.types import SEASON


def open_season(salon: Salon, *, name: str, rule: SeasonRule, actor: str, command: str) -> Season:
    """Begin a season; the command's id is its stream. The same command again gives the same season.

    Raises Refusal, CommandReused, StreamMoved.
    """
    act = OpenSeason(name=name, rule=rule)
    order = WriteRequest(
        salon=salon, stream=command, actor=actor, command=command, content=encode([command, act])
    )
    record_new(order, SEASON, lambda prepare: decide_and_fold(SEASON, act, None))
    return Season.objects.get(pk=command, salon=salon)


def keep_season(
    salon: Salon, stream: str, act: Command, *, actor: str, command: str, version: int
) -> Recorded:
    """Record what a director does on top of version `version` of a season.

    Raises RuleViolation for a tournament that isn't the salon's or is one to practise with,
    Refusal, StreamMoved, CommandReused, LookupError for no such season.
    """
    if isinstance(act, AddEvent):
        row = Tournament.objects.filter(salon=salon, pk=act.tournament).first()
        if row is None:
            raise RuleViolation(
                "event_missing",
                "choose one of the salon's tournaments",
                rule=RULE,
                path="tournament",
            )
        if state_of(row).practice:
            raise RuleViolation(
                "practice",
                "a practice tournament counts in no season",
                rule=RULE,
                path="tournament",
            )
    return record_acts(salon, stream, [act], actor=actor, command=command, version=version)
