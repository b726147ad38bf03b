"""`manage.py tables`: which tables the salon has; `add`, `rename`, `retire` and `back` keep
them.
"""

from argparse import ArgumentParser
from collections.abc import Callable

from django.core.management.base import CommandError

from ledger.drafts import StreamMoved
from scoring.errors import Refusal
from scoring.shape import JsonObject
from tournament.domain.house.table_labels import several_labels
from tournament.management.console import print_line
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.models import Salon, new_id
from tournament.recording.tables import salon_tables
from tournament.recording.tables.table_labels import labels_of, list_busy_tables, tables_of

ACTOR = "command-line"


class Command(SalonCommand):
    """Exit status 1 where what is asked for can't be."""

    help = (
        "List the salon's tables, or change them: manage.py tables add 9-12 Window, "
        "rename 9 Alcove, retire 12, back 12."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to do to which tables of which salon."""
        add_salon(parser)
        what = parser.add_subparsers(dest="what", metavar="add|rename|retire|back")
        for name, says in (
            ("add", "more tables; 9-12 are four"),
            ("retire", "stop using these"),
            ("back", "use retired ones again"),
        ):
            each = what.add_parser(name, help=says)
            each.add_argument("labels", nargs="+", metavar="TABLE")
        rename = what.add_parser("rename", help="give a table another name")
        rename.add_argument("label", metavar="TABLE")
        rename.add_argument("new_label", metavar="NAME")

    def handle(self, *, what: str | None, salon: str | None, **options: object) -> None:
        """Keep the tables, or list them with what is on there."""
        place = the_salon(salon)
        try:
            lines = DOES[what](place, options) if what else _list_tables(place)
        except Refusal as refusal:
            raise CommandError(f"{refusal.message}.") from refusal
        except StreamMoved as moved:
            raise CommandError("Somebody else changed the tables just now; try again.") from moved
        for line in lines:
            print_line(line)


def _list_tables(salon: Salon) -> list[str]:
    playing = list_busy_tables(salon)
    lines = [f"{label}  a game is on" if label in playing else label for label in labels_of(salon)]
    return [*lines, *(f"{table.label}  retired" for table in tables_of(salon, retired=True))]


def _add(salon: Salon, options: JsonObject) -> list[str]:
    labels = several_labels("\n".join(options["labels"]))
    salon_tables.add_tables(salon, labels, actor=ACTOR, command=new_id())
    return [f"added: {', '.join(labels)}"]


def _rename(salon: Salon, options: JsonObject) -> list[str]:
    salon_tables.rename_table(
        salon, options["label"], options["new_label"], actor=ACTOR, command=new_id()
    )
    return [f"{options['label']} is called {options['new_label']} now"]


def _retire(salon: Salon, options: JsonObject) -> list[str]:
    return _change_tables(salon_tables.retire_table, salon, options, "retired")


def _back(salon: Salon, options: JsonObject) -> list[str]:
    return _change_tables(salon_tables.take_table_back, salon, options, "in use again")


def _change_tables(
    do: Callable[..., object], salon: Salon, options: JsonObject, outcome: str
) -> list[str]:
    """Do this with each table that is asked for; what is said of them then."""
    labels = several_labels("\n".join(options["labels"]))
    for label in labels:
        do(salon, label, actor=ACTOR, command=new_id())
    return [f"{label} is {outcome}" for label in labels]


DOES: dict[str, Callable[[Salon, dict[str, object]], list[str]]] = {
    "add": _add,
    "rename": _rename,
    "retire": _retire,
    "back": _back,
}
