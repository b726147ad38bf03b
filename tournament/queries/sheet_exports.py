"""Files of a tournament for other programs and for the door: standings, results and seats as CSV,
workbook, JSON and PDF; TRF16.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

from django.http import Http404
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.models import Event
from scoring.errors import RuleViolation
from tournament.accounts.permissions import Role, Visitor
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.stages import (
    current_stage,
    deals_compared,
    of_stage,
    tie_breaks_of,
    whole_standings,
)
from tournament.domain.standings.values import Tournament
from tournament.domain.tournament.standings_view import field_of
from tournament.formats import sheets
from tournament.formats.local.dates import MOMENT, date_text
from tournament.formats.pdf import PaperLogo, Proof, on_paper
from tournament.formats.sheets import Sheet
from tournament.formats.spreadsheets import as_csv, as_json, as_workbook
from tournament.formats.trf import Header, trf_of
from tournament.models import Logo, Salon
from tournament.queries.bracket_words import (
    last_rounds,
    names_of_match,
    round_name,
    status_words,
)
from tournament.queries.entry_paths import company_words
from tournament.queries.history_lines import at_time
from tournament.queries.pages_on_paper import (
    TYPES,
    Print,
    SheetFile,
    choose_counted_address,
    printed,
)
from tournament.queries.printed_checkpoint import printed_checkpoint
from tournament.queries.printed_travellers import travellers_on_paper, travellers_sheet
from tournament.queries.scale_words import bye_words, points_heading, points_heading_of
from tournament.queries.sides import side_words
from tournament.queries.stage_views import find_bracket
from tournament.queries.tournament import TournamentView, computed
from tournament.queries.tournament_visibility import read_visible_standings, rounds_shown
from tournament.queries.wall_charts import crosstable_sheet, plan_sheet, wall_chart

PLAIN: Mapping[str, Callable[[Sheet], bytes]] = {
    "csv": as_csv,
    "json": as_json,
    "xlsx": as_workbook,
}
REPORT, BRACKET, WALL_CHART, TRAVELLERS = "report", "bracket", "wallchart", "travellers"
LARGEST = 30  # points of a letter on a wall
MOST_COLUMNS = 42  # that can be read on a page lying: a crosstable of 40
MOST_ROWS_FOR_ANYONE = 1_000  # on paper: more of them take a processor for longer than a second


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRequest:
    """A request for a sheet: who asks, and which round's results or which deal's traveller (""
    all); where paper says that the tournament is found (`address`, "" nowhere), the address that
    asks (`caller`), and on which paper, None on the salon's. `semicolons`: a CSV that spreadsheets
    open in columns where numbers are written with a comma.
    """

    visitor: Visitor
    round: str = ""
    deal: str = ""
    semicolons: bool = False
    address: str = ""
    caller: str = ""
    paper: str | None = None


def sheet_file(at: TournamentView, asked: SheetRequest, what: str, ending: str) -> SheetFile:
    """A tournament as a file, as far as this visitor may see it; silent rounds stay
    silent.

    Raises Http404 for a file that there is none of, RuleViolation if the format can't
    say it; for paper UnknownPaper and what `papers.paper` raises.
    """
    last = rounds_shown(at, asked.visitor)
    if (what, ending) == (REPORT, "trf"):
        return _make_file(at, what, ending, _report(at, last))
    if (what, ending) == (TRAVELLERS, "pdf"):
        return travellers_on_paper(at, asked.visitor, asked.deal, _print_of(asked))
    if what not in SHEETS or ending not in (*PLAIN, "pdf"):
        raise Http404
    sheet = SHEETS[what](asked, at, last)
    if ending == "pdf":
        content: bytes | BinaryIO = _on_paper(at, asked, sheet, _pictures(at, asked.visitor, what))
    elif ending == "csv" and asked.semicolons:
        content = as_csv(sheet, semicolons=True)
    else:
        content = PLAIN[ending](sheet)
    return _make_file(at, what, ending, content)


def _pictures(at: TournamentView, visitor: Visitor, what: str) -> tuple[str, ...]:
    """The pictures before the rows of a sheet of paper: the pages of a bracket, as SVG."""
    seen = find_bracket(at, visitor) if what == BRACKET else None
    pages = seen.pages(at.entries, paged=True) if seen is not None else ()
    return tuple(render_to_string("print/bracket.svg", {"page": page}) for page in pages)


def _standings(asked: SheetRequest, at: TournamentView, last: int) -> Sheet:
    table = read_visible_standings(at, asked.visitor)[0] or whole_standings(
        field_of(at.state, at.outcomes), after_round=0
    )
    field = replace(_field(at), rounds=_field(at).rounds[: table.after_round])
    sheet = sheets.standings_sheet(
        _("%s, standings") % at.row.name,
        table,
        at.entries,
        tie_breaks_of(_field(at)),
        {**_words(), "points": points_heading(at.state.stage.scale)},
    )
    return replace(sheet, note=_about_deals(field))


def _about_deals(field: Tournament) -> str:
    """That some deals count by Neuberg's formula, and which."""
    lines = deals_compared(field)
    deals = [str(deal) for deal, each in lines.items() if any(line.factored for line in each)]
    if not deals:
        return ""
    return ngettext(
        "Deal %(deals)s had fewer results than others and counts by Neuberg’s formula",
        "Deals %(deals)s had fewer results than others and count by Neuberg’s formula",
        len(deals),
    ) % {"deals": ", ".join(deals)}


