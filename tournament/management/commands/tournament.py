"""`manage.py tournament import FILE…` and `export [ID…]`: whole tournaments in and out as
salon-tournament/1. `act ID COLLECTION [JSON]`: one act of the director, in the words of the API.
`enter ID FILE`: everybody on a list.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError

from ledger import times
from ledger.drafts import LogClosed, StreamMoved
from scoring.errors import NotationError, Refusal
from tournament.domain.standings.reading import read_tournament
from tournament.domain.tournament.entry_order import Columns, columns_of, read_list
from tournament.domain.tournament.subjects import ACTS
from tournament.exchange.entry_lists import (
    Reported,
    enter_list,
    reading_for,
    try_list,
    with_known_people,
)
from tournament.exchange.tournament_records import export_tournaments, import_tournament
from tournament.formats.list_files import read_list_file
from tournament.management.console import as_json, print_json, print_line
from tournament.management.files import add_file_arguments, each_in, say_outcome
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.models import Salon, Tournament, new_id
from tournament.recording.tournaments import direct_on_top
from tournament.salons.public_names import Audience
from tournament.streams.folds import require_fold
from tournament.streams.short_addresses import tournament_named

ACTOR = "command-line"


class Command(SalonCommand):
    """Import: exit status 1 when a tournament was refused, the others are stored. Export: one
    object a line. Act: exit status 1 when it was refused. Enter: exit status 1 when a line was
    refused, the others are entered.
    """

    help = (
        "Store tournaments from files, print those of the salon as salon-tournament/1, or direct "
        "one act by act."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to do, the files or ids, the salon, and the form of the output."""
        add_salon(parser)
        what = parser.add_subparsers(dest="what", required=True, metavar="import|export|act|enter")
        importing = what.add_parser(
            "import", help="store tournaments; the same one again changes nothing"
        )
        add_file_arguments(importing, "tournament")
        add_salon(importing, "the salon; without it the only one there is, or a new one")
        exporting = what.add_parser("export", help="print tournaments, one a line")
        exporting.add_argument(
            "ids",
            nargs="*",
            metavar="ID",
            help="tournaments by id or short address; without any all of them",
        )
        add_salon(exporting)
        acting = what.add_parser(
            "act", help="record one act of the director, such as a removal of an entry"
        )
        acting.add_argument("id", metavar="ID", help="the tournament, by id or short address")
        acting.add_argument(
            "collection", metavar="COLLECTION", help="as in the API: removals, substitutes, …"
        )
        acting.add_argument(
            "act", metavar="JSON", nargs="?", default="{}", help='such as {"entry": "3"}'
        )
        entering = what.add_parser("enter", help="enter everybody on a list, line by line")
        entering.add_argument("id", metavar="ID", help="the tournament, by id or short address")
        entering.add_argument(
            "file", type=Path, metavar="FILE", help="text, CSV, XLSX, XLS, ODS or TRF"
        )
        entering.add_argument(
            "--dry-run", action="store_true", help="say what each line comes to and enter nobody"
        )
        entering.add_argument(
            "--singles", action="store_true", help="a name alone waits for a partner"
        )
        entering.add_argument(
            "--turned", action="store_true", help="surnames come first: “Casadei, Mara”"
        )
        for action in (acting, entering):
            action.add_argument("--json", action="store_true", help="one JSON object")
            add_salon(action)

    def handle(self, *, what: str, salon: str | None, **options: Any) -> None:  # noqa: ANN401 - each word has options of its own
        """Import or export, one tournament after another, record an act, or enter a list."""
        if what == "enter":
            _enter(the_salon(salon), options)
            return
        if what == "act":
            _act(
                the_salon(salon),
                options["id"],
                options["collection"],
                options["act"],
                json=options["json"],
            )
            return
        if what == "export":
            _export(the_salon(salon), options["ids"])
            return
        place = the_salon(salon, make=True)

        def store(value: object) -> None:
            read = read_tournament(value)
            outcome = import_tournament(place, read, actor=ACTOR)
            say_outcome(read.id, outcome, json=options["json"])

        each_in(options["files"], store, json=options["json"])


def _find_tournament(salon: Salon, identity: str) -> Tournament:
    row = tournament_named(salon, identity)
    if row is None:
        raise CommandError(f"The salon has no tournament {identity!r}.")
    return row


def _act(salon: Salon, identity: str, collection: str, written: str, *, json: bool) -> None:
    """Record one act on top of what there is. Raises CommandError with why it was refused."""
    row = _find_tournament(salon, identity)
    if collection not in ACTS:
        raise CommandError(f"There is no {collection!r}; there are {', '.join(sorted(ACTS))}.")
    try:
        act = with_known_people(
            salon, ACTS[collection](orjson.loads(written), times.now()), actor=ACTOR
        )
        recorded = direct_on_top(
            salon, row.pk, [act], actor=ACTOR, command=new_id(), version=row.version
        )
    except orjson.JSONDecodeError as fault:
        raise CommandError(f"The act is not JSON: {fault}.") from fault
    except (Refusal, StreamMoved, LogClosed) as refusal:
        raise CommandError(f"Nothing was recorded: {refusal}.") from refusal
    if json:
        print_json(id=row.pk, version=recorded.version)
    else:
        print_line(f"Recorded: {row.name} has {recorded.version} lines now.")


def _enter(salon: Salon, options: dict[str, Any]) -> None:
    """Enter everybody on a list, unless it is only looked at; say what each line comes to."""
    row = _find_tournament(salon, options["id"])
    state = require_fold(salon.log_id, row.pk).state
    reading = reading_for(state, singles=options["singles"], turned=options["turned"])
    try:
        text = read_list_file(options["file"].read_bytes()).text
        lines = list(read_list(text, reading))
    except OSError as away:
        raise CommandError(f"{options['file']} can't be read: {away.strerror}.") from away
    except NotationError as refusal:
        raise CommandError(f"{options['file']}: {refusal}.") from refusal
    if options["dry_run"]:
        told = list(try_list(salon, state, lines, actor=ACTOR))
    else:
        told = enter_list(row, lines, actor=ACTOR, command=new_id())
    columns, _first = columns_of(text, reading)
    told = [each for each in told if not each.line.heading]
    _say_entered(columns, told, is_kept=not options["dry_run"], json=options["json"])
    if any(each.problem for each in told):
        sys.exit(1)


def _say_entered(columns: Columns, told: list[Reported], *, is_kept: bool, json: bool) -> None:
    if json:
        lines = [
            {"number": each.line.number, "players": each.players, "problem": each.problem}
            for each in told
        ]
        print_json(columns=columns.roles, heading=columns.heading, kept=is_kept, lines=lines)
        return
    heading = "; the first line names them" if columns.heading else ""
    print_line(f"Columns: {', '.join(columns.roles)}{heading}.")
    for each in told:
        said = " & ".join(each.players) or each.line.text
        print_line(f"Line {each.line.number}: {said}{f': {each.problem}' if each.problem else ''}")
    entered = sum(not each.problem for each in told)
    print_line(f"{entered} of {len(told)} {'are' if is_kept else 'would be'} entered.")


def _export(salon: Salon, ids: list[str]) -> None:
    found = {identity: tournament_named(salon, identity) for identity in ids}
    missing = [identity for identity, row in found.items() if row is None]
    if missing:
        raise CommandError(f"The salon has no tournament {missing[0]!r}.")
    for written in export_tournaments(
        salon, [row.record for row in found.values() if row is not None], Audience.SALON
    ):
        print_line(as_json(written))
