"""Pages of our own templates as PDF: on the paper of the salon or the one asked for, typeset in a
process that ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tournament.accounts.permissions import Permission, Visitor
from tournament.formats.local.dates import MOMENT, date_text
from tournament.formats.pdf import TYPST_PAPERS
from tournament.models import Salon
from tournament.salons.paper_sizes import paper_of
from tournament.server.pdf.pdf_cache import paper

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "trf": "text/plain; charset=utf-8",
}
FRAME = "page"
PDF = "pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFile:
    """A file: its name, its media type and what stands in it."""

    name: str
    type: str
    content: bytes | BinaryIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """A request to print: the address that is counted (`caller`), "" for none, and on which
    `paper`, None on the salon's.
    """

    caller: str
    paper: str | None


def choose_counted_address(visitor: Visitor, address: str) -> str:
    """The address that new paper is counted under, "" for whoever directs here: they print a whole
    evening at once.
    """
    return "" if visitor.may(Permission.DIRECT) else address


def printed(
    template: str,
    salon: Salon,
    shown: Mapping[str, object],
    asked: Print,
    *,
    named: str,
    keep: bool = True,
) -> SheetFile:
    """The pages that the template in `templates/print/` makes of what is `shown`, as a file that is
    `named` so. What is secret is not to `keep`.

    `numbers` of what is shown say by what a name is told that no font has all letters of, and
    `lacking` says it, at {numbers}. Raises UnknownPaper and what `papers.paper` raises.
    """
    on_it = {
        "numbers": {},
        "lacking": _("No font on this server has all letters of the names of entry {numbers}."),
        "lacking-some": _("No font on this server has all letters of this page."),
        **shown,
        "paper": TYPST_PAPERS[paper_of(salon, asked.paper)],
        "salon": salon.name,
    }
    moment = date_text(timezone.localtime(), MOMENT)
    return SheetFile(
        name=f"{slugify(named) or template}.{PDF}",
        type=TYPES[PDF],
        content=paper(
            _page_template(template), on_it, printed=moment, caller=asked.caller, keep=keep
        ),
    )


@cache
def _page_template(name: str) -> str:
    """The template within the frame that all pages have."""
    folder = Path(settings.BASE_DIR) / "templates" / "print"
    return "".join((folder / f"{each}.typ").read_text(encoding="utf-8") for each in (FRAME, name))
