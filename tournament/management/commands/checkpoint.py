"""`manage.py checkpoint`: sign what a salon's log holds now, and print it to be kept elsewhere."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from ledger import times
from ledger.checkpoints import consistency, make, with_cosignatures
from ledger.models import Checkpoint
from ledger.witness import request_text
from tournament.integrity.signing_keys import NOT_SIGNED, load_keyring
from tournament.management.console import print_json
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon


class Command(SalonCommand):
    """The checkpoint as a signed note; `manage.py audit --checkpoint FILE` takes it again."""

    help = (
        "Sign what the salon's log holds now and print the checkpoint. Keep it where "
        "this machine's owner can't reach it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which salon, and how to print."""
        add_salon(parser)
        parser.add_argument(
            "--since",
            metavar="N",
            type=int,
            help="with the proof from the N lines another salon countersigned last",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(
        self, *, salon: str | None, since: int | None, json: bool, **_options: object
    ) -> None:
        """Sign and print."""
        place = the_salon(salon)
        try:
            signed = make(place.log, load_keyring(), now=times.now())
        except NOT_SIGNED as refused:
            raise CommandError(f"No checkpoint can be signed: {refused}.") from refused
        if signed is None:
            raise CommandError("Nothing has been recorded yet: there is nothing to sign.")
        note = with_cosignatures(signed) if since is None else _request(signed, since)
        if json:
            print_json(salon=place.slug, size=signed.size, root=signed.root, note=note)
        else:
            self.stdout.write(note, ending="")


def _request(signed: Checkpoint, since: int) -> str:
    """Return the input of `manage.py countersign` for a salon that last saw `since`
    entries.
    """
    try:
        return request_text(consistency(signed.log_id, since, signed.size), signed.note)
    except LookupError as refused:
        raise CommandError(
            f"There is no proof from {since} lines on: the log has {signed.size}."
        ) from refused
