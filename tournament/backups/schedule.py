"""The backups that are made by themselves, and those that a page asks for."""

from datetime import datetime, timedelta

from django.conf import settings

from tournament.backups.folder import Backup, backups_in, noted, rotate, the_folder
from tournament.backups.make import back_up
from tournament.integrity.audit_runs import LONGEST_REST, NIGHT, REST
from tournament.models import Salon
from tournament.salons.time_zones import zone_of

AFTER_A_FAILURE = timedelta(hours=1)


def due(now: datetime) -> bool:
    """Whether a nightly backup waits to be made: none today, and it is night where the first salon
    is, or none for two days.

    One in the future was made while a clock was ahead, and puts off none. After one that failed an
    hour passes.
    """
    first = Salon.objects.order_by("pk").first()
    if first is None or not any(settings.BACKUP_KEEP):
        return False
    last = next(
        (each.made_at for each in backups_in(the_folder()) if each.nightly), first.created_at
    )
    tried = noted(the_folder(), "backup")
    if tried is not None and tried.error and timedelta(0) <= now - tried.moment < AFTER_A_FAILURE:
        return False
    rest = now - last
    return not timedelta(0) <= rest <= LONGEST_REST or (
        rest > REST and now.astimezone(zone_of(first)).hour in NIGHT
    )


def back_up_now(*, nightly: bool) -> Backup:
    """A backup in the folder of the settings, encrypted where they have a passphrase; then the
    rotation. Raises NotBackedUp.
    """
    made, _manifest = back_up(the_folder(), passphrase=settings.BACKUP_PASSPHRASE, nightly=nightly)
    days, weeks = settings.BACKUP_KEEP
    if nightly:
        rotate(the_folder(), days=days, weeks=weeks)
    return made
