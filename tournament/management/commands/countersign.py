"""`manage.py countersign`: sign another salon's checkpoint, after its log has been shown to begin
with what was signed before.
"""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from ledger import notes, times, witness
from ledger.last_signed import Inconsistent
from ledger.models import Witnessed
from ledger.notes import BadNote
from ledger.signing import KeyIsAway, keys_of
from ledger.witness import NotWitnessed
from tournament.integrity.signing_keys import NoFreshKey, load_keyring
from tournament.management.console import print_json
from tournament.management.salon_argument import SalonCommand, add_salon, text_of, the_salon
from tournament.models import Salon


class Command(SalonCommand):
    """The other salon keeps the printed note with `manage.py cosignature`; this salon's key for it
    goes to standard error.
    """

    help = (
        "Countersign another salon's checkpoint: the first time the checkpoint alone and its key, "
        "later what `manage.py checkpoint --since N` prints there. Nothing is signed unless the "
        "log begins with what was signed before."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to sign, and the key of its salon."""
        parser.add_argument(
            "file",
            metavar="FILE",
            help="the checkpoint, or the proof with it; - reads standard input",
        )
        parser.add_argument(
            "--key", metavar="NAME+ID+KEY", help="the other salon's key, needed the first time"
        )
        add_salon(parser, "the salon that signs; without it the only one there is")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(
        self, *, file: str, key: str | None, salon: str | None, json: bool, **_options: object
    ) -> None:
        """Check, sign and print."""
        place = the_salon(salon)
        signed = _countersign(place, text_of(file), key)
        own = keys_of(place.log_id)[-1].verifier.cosigner.vkey
        if json:
            print_json(
                salon=place.slug, origin=signed.origin, size=signed.size, note=signed.note, key=own
            )
            return
        self.stdout.write(signed.note, ending="")
        self.stderr.write(f"Our key for it: {own}")


def _countersign(salon: Salon, text: str, key: str | None) -> Witnessed:
    try:
        known = notes.read_vkey(key) if key else None
        return witness.countersign(
            salon.log, witness.read_request(text), known, load_keyring(), now=times.now()
        )
    except (BadNote, NotWitnessed, KeyIsAway, NoFreshKey, Inconsistent, ValueError) as refused:
        raise CommandError(f"Nothing was signed: {str(refused).rstrip('.')}.") from refused
