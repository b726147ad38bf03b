"""`manage.py rebuild`: bring the tables to this version, fold every row again from position 1,
report differences and mend them.
"""

import sys
from argparse import ArgumentParser
from dataclasses import asdict

from tournament.management.console import as_json, print_line, show_progress
from tournament.management.salon_argument import (
    SalonCommand,
    add_salon,
    the_salon,
    update_database,
)
from tournament.models import Salon
from tournament.projections.earlier_rows import made_by
from tournament.projections.rebuild import differences, streams_of

LEFT = (
    "not all could be made again (what is above and not mended, what is parked in "
    "the settings): its rows stay those of another version."
)


class Command(SalonCommand):
    """Exit status 0 when no row differed and each was made again, 1 with the differences
    otherwise.
    """

    help = (
        "Bring the tables to this version and fold every row again from the log; "
        "differences are printed and corrected."
    )
    ready = staticmethod(update_database)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which salon, and how to print."""
        add_salon(parser, "the salon; without it all of them")
        parser.add_argument("--json", action="store_true", help="one JSON object a salon")

    def handle(self, *, salon: str | None, json: bool, **_options: object) -> None:
        """Rebuild one salon after another."""
        salons = [the_salon(salon)] if salon else list(Salon.objects.order_by("slug"))
        different = [_rebuild(place, json=json) for place in salons]
        if any(different):
            sys.exit(1)


def _rebuild(salon: Salon, *, json: bool) -> bool:
    """Whether anything differed, or could not be made again."""
    games = len(streams_of(salon.log_id))
    with show_progress(f"rebuilding {salon.slug}", games) as progress:
        found = list(differences(salon, mend=True, progress=progress))
    left = bool(made_by(salon))
    if json:
        fields = {
            "salon": salon.slug,
            "games": games,
            "differences": [asdict(each) for each in found],
            "whole": not left,
        }
        print_line(as_json(fields))
        return bool(found) or left
    for each in found:
        print_line(
            f"{salon.slug}: {each.table} {each.key}: "
            f"{each.message}{'; mended' if each.mended else ''}"
        )
    print_line(f"{salon.slug}: {games} games folded again, {len(found) or 'no'} differences")
    if left:
        print_line(f"{salon.slug}: {LEFT}")
    return bool(found) or left
