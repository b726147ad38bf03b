"""Source in short lines: where a line may end although the page has no space there, and where a tag
has more values than fit.
"""

import re
from collections.abc import Mapping

from django import template
from django.template.base import (
    FilterExpression,
    Node,
    NodeList,
    Parser,
    TextNode,
    Token,
    token_kwargs,
)
from django.template.context import Context
from django.utils.safestring import SafeString

register = template.Library()

BREAK = re.compile(r"(?<!\s)\s*\n\s*|[<>\"']")


class Joined(Node):
    """A piece of a template whose line breaks are its source's alone."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist
        joiner = Joiner()
        for node in nodelist.get_nodes_by_type(TextNode):
            assert isinstance(node, TextNode)
            node.s = BREAK.sub(joiner.joined, node.s)

    def render(self, context: Context) -> SafeString:
        return self.nodelist.render(context)


class Joiner:
    """Knows whether a line break parts two attributes of an element, where one space has to
    stay.
    """

    def __init__(self) -> None:
        self.tag, self.quote = False, ""

    def joined(self, found: re.Match[str]) -> str:
        mark = found[0]
        if mark.isspace():
            return " " if self.tag and not self.quote else ""
        if mark in "<>" and not self.quote:
            self.tag = mark == "<"
        elif mark == self.quote:
            self.quote = ""
        elif self.tag and not self.quote:
            self.quote = mark
        return mark


class Only(Node):
    """A piece of a template that knows nothing but some values."""

    def __init__(self, values: Mapping[str, FilterExpression], nodelist: NodeList) -> None:
        self.values, self.nodelist = values, nodelist

    def render(self, context: Context) -> SafeString:
        known = {name: value.resolve(context) for name, value in self.values.items()}
        return self.nodelist.render(context.new(known))


@register.tag
def joined(parser: Parser, token: Token) -> Node:
    """Up to `{% endjoined %}` a line break of the source, and the spaces around it, put nothing on
    the page.
    """
    inside = parser.parse(("endjoined",))
    parser.delete_first_token()
    return Joined(inside)


@register.tag
def joined_to_the_end(parser: Parser, token: Token) -> Node:
    """The same up to the end of the file: so a file of words may end with a line break and stand in
    the middle of a sentence.
    """
    return Joined(parser.parse())


@register.tag
def only(parser: Parser, token: Token) -> Node:
    """Up to `{% endonly %}` nothing is known but these values, as with an include that ends in
    `only`: `{% only name=… size=… %}`.
    """
    values = token_kwargs(token.split_contents()[1:], parser)
    inside = parser.parse(("endonly",))
    parser.delete_first_token()
    return Only(values, inside)
