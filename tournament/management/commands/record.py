"""`manage.py record FILE…`: store whole games from files, each of them entirely or not at all."""

from argparse import ArgumentParser
from pathlib import Path

from scoring.records import read_record
from tournament.exchange.game_records import record_file
from tournament.management.files import GAME_FORMAT, add_file_arguments, each_in, say_outcome
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon

ACTOR = "command-line"


class Command(SalonCommand):
    """Store every game of the files; exit status 1 when one was refused, the others are stored."""

    help = "Store recorded games; the same game again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, the salon, and how to print."""
        add_file_arguments(parser, "game", of_format=GAME_FORMAT)
        add_salon(parser, "the salon; without it the only one there is, or a new one")

    def handle(
        self, *, files: list[Path], salon: str | None, json: bool, **_options: object
    ) -> None:
        """Store one game after another, in the order read."""
        place = the_salon(salon, make=True)

        def store(value: object) -> None:
            record = read_record(value)
            say_outcome(record.start.record, record_file(place, record, actor=ACTOR), json=json)

        each_in(files, store, json=json)
