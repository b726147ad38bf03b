"""What a phone keeps of a table's pad while it is elsewhere: how tricks are written, and cards or
counts not yet recorded.

It is a cookie of that table alone, so a pad without scripts keeps it, too, and another phone knows
nothing of it.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse, QueryDict

from tournament.queries.table import TableGame

COOKIE = "pad"
SECONDS_KEPT = 12 * 60 * 60
LONGEST = 1500  # characters: a browser keeps some 4,000 of a cookie
KEPT = "by"  # how a table writes its tricks stays chosen from tap to tap


def recalled(cookies: Mapping[str, str], at: TableGame) -> str:
    """What was left on this pad, as the query of its address.

    All of it while nothing was recorded since, else only how tricks are written.
    """
    game, _, rest = cookies.get(COOKIE, "").partition("~")
    version, _, query = rest.partition("~")
    if game != at.row.pk:
        return ""
    if version == str(at.row.version):
        return query
    chosen = QueryDict(query).get(KEPT, "")
    return urlencode({KEPT: chosen}) if chosen else ""


def remember(response: HttpResponse, query: QueryDict, at: TableGame, *, path: str) -> None:
    """Leave with this phone what its pad shows beside what is recorded."""
    left = f"{at.row.pk}~{at.row.version}~{query.urlencode()}"
    if len(left) > LONGEST:
        return
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(
        COOKIE, left, max_age=SECONDS_KEPT, path=path, secure=secure, httponly=True, samesite="Lax"
    )
