"""A round's results to be typed one after the other: a row a table, what stands in it, what was
wrong with it or has to be said once more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from tournament.domain.standings.values import Stage
from tournament.domain.tournament.counting import boards_of
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.state import RoundState
from tournament.pages.common.form_values import Problem
from tournament.pages.desk.deal_fields import deals_as_typed
from tournament.pages.desk.result_fields import as_typed, list_result_fields, result_lines
from tournament.queries.line_ups import tables_to_seat
from tournament.queries.recorded_results import Group
from tournament.queries.tournament import ShownTable, TournamentView

HANDS = "hands:number"
BETWEEN = ":"  # the numbers of a result in one line
REASON = "reason"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnrecordedResult:
    """A result of a table that was sent but not recorded: its fields as typed, and the
    problem, or the question (`asks`) that sending the same again answers.
    """

    fields: Mapping[str, str]
    problem: Problem | None = None
    asks: str = ""

    @property
    def status(self) -> int:
        """The HTTP status of a page that shows it."""
        return self.problem.status if self.problem is not None else 422


@dataclass(frozen=True, slots=True, kw_only=True)
class RowField:
    """A number to be typed: `compared` are those that results are rare by, with the same word where
    they belong together.
    """

    name: str
    label: str
    typed: str
    decimal: bool
    compared: str = ""
    wrong: bool = False
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Fields side by side: those of an entry, of two partners, or of a deal."""

    name: str
    side: str
    fields: Sequence[RowField]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A table of the round. `was` is the result that this row shows as recorded, "" for none;
    `sure` what has been asked about. `is_open`: a result is typed here.
    """

    number: int
    shown: ShownTable
    cells: Sequence[Cell]
    group: str
    is_open: bool
    was: str = ""
    sure: str = ""
    problem: Problem | None = None
    asks: str = ""
    becomes: str = ""
    reason: str = ""
    waits: bool = False
    names: Sequence[str] = field(default=())

    @property
    def asks_game(self) -> bool:
        """Whether it has to be said what becomes of the game that goes on there."""
        shown = self.shown
        leaves_a_game = shown.goes_on and shown.has_hand and not shown.table.detached
        return self.problem is not None and leaves_a_game

    @property
    def asks_reason(self) -> bool:
        """Whether a reason is asked for, or was given."""
        asked = self.problem is not None and self.problem.field == REASON
        return self.asks_game or asked or bool(self.reason)

    @property
    def begins_at(self) -> str:
        """The id of the field at which typing goes on in this row."""
        fields = [each for cell in self.cells for each in cell.fields]
        wrong = [each.id for each in fields if each.wrong]
        empty = [each.id for each in fields if not each.typed]
        asked = [fields[-1].id] if self.asks else []
        return next(iter([*wrong, *asked, *empty, fields[0].id]))

    @property
    def is_missing(self) -> bool:
        """Whether its result is still to be typed, or wasn't recorded."""
        return self.is_open and (not self.was or self.problem is not None or bool(self.asks))


def rows_of(
    at: TournamentView,
    each: RoundState,
    tables: Sequence[ShownTable],
    tried: Mapping[int, UnrecordedResult],
) -> list[ResultRow]:
    """The rows of these tables of a round, in order, each with what was `tried` in vain."""
    sealed = {seating.table for seating in tables_to_seat(at, each) if not seating.is_open}
    return [_row(at, each, shown, tried.get(shown.table.table), sealed) for shown in tables]


def _row(
    at: TournamentView,
    each: RoundState,
    shown: ShownTable,
    tried: UnrecordedResult | None,
    sealed: set[int],
) -> ResultRow:
    stage, number = at.state.stage_in(each.number), shown.table.table
    waits = number in sealed and not shown.table.is_settled
    typed_here = bool(shown.table.results) and not shown.table.forfeit
    settled = shown.table.is_settled and not typed_here
    takes = each.is_open and not settled and not waits
    is_open = (takes and shown.counts != "game") or tried is not None
    values = read_counted_values(at, shown) if typed_here else [{} for _seat in shown.seated]
    cells = list(cells_of(stage, shown, values))
    if tried is not None:
        cells = _as_sent(cells, tried)
    return ResultRow(
        number=number,
        shown=shown,
        cells=[_at_table(cell, number, place) for place, cell in enumerate(cells)],
        group=group_of(stage, shown).name,
        is_open=is_open,
        was=format_recorded_result(at, stage, shown),
        sure=format_cells(cells) if tried is not None and tried.asks else "",
        problem=tried.problem if tried is not None else None,
        asks=tried.asks if tried is not None else "",
        becomes=tried.fields.get("its_game", "") if tried is not None else "",
        reason=tried.fields.get(REASON, "") if tried is not None else "",
        waits=waits,
        names=[seat.name for seat in shown.seated],
    )


