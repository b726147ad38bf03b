"""Addresses of pages, put together once: what is answered has dozens, mostly the same as before."""

from functools import lru_cache

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse

REMEMBERED = 8_192


def page_address(name: str, *args: str | int) -> str:
    """The address of the page of this name with these words and numbers in it, below the prefix
    that holds now. Raises NoReverseMatch.
    """
    return address_below(name, get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF, *args)


@lru_cache(maxsize=REMEMBERED, typed=True)
def address_below(name: str, prefix: str, pages: object, /, *args: str | int) -> str:
    """The same, of the pages that are addressed now, below the prefix that holds now: these."""
    return reverse(name, args=args)
