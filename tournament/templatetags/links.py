"""What the templates of signing in and of people write in one word."""

from collections.abc import Iterator

from django import template
from django.forms import Form

from tournament.pages.common.form_fields import ShownField, shown
from tournament.pages.common.qr import code_of

register = template.Library()
register.simple_tag(code_of, name="code_of")


@register.filter
def shown_fields(form: Form) -> Iterator[ShownField]:
    """The fields of a form as `door/fields.html` takes them."""
    return shown(form)
