"""`manage.py person`: give someone another name, merge two records of one person, separate them
again; `import` and `take-back`: the players of a list.
"""

import sys
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import CommandError

from ledger.drafts import LogClosed, StreamMoved
from scoring.errors import NotationError, Refusal
from tournament.exchange.people_lists import lines_in, take_list_back
from tournament.formats.list_files import read_list_file
from tournament.formats.player_list import BAD, NEW, Line, Mapping, guess_columns, read_listed
from tournament.management.console import print_json, print_line
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.models import Player, Salon, new_id
from tournament.privacy.erasure import player_called
from tournament.recording.people import merge_persons, rename_person, separate_persons
from tournament.salons.persons import person_of
from tournament.salons.players import keep_players

ACTOR = "command-line"
WORDS = "rename|merge|separate|import|take-back"


class Command(SalonCommand):
    """Exit status 1, and nothing recorded, when it was refused. Of a list also when one of its
    lines can't be read; the others are kept.
    """

    help = (
        "Put right who a person is. Games, chips, ratings and seasons follow, and each step can be "
        "taken back. Or make the players of a list."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to do, with whom, and why."""
        what = parser.add_subparsers(dest="what", required=True, metavar=WORDS)
        renaming = what.add_parser("rename", help="give a person another name, everywhere")
        renaming.add_argument("player", metavar="NAME", help="the player's name or id")
        renaming.add_argument("other", metavar="NEW_NAME", help="the name from now on")
        merging = what.add_parser("merge", help="let one player stand for another one, too")
        merging.add_argument("player", metavar="NAME", help="the player who stays, by name or id")
        merging.add_argument("other", metavar="OTHER", help="the other record of the same person")
        separating = what.add_parser("separate", help="let a merged player be a person again")
        separating.add_argument("player", metavar="NAME", help="the merged player, by name or id")
        importing = what.add_parser("import", help="make the players of a list that are new")
        importing.add_argument(
            "--dry-run", action="store_true", help="say what each line comes to and keep nothing"
        )
        taking = what.add_parser(
            "take-back",
            help="take players of a list back who came with one and never played",
        )
        for action in (importing, taking):
            action.add_argument(
                "file", type=Path, metavar="FILE", help="text, CSV, XLSX, XLS, ODS or TRF"
            )
            action.add_argument(
                "--turned", action="store_true", help="surnames come first: “Casadei, Mara”"
            )
        for action in (renaming, merging, separating):
            action.add_argument("--reason", default="", help="why; it stands in the history")
        for action in (renaming, merging, separating, importing, taking):
            action.add_argument("--json", action="store_true", help="one JSON object")
            add_salon(action)

    def handle(self, *, what: str, salon: str | None, **options: Any) -> None:  # noqa: ANN401 - each word has options of its own
        """Do it, and say who it is about."""
        place = the_salon(salon)
        if what in ("import", "take-back"):
            mapping, lines = _list_of(place, options["file"], turned=options["turned"])
            _LISTS[what](place, mapping, lines, options)
        else:
            self._put_right(place, what, **options)

    def _put_right(
        self,
        place: Salon,
        what: str,
        *,
        player: str,
        reason: str,
        json: bool,
        other: str = "",
        **_options: object,
    ) -> None:
        found = _player(place, player)
        try:
            if what == "rename":
                rename_person(found, other, reason=reason, actor=ACTOR, command=new_id())
            elif what == "merge":
                merge_persons(
                    found, _player(place, other), reason=reason, actor=ACTOR, command=new_id()
                )
            else:
                separate_persons(found, reason=reason, actor=ACTOR, command=new_id())
        except (Refusal, StreamMoved, LogClosed) as refusal:
            raise CommandError(f"Nothing was recorded: {refusal}.") from refusal
        found.refresh_from_db()
        person = person_of(found)
        if json:
            print_json(player=person.pk, name=person.name)
        else:
            print_line(f"Recorded: {person.name}.")


def _player(salon: Salon, name: str) -> Player:
    found = player_called(salon, name)
    if found is None:
        raise CommandError(f"The salon has no player {name!r}.")
    return found


def _list_of(salon: Salon, path: Path, *, turned: bool) -> tuple[Mapping, list[Line]]:
    """The columns by which a list is read, and its lines."""
    try:
        listed = read_listed(read_list_file(path.read_bytes()).text)
    except OSError as away:
        raise CommandError(f"{path} can't be read: {away.strerror}.") from away
    except NotationError as refusal:
        raise CommandError(f"{path}: {refusal}.") from refusal
    mapping = replace(guess_columns(listed), turned=turned)
    return mapping, lines_in(salon, listed, mapping)


def _import(salon: Salon, mapping: Mapping, lines: list[Line], options: dict[str, Any]) -> None:
    """Make the players that are new, unless it is only looked at; say what each line comes to."""
    new = [line.name for line in lines if line.kind == NEW]
    if not options["dry_run"]:
        keep_players(salon, new)
    if options["json"]:
        told = [msgspec.to_builtins(line) for line in lines]
        print_json(**msgspec.to_builtins(mapping), kept=not options["dry_run"], lines=told)
    else:
        print_line(_columns_in_words(mapping))
        for line in lines:
            print_line(f"Line {line.number}: {line.name or '–'}, {line.problem or line.kind}")
        would = "would be" if options["dry_run"] else "are"
        print_line(f"{len(new)} of {len(lines)} {would} new in the salon.")
    if any(line.kind == BAD for line in lines):
        sys.exit(1)


def _columns_in_words(mapping: Mapping) -> str:
    names = f"column {mapping.name + 1}"
    if mapping.second is not None:
        names += f", then column {mapping.second + 1}"
    heading = "; the first line names the columns" if mapping.heading else ""
    return f"Names: {names}{heading}."


def _take_back(salon: Salon, _mapping: Mapping, lines: list[Line], options: dict[str, Any]) -> None:
    taken, stay = take_list_back(salon, lines)
    if options["json"]:
        print_json(taken_back=taken, stay=stay)
    else:
        print_line(f"{taken} taken back; {stay} stay, who have played or came without a list.")


_LISTS = {"import": _import, "take-back": _take_back}
