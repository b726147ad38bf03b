"""Pages of our own templates as PDF: on the paper of the salon or the one asked for, typeset in a
process that ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.text import slugify

from tournament.formats.local.dates import MOMENT, written
from tournament.formats.pdf import TYPST_PAPERS
from tournament.models import Salon
from tournament.queries.sheet_exports import TYPES, SheetFile
from tournament.salons.paper_sizes import paper_of
from tournament.server.papers import paper

FRAME = "page"
PDF = "pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """Who asks to print: the address that is counted (`caller`), and on which `paper`, None on the
    salon's.
    """

    caller: str
    paper: str | None


def printed(
    template: str,
    salon: Salon,
    shown: Mapping[str, object],
    asked: Print,
    *,
    named: str,
    keep: bool = True,
    framed: bool = True,
) -> SheetFile:
    """The pages that the template in `templates/print/` makes of what is `shown`, as a file that is
    `named` so. What is secret is not to `keep`; what is not `framed` has a frame of its own.

    Raises UnknownPaper and what `papers.paper` raises.
    """
    on_it = {
        **shown,
        "paper": TYPST_PAPERS[paper_of(salon, asked.paper)],
        "salon": salon.name,
    }
    typst = _template(FRAME, template) if framed else _template(template)
    moment = written(timezone.localtime(), MOMENT)
    return SheetFile(
        name=f"{slugify(named) or template}.{PDF}",
        type=TYPES[PDF],
        content=paper(typst, on_it, printed=moment, caller=asked.caller, keep=keep),
    )


@cache
def _template(*parts: str) -> str:
    folder = Path(settings.BASE_DIR) / "templates" / "print"
    return "".join((folder / f"{each}.typ").read_text(encoding="utf-8") for each in parts)
