"""Links that stand in mails: by a host that nobody who asks has chosen."""

from tournament.accounts.allauth_adapters import AccountAdapter
from tournament.server.environment.addresses import by_own_name


class MailingAdapter(AccountAdapter):
    """The answers to what django-allauth asks, where its mails lead as well."""

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link to a new password."""
        return by_own_name(str(super().get_reset_password_from_key_url(key)))
