"""Travellers as a file and on paper: a sheet for each deal with a row for every table that plays
it, empty boxes for what is not in yet or not to be seen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.http import Http404
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scoring.errors import RuleViolation
from scoring.shape import JsonObject
from tournament.accounts.permissions import Permission, Visitor
from tournament.domain.standings.writing import number
from tournament.formats.sheets import Cell, Sheet
from tournament.queries.number_format import hundredths
from tournament.queries.pages_on_paper import Print, SheetFile, printed
from tournament.queries.plans import is_shown, read_plan
from tournament.queries.result_slips import deal_holdings, hands_of
from tournament.queries.sides import side_words
from tournament.queries.stage_views import plays_same_deals, seen_at
from tournament.queries.tournament import TournamentView
from tournament.queries.travellers import Traveller, travellers_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLine:
    """A table that plays a deal: its entries with their names, in the order of the seats, and what
    each scored and got for it in words, () while that is not known or not to be seen.
    """

    round: int
    table: int
    entries: tuple[tuple[str, str], ...]
    scores: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    awarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperDeal:
    """A deal with its lines; `is_over`: everybody has played it."""

    deal: int
    lines: tuple[PaperLine, ...]
    is_over: bool


def paper_deals(
    at: TournamentView, visitor: Visitor, only: str = ""
) -> tuple[TournamentView, list[PaperDeal]]:
    """The deals of the stage that has any, or the one called `only`, and the tournament at that
    stage. Raises Http404 where there is none.
    """
    seen = seen_at(at, "", plays_same_deals)
    if seen is None:
        raise Http404
    known = {each.deal: each for each in travellers_of(seen, visitor)}
    lines: dict[int, list[PaperLine]] = {}
    for round_number, table, entries, deals in _sittings(seen, visitor):
        for deal in deals:
            lines.setdefault(deal, []).append(_line(known.get(deal), round_number, table, entries))
    found = [
        PaperDeal(
            deal=deal,
            lines=tuple(lines[deal]),
            is_over=deal in known and known[deal].shown and known[deal].played >= len(lines[deal]),
        )
        for deal in sorted(lines)
        if only in ("", str(deal))
    ]
    if not found:
        raise Http404
    return seen, found


def _sittings(
    at: TournamentView, visitor: Visitor
) -> Iterator[tuple[int, int, tuple[tuple[str, str], ...], tuple[int, ...]]]:
    """Every table with its round, entries and deals, as the plan has it, else as far as drawn."""
    try:
        plan = read_plan(at, visitor) if is_shown(at, visitor) else None
    except RuleViolation:
        plan = None
    if plan is not None:
        for each in plan.rounds:
            for table in each.tables:
                seats = tuple((seat.entry or "", seat.name) for seat in table.seats)
                yield each.number, table.table, seats, tuple(table.deals)
        return
    for drawn in at.state.rounds:
        if drawn.stage == at.state.stage_number and (
            drawn.published or visitor.may(Permission.DIRECT)
        ):
            names = at.names_in(drawn.number)
            for seated in drawn.tables:
                entries = tuple((entry, names[entry]) for entry in seated.entries)
                yield drawn.number, seated.table, entries, tuple(seated.deals)


def _line(
    known: Traveller | None, round_number: int, table: int, entries: tuple[tuple[str, str], ...]
) -> PaperLine:
    played = next(
        (
            line
            for line in (known.lines if known is not None else ())
            if (line.round, line.table) == (round_number, table)
        ),
        None,
    )
    if played is None:
        return PaperLine(round=round_number, table=table, entries=entries)
    return PaperLine(
        round=round_number,
        table=table,
        entries=tuple(zip(played.entries, played.names, strict=True)),
        scores=played.scores,
        points=played.points,
        awarded=bool(played.awarded),
    )


def travellers_sheet(
    at: TournamentView, visitor: Visitor, only: str, words: Mapping[str, str]
) -> Sheet:
    """A row for every deal, table and entry. Raises Http404 as `paper_deals`."""
    seen, deals = paper_deals(at, visitor, only)
    keys = ("round", "table", "side", "entry", "name", "score", "points", "kind")
    return Sheet(
        title=_("%s, travellers") % at.row.name,
        columns=(("deal", _("Deal")), *((key, words[key]) for key in keys)),
        rows=tuple(
            row for each in deals for line in each.lines for row in _rows(seen, each.deal, line)
        ),
    )


def _rows(at: TournamentView, deal: int, line: PaperLine) -> Iterator[tuple[Cell, ...]]:
    sides = side_words(at.state.game, len(line.entries))
    for place, (entry, name) in enumerate(line.entries):
        score, points = line.scores[place : place + 1], line.points[place : place + 1]
        yield (
            deal,
            line.round,
            line.table,
            sides[place],
            entry,
            name,
            number(score[0]) if score else None,
            number(points[0]) if points else None,
            _("awarded") if line.awarded else "",
        )


def travellers_on_paper(at: TournamentView, visitor: Visitor, only: str, asked: Print) -> SheetFile:
    """A page for each deal, to be filled in by hand where nothing is in yet; of a single deal that
    everybody has played also the cards. Raises Http404 as `paper_deals`, and what `printed` raises.
    """
    seen, deals = paper_deals(at, visitor, only)
    most = max(len(line.entries) for each in deals for line in each.lines)
    scale = seen.state.stage.scale.kind
    told = only and deals[0].is_over and seen.state.deals_seed
    cards = dict(deal_holdings(seen)) if told else {}
    titled = _("%s, travellers") % at.row.name
    shown: JsonObject = {
        "title": titled,
        "event": at.row.name,
        "numbers": {
            name: entry for each in deals for line in each.lines for entry, name in line.entries
        },
        "round": _("Round"),
        "table": _("Table"),
        "sides": [word or _("Player") for word in side_words(seen.state.game, most)],
        "who": _("Pair") if most > 1 else "",
        "score": _("Built") if scale == "built" else _("Score"),
        "points": ""
        if scale == "built"
        else _("IMPs")
        if scale in ("imps", "victory_points")
        else _("Per cent"),
        "deals": [
            {
                "heading": _("Deal %(number)d") % {"number": each.deal},
                "lines": [_line_on_paper(line, most) for line in each.lines],
                "hands": hands_of(cards.get(each.deal, [])),
            }
            for each in deals
        ],
    }
    named = f"{slugify(at.row.name) or 'tournament'}-travellers" + (f"-{only}" if only else "")
    return printed("travellers", at.row.salon, shown, asked, named=named)


def _line_on_paper(line: PaperLine, most: int) -> JsonObject:
    def pad_cells(cells: list[str]) -> list[str]:
        return cells + [""] * (most - len(cells))

    scores = [hundredths(score) for score in line.scores]
    return {
        "round": str(line.round),
        "table": str(line.table),
        "names": pad_cells([f"{entry} {name}".strip() for entry, name in line.entries]),
        "scores": pad_cells([_("awarded")] * len(line.entries) if line.awarded else scores),
        "points": pad_cells([hundredths(points) for points in line.points]),
    }
