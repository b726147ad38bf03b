"""The application as web servers know it: pages, static files and, without a broker server, the background work."""

import multiprocessing
import os
import signal
import threading

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from tournament.serving import embedded
from tournament.serving.static import WSGIApplication, with_static_files


def _end_with_the_parent() -> None:
    """A web process outlives its parent only by finishing what it does: nobody else would free its port and lock."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _start() -> WSGIApplication:
    application: WSGIApplication = get_wsgi_application()
    if embedded.is_embedded():
        embedded.start()
    threading.Thread(target=_end_with_the_parent, name="parent-watch", daemon=True).start()
    return with_static_files(application, settings.STATIC_ROOT)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
application = _start()
