"""Django's tag `url`, whose addresses are put together once: a page has dozens, mostly the same as
the page before.
"""

from django import template
from django.template.base import Node, Parser, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as of_django
from django.urls import NoReverseMatch
from django.utils.html import conditional_escape

from tournament.salons.page_addresses import address_below
from tournament.server.quick_templates import surroundings

register = template.Library()


class Address(URLNode):
    """The address of a page by its name and the words and numbers in it."""

    def render(self, context: Context) -> str:
        name = self.view_name.resolve(context)
        args = [arg.resolve(context) for arg in self.args]
        if ":" in name or any(not isinstance(arg, str | int) for arg in args):
            return str(super().render(context))
        _language, prefix, pages = surroundings(context)
        try:
            address = address_below(name, prefix, pages, *args)
        except NoReverseMatch:
            if self.asvar is None:
                raise
            address = ""
        if not self.asvar:
            return conditional_escape(address) if context.autoescape else address
        context[self.asvar] = address
        return ""


@register.tag
def url(parser: Parser, token: Token) -> Node:
    """As Django's."""
    node = of_django(parser, token)
    return node if node.kwargs else Address(node.view_name, node.args, {}, node.asvar)
