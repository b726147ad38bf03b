"""The salons of this account: which one to be in."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.access import CHOSEN, memberships_of
from tournament.salon_prefix import address_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def salons(request: HttpRequest) -> HttpResponse:
    """The salons in which this account is anything; POST goes to one, which addresses without a salon then mean."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    memberships = memberships_of(request)
    if request.method != "POST":
        return render(request, "salons.html", {"memberships": memberships})
    chosen = next((each.salon for each in memberships if each.salon.slug == request.POST.get("salon")), None)
    if chosen is None:
        raise Http404
    request.session[CHOSEN] = chosen.slug
    return redirect(address_in(chosen, "home"))
