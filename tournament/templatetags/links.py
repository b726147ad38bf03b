"""Template tags for the pages of signing in and of people."""

from django import template

from tournament.pages.common.form_fields import list_shown_fields
from tournament.pages.common.qr import code_of

register = template.Library()
register.simple_tag(code_of, name="code_of")
# the fields of a form, as `door/fields.html` takes them
register.filter("shown_fields", list_shown_fields)
