"""`manage.py verify`: is everything stored as it was recorded, and does every row say what the
events say?
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice

from ledger import triggers
from ledger.findings import Finding
from ledger.reading import any_text, head_of
from ledger.verify import verify_log
from tournament.management.console import as_json, print_line, show_progress
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.management.stray_logs import tell_strays, with_log
from tournament.models import Salon
from tournament.projections.audit import audit

MOST = 10_000  # findings listed in one JSON object


class Command(SalonCommand):
    """Exit status 0 when nothing was found, 1 with the findings otherwise."""

    help = (
        "Check the chain, the commands and the chips of every event, and every row "
        "against the events; nothing is changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which salon, how thoroughly, and how to print."""
        add_salon(parser, "the salon; without it all of them")
        parser.add_argument("--json", action="store_true", help="one JSON object a salon")
        parser.add_argument(
            "--fast",
            action="store_true",
            help="the chain, the commands and the chips only; no game is folded",
        )

    def handle(self, *, salon: str | None, json: bool, fast: bool, **_options: object) -> None:
        """Verify one salon after another."""
        salons = [the_salon(salon)] if salon else with_log(Salon.objects.order_by("slug"))
        with any_text():
            found = [_verify_salon(place, json=json, fast=fast) for place in salons]
        if salon is None:
            found.append(tell_strays(json=json))
        if any(found):
            sys.exit(1)


def _verify_salon(salon: Salon, *, json: bool, fast: bool) -> int:
    """Verify a salon, print the findings and return their number."""
    events = head_of(salon.log_id).position
    remarks: list[str] = []
    findings = _findings(salon, events, remarks, fast=fast)
    if json:
        listed = list(islice(findings, MOST))
        more = next(findings, None) is not None
        fields = {
            "salon": salon.slug,
            "events": events,
            "findings": [asdict(each) for each in listed],
            "more": more,
        }
        print_line(as_json(fields | {"remarks": remarks}))
        return len(listed)
    count = 0
    for count, each in enumerate(findings, start=1):  # noqa: B007 - how many there were is said below
        print_line(f"{salon.slug}: {each.table} {each.row}: {each.message}")
    for remark in remarks:
        print_line(f"{salon.slug}: remark: {remark}")
    print_line(
        f"{salon.slug}: {events} events verified, {count or 'no'} "
        f"finding{'' if count == 1 else 's'}"
    )
    return count


def _findings(salon: Salon, events: int, remarks: list[str], *, fast: bool) -> Iterator[Finding]:
    for name in triggers.missing():
        yield Finding(
            "guard",
            "ledger_event",
            name,
            "This guard of the database is missing: rows could be changed.",
        )
    with show_progress(f"reading the log of {salon.slug}", events) as progress:
        yield from verify_log(
            salon.log_id, full=not fast, progress=lambda done, total: progress(done)
        )
    if not fast:
        with show_progress(f"folding the games of {salon.slug}", events) as progress:
            yield from audit(salon, remarks=remarks, progress=progress)