def _results(asked: SheetRequest, at: TournamentView, last: int) -> Sheet:
    """The round asked for, else all of them."""
    title = _("%s, results") % at.row.name
    shown = [each.number for each in at.state.rounds if each.published and each.number <= last]
    if asked.round:
        shown = [number for number in shown if str(number) == asked.round]
        title = _("%(name)s, results of round %(number)s") % {
            "name": at.row.name,
            "number": asked.round[:8],
        }
    return sheets.results_sheet(
        title,
        _field(at),
        {number: at.names_in(number) for number in shown},
        {**_words(), "points": points_heading_of(at.state)},
        bye_words,
        {number: at.names_at_tables(number) for number in shown},
    )


def _seats(asked: SheetRequest, at: TournamentView, last: int) -> Sheet:
    """The seats in the round published last."""
    published = [each.number for each in at.state.rounds if each.published]
    if not published:
        raise Http404
    title = _("%(name)s, seats of round %(number)d") % {
        "name": at.row.name,
        "number": published[-1],
    }
    return sheets.seating_sheet(
        title,
        _field(at),
        published[-1],
        at.names_in(published[-1]),
        {**_words(), "company": _("With and against")},
        partial(side_words, at.state.game),
        company_words,
        bye_words,
        at.names_at_tables(published[-1]),
    )


def _plan(asked: SheetRequest, at: TournamentView, last: int) -> Sheet:
    """Every round of the plan."""
    return plan_sheet(at, asked.visitor, _words())


def _crosstable(asked: SheetRequest, at: TournamentView, last: int) -> Sheet:
    """The opponents of each entry by round."""
    return crosstable_sheet(at, asked.visitor, _words())


def _wall_chart(asked: SheetRequest, at: TournamentView, last: int) -> Sheet:
    """Every entry round by round."""
    return wall_chart(at, asked.visitor, last, _words())


def _travellers(asked: SheetRequest, at: TournamentView, last: int) -> Sheet:
    """Every deal with the tables that play it."""
    return travellers_sheet(at, asked.visitor, asked.deal, _words())


def _bracket(asked: SheetRequest, at: TournamentView, _last: int) -> Sheet:
    """Every match of a knock-out. Raises Http404 for any other stage."""
    seen = find_bracket(at, asked.visitor)
    if seen is None:
        raise Http404
    so_far = seen.shown.progress
    states = so_far.states if so_far is not None else ()
    last = last_rounds(state.match for state in states)
    lines = [(state, *names_of_match(state, at.entries, seen.origins)) for state in states]
    return Sheet(
        title=_("%s, bracket") % at.row.name,
        columns=(
            ("match", _("Match")),
            ("bracket", _("Round")),
            ("name", _("First")),
            ("opponent", _("Second")),
            ("games", _("Games")),
            ("winner", _("Winner")),
            ("kind", _("Remark")),
        ),
        rows=tuple(
            (
                state.match.number,
                round_name(state.match.bracket, state.match.round, last),
                one,
                two,
                " : ".join(str(state.games.count(str(each))) for each in state.entries)
                if state.games
                else "",
                at.entries.get(str(state.winner), ""),
                status_words(state),
            )
            for state, one, two in lines
        ),
    )


def _report(at: TournamentView, last: int) -> bytes:
    field = _field(at)
    seen = replace(field, rounds=field.rounds[:last])
    shown = of_stage(seen, current_stage(seen))  # a report is of one stage
    header = Header(
        name=at.row.name, place=at.row.salon.name, begins=_day(at), ends=_day(at, end=True)
    )
    # A report knows no substitutes.
    began = {entry.id: at.name_in(entry.joined_in, entry.id) for entry in at.state.entries}
    return trf_of(header, shown, standings(shown), began).encode()


SHEETS: Mapping[str, Callable[[SheetRequest, TournamentView, int], Sheet]] = {
    "standings": _standings,
    "results": _results,
    "seats": _seats,
    "plan": _plan,
    "crosstable": _crosstable,
    BRACKET: _bracket,
    WALL_CHART: _wall_chart,
    TRAVELLERS: _travellers,
}


def _field(at: TournamentView) -> Tournament:
    return field_of(at.state, at.outcomes)


