"""What our code takes from other packages is what their manuals offer (house style, 12): no import
from a module that none of them names, and no attribute that its package marks as its own.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

CLONE = Path(__file__).resolve().parents[1]
ROOMS = ("scoring", "ledger", "tournament")
MOST_PLACES = 6

# The modules of each package that its manual names, under their parent; "…" for all below as well.
MANUALS = {
    "django": "apps conf contrib… db dispatch forms… http middleware… shortcuts template"
    " templatetags… test… urls views…",
    "django.conf.urls": "i18n",
    "django.core": "asgi cache checks exceptions files mail management paginator serializers…"
    " signals signing validators wsgi",
    "django.core.cache": "backends…",
    "django.core.files": "base images storage temp uploadedfile uploadhandler",
    "django.core.handlers": "asgi wsgi",
    "django.core.mail": "backends… message",
    "django.core.management": "base color commands…",
    "django.db": "migrations… models transaction utils",
    "django.db.backends": "signals",
    "django.db.backends.base": "base",
    "django.db.models": "aggregates constraints deletion expressions fields functions… indexes"
    " lookups manager query signals",
    "django.db.models.fields": "json",
    "django.http": "request response",
    "django.template": "base context defaultfilters loader response",
    "django.template.loaders": "base",
    "django.utils": "cache crypto csp dateformat dateparse dates datastructures deconstruct"
    " decorators encoding feedgenerator formats functional html http lorem_ipsum module_loading"
    " safestring text timezone translation",
    "": "django rest_framework… kombu… allauth… knox… drf_spectacular… django_filters…"
    " django_htmx… celery granian",
    "celery": "app beat bootsteps contrib… exceptions result schedules signals worker",
    "celery.app": "task",
    "celery.apps": "worker",
    "celery.utils": "log",
    "granian": "asgi constants log server",
}
# Modules of whose names the manual has these alone.
CHOSEN = {
    "django.db.models.query": "QuerySet Prefetch RawQuerySet F Q",
    "django.template.base": "Node NodeList Template TemplateSyntaxError Origin Token Parser"
    " FilterExpression VariableDoesNotExist Variable",
    "django.template.context": "Context RequestContext",
}
# Documented although they begin with an underscore: of models, of named tuples.
MARKED_YET_PUBLIC = frozenset(
    {"_meta", "_default_manager", "_base_manager", "_replace", "_asdict", "_fields"}
)
# All that is taken without a manual's leave: why, and the version that was looked at.
ALLOWED = {
    "django.utils.xmlutils.SimplerXMLGenerator": (
        "is the type of what a feed's add_item_elements is given, which is documented; for the "
        "type checker alone",
        "django 6.1.3",
    ),
    "granian.http.HTTP1Settings": (
        "sets the time for a request's head and its length, which the manual has as options of the "
        "command line alone",
        "granian 2.8.7",
    ),
}


class Place(NamedTuple):
    """A line of our code, and the name that it takes."""

    file: str
    line: int
    name: str


@cache
def modules() -> dict[str, ast.Module]:
    """Our modules but for migrations, by file."""
    return {
        str(path.relative_to(CLONE)): ast.parse(path.read_text(encoding="utf-8"))
        for room in ROOMS
        for path in sorted((CLONE / room).rglob("*.py"))
        if "migrations" not in path.parts
    }


@cache
def documented_modules() -> tuple[frozenset[str], tuple[str, ...]]:
    """The modules that a manual names, and how the names of those begin that stand below one."""
    named, below = set[str](), list[str]()
    for parent, children in MANUALS.items():
        for child in children.split():
            name = f"{parent}.{child}".strip(".").removesuffix("…")
            named.add(name)
            below += [f"{name}."] if child.endswith("…") else []
    return frozenset(named), tuple(below)


def is_documented(module: str) -> bool:
    """Whether a manual names this module."""
    named, below = documented_modules()
    return module in named or module.startswith(below)


def is_watched(module: str | None) -> bool:
    """Whether a module is of a package whose manual stands above."""
    return module is not None and is_documented(module.partition(".")[0])


def is_public(module: str, name: str) -> bool:
    """Whether a manual lets us import this name from this module."""
    if name.startswith("_") or name not in CHOSEN.get(module, name).split():
        return False
    return is_documented(module) or is_documented(f"{module}.{name}")


@cache
def own_names() -> frozenset[str]:
    """All that our code itself defines: functions, classes, variables, attributes of objects,
    slots.
    """
    found = set[str]()
    for tree in modules().values():
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    found.add(node.name)
                case ast.Name(id=name, ctx=ast.Store()):
                    found.add(name)
                case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                    found.add(name)
                case ast.Constant(value=str(text)) if text.isidentifier():
                    found.add(text)
                case _:
                    pass
    return frozenset(found)


def names_taken(node: ast.AST) -> Iterator[str]:
    """What this part of our code takes without a manual's leave."""
    match node:
        case ast.ImportFrom(module=str(module), names=names) if is_watched(module):
            yield from (
                f"{module}.{each.name}" for each in names if not is_public(module, each.name)
            )
        case ast.Import(names=names):
            yield from (
                each.name
                for each in names
                if is_watched(each.name) and not is_documented(each.name)
            )
        case ast.Attribute(attr=name) if name.startswith("_") and not name.startswith("__"):
            if name not in own_names() | MARKED_YET_PUBLIC:
                yield f"….{name}"


@cache
def places() -> list[Place]:
    """Every place of our code that takes what no manual offers."""
    return [
        Place(file, getattr(node, "lineno", 0), name)
        for file, tree in modules().items()
        for node in ast.walk(tree)
        for name in names_taken(node)
    ]


def test_only_what_the_table_allows_is_taken_from_undocumented_parts_of_other_packages() -> None:
    assert [place for place in places() if place.name not in ALLOWED] == []


def test_few_places_take_what_the_table_allows() -> None:
    assert len(places()) <= MOST_PLACES


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_what_the_table_allows_is_still_taken_and_has_its_reason_and_version(name: str) -> None:
    why, version = ALLOWED[name]

    assert name in {place.name for place in places()}
    assert why
    assert version.startswith(name.partition(".")[0])


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("from django.db.models import F", []),
        ("from django.db.models.sql.where import AND", ["django.db.models.sql.where.AND"]),
        ("from django.template.base import Node, TextNode", ["django.template.base.TextNode"]),
        ("from django.utils.html import _quote", ["django.utils.html._quote"]),
        ("from django.template.loaders import base, cached", ["django.template.loaders.cached"]),
        ("import celery.platforms, celery.beat, json", ["celery.platforms"]),
        ("from json.encoder import encode_basestring", []),
        ("rows._fetch_mode, rows._meta, rows.__class__", ["…._fetch_mode"]),
    ],
)  # fmt: skip
def test_a_name_that_no_manual_offers_is_found(code: str, names: list[str]) -> None:
    found = [name for node in ast.walk(ast.parse(code)) for name in names_taken(node)]

    assert found == names
