"""On which paper something is printed: on that of the salon, or for once on another."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import NotationError
from tournament.domain.house.paper import A4, LETTER, PAPERS
from tournament.models import Salon

CALLED = {A4: gettext_lazy("A4"), LETTER: gettext_lazy("US Letter")}


class UnknownPaper(NotationError):
    """The paper that was asked for is none of PAPERS."""


def paper_of(salon: Salon, asked: str | None = None) -> str:
    """The paper asked for (None: not), else that of the salon. Raises UnknownPaper."""
    if asked is None:
        return salon.paper
    if asked not in PAPERS:
        words = _("There is no paper “%(paper)s” here. Ask for a4 or letter, or for none.")
        raise UnknownPaper(words % {"paper": asked[:20]}, path="paper")
    return asked


def papers() -> list[tuple[str, str]]:
    """The papers on offer, (code, name)."""
    return [(paper, str(CALLED[paper])) for paper in PAPERS]
