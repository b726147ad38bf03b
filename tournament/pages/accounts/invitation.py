"""New accounts: by the link of an invitation, or on the first visit, when whoever has the key that
the server printed opens the salon and owns it.
"""

from typing import TYPE_CHECKING, cast

from django import forms
from django.conf import settings as django_settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from tournament.accounts.access import has_owner
from tournament.accounts.invitations import AlreadyThere, NotValid, accept, invitation_by, join
from tournament.models import Invitation, Membership
from tournament.pages.accounts.account import complete_sign_in, second_step_first, send_own_link
from tournament.pages.common.form_fields import form_page, list_shown_fields
from tournament.pages.common.form_values import new_command
from tournament.recording.house_rules import set_place
from tournament.salons.prefix import address_in, salon_of_prefix
from tournament.salons.time_zones import is_time_zone
from tournament.server.environment.first_owner import KeyUsed, Opening, is_key, open_salon

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


def name_field(hint: "StrPromise") -> forms.CharField:
    """A form field for a person's name."""
    widget = forms.TextInput(attrs={"autocomplete": "name"})
    return forms.CharField(
        label=gettext_lazy("Your name"), max_length=80, help_text=hint, widget=widget
    )


def email_field(hint: "StrPromise") -> forms.EmailField:
    """The address a person signs in with."""
    widget = forms.EmailInput(attrs={"autocomplete": "email", "inputmode": "email"})
    return forms.EmailField(
        label=gettext_lazy("E-mail"), max_length=150, help_text=hint, widget=widget
    )


def password_field() -> forms.CharField:
    """A password that is made now."""
    return forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        max_length=1024,
        help_text=gettext_lazy("At least 12 characters. Three words in a row are easy to keep."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


def check_password(form: forms.Form, name: str) -> None:
    """Note at the form's password where it is too short, too common, or too much like the `name` or
    the e-mail typed.
    """
    typed = form.cleaned_data
    if "password" not in typed:
        return
    try:
        validate_password(
            typed["password"], User(first_name=typed.get(name, ""), email=typed.get("email", ""))
        )
    except ValidationError as weak:
        form.add_error("password", weak)


class JoinForm(forms.Form):
    """Name, address and password of a new account; an invitation that names an address is for that
    one.
    """

    name = name_field(gettext_lazy("Every step you record carries it."))
    email = email_field(gettext_lazy("To sign in. It is shown to the owner and the directors."))
    password = password_field()

    def clean_email(self) -> str:
        """The address in small letters."""
        return str(self.cleaned_data["email"]).lower()

    def clean(self) -> None:
        """The password is not too short, too common or too much like the name."""
        check_password(self, "name")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whoever is signed in whether to join, everybody else for a new account; then lead into
    the salon.
    """
    found = invitation_by(token, salon_of_prefix(request))
    if found is None:
        return _not_valid(request)
    if request.user.is_authenticated:
        return (
            _join_salon(request, found)
            if request.method == "POST"
            else _invitation_page(request, found)
        )
    form = JoinForm(request.POST or None, initial={"email": found.email})
    if not form.is_valid():
        return _invitation_page(request, found, form, status=422 if form.is_bound else 200)
    if found.email and form.cleaned_data["email"] != found.email:
        form.add_error("email", _("This invitation is for another address."))
        return _invitation_page(request, found, form, status=422)
    try:
        user = join(found, **form.cleaned_data)
    except NotValid:
        return _not_valid(request)
    except AlreadyThere:
        form.add_error(
            "email",
            _("There is an account with this address. Sign in with it, then open this link again."),
        )
        return _invitation_page(request, found, form, status=422)
    send_own_link(request, user)
    onward = second_step_first(user, address_in(found.salon, "home"))
    return complete_sign_in(request, user, onward)


def _join_salon(request: HttpRequest, found: Invitation) -> HttpResponse:
    try:
        accept(found, cast("User", request.user))
    except NotValid:
        return _not_valid(request)
    except AlreadyThere:
        messages.error(
            request, _("This account is in %(salon)s already.") % {"salon": found.salon.name}
        )
        return _invitation_page(request, found, status=422)
    messages.success(request, _("You are in %(salon)s now.") % {"salon": found.salon.name})
    return redirect(address_in(found.salon, "home"))


def _invitation_page(
    request: HttpRequest, found: Invitation, form: JoinForm | None = None, *, status: int = 200
) -> HttpResponse:
    context = {
        "invitation": found,
        "fields": list_shown_fields(form) if form is not None else (),
        "here": request.get_full_path(),
    }
    return render(request, "people/invitation.html", context, status=status)


def _not_valid(request: HttpRequest) -> HttpResponse:
    return render(request, "people/invitation.html", {"invitation": None}, status=404)


class FirstVisitForm(forms.Form):
    """Four answers."""

    owner = name_field(
        gettext_lazy("You are the owner: you may do everything, and every step carries this name.")
    )
    email = email_field(gettext_lazy("To sign in. It is shown to nobody."))
    password = password_field()
    salon = forms.CharField(
        label=gettext_lazy("The salon's name"),
        max_length=120,
        help_text=gettext_lazy("Stands on every page and sheet. You can change it later."),
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )

    # The zone of the browser, which a script fills in.
    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def clean_time_zone(self) -> str:
        """The zone, or that of the server where there is none of this name."""
        zone = str(self.cleaned_data["time_zone"])
        return zone if is_time_zone(zone) else ""

    def clean_email(self) -> str:
        """The address in small letters; nobody has an account with it yet."""
        email = str(self.cleaned_data["email"]).lower()
        if User.objects.filter(username=email).exists():
            raise ValidationError(_("There is an account with this address already."))
        return email

    def clean(self) -> None:
        """The password is not too short, too common or too much like the name."""
        check_password(self, "owner")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def first_visit(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the four answers and open the salon; afterwards this page does not exist."""
    if has_owner():
        raise Http404
    if not is_key(token):
        return render(request, "welcome.html", {"wrong_key": True}, status=403)
    form = FirstVisitForm(request.POST or None)
    if not form.is_valid():
        return form_page(request, "first_visit.html", form)
    answers = dict(form.cleaned_data)
    zone = answers.pop("time_zone")
    try:
        owner = open_salon(Opening(**answers))
    except KeyUsed:
        return redirect("welcome")
    if zone:
        by = {"actor": f"user:{owner.pk}", "command": new_command()}
        set_place(Membership.objects.get(user=owner).salon, time_zone=zone, language="", **by)
    zone = zone or django_settings.TIME_ZONE
    words = _("%(salon)s is open. Its clocks go by %(zone)s; Settings can change that.")
    messages.success(request, words % {"salon": form.cleaned_data["salon"], "zone": zone})
    return complete_sign_in(request, owner, reverse("home"))


@never_cache
@require_safe
def welcome(request: HttpRequest) -> HttpResponse:
    """The page that explains how to find the key, while the salon has no owner."""
    if has_owner():
        return redirect("home")
    return render(request, "welcome.html", {"wrong_key": False})
