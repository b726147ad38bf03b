"""The script of the worker that keeps a table's pages where the salon speaks HTTPS, and shows what
phones are told.
"""

from functools import lru_cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournament.server.environment.addresses import is_this_machine

SOURCE = "accord/worker.js"


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The script, which begins with the version of all files: with each other one the browser takes
    it in anew. 404 where no browser allows a worker: without HTTPS, but on this machine itself.
    """
    if not (request.is_secure() or is_this_machine(request.get_host())):
        raise Http404
    version = getattr(staticfiles_storage, "manifest_hash", "")
    return HttpResponse(
        f'const VERSION = "{version}";\n{_source()}', content_type="text/javascript; charset=utf-8"
    )


@lru_cache(maxsize=1)
def _source() -> str:
    path = finders.find(SOURCE)
    assert path is not None
    return Path(str(path)).read_text(encoding="utf-8")
