"""The first visit: whoever has the key that the server printed opens the salon and owns it."""

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
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
from tournament.pages.accounts.account_fields import (
    check_password,
    email_field,
    name_field,
    password_field,
)
from tournament.pages.accounts.sign_in import signed_in
from tournament.pages.common.form_fields import form_page
from tournament.server.first_owner import KeyUsed, Opening, is_key, open_salon


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
    try:
        owner = open_salon(Opening(**form.cleaned_data))
    except KeyUsed:
        return redirect("welcome")
    messages.success(request, _("%(salon)s is open.") % {"salon": form.cleaned_data["salon"]})
    return signed_in(request, owner, reverse("home"))


@never_cache
@require_safe
def welcome(request: HttpRequest) -> HttpResponse:
    """Where to find the key, while nobody owns the salon."""
    if has_owner():
        return redirect("home")
    return render(request, "welcome.html", {"wrong_key": False})
