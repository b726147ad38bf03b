"""Warnings about rare values in a typed result, for the person who typed it."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from tournament.domain.standings.rare_results import HIGHEST, LOWEST, MARGIN, Rare, rare
from tournament.domain.standings.values import HUNDREDTHS, Result, Stage
from tournament.domain.tournament.results import EnterResult
from tournament.pages.desk.result_fields import list_result_fields
from tournament.pages.desk.result_rows import group_of
from tournament.queries.number_format import hundredths
from tournament.queries.recorded_results import Group, read_recorded_results
from tournament.queries.tournament import ShownTable, TournamentView

# In a sentence about a rare result: nobody has gone as far, or few have.
NOBODY_YET = {
    MARGIN: gettext_lazy("Nobody here has won by %(value)s yet: Enter once more."),
    HIGHEST: gettext_lazy("Nobody here has reached %(value)s yet: Enter once more."),
    LOWEST: gettext_lazy("Nobody here has ended as low as %(value)s yet: Enter once more."),
}
FEW_SO_FAR = {
    MARGIN: gettext_lazy(
        "Won by %(value)s or more here so far: %(reached)s of %(among)s. Enter once more."
    ),
    HIGHEST: gettext_lazy(
        "Here %(value)s or more so far: %(reached)s of %(among)s. Enter once more."
    ),
    LOWEST: gettext_lazy(
        "Here %(value)s or less so far: %(reached)s of %(among)s. Enter once more."
    ),
}


def rare_words(at: TournamentView, stage: Stage, shown: ShownTable, act: EnterResult) -> str:
    """Return a sentence about a rare value in a result for this salon; "" if there is
    none.
    """
    known = read_recorded_results(at.row.salon, at.state, list_result_fields(stage)[0])
    group = group_of(stage, shown)
    for numbers in _numbers(stage, act, group):
        found = rare(numbers, known[group]) if group in known else None
        if found is not None:
            return rare_sentence(found)
    return ""


def rare_sentence(found: Rare) -> str:
    """That a result is rare, as a sentence."""
    words = FEW_SO_FAR if found.reached else NOBODY_YET
    return words[found.kind] % {
        "value": hundredths(found.value),
        "reached": found.reached,
        "among": found.among,
    }


def usual(at: TournamentView, stage: Stage, tables: Sequence[ShownTable]) -> dict[str, object]:
    """Return the range of results so far, for a page that asks by itself: the figures of
    `Recorded` by the name of a group.
    """
    known = read_recorded_results(at.row.salon, at.state, list_result_fields(stage)[0])
    groups = {group_of(stage, shown) for shown in tables}
    return {
        group.name: {"among": known[group].among, "furthest": dict(known[group].furthest)}
        for group in groups
        if group in known
    }


def _numbers(stage: Stage, act: EnterResult, group: Group) -> list[Sequence[int]]:
    """The numbers of a result that are compared together, in hundredths."""
    if group.deal:
        return [board.scores for board in act.boards if len(board.scores) == group.sides]
    name = list_result_fields(stage)[0]
    numbers = [_number(result, name) for result in act.results]
    return [[each for each in numbers if each is not None]] if None not in numbers else []


def _number(result: Result, name: str) -> int | None:
    value: int | None = getattr(result, name)
    return value if name == "score" or value is None else HUNDREDTHS * value
