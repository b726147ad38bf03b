"""`manage.py cosignature`: keep another salon's signature under a checkpoint of this one."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from ledger import notes
from ledger.checkpoints import cosigned
from ledger.models import Checkpoint
from ledger.notes import BadNote
from tournament.management.console import print_json, print_line
from tournament.management.salon_argument import SalonCommand, add_salon, text_of, the_salon
from tournament.models import Salon


class Command(SalonCommand):
    """The same signature again changes nothing; one that doesn't hold is refused."""

    help = (
        "Keep another salon's signature under a checkpoint of ours: the note that "
        "`manage.py countersign` printed there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The note, and who signed."""
        parser.add_argument(
            "file", metavar="FILE", help="the countersigned note; - reads standard input"
        )
        parser.add_argument(
            "--key",
            metavar="NAME+ID+KEY",
            required=True,
            help="the key of the salon that countersigned",
        )
        add_salon(parser, "the salon whose checkpoint it is; without it the only one there is")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(
        self, *, file: str, key: str, salon: str | None, json: bool, **_options: object
    ) -> None:
        """Check it against the checkpoint, and keep it."""
        place, text = the_salon(salon), text_of(file)
        try:
            by = notes.read_vkey(key)
            row = _checkpoint(place, text)
            kept = cosigned(row, notes.line_of(text, by), by)
        except BadNote as fault:
            raise CommandError(f"Nothing was kept: {fault}.") from fault
        name = kept.vkey.partition("+")[0]
        if json:
            print_json(salon=place.slug, size=row.size, by=name, key=kept.vkey, line=kept.line)
        else:
            print_line(f"The signature of {name} under the checkpoint of {row.size} lines is kept.")


def _checkpoint(salon: Salon, text: str) -> Checkpoint:
    """Our own checkpoint that this note is about. Raises BadNote, CommandError where there
    is none.
    """
    asked = notes.read_note(text).text
    size = notes.read_checkpoint(asked).size
    row = Checkpoint.objects.filter(log=salon.log_id, size=size).first()
    if row is None or notes.read_note(row.note).text != asked:
        raise CommandError(f"{salon.slug} has no such checkpoint of {size} lines.")
    return row
