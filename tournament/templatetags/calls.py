"""What calls for the director need in words."""

from django import template

from tournament.queries.calls import REASONS

register = template.Library()


@register.simple_tag
def call_reason(reason: str) -> str:
    """Why a table calls, as it is said at the table."""
    return str(REASONS.get(reason, reason))
