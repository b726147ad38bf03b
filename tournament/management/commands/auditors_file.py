"""`manage.py auditors_file`: a game, a tournament or the whole salon as one file that anybody can
check without this program.
"""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError

from ledger import times
from ledger.checkpoints import make
from ledger.reading import head_of
from tournament.integrity.auditors_export import auditors_file, file_name
from tournament.integrity.signing_keys import NOT_SIGNED, load_keyring
from tournament.management.console import print_line, show_progress, write_lines
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.models import Game, Salon
from tournament.streams.short_addresses import tournament_named


class Command(SalonCommand):
    """`ledger/standalone/verify_export.py FILE` checks it."""

    help = (
        "Write a file for auditors: events as stored, checkpoint and proofs; names and "
        "words apart, or left out with --redact."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to write, and its file."""
        parser.add_argument(
            "id",
            nargs="?",
            metavar="ID",
            help="one game or tournament by its id or short address; without it the whole salon",
        )
        add_salon(parser)
        parser.add_argument("--redact", action="store_true", help="leave names and words out")
        parser.add_argument(
            "--output", metavar="FILE", help="where to; without it a name is made in this folder"
        )

    def handle(
        self,
        *,
        id: str | None,
        salon: str | None,
        redact: bool,
        output: str | None,
        **_options: object,
    ) -> None:
        """Sign what there is now, then write."""
        place = the_salon(salon)
        stream = _stream(place, id)
        path = Path(output or file_name(place, id))
        try:
            make(place.log, load_keyring(), now=times.now())
            self._write(place, path, stream=stream, redact=redact)
        except NOT_SIGNED as refused:
            raise CommandError(f"No file can be signed: {refused}.") from refused
        except OSError as error:
            raise CommandError(f"{path} can't be written: {error.strerror}.") from error
        print_line(f"{path}: check it with ledger/standalone/verify_export.py")

    def _write(self, place: Salon, path: Path, *, stream: str | None, redact: bool) -> None:
        with (
            path.open("wb") as file,
            show_progress(f"writing {path.name}", head_of(place.log_id).position) as progress,
        ):
            lines = auditors_file(place, load_keyring(), stream=stream, redacted=redact)
            write_lines(file, lines, progress)


def _stream(salon: Salon, record: str | None) -> str | None:
    if record is None:
        return None
    event = tournament_named(salon, record)
    found = [
        *Game.objects.filter(salon=salon, record=record).values_list("pk", flat=True),
        *Game.objects.filter(salon=salon, pk=record).values_list("pk", flat=True),
        *([event.pk] if event is not None else []),
    ]
    if not found:
        raise CommandError(f"The salon has no game and no tournament {record!r}.")
    if len(found) > 1:
        raise CommandError(
            f"A game and a tournament are called {record!r}: give the tournament's stream "
            f"instead, {found[1]}."
        )
    return found[0]
