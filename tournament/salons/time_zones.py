"""The time zone and the language of a salon: which there are, and in which a visitor is
answered.
"""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.utils import timezone, translation

from tournament.models import Salon

AREAS = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)


# Offered before all others.
OFTEN = (
    "America/Chicago",
    "America/Los_Angeles",
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Europe/Berlin",
    "Europe/Lisbon",
    "Europe/London",
    "Europe/Paris",
)


def time_zones() -> list[str]:
    """The time zones on offer: those that are called after a place."""
    return sorted(zone for zone in available_timezones() if zone.partition("/")[0] in AREAS)


def is_time_zone(name: str) -> bool:
    """Whether there is such a time zone."""
    return name in available_timezones()


def languages() -> list[tuple[str, str]]:
    """The languages on offer, (code, name)."""
    return list(settings.LANGUAGES)


def zone_of(salon: Salon) -> ZoneInfo:
    """The time zone in which the salon's clocks go: its own, else the server's."""
    try:
        return ZoneInfo(salon.time_zone or settings.TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError):  # of another server, which knew more zones
        return ZoneInfo(settings.TIME_ZONE)


def language_of(salon: Salon) -> str:
    """The language in which the salon is spoken to: its own while it is on offer, else the
    server's.
    """
    return salon.language if salon.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def speak_as(salon: Salon | None) -> None:
    """From now on, in this thread, tell times and write as this salon does; without one as the
    server does.
    """
    if salon is None:
        timezone.deactivate()
        translation.activate(settings.LANGUAGE_CODE)
        return
    timezone.activate(zone_of(salon))
    translation.activate(language_of(salon))
