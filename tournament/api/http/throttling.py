"""Rate limits of the API."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from tournament.accounts.login_limits import caller_of
from tournament.models import ApiToken


class PerToken(SimpleRateThrottle):
    """So many requests by one token."""

    scope = "token"

    def get_rate(self) -> str:
        """As the settings say."""
        return settings.API_RATES[self.scope]

    def get_cache_key(self, request: Request, view: object) -> str | None:
        """The token, None where there is none."""
        return f"api-token:{request.auth.identity}" if isinstance(request.auth, ApiToken) else None


class PerAddress(PerToken):
    """So many requests from one address."""

    scope = "address"

    def get_cache_key(self, request: Request, view: object) -> str | None:
        """The address."""
        return f"api-address:{caller_of(request._request)}"
