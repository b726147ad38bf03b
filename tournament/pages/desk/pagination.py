"""A round of many tables a portion at a time, so that neither its page nor what its form sends
grows without end; or those that a director looks for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.http import QueryDict

from tournament.domain.standings.values import Stage
from tournament.pages.desk.result_fields import list_result_fields
from tournament.queries.players import fitting
from tournament.queries.tournament import ShownTable

MOST_TABLES = 50  # of a page
OF_THE_FORM = 50  # fields besides those of its tables
OF_A_TABLE = 3  # hands, what becomes of its game, why
LONGEST_SEARCH = 80
NEXT = "next"
FIND = "find"
TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A portion that can be gone to: the numbers of its first and its last table."""

    first: int
    last: int
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """The tables shown of a round; `reaches` are all its portions, () where the page has all
    tables. `find` is what was looked for, which `found` tables have.
    """

    tables: Sequence[ShownTable]
    reaches: Sequence[Reach]
    find: str = ""
    found: int = 0

    @property
    def query(self) -> str:
        """The rest of the query of this page, `&table=51`."""
        if not self.reaches:
            return ""
        if self.find:
            return f"&{urlencode({FIND: self.find})}"
        return f"&{urlencode({TABLE: next(each.first for each in self.reaches if each.is_here)})}"


def portion_of(
    stage: Stage, tables: Sequence[ShownTable], asked: QueryDict, needed: Sequence[int]
) -> Portion:
    """The tables that the address asks for (`table` or `find`), or those about which something has
    to be said (`needed`, their numbers) where these are not among them.
    """
    most = _most(stage, tables)
    if len(tables) <= most:
        return Portion(tables=tables, reaches=())
    find = asked.get(FIND, "").strip()[:LONGEST_SEARCH]
    found = _find_tables(find, tables) if find else []
    shown: Sequence[ShownTable] = found[:most]
    begins = -1
    if not find or not _has(shown, needed):
        begins = _begin(tables, most, _number(asked.get(TABLE, "")))
        shown = tables[begins : begins + most]
        if not _has(shown, needed):
            begins = _begin(tables, most, needed[0])
            shown = tables[begins : begins + most]
    reaches = [
        Reach(
            first=tables[place].table.table,
            last=tables[min(place + most, len(tables)) - 1].table.table,
            is_here=place == begins,
        )
        for place in range(0, len(tables), most)
    ]
    kept = find if begins < 0 else ""
    return Portion(tables=shown, reaches=reaches, find=kept, found=len(found))


def query_after(form: QueryDict, address: QueryDict) -> str:
    """Return the query of the round's page to go to after recording: for the chosen
    portion or search, else for the one shown; "" if there is only one portion.
    """
    chosen = {NEXT: form.get(NEXT, "").strip(), FIND: form.get(FIND, "").strip()[:LONGEST_SEARCH]}
    if _number(chosen[NEXT]):
        return f"?{urlencode({TABLE: _number(chosen[NEXT])})}"
    if chosen[FIND]:
        return f"?{urlencode({FIND: chosen[FIND]})}"
    shown = {key: address[key][:LONGEST_SEARCH] for key in (TABLE, FIND) if address.get(key)}
    if FIND in shown and FIND in form:
        del shown[FIND]  # its field was emptied
    return f"?{urlencode(shown)}" if shown else ""


def goes_on(form: QueryDict) -> bool:
    """Whether a director wants to see other tables, whatever was typed."""
    return bool(form.get(NEXT) or form.get(FIND))


def _most(stage: Stage, tables: Sequence[ShownTable]) -> int:
    """Return the maximum number of tables on a page, so that its form can be sent."""
    asked = len(list_result_fields(stage))
    fields = max(
        (len(each.seated) * max(len(each.table.deals), asked) for each in tables), default=0
    )
    room = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    if room is None:
        return MOST_TABLES
    return max(1, min(MOST_TABLES, (room - OF_THE_FORM) // (fields + OF_A_TABLE)))


def _find_tables(find: str, tables: Sequence[ShownTable]) -> list[ShownTable]:
    """Return the table of this number, else those with a player of this name."""
    number = _number(find)
    if number:
        return [each for each in tables if each.table.table == number]
    names = {seat.name for each in tables for seat in each.seated}
    called = {name.name for name in fitting(find, names)}
    return [each for each in tables if any(seat.name in called for seat in each.seated)]


def _has(shown: Sequence[ShownTable], needed: Sequence[int]) -> bool:
    return {*needed} <= {each.table.table for each in shown}


def _begin(tables: Sequence[ShownTable], most: int, number: int) -> int:
    """The place at which the portion with this table begins, 0 where there is no such table."""
    places = (place for place, each in enumerate(tables) if each.table.table == number)
    return next(places, 0) // most * most


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0
