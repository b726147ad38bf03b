"""The form that asks for the code of the second step: wrong codes are counted as wrong passwords
are.

One who knows a password and types codes elsewhere does not keep the person out who has the phone.
"""

from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django.forms import ValidationError

from tournament.accounts.login_limits import forget, note_wrong_try, seconds_to_wait, too_many_tries
from tournament.accounts.trusted_devices import an_account, make_attempt


class _LimitedCodeForm(BaseAuthenticateForm):  # type: ignore[misc]
    """Counts wrong codes by tournament/accounts/login_limits.py."""

    def clean_code(self) -> object:
        """The code, if it is right. Raises ValidationError."""
        tried = make_attempt(
            context.request, f"second-step:{self.user.pk}", opened=an_account(self.user.username)
        )
        seconds = seconds_to_wait(tried)
        if seconds:
            raise ValidationError(too_many_tries(seconds))
        try:
            code = super().clean_code()
        except ValidationError:
            note_wrong_try(tried)
            raise
        forget(tried)
        return code


class CodeForm(_LimitedCodeForm, AuthenticateForm):  # type: ignore[misc]
    """The code at signing in."""


class CodeAgainForm(_LimitedCodeForm, ReauthenticateForm):  # type: ignore[misc]
    """The code before something dangerous."""
