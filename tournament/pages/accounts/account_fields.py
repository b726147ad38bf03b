"""The fields of an account, the same on the first visit and by invitation."""

from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def name_field(hint: "_StrPromise") -> forms.CharField:
    """What a person is called."""
    widget = forms.TextInput(attrs={"autocomplete": "name"})
    return forms.CharField(
        label=gettext_lazy("Your name"), max_length=80, help_text=hint, widget=widget
    )


def email_field(hint: "_StrPromise") -> forms.EmailField:
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
