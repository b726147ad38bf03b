"""Renderers of answers: JSON for programs, DRF's pages for people who have signed in."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer, BrowsableAPIRenderer
from rest_framework.request import Request

ENCODER = msgspec.json.Encoder()


class JSONAnswer(BaseRenderer):
    """Writes values and dataclasses as JSON, keys of objects in order."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: object,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The bytes of an answer, none for none; with `indent` for people."""
        if data is None:
            return b""
        indent = (renderer_context or {}).get("indent")
        written = ENCODER.encode(data)
        return msgspec.json.format(written, indent=indent) if indent else written


class BrowsablePages(BrowsableAPIRenderer):
    """Pages to read: a write has a key of its own, which no form sends."""

    def get_rendered_html_form(self, *asked: object) -> None:
        """None."""

    def get_raw_data_form(self, *asked: object) -> None:
        """None."""

    def get_breadcrumbs(self, request: Request) -> list[tuple[str, str]]:
        """The addresses above this one that answer something: (name, address)."""
        return [each for each in super().get_breadcrumbs(request) if each[0]]


class JSONForPrograms(BaseContentNegotiation):
    """Answers in JSON whatever a client would rather have, but for a browser that has signed in."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        """The parser for what was sent; None for what isn't JSON."""
        sent = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> tuple[object, str]:
        """Pages for who has signed in and names HTML first, JSON for all others."""
        written, *pages = renderers
        for each in pages:
            names_it = request.headers.get("Accept", "").startswith(each.media_type)
            if names_it and request._request.user.is_authenticated:
                return each, each.media_type
        return written, written.media_type
