"""Where a new director begins to practise."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.demo.practice import open_practice
from tournament.pages.common.form_values import COMMAND, NOT_RECORDED


@require_POST
@needs(Act.DIRECT)
def practices(request: SalonRequest) -> HttpResponse:
    """Set up an event to practise with, and lead to its desk."""
    command = request.POST.get("command", "")
    if not COMMAND.fullmatch(command):
        messages.error(request, _("This form is incomplete; load the page again."))
        return redirect("tournaments")
    visitor = request.visitor
    try:
        row = open_practice(
            visitor.salon, name=_("Practice evening"), actor=visitor.actor, command=command
        )
    except NOT_RECORDED:
        messages.error(request, _("Nothing was set up; try it again."))
        return redirect("tournaments")
    return redirect("desk", tournament=row.pk)
