"""The links that an owner hands to a member who can't sign in: to a new password, and past a second
step that is lost.
"""

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tournament.accounts.login_limits import forget, note_wrong_try, seconds_to_wait, too_many_tries
from tournament.accounts.recovery_links import (
    NotValid,
    Purpose,
    RecoveryLink,
    pass_second_step,
    read_link,
    set_password,
)
from tournament.accounts.trusted_devices import an_account, make_attempt
from tournament.pages.accounts.account import complete_sign_in, second_step_first
from tournament.pages.accounts.invitation import password_field
from tournament.pages.common.form_fields import form_page
from tournament.salons.prefix import address_in


class NewPasswordForm(forms.Form):
    """A password that is made now."""

    password = password_field()

    def __init__(self, sent: QueryDict | None, user: User) -> None:
        super().__init__(sent)
        self.user = user

    def clean_password(self) -> str:
        """The password, neither too short nor too common nor too much like its person. Raises
        ValidationError.
        """
        password = str(self.cleaned_data["password"])
        validate_password(password, self.user)
        return password


class OwnPasswordForm(forms.Form):
    """The password that the account has."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        max_length=1024,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def new_password(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a new password, and set it."""
    try:
        found = read_link(token, Purpose.PASSWORD)
        form = NewPasswordForm(request.POST or None, found.user)
        if form.is_valid():
            set_password(token, form.cleaned_data["password"])
            return redirect("account_reset_password_from_key_done")
    except NotValid:
        return _not_valid(request)
    return _link_page(request, found, form, Purpose.PASSWORD)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def past_second_step(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the password alone, take the second step away, and sign in."""
    form = OwnPasswordForm(request.POST or None)
    try:
        found = read_link(token, Purpose.SECOND_STEP)
        if form.is_valid() and _is_theirs(request, found, form):
            user = pass_second_step(token)
            return complete_sign_in(
                request, user, second_step_first(user, address_in(found.membership.salon, "home"))
            )
    except NotValid:
        return _not_valid(request)
    return _link_page(request, found, form, Purpose.SECOND_STEP)


def _is_theirs(request: HttpRequest, found: RecoveryLink, form: OwnPasswordForm) -> bool:
    """Whether the password is that of the account; else the form says why not. Counted as at
    signing in.
    """
    name = found.user.username
    tried = make_attempt(request, an_account(name), opened=an_account(name))
    seconds = seconds_to_wait(tried)
    if seconds:
        form.add_error("password", too_many_tries(seconds))
        return False
    if authenticate(request, username=name, password=form.cleaned_data["password"]) is None:
        note_wrong_try(tried)
        form.add_error("password", _("This is not the password of this account."))
        return False
    forget(tried)
    return True


def _link_page(
    request: HttpRequest, found: RecoveryLink, form: forms.Form, purpose: Purpose
) -> HttpResponse:
    return form_page(request, "people/handed_link.html", form, handed=found, purpose=purpose)


def _not_valid(request: HttpRequest) -> HttpResponse:
    return render(request, "people/handed_link.html", {"handed": None}, status=404)
