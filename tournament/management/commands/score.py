"""`manage.py score FILE…`: what recorded games come to. It needs no database and stores nothing."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from scoring.records import decide_record, read_record
from tournament.exchange.game_records import plain_record
from tournament.management.console import STDOUT, as_json, print_line, result_table, terminal_output
from tournament.management.files import GAME_FORMAT, INSTEAD, add_file_arguments, each_in


class Command(BaseCommand):
    """Score every game of the files; exit status 1 when one was refused."""

    help = "Print what recorded games come to; nothing is stored and no database is needed."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, and how to print."""
        add_file_arguments(parser, "game", of_format=GAME_FORMAT, instead=INSTEAD)

    @terminal_output()
    def handle(self, *, files: list[Path], json: bool, **_options: object) -> None:
        """Score one game after another, in the order read."""

        def score(value: object) -> None:
            record = plain_record(read_record(value))
            _, state = decide_record(record)
            result = record.game.result(state)
            if json:
                print_line(as_json(result))
                return
            title = f"{record.start.record}, {record.game.title}"
            STDOUT.print(result_table(title, record.game.result_table(result)))

        each_in(files, score, json=json)
