"""Sessions as Django keeps them in the database, looked up by a query that is composed once; what a
row says is read once as long as it says the same.
"""

import json
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.core.signals import setting_changed
from django.utils import timezone

from tournament.models.prepared import Prepared
from tournament.models.recent_values import RecentValues

REMEMBERED, LONGEST = 4_096, 2_000  # sessions, none of more characters; most have some 200

_SESSION = Prepared(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now))
_contents = RecentValues[bytes | str, str](REMEMBERED)  # by what is stored, with its signature


class SessionStore(db.SessionStore):
    """A session in the database: asked for anew by each request, so one that was ended is over."""

    def _get_session_from_db(self) -> Session | None:
        found = _SESSION.first(self.session_key or "", timezone.now())
        if found is None:
            self._session_key = None
        return found

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """As Django's."""
        known = _contents.get(session_data)
        if known is not None:
            content: dict[str, Any] = json.loads(known)
            return content
        content = super().decode(session_data)
        if content and len(session_data) <= LONGEST:
            _contents.put(session_data, json.dumps(content))
        return content


def _forget(**_: object) -> None:
    """Another key signs otherwise: in tests alone settings change."""
    _contents.clear()


setting_changed.connect(_forget)