def _day(at: TournamentView, *, end: bool = False) -> str:
    """The day of the first entry of the tournament's stream, or of its last once it is over."""
    if end and at.state.phase not in ("finished", "archived"):
        return ""
    events = Event.objects.filter(stream=at.row.pk).order_by("-version" if end else "version")
    moment = events.values_list("recorded_at", flat=True)[0]
    return f"{timezone.localtime(at_time(moment)):%Y/%m/%d}"


def _on_paper(
    at: TournamentView, asked: SheetRequest, sheet: Sheet, pictures: tuple[str, ...]
) -> bytes | BinaryIO:
    """The sheet as pages. Raises RuleViolation for one with more columns than can be read, or with
    more rows than anybody without an account may have typeset, UnknownPaper.
    """
    if asked.visitor.role is Role.ANYONE and len(sheet.rows) > MOST_ROWS_FOR_ANYONE:
        raise RuleViolation(
            "too_long",
            "paper has room for %(most)s lines here, not for %(lines)s; take one round after the "
            "other (?round=1), the whole as CSV or XLSX, or sign in",
            path="round",
            most=MOST_ROWS_FOR_ANYONE,
            lines=len(sheet.rows),
        )
    if len(sheet.columns) > MOST_COLUMNS:
        raise RuleViolation(
            "too_wide",
            "paper has room for %(most)s columns, not for %(columns)s; take it as CSV or XLSX",
            path="ending",
            most=MOST_COLUMNS,
            columns=len(sheet.columns),
        )
    count = len(at.state.entries)
    entries = ngettext("One entry", "%(count)d entries", count) % {"count": count}
    return typeset(
        sheet,
        at.row.salon,
        position=computed(at).position,
        under=f"{entries} · {asked.address}" if asked.address else entries,
        asked=_print_of(asked),
        pictures=pictures,
        numbers={name: entry for entry, name in at.entries.items()},
        largest=LARGEST,
    )


def _print_of(asked: SheetRequest) -> Print:
    return Print(caller=choose_counted_address(asked.visitor, asked.caller), paper=asked.paper)


def typeset(
    sheet: Sheet,
    salon: Salon,
    *,
    position: int,
    under: str,
    asked: Print,
    pictures: tuple[str, ...] = (),
    numbers: Mapping[str, str] | None = None,
    largest: int = 0,
) -> bytes | BinaryIO:
    """A sheet of this salon as PDF, with the checkpoint that covers the entry of the log at
    `position`; `under` stands below its title. Its letters are of `largest` points where that fills
    no further page.

    Raises what `printed` raises.
    """
    shown = on_paper(
        sheet,
        under=under,
        empty=_("Nothing stands here yet."),
        proof=proof_of(salon, position),
        logo=_logo(salon),
        pictures=pictures,
        largest=largest,
    )
    return printed(
        "sheet", salon, shown | {"numbers": dict(numbers or {})}, asked, named=sheet.title
    ).content


def _logo(salon: Salon) -> PaperLogo | None:
    kept = Logo.objects.filter(salon=salon, digest=salon.logo).first()
    if kept is None:
        return None
    return PaperLogo(format=kept.media_type.removeprefix("image/"), content=bytes(kept.content))


def proof_of(salon: Salon, position: int) -> Proof | None:
    """The checkpoint a printed page carries, as the pages of the salon print it; None before the
    first.
    """
    found = printed_checkpoint(salon, position)
    if found["checkpoint"] is None:
        return None
    made = date_text(timezone.localtime(found["made"]), MOMENT)
    covered = _(
        "It covers this result. Whoever keeps this sheet can prove it: the code holds "
        "the signed checkpoint."
    )
    later = _(
        "The latest lines of this result came after it: print again in a few minutes to "
        "have them covered."
    )
    return Proof(
        heading=_("Log checkpoint of %(size)d lines, signed %(time)s")
        % {"size": found["checkpoint"].size, "time": made},
        root=found["root"],
        code=str(found["picture"]),
        says=covered if found["covers"] else later,
        alt=_("The checkpoint as a code to scan"),
    )


def _make_file(at: TournamentView, what: str, ending: str, content: bytes | BinaryIO) -> SheetFile:
    return SheetFile(
        name=f"{slugify(at.row.name) or 'tournament'}-{what}.{ending}",
        type=TYPES[ending],
        content=content,
    )


def _words() -> Mapping[str, str]:
    """The headings of the columns, and what is said of a table or a bye."""
    return {
        "side": _("Side"),
        "rank": _("Rank"),
        "entry": _("No."),
        "name": _("Entry"),
        "points": _("Points"),
        "tables_played": _("Played"),
        "played": _("played"),
        "round": _("Round"),
        "table": _("Table"),
        "opponent": _("Against"),
        "score": _("Score"),
        "kind": _("Remark"),
        "forfeit": _("without a game"),
        "excused": _("goes without a result"),
        "missing": _("not in yet"),
        "out": _("sit out"),
    }
