"""Links for phones: as text that somebody can type, and as pictures."""

from dataclasses import dataclass
from functools import lru_cache

import segno
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from tournament.models import Salon
from tournament.salons.prefix import address_in
from tournament.server.environment.addresses import address_for_others, format_typed_address


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneLink:
    """An address that phones can open, "" where none is known; `here` opens the same on this
    machine.
    """

    url: str
    here: str

    @property
    def code(self) -> str:
        """The address as a picture, "" for none."""
        return code_of(self.url) if self.url else ""

    @property
    def typed_address(self) -> str:
        """The address as it is read aloud and typed: without what a browser adds by itself."""
        return format_typed_address(self.url)


def link_to(request: HttpRequest, salon: Salon, page: str, *of: object) -> PhoneLink:
    """The link to a page of this salon, for phones."""
    here = request.build_absolute_uri(address_in(salon, page, *of))
    return PhoneLink(url=address_for_others(here, request.get_host(), salon.address), here=here)


@lru_cache(maxsize=1024)  # a code takes 4 ms to draw, and a sheet of slips has hundreds
def code_of(url: str) -> SafeString:
    """The QR code of a link, as an SVG that needs no style of its own."""
    picture = segno.make(url, error="m").svg_inline(
        border=4, light="#fff", svgclass="qr", lineclass=None, omitsize=True
    )
    # The picture is made of numbers only: nothing anybody typed is in it.
    return mark_safe(picture)  # noqa: S308
