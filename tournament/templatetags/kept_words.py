"""Django's library `i18n`, whose sentences are looked up once in each language: a page has a
hundred of them, and none changes while a process lives.
"""

from decimal import Decimal
from functools import lru_cache
from typing import Any

from django import template
from django.core.signals import setting_changed
from django.template.base import Parser, Token
from django.template.context import Context
from django.templatetags import i18n
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from tournament.server.quick_templates import surroundings, written_value

REMEMBERED = 16_384  # sentences, those of a number for each number

register = template.Library()
register.tags.update(i18n.register.tags)
del register.tags["language"]  # a page speaks one: what is kept of it is known by that
register.filters.update(i18n.register.filters)


class Words(i18n.TranslateNode):
    """`{% translate %}` of words that stand in the template."""

    def render(self, context: Context) -> str:
        text = _words(self.filter_expression.var.literal, surroundings(context).language, self.noop)
        if not self.asvar:
            return text
        context[self.asvar] = text
        return ""


class Sentence(i18n.BlockTranslateNode):
    """`{% blocktranslate %}` without a context of its own: its pattern is looked up once."""

    def __init__(self, of_django: Any) -> None:  # noqa: ANN401 - Django's own node
        super().__init__(
            of_django.extra_context,
            of_django.singular,
            of_django.plural,
            of_django.countervar,
            of_django.counter,
            trimmed=of_django.trimmed,
            asvar=of_django.asvar,
            tag_name=of_django.tag_name,
        )
        self.one, names = self.render_token_list(self.singular)
        self.many, more = self.render_token_list(self.plural or [])
        self.names = tuple(dict.fromkeys([*names, *more]))

    def render(self, context: Context, nested: bool = False) -> str:
        known = {name: value.resolve(context) for name, value in self.extra_context.items()}
        context.dicts.append(known)
        try:
            text = self._text(context)
        finally:
            context.dicts.pop()
        if text is None:  # what Django says of it, or does about it
            return str(super().render(context, nested))
        if not self.asvar:
            return text
        context[self.asvar] = SafeString(text)
        return ""

    def _text(self, context: Context) -> str | None:
        """The sentence with its values; None where one is missing or doesn't fit."""
        pattern: str | None = None
        language = surroundings(context).language
        if not self.plural or self.counter is None or self.countervar is None:
            pattern = translated(self.one, language)
        else:
            count = self.counter.resolve(context)
            if isinstance(count, int | float | Decimal):
                context[self.countervar] = count
                pattern = _plural_sentence(self.one, self.many, count, language)
        if pattern is None:
            return None
        try:
            values = {name: written_value(context[name], context) for name in self.names}
            return pattern % values
        except (KeyError, ValueError):
            return None


@register.tag("translate")
@register.tag("trans")
def translate(parser: Parser, token: Token) -> template.Node:
    """As Django's."""
    node: Any = i18n.do_translate(parser, token)
    words = node.filter_expression
    if words.filters or node.message_context or words.var.literal is None:
        return node  # type: ignore[no-any-return]
    return Words(words, node.noop, node.asvar)


@register.tag("blocktranslate")
@register.tag("blocktrans")
def blocktranslate(parser: Parser, token: Token) -> template.Node:
    """As Django's."""
    node: Any = i18n.do_block_translate(parser, token)
    if node.message_context:
        return node  # type: ignore[no-any-return]
    return Sentence(node)


@lru_cache(maxsize=REMEMBERED)
def _words(words: str, language: str | None, noop: bool) -> SafeString:
    """Words in the language that is spoken now. As Django looks them up, a % is written twice."""
    if noop:
        return SafeString(words)
    return SafeString(gettext(words.replace("%", "%%")).replace("%%", "%"))


@lru_cache(maxsize=REMEMBERED)
def translated(words: str, language: str | None) -> str:
    """Words or a pattern in the language that is spoken now, which is this."""
    return gettext(words)


@lru_cache(maxsize=REMEMBERED, typed=True)
def _plural_sentence(one: str, many: str, count: float, language: str | None) -> str:
    return ngettext(one, many, count)


def _forget(*, setting: str, **_: object) -> None:
    """Other languages may speak otherwise: in tests alone settings change."""
    if setting in ("LANGUAGES", "LANGUAGE_CODE", "LOCALE_PATHS"):
        for kept in (_words, translated, _plural_sentence):
            kept.cache_clear()


setting_changed.connect(_forget)
