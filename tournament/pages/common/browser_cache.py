"""Pages that the browser keeps for a while and opens without asking, however its cookies change: a
pad writes one with each tap. No cache but the browser's own may hold them: they are `private`.
"""

from django.http import HttpResponse
from django.http.response import HttpResponseBase

KEPT = "kept_by_the_browser"


def keep_in_browser(response: HttpResponse) -> HttpResponse:
    """Mark the page as one that the browser keeps."""
    setattr(response, KEPT, True)
    return response


def unvary_kept_page(response: HttpResponseBase) -> None:
    """Let a marked page no longer vary with cookies."""
    if getattr(response, KEPT, False) and "Vary" in response:
        named = [name.strip() for name in response["Vary"].split(",")]
        others = [name for name in named if name.lower() != "cookie"]
        response["Vary"] = ", ".join(others)
        if not others:
            del response["Vary"]
