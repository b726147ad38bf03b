"""Files that a page fetches to run the rules itself: Python for browsers, the rules,
and the script of the worker that runs them. The content at each address never
changes.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.csp import CSP
from django.views.decorators.cache import cache_control
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe

from tournament.server.browser_python.pyodide import (
    NAMES,
    SHA512,
    find_installed_file,
    is_laid,
    read_unpacked_size,
    size_below,
)
from tournament.server.browser_python.rules_archive import rules_archive
from tournament.server.http.compression import reads_gzip

FOR_EVER = 365 * 24 * 60 * 60  # seconds
SHOWN = 12  # digits of a digest in an address
SOURCE = "accord/rules-worker.js"
WORKER, RULES = "worker.js", "rules.zip"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
# Python for browsers is compiled by the browser as it comes; nothing else may do that, and no text
# becomes a script.
COMPILES = {
    **{name: [str(each) for each in where] for name, where in settings.SECURE_CSP.items()},
    "script-src": [str(CSP.SELF), "'wasm-unsafe-eval'"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRules:
    """Addresses of the rules for a page. `python` is the folder of these `files`, each
    with its size in bytes; `size` is the number of bytes transferred.
    """

    worker: str
    rules: str
    python: str
    files: dict[str, int]
    size: int


def page_rules() -> PageRules | None:
    """Return the addresses of the rules for pages; None if Python for pages is not
    installed.
    """
    root = settings.PYTHON_FOR_PAGES
    size = size_below(root)
    if size is None:
        return None
    python = reverse("page_rules", args=[_python_edition(), NAMES[0]]).removesuffix(NAMES[0])
    return PageRules(
        worker=reverse("page_rules", args=[_worker_edition(), WORKER]),
        rules=reverse("page_rules", args=[_rules_edition(), RULES]),
        python=python,
        files={f"{python}{name}": read_unpacked_size(root, name) for name in NAMES},
        size=size + len(rules_archive().content),
    )


@require_safe
@cache_control(public=True, max_age=FOR_EVER, immutable=True)
def page_rules_file(request: HttpRequest, edition: str, name: str) -> HttpResponse:
    """One of these files. 404 for every other name, for another edition than the one that is here,
    and where Python for pages was not laid.
    """
    if edition == _python_edition():
        return _python_file(request, name)
    if is_laid(settings.PYTHON_FOR_PAGES):
        if (edition, name) == (_rules_edition(), RULES):
            return _answer(name, rules_archive().content)
        if (edition, name) == (_worker_edition(), WORKER):
            return _worker_script(request)
    raise Http404


def _python_file(request: HttpRequest, name: str) -> HttpResponse:
    file = find_installed_file(settings.PYTHON_FOR_PAGES, name)
    if file is None:
        raise Http404
    if not file.compressed:
        return _answer(name, _content(file.path))
    if reads_gzip(request):
        answer = _answer(name, _content(file.path))
        answer["Content-Encoding"] = "gzip"
    else:
        answer = _answer(name, _decompress(file.path))
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


# In memory once, however many fetch them slowly: what lies under a name is never changed.
@lru_cache(maxsize=len(NAMES))
def _content(path: Path) -> bytes:
    return path.read_bytes()


@lru_cache(maxsize=len(NAMES))
def _decompress(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


@csp_override(COMPILES)
def _worker_script(request: HttpRequest) -> HttpResponse:
    return _answer(WORKER, _worker_source())


def _answer(name: str, content: bytes) -> HttpResponse:
    return HttpResponse(content, content_type=TYPES[Path(name).suffix])


def _python_edition() -> str:
    return f"python-{SHA512[:SHOWN]}"


def _rules_edition() -> str:
    return f"rules-{rules_archive().digest[:SHOWN]}"


def _worker_edition() -> str:
    return f"worker-{hashlib.sha256(_worker_source()).hexdigest()[:SHOWN]}"


@lru_cache(maxsize=1)
def _worker_source() -> bytes:
    path = finders.find(SOURCE)
    assert path is not None
    return Path(str(path)).read_bytes()