def cells_of(
    stage: Stage, shown: ShownTable, values: Sequence[Mapping[str, str]]
) -> Iterator[Cell]:
    """The fields of a table in the order in which its slip is read: an entry after the other, or a
    deal after the other.
    """
    lines = result_lines(stage, shown, "", values)
    if shown.table.deals:
        for place, deal in enumerate(shown.table.deals):
            yield Cell(
                name=_("Deal %(number)d") % {"number": deal},
                side="",
                fields=[
                    RowField(
                        name=f"{line.fields[place].name}:half",
                        label=line.side or line.name,
                        typed=line.fields[place].typed,
                        decimal=True,
                        compared=f"d{deal}",
                    )
                    for line in lines
                ],
            )
        return
    for line in lines:
        fields = [
            RowField(
                name=f"{each.name}:{each.kind}",
                label=each.label,
                typed=each.typed,
                decimal=each.kind == "half",
                compared="" if place else "all",
            )
            for place, each in enumerate(line.fields)
        ]
        yield Cell(name=line.name, side=line.side, fields=fields)
    if "tricks" in list_result_fields(stage) and not stage.plays_same_deals:
        hands = str(shown.table.hands or "")
        label = _("Hands played")
        yield Cell(
            name="", side="", fields=[RowField(name=HANDS, label=label, typed=hands, decimal=False)]
        )


def read_counted_values(at: TournamentView, shown: ShownTable) -> list[dict[str, str]]:
    """Return the values that count at a table, as they would be typed for each entry."""
    if shown.table.deals:
        return deals_as_typed(boards_of(shown.table, at.outcomes), len(shown.seated))
    return [as_typed(seat.result) for seat in shown.seated]


def format_recorded_result(at: TournamentView, stage: Stage, shown: ShownTable) -> str:
    """Return the typed result of a table in one line, "" if there is none."""
    if not shown.table.results or shown.table.forfeit:
        return ""
    return format_cells(list(cells_of(stage, shown, read_counted_values(at, shown))))


def act_text(stage: Stage, shown: ShownTable, act: EnterResult) -> str:
    """Return the result that an act records in one line, as `format_recorded_result` does."""
    values = (
        deals_as_typed(act.boards, len(shown.seated))
        if shown.table.deals
        else [as_typed(result) for result in act.results]
    )
    if len(values) < len(shown.seated):
        values *= 2  # of two sides, each of two partners
    table = replace(shown.table, hands=act.hands)
    return format_cells(list(cells_of(stage, replace(shown, table=table), values)))


def format_cells(cells: Sequence[Cell]) -> str:
    """Return the content of the fields in one line."""
    return BETWEEN.join(each.typed for cell in cells for each in cell.fields)


def find_missing_field(cells: Sequence[Cell]) -> RowField | None:
    """Return the first number that is missing although others of its table or deal are
    typed.
    """
    fields = [each for cell in cells for each in cell.fields if each.compared]
    begun = {each.compared for each in fields if each.typed}
    if not begun and any(each.typed for cell in cells for each in cell.fields):
        begun = {fields[0].compared}
    return next((each for each in fields if not each.typed and each.compared in begun), None)


def group_of(stage: Stage, shown: ShownTable) -> Group:
    """With which results those of a table are compared."""
    return Group(
        len(result_lines(stage, shown, "", [{}] * len(shown.seated))), bool(shown.table.deals)
    )


def with_typed(cells: Iterable[Cell], fields: Mapping[str, str]) -> list[Cell]:
    """The cells with what was typed in their fields, by name."""
    return [
        replace(
            cell, fields=[replace(each, typed=fields.get(each.name, "")) for each in cell.fields]
        )
        for cell in cells
    ]


def path_of(each: RowField) -> str:
    """The path that a refusal has of what this field says."""
    return each.name.partition(":")[0]


def _as_sent(cells: Iterable[Cell], tried: UnrecordedResult) -> list[Cell]:
    """The cells with what was typed, and a mark where that is wrong."""
    typed = with_typed(cells, tried.fields)
    wrong = _wrong_in(typed, tried.problem.field) if tried.problem is not None else set()
    return [
        replace(cell, fields=[replace(each, wrong=each.name in wrong) for each in cell.fields])
        for cell in typed
    ]


def _wrong_in(cells: Sequence[Cell], path: str) -> set[str]:
    """The names of the fields that a refusal is about: the one of its path, both of a deal, and of
    what is wrong with all of them the first.
    """
    fields = [each for cell in cells for each in cell.fields]
    same = {each.name for each in fields if path_of(each) == path}
    whole, _dot, rest = path.partition(".")
    if same or whole not in ("results", "boards"):
        return same
    place = int(rest.partition(".")[0] or 0)
    if whole == "boards":
        begun = [cell for cell in cells if any(each.typed for each in cell.fields)]
        return {each.name for each in begun[place % len(begun)].fields} if begun else set()
    return {fields[place % len(fields)].name}


def _at_table(cell: Cell, number: int, place: int) -> Cell:
    """The cell at this place of the row of table `number`, its fields with names of their own."""
    fields = [
        replace(each, name=f"tables.t{number}.{each.name}", id=f"f-{number}-{place}-{at}")
        for at, each in enumerate(cell.fields)
    ]
    return replace(cell, fields=fields)
