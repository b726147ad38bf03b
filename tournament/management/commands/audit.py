"""`manage.py audit`: can what the salon says of itself be believed, and how far is it proven?"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from django.core.management.base import CommandError

from ledger.reading import head_of
from ledger.verify_outside import OutsideText
from tournament.integrity.audit import PASSES, Report, audit
from tournament.management.console import print_json, print_line, show_progress
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.management.stray_logs import tell_strays, with_log
from tournament.models import Salon


class Command(SalonCommand):
    """Exit status 0 when nothing was found, 1 with the findings otherwise."""

    help = (
        "Check the chain, the chips, every checkpoint and every row of a salon; nothing is changed."
        " Only a checkpoint kept outside proves that nobody rewrote everything: hand it "
        "in with --checkpoint."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which salon, which checkpoints, and how to print."""
        add_salon(
            parser, "the salon; without it all of them, or the only one --checkpoint is about"
        )
        parser.add_argument(
            "--checkpoint",
            metavar="FILE",
            nargs="+",
            action="extend",
            default=[],
            help="checkpoints of this salon that were kept outside",
        )
        parser.add_argument(
            "--accept-key",
            metavar="KEY",
            nargs="+",
            action="extend",
            default=[],
            help="keys (name+id+key) you were told, though no key announced them",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a salon")

    def handle(
        self,
        *,
        salon: str | None,
        checkpoint: list[str],
        accept_key: list[str],
        json: bool,
        **_options: object,
    ) -> None:
        """Audit one salon after another."""
        outside = [_read_checkpoint(Path(name)) for name in checkpoint]
        salons = (
            [the_salon(salon)] if salon or outside else with_log(Salon.objects.order_by("slug"))
        )
        found = [_audit_salon(place, outside, accept_key, json=json) for place in salons]
        if salon is None:
            found.append(bool(tell_strays(json=json)))
        if any(found):
            sys.exit(1)


def _audit_salon(
    salon: Salon, outside: Sequence[OutsideText], keys: Sequence[str], *, json: bool
) -> bool:
    """Whether anything was found."""
    with show_progress(
        f"auditing {salon.slug}", head_of(salon.log_id).position * PASSES
    ) as progress:
        report = audit(
            salon, outside, keys=keys, beside=True, progress=lambda done, total: progress(done)
        )
    if json:
        print_json(salon=salon.slug, **asdict(report), unproven=report.unproven)
    else:
        _print_report(salon.slug, report)
    return bool(report.findings)


def _print_report(name: str, report: Report) -> None:
    for each in report.findings:
        print_line(f"{name}: {each.table} {each.row}: {each.message}")
    if report.more:
        print_line(f"{name}: there are more findings than these.")
    for remark in report.remarks:
        print_line(f"{name}: remark: {remark}")
    count = len(report.findings)
    print_line(
        f"{name}: {report.events} events audited, {count or 'no'} "
        f"finding{'' if count == 1 else 's'}"
    )
    if report.proven:
        print_line(
            f"{name}: lines 1 to {report.proven} are proven by {report.by}; "
            f"{report.unproven} later ones are unproven."
        )
    elif report.events:
        print_line(
            f"{name}: unproven: no checkpoint kept outside holds, so whoever has the "
            f"database could have rewritten everything."
        )


def _read_checkpoint(path: Path) -> OutsideText:
    try:
        return OutsideText(name=str(path), text=path.read_bytes().decode(errors="replace"))
    except OSError as error:
        raise CommandError(f"{path} can't be read: {error.strerror}.") from error
