"""The phones that are told of an entry: begun and ended by two buttons on its own page."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from scoring.errors import RuleViolation
from tournament.pages.players.own_page import link_or_404, reader_of
from tournament.pushes.subscriptions import begin, stop, tells

STOPS = "stop"
NAMELESS = "accord@localhost"  # the sender of mails where the environment names none


@never_cache
@require_POST
def own_phones(request: HttpRequest, token: str) -> HttpResponse:
    """Tell the browser that this form comes from, or with `what=stop` tell it no more; 404 where
    phones are not told, and in words why this one can't be.
    """
    link, row = link_or_404(request, token)
    reader_of(link)
    endpoint = request.POST.get("endpoint", "")
    if request.POST.get("what") == STOPS:
        stop(link, endpoint)
        return HttpResponse(status=204)
    if not tells(link.salon, row):
        raise Http404
    try:
        begin(
            link,
            endpoint=endpoint,
            public_key=request.POST.get("p256dh", ""),
            secret=request.POST.get("auth", ""),
            contact=_contact(request),
        )
    except RuleViolation as refused:
        return HttpResponse(str(refused), status=422, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


def _contact(request: HttpRequest) -> str:
    """Where a push service finds the salon: by its mail, else by its address as the page has it."""
    mail = settings.DEFAULT_FROM_EMAIL
    return f"mailto:{mail}" if mail != NAMELESS else f"https://{request.get_host()}"
