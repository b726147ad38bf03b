"""The application that answers: pages and static files."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from tournament.server.static import WSGIApplication, with_static_files


def application() -> WSGIApplication:
    """The application of this process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    return with_static_files(get_wsgi_application(), settings.STATIC_ROOT)
