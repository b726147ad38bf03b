"""The application as `serve` runs it: behind its front."""

import gc
import os
import signal
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.db.backends.signals import connection_created

from tournament.server.environment.database import leave_the_log
from tournament.server.http.asgi_gateway import MB, Measures, News, front
from tournament.server.http.connections import Peer, Unsent, keep_little_unsent, watch
from tournament.server.http.request_bodies import Pace
from tournament.server.http.static import application as answering
from tournament.server.http.stream_notifications import Changes, Watch
from tournament.server.process.embedded_worker import end_with_the_parent
from tournament.server.process.granian import PORT_NAMED, PROCESSES_NAMED, THREADS, THREADS_NAMED
from tournament.streams.kept_outcomes import keep_in

asking = set[Peer]()
changes = Changes()
processes = int(os.environ.get(PROCESSES_NAMED, "1"))
watching = Watch(changes)


def look_for_changes() -> None:
    """Begin to look, and have nobody wait once this process is asked to end. The server's own
    handlers, which asyncio calls, stay.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not end_waiting:
            signal.signal(number, end_waiting)
    watching.begin()


def end_waiting(_number: int, _frame: FrameType | None) -> None:
    """Answer everybody who waits."""
    changes.close()


keep_in(Path(settings.DATA_DIR) / "outcomes")
application = front(
    answering(),
    Measures(
        threads=int(os.environ.get(THREADS_NAMED, THREADS)),
        of_one=settings.REQUESTS_OF_ONE_ADDRESS,
        in_all=settings.REQUESTS_AT_ONCE,
        awaited_of_one=settings.BODIES_AWAITED_OF_ONE_ADDRESS,
        untaken_of_one=settings.UNTAKEN_MB_OF_ONE_ADDRESS * MB // processes,
        untaken_in_all=settings.UNTAKEN_MB_IN_ALL * MB // processes,
        proxies=settings.PROXIES,
        pace=Pace(grace=settings.BODY_SECONDS),
    ),
    asking,
    News(changes, look_for_changes),
    Unsent(int(os.environ[PORT_NAMED])) if PORT_NAMED in os.environ else None,
)
connection_created.connect(leave_the_log)
end_with_the_parent()
if PORT_NAMED in os.environ:
    keep_little_unsent(int(os.environ[PORT_NAMED]))
if settings.CONNECTIONS_OF_ONE_ADDRESS and not settings.PROXIES and PORT_NAMED in os.environ:
    watch(
        int(os.environ[PORT_NAMED]), settings.CONNECTIONS_OF_ONE_ADDRESS, lambda: frozenset(asking)
    )
# What stands by now stays as long as this process: the collector need not look at it again, which
# takes 50 ms and more in the middle of an answer.
gc.collect()
gc.freeze()
