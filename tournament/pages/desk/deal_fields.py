"""Form fields for the deals of a table: a score for each side of each deal,
`deals.d3.s0` for the first side's in deal 3, and the form in which it was dealt
there, `deals.d3.version`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.errors import NotationError
from tournament.domain.standings.values import HUNDREDTHS, BoardResult
from tournament.pages.common.form_values import whole_number

VERSION = "version"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultField:
    """A number asked of an entry at a table: `name` of its field, its `label`, and what was
    typed.
    """

    name: str
    label: str
    kind: str
    typed: str


def deal_field(prefix: str, place: int, deal: int, typed: object) -> ResultField:
    """A field for the score of an entry in a deal."""
    value = typed.get(f"d{deal}", "") if isinstance(typed, dict) else ""
    return ResultField(
        name=f"{prefix}deals.d{deal}.s{place}",
        label=_("Deal %(number)d") % {"number": deal},
        kind="half",
        typed=str(value),
    )


def deals_as_typed(boards: Sequence[BoardResult], entries: int) -> list[dict[str, str]]:
    """The scores of each entry, deal by deal, as they would be typed."""
    return [
        {
            f"d{board.deal}": f"{board.scores[place] / HUNDREDTHS:g}"
            for board in boards
            if board.scores
        }
        for place in range(entries)
    ]


def deals_sent(typed: Mapping[str, object], entries: int) -> list[dict[str, object]]:
    """Return the scores of the deals that were sent but not recorded."""
    deals = typed.get("deals")
    sent = deals if isinstance(deals, dict) else {}
    return [
        {
            key: scores[f"s{place}"]
            for key, scores in sent.items()
            if isinstance(scores, dict) and f"s{place}" in scores
        }
        for place in range(entries)
    ]


def form_fields(
    deals: Sequence[int], boards: Sequence[BoardResult], typed: Mapping[str, object]
) -> list[ResultField]:
    """In which form each deal was dealt at a table: as typed, else as recorded, else the first."""
    sent, forms = typed.get("deals"), forms_of(boards)
    given = sent if isinstance(sent, dict) else {}
    said = {
        key: scores[VERSION]
        for key, scores in given.items()
        if isinstance(scores, dict) and VERSION in scores
    }
    return [
        ResultField(
            name=f"deals.d{deal}.{VERSION}",
            label=_("Deal %(number)d") % {"number": deal},
            kind="number",
            typed=str(said.get(f"d{deal}", forms.get(deal, 1))),
        )
        for deal in deals
    ]


def forms_of(boards: Sequence[BoardResult]) -> dict[int, int]:
    """In which form each deal that has a result was dealt."""
    return {board.deal: board.version for board in boards}


def with_boards(typed: Mapping[str, object], forms: Mapping[int, int]) -> dict[str, object]:
    """Return the typed values with the scores by deal (`d3`) and side (`s0`) as results
    have them. If the form in which a deal was dealt isn't given, it is as recorded
    (`forms`). Raises NotationError for a deal in which one side's score is missing.
    """
    given, deals = dict(typed), typed.get("deals")
    if not isinstance(deals, dict):
        return given
    del given["deals"]
    sides = sorted({side for scores in deals.values() for side in scores} - {VERSION})
    scored = {deal: scores for deal, scores in deals.items() if set(scores) - {VERSION}}
    for deal, scores in scored.items():
        lacking = next((side for side in sides if side not in scores), None)
        if lacking is not None:
            raise NotationError(
                _("Deal %(number)s has the score of one side only; type both, or neither.")
                % {"number": deal[1:]},
                path=f"deals.{deal}.{lacking}",
            )
    given["boards"] = [_board(deal, scores, sides, forms) for deal, scores in scored.items()]
    return given


def _board(
    deal: str, scores: Mapping[str, object], sides: Sequence[str], forms: Mapping[int, int]
) -> dict[str, object]:
    number = whole_number(deal[1:], f"deals.{deal}")
    return {
        "deal": number,
        "scores": [scores[side] for side in sides],
        VERSION: scores.get(VERSION, forms.get(number, 1)),
    }
