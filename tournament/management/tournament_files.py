"""Tournaments from files, one after the other: what each comes to, or why it is refused. No
database.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.table import Table

from scoring.errors import Refusal
from scoring.game import ResultTable
from scoring.records import identity_of
from scoring.shape import JsonObject
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import Tournament
from tournament.formats.record_files import Found, records_in
from tournament.management.console import (
    OUT,
    as_json,
    heard,
    reading,
    refused,
    refused_in_words,
    result_table,
    say,
)

type Answer = Callable[[Tournament], tuple[JsonObject, ResultTable]]


def add_file_arguments(parser: ArgumentParser) -> None:
    """The files, and how to print."""
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="a tournament, or one a line, as salon-tournament/1",
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a tournament instead of tables"
    )


def print_answers(files: Sequence[Path], answer: Answer, *, json: bool) -> None:
    """Print the answer for every tournament of the files, in the order read; exit status 1 when one
    was refused.
    """
    all_good = True
    with heard():
        with reading(files) as advance:
            for path in files:
                for found in records_in(path, advance):
                    all_good &= _print_answer(found, answer, json=json)
        if not all_good:
            sys.exit(1)


def _print_answer(found: Found, answer: Answer, *, json: bool) -> bool:
    try:
        if found.error is not None:
            raise found.error
        tournament = read_tournament(found.value)
        told, table = answer(tournament)
    except Refusal as refusal:
        identity = identity_of(found.value)
        say(
            as_json(refused(identity, refusal))
            if json
            else refused_in_words(found.where, identity, refusal)
        )
        return False
    if json:
        say(as_json(told))
    else:
        OUT.print(_table(f"{tournament.id}, {tournament.name}", table))
    return True


def _table(title: str, table: ResultTable) -> Table:
    shown = result_table(title, table)
    for column in shown.columns:
        column.overflow = "fold"
        column.justify = (
            "left" if column.header in ("entry", "players", "at the table", "why") else "right"
        )
    return shown
