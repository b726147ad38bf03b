"""The application that answers: pages, static files and, without a broker server, the background
work in the same process.
"""

import multiprocessing
import os
import signal
import threading

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from tournament.server import embedded_worker
from tournament.server.static import WSGIApplication, with_static_files


def started() -> WSGIApplication:
    """The application of this process, whose background work has begun."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    application: WSGIApplication = get_wsgi_application()
    if embedded_worker.is_embedded():
        embedded_worker.start()
    threading.Thread(target=_end_with_the_parent, name="parent-watch", daemon=True).start()
    return with_static_files(application, settings.STATIC_ROOT)


def _end_with_the_parent() -> None:
    """A web process outlives its parent only by finishing what it does: nobody else would free its
    port and lock.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
