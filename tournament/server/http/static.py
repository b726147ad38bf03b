"""The application that answers: pages, and static files, which are named by their content, so that
a browser fetches each of them once.
"""

import os
import re
from pathlib import Path
from wsgiref.headers import Headers
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from whitenoise import WhiteNoise
from whitenoise.storage import CompressedManifestStaticFilesStorage

NAMED_BY_CONTENT = re.compile(r"\.[0-9a-f]{12}\.\w+$")


class PublishedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names a file by its content once `serve` has collected the files; before that by its plain
    name.
    """

    manifest_strict = False

    def url(self, name: str, force: bool = False) -> str:
        """The address of a file, put together once for as long as the same files are published."""
        published = (name, force, self.manifest_hash, len(self.hashed_files))
        known: dict[object, str] = self.__dict__.setdefault("known_addresses", {})
        if published not in known:
            known[published] = str(super().url(name, force))
        return known[published]

    def stored_name(self, name: str) -> str:
        """The published name of a file."""
        return str(super().stored_name(name)) if self.hashed_files else name


def application() -> WSGIApplication:
    """The application of this process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    return with_static_files(get_wsgi_application(), settings.STATIC_ROOT)


def with_static_files(application: WSGIApplication, root: Path) -> WSGIApplication:
    """The application with the collected files of `root` in front of it under /static/."""
    files: WSGIApplication = WhiteNoise(
        application,
        root=root,
        prefix="static/",
        max_age=60,
        immutable_file_test=lambda path, url: NAMED_BY_CONTENT.search(url) is not None,
        add_headers_function=_add_headers,
        allow_all_origins=False,
    )
    return files


def _add_headers(headers: Headers, path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
