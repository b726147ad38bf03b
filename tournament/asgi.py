"""The application as `serve` runs it: the one of `tournament.wsgi` behind its front."""

import os

from django.conf import settings

from tournament.serving.bodies import Pace
from tournament.serving.connections import Peer, watch
from tournament.serving.front import Measures, front
from tournament.serving.server import PORT_NAMED, THREADS, THREADS_NAMED
from tournament.wsgi import application as behind

asking = set[Peer]()
application = front(
    behind,
    Measures(
        threads=int(os.environ.get(THREADS_NAMED, THREADS)),
        of_one=settings.REQUESTS_OF_ONE_ADDRESS,
        in_all=settings.REQUESTS_AT_ONCE,
        proxies=settings.PROXIES,
        pace=Pace(grace=settings.BODY_SECONDS),
    ),
    asking,
)
if settings.CONNECTIONS_OF_ONE_ADDRESS and not settings.PROXIES and PORT_NAMED in os.environ:
    watch(int(os.environ[PORT_NAMED]), settings.CONNECTIONS_OF_ONE_ADDRESS, lambda: frozenset(asking))
