"""Keeping the salon's tables: more of them, other names, and those that are used no more."""

from django.db.models import QuerySet
from msgspec import Struct
from rest_framework.request import Request

from scoring.shape import a_list, a_text
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, Done, answer_to_recording
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.domain.house.table_labels import MOST_TABLES
from tournament.models import Game
from tournament.recording.tables.salon_tables import add_tables as added
from tournament.recording.tables.salon_tables import rename_table as renamed
from tournament.recording.tables.salon_tables import retire_table as retired
from tournament.recording.tables.table_labels import labels_of, tables_of


class TableLine(Struct, frozen=True, kw_only=True):
    """A table of the salon: the game that is played there (null: none), and whether this visitor
    may record there.
    """

    label: str
    game: str | None
    may_record: bool


class NewTables(Struct, frozen=True, kw_only=True):
    """What tables are to be called, one that is retired among them to be in use again."""

    labels: list[str]


class NewLabel(Struct, frozen=True, kw_only=True):
    """What a table is to be called from now on."""

    label: str


class RetiredTable(Struct, frozen=True, kw_only=True):
    """A table at which no game begins any more."""

    label: str


class TableViewSet(ApiViewSet):
    """The salon's tables, and keeping them."""

    act = Permission.MANAGE_TABLES

    @document_action(Permission.SEE_SALON)
    def list_tables(self, request: Request) -> list[TableLine]:
        """The tables of the salon that are in use, 2 before 10, and what is played at each."""
        visitor = self.visitor
        playing: QuerySet[Game] = (
            Game.objects.filter(salon=visitor.salon, finished=False)
            .exclude(table="")
            .order_by("started_position")
        )
        at = dict(playing.values_list("table", "pk"))
        return [
            TableLine(
                label=label,
                game=at.get(label),
                may_record=visitor.may(Permission.RECORD, table=label),
            )
            for label in labels_of(visitor.salon)
        ]

    @document_action(body=NewTables)
    def add_tables(self, request: Request) -> Answer[Done]:
        """Add tables to the salon, each with a link and a PIN of its own. The answer is about the
        house.
        """
        given = a_list(self.body(NewTables).labels, "labels")[: MOST_TABLES + 1]
        labels = [a_text(label, f"labels[{place}]") for place, label in enumerate(given)]
        return answer_to_recording(added(self.salon, labels, **self.by))

    @document_action(body=NewLabel)
    def rename_table(self, request: Request, label: str) -> Answer[Done]:
        """Call a table otherwise, while no game is on there; games that were played there keep the
        name it had.
        """
        new = a_text(self.body(NewLabel).label, "new_label")
        return answer_to_recording(renamed(self.salon, label, new, **self.by))

    def list_retired_tables(self, request: Request) -> list[RetiredTable]:
        """The tables at which no game begins any more."""
        return [RetiredTable(label=table.label) for table in tables_of(self.salon, retired=True)]

    @document_action(body=RetiredTable)
    def retire_table(self, request: Request) -> Answer[Done]:
        """Let no game begin at a table any more, while none is on there. Added again it is in use
        again.
        """
        label = a_text(self.body(RetiredTable).label, "label")
        return answer_to_recording(retired(self.salon, label, **self.by))
