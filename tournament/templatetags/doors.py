"""What the templates of signing in and of people write in one word."""

from collections.abc import Iterator

from django import template
from django.forms import Form

from tournament.pages.codes import code_of
from tournament.pages.fields import ShownField, shown

register = template.Library()
register.simple_tag(code_of, name="code_of")


@register.filter
def shown_fields(form: Form) -> Iterator[ShownField]:
    """The fields of a form as `door/fields.html` takes them."""
    return shown(form)
