"""The statement of a chip account on paper."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tournament.formats.local.dates import MOMENT, written
from tournament.formats.sheets import Sheet
from tournament.models import Salon
from tournament.queries.account_statements import LineInWords
from tournament.queries.number_format import number
from tournament.queries.printing import PDF, Print
from tournament.queries.sheet_exports import TYPES, SheetFile, typeset

MOST_LINES = 1000  # on paper, the last ones; a file has all


def statement_on_paper(
    salon: Salon,
    title: str,
    lines: Sequence[LineInWords],
    asked: Print,
    *,
    of: int,
    chips: int,
    moment: str = "",
) -> SheetFile:
    """The lines of the account or person called `title`, the oldest first: the last of `of` there
    are, and the `chips` they come to, as of a `moment` in words ("" now).

    Raises UnknownPaper and what `papers.paper` raises.
    """
    sheet = Sheet(
        title=_("Statement of %(name)s") % {"name": title},
        columns=(
            ("line", _("Line")),
            ("time", _("Time")),
            ("table", _("Table")),
            ("hand", _("Hand")),
            ("name", _("What")),
            ("rule", _("Rule")),
            ("chips", _("Chips")),
            ("balance", _("Balance")),
        ),
        rows=tuple(
            (
                each.line.position,
                written(timezone.localtime(each.at), MOMENT),
                each.game.table,
                each.hand or None,
                f"{each.what} ({each.counterpart})",
                each.rule,
                each.line.chips,
                each.line.balance,
            )
            for each in lines
        ),
    )
    content = typeset(
        sheet,
        salon,
        position=lines[-1].line.position if lines else 0,
        under=_under(len(lines), of, chips, moment),
        asked_paper=asked.paper,
        caller=asked.caller,
    )
    name = f"{slugify(title) or 'statement'}.{PDF}"
    return SheetFile(name=name, type=TYPES[PDF], content=content)


def _under(shown: int, of: int, chips: int, moment: str) -> str:
    balance = _("Balance %(chips)s") % {"chips": number(chips)}
    when = _("as of %(moment)s") % {"moment": moment} if moment else ""
    left = (
        _("the last %(shown)d of %(of)d lines") % {"shown": shown, "of": of} if shown < of else ""
    )
    return " · ".join(filter(None, [balance, when, left]))
