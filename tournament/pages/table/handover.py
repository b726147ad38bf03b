"""Hand over: what a phone keeps for its table goes to another one as codes, or is taken over there.

The page is the same for everybody who records at the table: what it shows is kept in the browser
alone, so that it opens from the cache of a phone that reaches nothing.
"""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, needs, table_or_404
from tournament.accounts.permissions import Act
from tournament.server.on_the_way import keeps

SECONDS_KEPT = 43_200  # an evening


@require_safe
@cache_control(private=True, max_age=SECONDS_KEPT)
@needs(Act.RECORD)
def handover(request: SalonRequest, label: str) -> HttpResponse:
    """The codes of what this phone keeps for the table, and the way to take over another's."""
    table_or_404(request.visitor, label)
    return keeps(render(request, "handover.html", {"here": "tables", "label": label}))
