"""The mark of a browser's user, in a cookie that scripts read: a phone sends the acts
that it keeps, and shows the pages that it keeps, for the same person alone.

The mark is the same in each session of one person, table or seat, and gives nothing
away: it is no key to anything.
"""

from django.conf import settings
from django.http import HttpResponseBase
from django.utils.crypto import salted_hmac

from tournament.accounts.permissions import Role, Visitor

COOKIE = "whose"
KEPT_FOR = 30 * 24 * 60 * 60  # seconds


def mark_of(visitor: Visitor) -> str:
    """The mark of this visitor; "" for anyone. Another link of the same table is the same table."""
    if visitor.role is Role.ANYONE:
        return ""
    is_table = visitor.role is Role.TABLE_LINK and visitor.table
    who = f"table {visitor.table}" if is_table else visitor.actor
    return salted_hmac(
        "tournament.whose", f"{visitor.salon.pk} {who}", algorithm="sha256"
    ).hexdigest()[:24]


def speaker_mark_of(visitor: Visitor) -> str:
    """The same, with the seat for which a table's phone speaks, as the cookie has it."""
    seat = visitor.seat if visitor.role is Role.TABLE_LINK else ""
    return f"{mark_of(visitor)}.{seat}" if seat else mark_of(visitor)


def tell_whose(response: HttpResponseBase, visitor: Visitor, known: str) -> HttpResponseBase:
    """The answer, with the mark of whoever asked if the browser has none or another."""
    mark = speaker_mark_of(visitor)
    if mark and mark != known:
        response.set_cookie(
            COOKIE, mark, max_age=KEPT_FOR, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax"
        )
    return response
