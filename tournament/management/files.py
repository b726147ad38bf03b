"""Records from files, one after the other: what is made of each, or why it is refused."""

import sys
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from django.core.management.base import BaseCommand
from rich.table import Table

from scoring.errors import Refusal, RuleViolation
from scoring.game import ResultTable
from scoring.records import identity_of
from scoring.shape import JsonObject
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import Tournament
from tournament.formats.record_files import FileRecord, records_in
from tournament.management import console

type Answer = Callable[[Tournament], tuple[JsonObject, ResultTable]]

GAME_FORMAT, TOURNAMENT_FORMAT = ", as salon-record/1", ", as salon-tournament/1"
INSTEAD = " instead of tables"


def add_file_arguments(
    parser: ArgumentParser, what: str, *, of_format: str = "", instead: str = ""
) -> None:
    """The files, each with `what` or several, and how to print."""
    of_files = f"a {what}, or one a line{of_format}"
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=of_files)
    parser.add_argument("--json", action="store_true", help=f"one JSON object a {what}{instead}")


def each_in(files: Sequence[Path], done: Callable[[object], None], *, json: bool) -> None:
    """Hand over what the files hold, in the order read, and say why one of them is refused; exit
    status 1 when one was. Nothing in one file keeps the others from being answered.
    """
    all_good = True
    with console.reading(files) as advance:
        for found in (found for path in files for found in records_in(path, advance)):
            try:
                if found.error is not None:
                    raise found.error
                done(found.value)
            except Refusal as refusal:
                all_good = False
                _say_refused(found, refusal, json=json)
            except Exception as error:
                # A fault of our own in one of them leaves the others.
                traceback.print_exc()
                all_good = False
                fault = RuleViolation(
                    "not_answered",
                    "this is a fault of the program, not of the file: %(error)s",
                    error=repr(error),
                )
                _say_refused(found, fault, json=json)
    if not all_good:
        sys.exit(1)


def _say_refused(found: FileRecord, refusal: Refusal, *, json: bool) -> None:
    identity = identity_of(found.value)
    console.print_line(
        console.as_json(console.refused(identity, refusal))
        if json
        else console.explain_refusal(found.where, identity, refusal)
    )


def print_answers(files: Sequence[Path], answer: Answer, *, json: bool) -> None:
    """Print the answer for every tournament of the files, as `each_in` has it."""

    def print_answer(value: object) -> None:
        tournament = read_tournament(value)
        fields, table = answer(tournament)
        if json:
            console.print_line(console.as_json(fields))
        else:
            console.STDOUT.print(_table(f"{tournament.id}, {tournament.name}", table))

    with console.terminal_output():
        each_in(files, print_answer, json=json)


class TournamentsCommand(BaseCommand):
    """A command that answers for every tournament of the files, without a database; exit status 1
    when one was refused.
    """

    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, and how to print."""
        add_file_arguments(parser, "tournament", of_format=TOURNAMENT_FORMAT, instead=INSTEAD)

    def handle(self, *, files: list[Path], json: bool, **options: object) -> None:
        """One tournament after another, in the order read."""
        print_answers(files, self.choose_answer(**options), json=json)

    def choose_answer(self, **options: object) -> Answer:
        """Return the function that answers for a tournament, as these options ask."""
        raise NotImplementedError


def say_outcome(identity: str, outcome: str, *, json: bool) -> None:
    """Say what storing a record came to."""
    console.print_line(
        console.as_json({"id": identity, "outcome": outcome}) if json else f"{identity}: {outcome}"
    )


def _table(title: str, table: ResultTable) -> Table:
    shown = console.result_table(title, table)
    for column in shown.columns:
        column.overflow = "fold"
        column.justify = (
            "left" if column.header in ("entry", "players", "at the table", "why") else "right"
        )
    return shown
