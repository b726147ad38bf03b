"""`manage.py simulate`: a whole tournament played by chance, through the same commands a director
and tables use.
"""

import sys
import time
import uuid
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from ledger.reading import head_of
from ledger.store import open_log
from tournament.demo.evening import play_evening
from tournament.demo.practice import open_practice
from tournament.integrity.audit import audit
from tournament.management.console import counting, heard, say
from tournament.management.salon_argument import database_in_words, ready_database, the_salon
from tournament.models import Salon
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS

ACTOR = "simulation"
MOST_ENTRIES = 800
FEWEST_ENTRIES = 4


class Command(BaseCommand):
    """Exit status 0 when the audit at the end finds nothing, 1 with the findings otherwise."""

    help = "Play a whole Swiss of Precedence pairs by chance in a salon of its own, then audit it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How large, which of all possible evenings, and where."""
        parser.add_argument("--entries", type=int, default=32, help="how many pairs; 32 without it")
        parser.add_argument("--rounds", type=int, default=5, help="how many rounds; 5 without it")
        parser.add_argument(
            "--seed", type=int, default=1, help="another number gives another evening"
        )
        parser.add_argument(
            "--hands", type=int, default=3, help="hands a game before time is up; 3 without it"
        )
        parser.add_argument(
            "--salon",
            metavar="SLUG",
            default="",
            help="the new salon's slug; simulation-SEED without it",
        )
        parser.add_argument(
            "--practice",
            action="store_true",
            help="set up a practice evening for a director, in a salon that exists",
        )

    @heard()
    @database_in_words()
    def handle(
        self,
        *,
        entries: int,
        rounds: int,
        seed: int,
        hands: int,
        salon: str,
        practice: bool,
        **_options: object,
    ) -> None:
        """Play it, say how long it took, and audit it; or set up the practice, and say
        where it is.
        """
        if practice:
            ready_database()
            row = open_practice(
                the_salon(salon or None),
                name="Practice evening",
                actor=ACTOR,
                command=uuid.uuid4().hex,
            )
            say(
                f"A practice evening is set up at /tournaments/{row.pk}/desk/; its tables play "
                f"while the server runs."
            )
            return
        if (
            not FEWEST_ENTRIES <= entries <= MOST_ENTRIES
            or not 1 <= rounds < entries
            or not 1 <= hands <= 40
            or seed < 0
        ):
            pairs = f"{FEWEST_ENTRIES} to {MOST_ENTRIES} pairs, fewer rounds than pairs"
            raise CommandError(f"{pairs}, 1 to 40 hands and a seed from 0 are expected.")
        ready_database()
        place = _new_salon(slugify(salon) or f"simulation-{seed}")
        began = time.monotonic()
        with counting("playing", entries // 2 * rounds) as progress:
            play_evening(
                place,
                entries=entries,
                rounds=rounds,
                seed=seed,
                hands=hands,
                actor=ACTOR,
                progress=progress,
            )
        took = time.monotonic() - began
        events = head_of(place.log_id).position
        say(
            f"{place.slug}: {entries} pairs, {rounds} rounds, {events} events in {took:.0f} "
            f"s, {events / took:.0f} events/s"
        )
        catch_up(place.log, PROJECTIONS)
        with counting("auditing", events) as progress:
            report = audit(
                place, progress=lambda done, total: progress(done * events // max(total, 1))
            )
        for each in report.findings:
            say(f"{place.slug}: {each.table} {each.row}: {each.message}")
        say(f"{place.slug}: audit {'with findings' if report.findings else 'clean'}")
        if report.findings:
            sys.exit(1)


def _new_salon(slug: str) -> Salon:
    if Salon.objects.filter(slug=slug).exists():
        raise CommandError(f"There is a salon {slug!r} already; choose another with --salon.")
    return Salon.objects.create(slug=slug, name=f"Simulation {slug}", log=open_log())
