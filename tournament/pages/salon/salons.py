"""The salons of this account: which one to be in."""

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.accounts.access import CHOSEN, memberships_of
from tournament.accounts.invitations import mail_invitation
from tournament.accounts.two_factor import is_due, is_due_of_server
from tournament.pages.common.form_fields import form_page
from tournament.pages.common.qr import link_to
from tournament.salons.prefix import address_in
from tournament.server.environment.first_owner import open_further_salon


class NewSalonForm(forms.Form):
    """The form for a new salon: its name and its owner."""

    name = forms.CharField(label=gettext_lazy("The salon's name"), max_length=120)
    owner = forms.EmailField(
        label=gettext_lazy("E-mail of its owner"),
        max_length=150,
        help_text=gettext_lazy(
            "Your own, or somebody's: they are invited, whether they have an account or not."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "email", "inputmode": "email"}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_salon(request: HttpRequest) -> HttpResponse:
    """The form by which the server's owner opens one more salon, and the link for its owner."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not request.user.is_superuser:
        raise PermissionDenied(_("Only the owner of the server opens salons."))
    if any(is_due(membership) for membership in memberships_of(request)) or is_due_of_server(
        request.user
    ):
        return redirect("mfa_activate_totp")
    form = NewSalonForm(request.POST or None)
    if not form.is_valid():
        return form_page(request, "new_salon.html", form)
    name = " ".join(form.cleaned_data["name"].split())
    salon, made, token = open_further_salon(name, form.cleaned_data["owner"], by=request.user)
    context: dict[str, object] = {"opened": salon, "home_of_it": address_in(salon, "home")}
    if made is not None:
        phones = link_to(request, salon, "invitation", token)
        context |= {
            "phones": phones,
            "sent_to": made.email if mail_invitation(made, phones.url or phones.here) else "",
        }
    return render(request, "new_salon.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def salons(request: HttpRequest) -> HttpResponse:
    """The salons in which this account is anything; POST goes to one, which addresses without a
    salon then mean.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    memberships = memberships_of(request)
    if request.method != "POST":
        return render(request, "salons.html", {"memberships": memberships})
    chosen = next(
        (each.salon for each in memberships if each.salon.slug == request.POST.get("salon")), None
    )
    if chosen is None:
        raise Http404
    request.session[CHOSEN] = chosen.slug
    return redirect(address_in(chosen, "home"))
