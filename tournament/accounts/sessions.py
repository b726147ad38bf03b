"""Sessions as Django keeps them in the database, looked up by a query that is composed once."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from tournament.models.prepared import Prepared

_SESSION = Prepared(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now))


class SessionStore(db.SessionStore):
    """A session in the database: asked for anew by each request, so one that was ended is over."""

    def _get_session_from_db(self) -> Session | None:
        found = _SESSION.first(self.session_key or "", timezone.now())
        if found is None:
            self._session_key = None
        return found
