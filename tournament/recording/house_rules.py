"""Policies of the house for all its games, recorded through the one door for facts."""

import hashlib
import uuid

from django.db import transaction
from django.utils.translation import gettext as _

from ledger.drafts import StreamMoved
from ledger.reading import events_in
from scoring.errors import NotationError
from tournament.domain.house.confirmation import SetConfirming
from tournament.domain.house.paper import SetPaper
from tournament.domain.house.place import SetLogo, SetPlace
from tournament.domain.house.rules import Command, MoveSalon, ReopenSalon, SetCorrectionPeriod
from tournament.formats.local.pictures import read_picture
from tournament.models import Logo, Salon
from tournament.recording.door import (
    Recorded,
    WriteRequest,
    decide_and_fold,
    record_acts,
    record_new,
)
from tournament.salons.paper_sizes import paper_of
from tournament.salons.time_zones import is_time_zone, languages
from tournament.streams.codec import encode
from tournament.streams.correction_period import house_of, house_stream
from tournament.streams.types import HOUSE


def set_correction_hours(
    salon: Salon, hours: int, *, reason: str, actor: str, command: str, version: int
) -> Recorded:
    """Lay down the correction period on top of version `version` of the house (0: nothing laid down
    yet).

    The same command again gives the same answer. Raises Refusal, StreamMoved, CommandReused.
    """
    return _record_in_house(
        salon,
        SetCorrectionPeriod(hours=hours, reason=reason),
        actor=actor,
        command=command,
        version=version,
    )


def set_confirming(
    salon: Salon, way: str, *, reason: str, actor: str, command: str, version: int
) -> Recorded:
    """Lay down how a hand is confirmed at a table's phone, by `pin` or `tap`; else as
    `set_correction_hours`.
    """
    return _record_in_house(
        salon, SetConfirming(way=way, reason=reason), actor=actor, command=command, version=version
    )


def move_salon(
    salon: Salon, place: str, *, reason: str, actor: str, command: str, version: int
) -> Recorded:
    """Record nothing more here, since the salon goes on at another place; else as
    `set_correction_hours`.
    """
    return _record_in_house(
        salon, MoveSalon(place=place, reason=reason), actor=actor, command=command, version=version
    )


def reopen_salon(salon: Salon, *, reason: str, actor: str, command: str, version: int) -> Recorded:
    """Record here again, as if the salon had not moved, or had come; else as
    `set_correction_hours`.
    """
    return _record_in_house(
        salon, ReopenSalon(reason=reason), actor=actor, command=command, version=version
    )


def set_place(
    salon: Salon, *, time_zone: str, language: str, actor: str, command: str
) -> Recorded | None:
    """Tell times of this zone and write in this language from now on ("": those of the server);
    None where that is so already.

    Raises NotationError for a zone or a language that is not on offer, else as
    `set_correction_hours`.
    """
    if time_zone and not is_time_zone(time_zone):
        raise NotationError(_("Choose a time zone from the list."), path="time_zone")
    if language and language not in dict(languages()):
        raise NotationError(_("Choose a language from the list."), path="language")
    if (time_zone, language) == (salon.time_zone, salon.language):
        return None
    act = SetPlace(time_zone=time_zone, language=language)
    return _record_in_house(
        salon, act, actor=actor, command=command, version=house_of(salon).version
    )


def set_paper(salon: Salon, paper: str, *, actor: str, command: str) -> Recorded | None:
    """Print on this paper from now on; None where that is so already. Raises UnknownPaper, else as
    `set_correction_hours`.
    """
    if paper_of(salon, paper) == salon.paper:
        return None
    version = house_of(salon).version
    follows = uuid.uuid5(uuid.UUID(command), "paper").hex  # the same form may set the place, too
    return _record_in_house(
        salon, SetPaper(paper=paper), actor=actor, command=follows, version=version
    )


def set_logo(salon: Salon, content: bytes, *, actor: str, command: str) -> Recorded:
    """Show this picture beside the salon's name from now on. Raises NotationError for what is none,
    else as `set_correction_hours`.
    """
    picture = read_picture(content)
    digest = hashlib.sha256(picture.content).hexdigest()
    with transaction.atomic():
        columns = {
            "media_type": picture.media_type,
            "width": picture.width,
            "height": picture.height,
            "content": picture.content,
        }
        Logo.objects.get_or_create(salon=salon, digest=digest, defaults=columns)
        done = _record_in_house(
            salon,
            SetLogo(picture=digest),
            actor=actor,
            command=command,
            version=house_of(salon).version,
        )
        _keep_only(salon)
    return done


def remove_logo(salon: Salon, *, actor: str, command: str) -> Recorded:
    """Show no picture any more; it is not kept. As `set_correction_hours`."""
    with transaction.atomic():
        done = _record_in_house(
            salon,
            SetLogo(picture=""),
            actor=actor,
            command=command,
            version=house_of(salon).version,
        )
        _keep_only(salon)
    return done


def keep_in_house(
    salon: Salon, act: Command, *, actor: str, command: str, version: int
) -> Recorded:
    """Record what the house is told by the salon's own work; else as `set_correction_hours`."""
    return _record_in_house(salon, act, actor=actor, command=command, version=version)


def _keep_only(salon: Salon) -> None:
    """Keep the picture that is shown, and none before it."""
    salon.refresh_from_db(fields=["logo"])
    Logo.objects.filter(salon=salon).exclude(digest=salon.logo).delete()


def _record_in_house(
    salon: Salon, act: Command, *, actor: str, command: str, version: int
) -> Recorded:
    stream = house_stream(salon.log)
    if version and not events_in(salon.log_id, [stream]).exists():
        raise StreamMoved(stream, expected=version, actual=0)
    if version:
        return record_acts(salon, stream, [act], actor=actor, command=command, version=version)
    order = WriteRequest(
        salon=salon,
        stream=stream,
        actor=actor,
        command=command,
        content=encode([stream, [type(act).__name__, act]]),
    )
    return record_new(order, HOUSE, lambda prepare: decide_and_fold(HOUSE, prepare(act), None))
