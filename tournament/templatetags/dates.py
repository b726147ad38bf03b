"""Dates and times in templates, written as the salon's language has it."""

import datetime

from django import template
from django.template.defaultfilters import date as as_it_stands

from tournament.formats.local.dates import pattern

register = template.Library()


@register.filter(expects_localtime=True, is_safe=False)
def date(value: datetime.date | datetime.datetime | str | None, british: str | None = None) -> str:
    """As Django's filter, but that `"j F Y"` is written in the order of the language spoken:
    November 22, 2026 in America.
    """
    return str(as_it_stands(value, pattern(british) if british else british))
