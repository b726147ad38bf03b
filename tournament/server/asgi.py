"""The application as `serve` runs it: behind its front."""

import os

from django.conf import settings

from tournament.server.application import started
from tournament.server.connections import Peer, watch
from tournament.server.front import Measures, front
from tournament.server.granian import PORT_NAMED, THREADS, THREADS_NAMED
from tournament.server.request_bodies import Pace

asking = set[Peer]()
application = front(
    started(),
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
    watch(
        int(os.environ[PORT_NAMED]), settings.CONNECTIONS_OF_ONE_ADDRESS, lambda: frozenset(asking)
    )
