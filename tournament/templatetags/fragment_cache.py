"""Parts of a page that are the same as long as a few values are: written once, then taken from
memory.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson
from django import template
from django.core.signals import setting_changed
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.template.context import Context
from django.urls import get_script_prefix, get_urlconf
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournament.models.lru_cache import RecentValues

PARTS = 16_384  # in memory, of some 500 characters
LONG_PARTS, LONG = 1024, 4000  # and so many that have more characters
PLAIN = frozenset({str, SafeString, int, bool, float, type(None)})
ONLY_PLAIN = orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_PASSTHROUGH_DATETIME
SHORT = 64  # bytes: what is longer is known by its digest

register = template.Library()
_parts = RecentValues[object, SafeString](PARTS)
_long_parts = RecentValues[object, SafeString](LONG_PARTS)


class Surroundings(NamedTuple):
    """The surroundings of a page besides its values: its language, the prefix of its addresses, and
    among which pages they lead.
    """

    language: str | None
    prefix: str
    pages: str | None


class Part(Node):
    """A piece of a template that knows nothing but some values, and so is the same where they
    are.
    """

    def __init__(self, values: Mapping[str, FilterExpression], nodelist: NodeList) -> None:
        self.values, self.nodelist = values, nodelist

    def render(self, context: Context) -> SafeString:
        known = {name: value.resolve(context) for name, value in self.values.items()}
        return self.text_with(context, known, surroundings())

    def text_with(
        self, context: Context, known: dict[str, object], around: Surroundings
    ) -> SafeString:
        """The part where this is known of it, in these surroundings."""
        keys = [_key_of(value) for value in known.values()]
        if None in keys:  # not to be told from others like it
            return self.nodelist.render(context.new(known))
        key = (self, context.autoescape, around, *keys)
        part = _parts.get(key) or _long_parts.get(key)
        if part is None:
            part = self.nodelist.render(context.new(known))
            (_parts if len(part) < LONG else _long_parts).put(key, part)
        return part


class PartOfEach(Node):
    """The same piece for each of some values, which knows nothing but its own."""

    def __init__(self, name: str, values: FilterExpression, nodelist: NodeList) -> None:
        self.name, self.values, self.nodelist = name, values, nodelist
        self.part = Part({}, nodelist)

    def render(self, context: Context) -> SafeString:
        around = surroundings()
        return SafeString(
            "".join(
                self.part.text_with(context, {self.name: value}, around)
                for value in self.values.resolve(context)
            )
        )


@register.tag
def kept_part(parser: Parser, token: Token) -> Node:
    """Up to `{% endkept_part %}` nothing is known but these values, and what was written about them
    once is not made again: `{% kept_part name size=… %}`, where a name alone is the value of that
    name.

    What is between may ask for nothing else: neither the clock nor the database, nor who looks.
    """
    values = _values_of(parser, token)
    inside = parser.parse(("endkept_part",))
    parser.delete_first_token()
    return Part(values, inside)


@register.tag
def kept_part_of_each(parser: Parser, token: Token) -> Node:
    """`{% kept_part_of_each game in games %}` up to `{% endkept_part_of_each %}` is a part as
    `kept_part` has it for each of these values: what `for` and `kept_part` would write, at a tenth
    of what a long list costs.
    """
    _tag, name, _in, values = token.split_contents()
    inside = parser.parse(("endkept_part_of_each",))
    parser.delete_first_token()
    return PartOfEach(name, parser.compile_filter(values), inside)


class Only(Node):
    """A piece of a template that knows nothing but some values, and is written anew each time."""

    def __init__(self, values: Mapping[str, FilterExpression], nodelist: NodeList) -> None:
        self.values, self.nodelist = values, nodelist

    def render(self, context: Context) -> SafeString:
        known = {name: value.resolve(context) for name, value in self.values.items()}
        return self.nodelist.render(context.new(known))


@register.tag
def only(parser: Parser, token: Token) -> Node:
    """Up to `{% endonly %}` nothing is known but these values, as with an include that ends in
    `only`: `{% only name size=… %}`, where a name alone is the value of that name.
    """
    values = _values_of(parser, token)
    inside = parser.parse(("endonly",))
    parser.delete_first_token()
    return Only(values, inside)


class PartOfPage(Node):
    """A piece of a template that stands several times on a page, and is the same each time."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        page: Any = context.render_context.dicts[0]
        if self not in page:
            page[self] = self.nodelist.render(context)
        text: SafeString = page[self]
        return text


@register.tag
def once(parser: Parser, token: Token) -> Node:
    """Up to `{% endonce %}` what is written where it first stands on a page is written wherever it
    stands: its values are the page's.
    """
    inside = parser.parse(("endonce",))
    parser.delete_first_token()
    return PartOfPage(inside)


def surroundings() -> Surroundings:
    """The surroundings of the page that is written now."""
    return Surroundings(get_language(), get_script_prefix(), get_urlconf())


def forget() -> None:
    """Write every part anew."""
    _parts.clear()
    _long_parts.clear()


def _values_of(parser: Parser, token: Token) -> dict[str, FilterExpression]:
    """Return what a tag says is known: `name=value`, or a name alone."""
    given = (each.partition("=") for each in token.split_contents()[1:])
    return {name: parser.compile_filter(value or name) for name, _, value in given}


def _key_of(value: object) -> object:
    """Return a key that tells a value from every other: plain ones with their type, lists
    and mappings of plain ones as JSON, what is never changed the number it is
    `known_by`. None for all else.
    """
    kind = type(value)
    if kind in PLAIN:
        return kind, value
    if hasattr(kind, "known_by"):
        return kind, value.known_by  # type: ignore[attr-defined]
    if kind in (dict, list, tuple):
        try:
            content = orjson.dumps(value, option=ONLY_PLAIN)
        except TypeError:
            return None
        return kind, content if len(content) <= SHORT else blake2b(content, digest_size=32).digest()
    return None


def _forget(**_: object) -> None:
    """With other settings it may be written otherwise: in tests alone they change."""
    forget()


setting_changed.connect(_forget)
