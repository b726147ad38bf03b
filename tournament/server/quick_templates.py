"""Django's templates, with their dearest steps made shorter: what a name stands for, what a filter
makes of it, which template is included, what a page is surrounded by.

A page looks up hundreds of names, most of them in plain dictionaries of the view, many that aren't
there. Django tries each as a key, an attribute and a number, and says in an exception what it
didn't find; here a plain dictionary is asked once. Whatever isn't plain, as a method or a lazy
value, goes Django's way, so that every template says the same. What puts nothing on a page, as a
comment, is no step of its writing.
"""

from collections.abc import Callable, Container, Sequence
from html import escape
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import QueryDict
from django.template import Origin, Template, TemplateDoesNotExist, TemplateSyntaxError
from django.template.base import (
    FilterExpression,
    Lexer,
    Node,
    NodeList,
    Parser,
    TextNode,
    Token,
    Variable,
    VariableNode,
    render_value_in_context,
)
from django.template.context import Context
from django.template.defaulttags import CommentNode, LoadNode, WithNode
from django.template.loader_tags import IncludeNode
from django.template.loaders import base, cached
from django.urls import get_script_prefix, get_urlconf
from django.utils.safestring import SafeData, SafeString, mark_safe
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]
from django.utils.translation import get_language

MISSING: Final = object()  # nothing is called so
OTHERWISE: Final = object()  # nothing plain: Django knows
WITH_PLACES = frozenset({list, tuple, str})
CONSTANTS = {"True": True, "False": False, "None": None}  # every page knows them
SILENT = LoadNode, CommentNode  # they put nothing on a page


class Surroundings(NamedTuple):
    """What holds for the whole of a page: its language, the prefix of its addresses, and among
    which pages they lead.
    """

    language: str | None
    prefix: str
    pages: Any


def surroundings(context: Context) -> Surroundings:
    """The surroundings of a page, asked for once while it is written."""
    page: Any = context.render_context.dicts[0]
    known: Surroundings | None = page.get(Surroundings)
    if known is None:
        pages = get_urlconf() or settings.ROOT_URLCONF
        known = page[Surroundings] = Surroundings(get_language(), get_script_prefix(), pages)
    return known


class Path:
    """A name with dots, as `hand.bids.N`."""

    __slots__ = ("name", "rest")

    def __init__(self, lookups: Sequence[str]) -> None:
        self.name = lookups[0]
        self.rest = [
            (bit, int(bit) if bit.isdecimal() else None, hasattr(QueryDict, bit))
            for bit in lookups[1:]
        ]

    def value_in(self, context: Context) -> Any:  # noqa: ANN401 - whatever stands there
        """The value; MISSING where there is none, OTHERWISE where Django has to look."""
        name = self.name
        for known in reversed(context.dicts):
            if name in known:
                value = known[name]
                break
        else:
            return OTHERWISE if name in context.__dict__ else MISSING
        if callable(value):
            return OTHERWISE
        for bit, place, of_every_dict in self.rest:
            if value is None:
                return MISSING
            kind = type(value)
            if kind is dict or kind is QueryDict:
                if bit not in value:
                    return OTHERWISE if of_every_dict or place is not None else MISSING
                value = value[bit]
            elif hasattr(kind, "__getitem__"):
                if place is None or kind not in WITH_PLACES:
                    return OTHERWISE
                if place >= len(value):
                    return MISSING
                value = value[place]
            else:
                try:
                    value = getattr(value, bit)
                except AttributeError:
                    return OTHERWISE
            if callable(value):
                return OTHERWISE
        return value


class Filter:
    """A filter and what stands behind its colon."""

    __slots__ = ("autoescape", "function", "localtime", "path", "safe", "value", "variable")

    def __init__(self, function: Callable[..., Any], args: Sequence[tuple[bool, object]]) -> None:
        self.function = function
        self.localtime: bool = getattr(function, "expects_localtime", False)
        self.autoescape: bool = getattr(function, "needs_autoescape", False)
        self.safe: bool = getattr(function, "is_safe", False)
        given: tuple[bool, Any] = args[0] if args else (False, MISSING)
        looked_up, self.value = given
        self.variable: Variable | None = self.value if looked_up else None
        self.path = _path(self.variable) if self.variable is not None else None
        if self.variable is None and self.value is not MISSING:
            self.value = mark_safe(self.value)  # noqa: S308 - it stands in a template
        elif self.variable is not None and self.path is None:
            self.value, self.variable = self.variable.literal, None

    def applied(self, value: object, context: Context) -> Any:  # noqa: ANN401 - as the filter has it
        """What it makes of a value. Raises VariableDoesNotExist."""
        if self.localtime:
            value = template_localtime(value, context.use_tz)
        given: tuple[object, ...]
        if self.variable is not None:
            argument = self.path.value_in(context) if self.path is not None else OTHERWISE
            if argument is MISSING or argument is OTHERWISE:
                argument = self.variable.resolve(context)
            given = (argument,)
        else:
            given = () if self.value is MISSING else (self.value,)
        if self.autoescape:
            made = self.function(value, *given, autoescape=context.autoescape)
        else:
            made = self.function(value, *given)
        return mark_safe(made) if self.safe and isinstance(value, SafeData) else made  # noqa: S308


