"""The directors' door for screens on the wall: set up, arranged, held and put away as facts of a
stream of their own, so that they are in nobody's way.
"""

import uuid

from django.db import IntegrityError

from scoring.errors import RuleViolation, sentence
from tournament.domain.screens.rules import (
    LONGEST_ADDRESS,
    RULE,
    TEXT,
    AddScreen,
    ArrangeScreen,
    HoldPart,
    Keeping,
    Part,
    check_note,
)
from tournament.domain.tournament.short_addresses import short_name
from tournament.models import Salon, Screen, Season, Tournament
from tournament.recording.door import (
    Recorded,
    WriteRequest,
    decide_and_fold,
    record_acts,
    record_new,
)
from tournament.streams.codec import encode
from tournament.streams.types import SCREEN

MOST_SCREENS = 40  # of one salon, the retired among them
DIGITS = 4  # after a dash, where several screens would have the same address


def add_screen(salon: Salon, *, name: str, address: str, actor: str, command: str) -> Screen:
    """Set up a screen; the command's id is its stream. `address` "" makes one of the name. The same
    command again gives the same screen.

    Raises RuleViolation `address_taken`, `too_many_screens`; Refusal, CommandReused, StreamMoved.
    """
    there = Screen.objects.filter(salon=salon)
    if not there.filter(pk=command).exists():
        if there.count() >= MOST_SCREENS:
            message = sentence("a salon has %(most)s screens at most", most=MOST_SCREENS)
            raise RuleViolation("too_many_screens", message, rule=RULE)
        if address and there.filter(address=address).exists():
            raise _address_taken(address)
    act = AddScreen(name=name, address=address or _free_address(salon, name, command))
    order = WriteRequest(
        salon=salon,
        stream=command,
        actor=actor,
        command=command,
        content=encode([command, "AddScreen", name, address]),
    )
    try:
        record_new(order, SCREEN, lambda prepare: decide_and_fold(SCREEN, act, None))
    except IntegrityError:  # two of them at once
        if not there.filter(address=act.address).exclude(pk=command).exists():
            raise
        raise _address_taken(act.address) from None
    return Screen.objects.get(pk=command, salon=salon)


def keep_screen(
    salon: Salon, stream: str, act: Keeping, *, actor: str, command: str, version: int
) -> Recorded:
    """Record what a director does on top of version `version` of a screen.

    Raises RuleViolation `event_missing` for a part about a tournament or season that isn't the
    salon's; Refusal, StreamMoved, CommandReused, LookupError for no such screen.
    """
    if isinstance(act, ArrangeScreen):
        for place, part in enumerate(act.parts):
            _check(salon, part, f"parts[{place}]")
    if isinstance(act, HoldPart):
        _check(salon, act.part, "part")
    return record_acts(salon, stream, [act], actor=actor, command=command, version=version)


def _check(salon: Salon, part: Part, path: str) -> None:
    check_note(part, path)
    if not part.of or part.kind == TEXT:
        return
    model = Season if part.kind == "season" else Tournament
    if not model._default_manager.filter(salon=salon, pk=part.of).exists():
        message = sentence("choose one of the salon's tournaments or seasons")
        raise RuleViolation("event_missing", message, rule=RULE, path=f"{path}.of")


def _free_address(salon: Salon, name: str, command: str) -> str:
    """An address made of a name: `by-the-window`, and with digits where another screen has that."""
    wanted = short_name(name)
    taken = Screen.objects.filter(salon=salon).exclude(pk=command)
    if not taken.filter(address=wanted).exists():
        return wanted
    digits = uuid.UUID(command).int % 10**DIGITS
    return f"{wanted[: LONGEST_ADDRESS - DIGITS - 1].strip('-')}-{digits:0{DIGITS}}"


def _address_taken(address: str) -> RuleViolation:
    message = sentence("another screen has the address %(address)s", address=address)
    return RuleViolation("address_taken", message, rule=RULE, path="address")
