"""Tokens for programs: given with what they are for and until when, listed, ended."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from scoring.errors import NotationError, Refusal
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.api_tokens import LONGEST_NAME, MOST_DAYS, give_token, tokens_of
from tournament.accounts.permissions import Act
from tournament.models import ApiToken
from tournament.pages.common.form_values import Problem, problem_of, status_of

USUAL_DAYS = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownToken:
    """A token in the list: who gave it, what it is for and until when."""

    key: str
    name: str
    who: str
    scopes: tuple[str, ...]
    expires: datetime | None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.GIVE_TOKENS)
def tokens(request: SalonRequest) -> HttpResponse:
    """The tokens of the salon; POST gives one, whose text is shown this once."""
    if request.method != "POST":
        return _shown(request)
    form = request.POST
    try:
        _row, text = give_token(
            request.visitor,
            name=form.get("name", ""),
            scopes=form.getlist("scopes"),
            days=_number(form.get("days", "")),
        )
    except Refusal as refusal:
        return _shown(request, problem=problem_of(refusal))
    return _shown(request, given=text)


@require_POST
@needs(Act.GIVE_TOKENS)
def token_end(request: SalonRequest, token: str) -> HttpResponse:
    """End a token: from now on it opens nothing."""
    row = get_object_or_404(ApiToken, salon=request.visitor.salon, identity=token)
    row.delete()
    messages.success(request, _("%(name)s no longer works.") % {"name": row.name})
    return redirect("tokens")


def _number(text: str) -> int:
    if not text.strip().isdecimal() or len(text) > 6:
        raise NotationError(_("a whole number is expected here"), path="days")
    return int(text)


def _shown(
    request: SalonRequest, *, given: str = "", problem: Problem | None = None
) -> HttpResponse:
    visitor, rows = request.visitor, tokens_of(request.visitor)
    form = request.POST if problem else {}
    chosen = request.POST.getlist("scopes") if problem else []
    who = actors_in_words(visitor.salon, {row.actor for row in rows}, visitor.audience)
    context = {
        "tokens": [
            ShownToken(
                key=row.identity,
                name=row.name,
                who=who[row.actor],
                scopes=tuple(row.scopes or ()),
                expires=row.expiry,
            )
            for row in rows
        ],
        "given": given,
        "acts": [(act.value, act.value in chosen) for act in Act if visitor.may(act)],
        "typed": {"name": form.get("name", ""), "days": form.get("days", str(USUAL_DAYS))},
        "longest": LONGEST_NAME,
        "most": MOST_DAYS,
        "problem": problem,
    }
    return render(request, "api/tokens.html", context, status=status_of(problem))