class Expression(FilterExpression):
    """What stands between braces, or in a tag: a value and its filters."""

    __slots__ = ("path", "steps")

    def __init__(self, token: str, parser: Parser) -> None:
        super().__init__(token, parser)
        self.path = _path(self.var) if self.is_var else None
        self.steps = [Filter(function, args) for function, args in self.filters]

    def resolve(self, context: Context, ignore_failures: bool = False) -> Any:  # noqa: ANN401 - as Django's
        """As Django's."""
        if self.path is None:
            value = self.var.resolve(context) if self.is_var else self.var
        else:
            value = self.path.value_in(context)
            if value is OTHERWISE:
                return super().resolve(context, ignore_failures)
            if value is MISSING:
                value = None if ignore_failures else ""
        for step in self.steps:
            value = step.applied(value, context)
        return value


class Value(VariableNode):
    """`{{ … }}`."""

    def render(self, context: Context) -> str:
        return written_value(self.filter_expression.resolve(context), context)


def written_value(value: Any, context: Context) -> str:  # noqa: ANN401 - whatever stands there
    """A value as a page writes it."""
    kind = type(value)
    if kind is SafeString:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return SafeString(escape(value)) if context.autoescape else value
    if kind is int and not settings.USE_THOUSAND_SEPARATOR:
        return str(value)
    return render_value_in_context(value, context)


class Included(IncludeNode):
    """`{% include … %}`, which remembers the templates that it found."""

    def __init__(self, of_django: IncludeNode) -> None:
        super().__init__(
            of_django.template,
            extra_context=of_django.extra_context,
            isolated_context=of_django.isolated_context,
        )
        self.found: dict[object, Template] = {}

    def render(self, context: Context) -> SafeString:
        name = self.template.resolve(context)
        template = self.found.get(name) if isinstance(name, str | tuple) else None
        if template is None:
            template = self._remembered(name, context)
        if template is None:
            return super().render(context)
        values = {each: value.resolve(context) for each, value in self.extra_context.items()}
        state, known = context.render_context, context.dicts
        around, state.template = state.template, template
        state.dicts.append({})
        context.dicts = [dict(CONSTANTS), values] if self.isolated_context else [*known, values]
        try:
            written: SafeString = template._render(context)  # type: ignore[attr-defined]
            return written
        finally:
            context.dicts = known
            state.dicts.pop()
            state.template = around

    def _remembered(self, name: object, context: Context) -> Template | None:
        """The template of this name, from now on remembered; None for what isn't just a name."""
        names = (name,) if isinstance(name, str) else name
        if not isinstance(names, tuple) or any(each.startswith(".") for each in names):
            return None
        assert context.template is not None
        self.found[name] = context.template.engine.select_template(list(names))
        return self.found[name]


class With(WithNode):
    """`{% with … %}`."""

    def __init__(self, of_django: WithNode) -> None:
        super().__init__(None, None, of_django.nodelist, of_django.extra_context)

    def render(self, context: Context) -> SafeString:
        values = {name: value.resolve(context) for name, value in self.extra_context.items()}
        context.dicts.append(values)
        try:
            return self.nodelist.render(context)
        finally:
            context.dicts.pop()


class QuickParser(Parser):
    """Django's parser, with our expressions, values and includes."""

    def compile_filter(self, token: str) -> Expression:
        """As Django's."""
        return Expression(token, self)

    def extend_nodelist(self, nodelist: NodeList, node: Node, token: Token) -> None:
        """As Django's, but for what puts nothing on the page; the text before and after it is
        one.
        """
        if type(node) in SILENT:
            return
        before = nodelist[-1] if nodelist else None
        if type(node) is TextNode and type(before) is TextNode:
            before.s += node.s
            return
        if type(node) is VariableNode:
            node = Value(node.filter_expression)
        elif type(node) is IncludeNode:
            node = Included(node)
        elif type(node) is WithNode:
            node = With(node)
        super().extend_nodelist(nodelist, node, token)
        if not isinstance(node, TextNode):
            # which node failed is said in DEBUG alone
            node.render_annotated = node.render  # type: ignore[method-assign]


class QuickTemplate(Template):
    """A template made of them."""

    def compile_nodelist(self) -> NodeList:
        """As Django's."""
        if self.engine.debug or self.engine.string_if_invalid:
            return super().compile_nodelist()
        known = self.engine.template_libraries, self.engine.template_builtins
        parser = QuickParser(Lexer(self.source).tokenize(), *known, self.origin)
        try:
            nodelist = parser.parse()
        except TemplateSyntaxError:
            return super().compile_nodelist()  # who says where in the source
        self.extra_data = parser.extra_data
        return nodelist


class FirstSourceLoader(base.Loader):
    """Makes a template of the first source that there is."""

    def get_template(
        self, template_name: str, skip: Container[Origin] | None = None
    ) -> QuickTemplate:
        """As Django's. Raises TemplateDoesNotExist."""
        tried = list[tuple[Origin, str]]()
        for origin in self.get_template_sources(template_name):
            if skip is not None and origin in skip:
                tried.append((origin, "Skipped to avoid recursion"))
                continue
            try:
                source = self.get_contents(origin)  # type: ignore[attr-defined]
            except TemplateDoesNotExist:
                tried.append((origin, "Source does not exist"))
                continue
            return QuickTemplate(source, origin, template_name, self.engine)
        raise TemplateDoesNotExist(template_name, tried=tried)


class Loader(cached.Loader, FirstSourceLoader):
    """Django's memory of templates, which are these."""


def _path(variable: Variable) -> Path | None:
    """The name that a variable looks up; None for a literal, and for words to be translated."""
    return Path(variable.lookups) if variable.lookups and not variable.translate else None
