"""Questions about a name that the salon doesn't know and that others begin with: asked before
anything is recorded, so that a new player is made only when someone says so.

A question is answered by two fields beside the name's own (form_values.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from scoring.errors import NotationError
from tournament.accounts.access import SalonRequest
from tournament.domain.names import folded
from tournament.models import Salon
from tournament.pages.common.form_values import ASKED, MEANT, find_unanswered_names, names_of_seats
from tournament.queries.players import all_names, fitting

SHORTEST_NEW = 3  # letters: a shorter name is the beginning of one, or a slip
SHOWN = 12  # players of one question
NOT_SENT_AGAIN = frozenset({"csrfmiddlewaretoken"})


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuestion:
    """A name that was typed in a field, and the players whom it may mean."""

    field: str
    typed: str
    fitting: Sequence[str]


def ask_who_is_meant(
    request: SalonRequest, sent: QueryDict, fields: Sequence[str]
) -> HttpResponse | None:
    """The page that asks for the names in these fields of a form, or None where all are plain."""
    questions = find_name_questions(request.visitor.salon, find_unanswered_names(sent, fields))
    if not questions:
        return None
    asked = {f"{kind}{question.field}" for question in questions for kind in (ASKED, MEANT)}
    again = [
        (name, value)
        for name, values in sent.lists()
        if name not in NOT_SENT_AGAIN | asked
        for value in values
    ]
    context = {"questions": questions, "again": again, "action": request.get_full_path()}
    response = render(request, "name_questions.html", context, status=422)
    response["HX-Retarget"], response["HX-Reselect"] = "#main", "#main"
    response["HX-Reswap"] = "outerHTML"
    return response


def find_name_questions(salon: Salon, typed: Mapping[str, str]) -> list[NameQuestion]:
    """Return the questions about typed names that don't plainly name a player of this
    salon.
    """
    return open_questions(typed, all_names(salon)) if typed else []


def find_form_questions(salon: Salon, sent: QueryDict) -> dict[str, NameQuestion]:
    """Return the questions about names of seats in a table's form, by field."""
    return {
        question.field: question for question in find_name_questions(salon, names_of_seats(sent))
    }


def check_names_meant(salon: Salon, typed: Mapping[str, str]) -> None:
    """Raises NotationError at the field of a name about which somebody is to be asked."""
    for question in find_name_questions(salon, typed)[:1]:
        words = _("It isn't plain who %(name)s is: choose the player, or say that they are new.")
        raise NotationError(words % {"name": question.typed}, path=question.field)


def open_questions(typed: Mapping[str, str], names: Sequence[str]) -> list[NameQuestion]:
    """Return a question for each field whose name isn't plainly one of `names`."""
    known = {folded(name) for name in names}
    questions = []
    for field, name in typed.items():
        if folded(name) in known:
            continue
        fits = [each.name for each in fitting(name, names)][:SHOWN]
        if fits or len(name) < SHORTEST_NEW:
            questions.append(NameQuestion(field=field, typed=name, fitting=fits))
    return questions
