"""Templates as files: short lines, and nothing named in them that isn't there."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.urls import URLResolver, get_resolver

ROOT = Path(settings.BASE_DIR)
FILES = sorted(path for path in (ROOT / "templates").rglob("*") if path.is_file())
WIDTH = 120

COMMENT = re.compile(r"{% comment %}(.*?){% endcomment %}|{#(.*?)#}", re.DOTALL)
NAMED_TEMPLATE = re.compile(r"""{%\s*(?:include|extends)\s+["']([^"']+)["']""")
NAMED_ADDRESS = re.compile(r"""{%\s*url\s+["']([^"']+)["']""")
# A module, and what is said to stand in it: `Told (queries/told.py)`, `Lesson values (…)`,
# `pad_page in pages/pad.py`.
MODULE = re.compile(r"[\w/.]+\.py\b")
STANDS_IN_IT = re.compile(r"\b(\w*[A-Z_]\w*)(?: values)? (?:\(|in )([\w/.]+\.py)\b")


def test_no_line_is_longer_than_an_editor_shows() -> None:
    assert _found(lambda text: (line for line in text.splitlines() if len(line) > WIDTH)) == {}


def test_every_template_that_one_names_is_there() -> None:
    assert (
        _found(
            lambda text: (name for name in NAMED_TEMPLATE.findall(text) if not _is_template(name))
        )
        == {}
    )


def test_every_address_that_one_names_is_there() -> None:
    assert (
        _found(
            lambda text: (
                name
                for name in NAMED_ADDRESS.findall(text)
                if not _is_address(name, get_resolver())
            )
        )
        == {}
    )


def test_every_module_that_a_comment_names_is_there() -> None:
    assert (
        _found(
            lambda text: (
                name
                for words in _comments(text)
                for name in MODULE.findall(words)
                if not (ROOT / name).is_file()
            )
        )
        == {}
    )


def test_what_a_comment_says_to_stand_in_a_module_stands_there() -> None:
    assert (
        _found(
            lambda text: (
                each
                for words in _comments(text)
                for each in STANDS_IN_IT.findall(words)
                if not _stands_in(*each)
            )
        )
        == {}
    )


def _found(search: Callable[[str], Iterable[object]]) -> dict[str, list[object]]:
    """What a search finds, by the template that it finds it in."""
    found = {str(path.relative_to(ROOT)): list(search(path.read_text())) for path in FILES}
    return {name: each for name, each in found.items() if each}


def _comments(text: str) -> Iterator[str]:
    return (" ".join((block or line).split()) for block, line in COMMENT.findall(text))


def _is_template(name: str) -> bool:
    """Whether there is this template, with the partial that is named behind a `#`."""
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return False
    return True


def _is_address(name: str, resolver: URLResolver) -> bool:
    """Whether an address has this name; before a colon stands the application that it is of."""
    application, _, rest = name.partition(":")
    if not rest:
        return name in resolver.reverse_dict
    return application in resolver.namespace_dict and _is_address(
        rest, resolver.namespace_dict[application][1]
    )


def _stands_in(name: str, module: str) -> bool:
    """Whether a class, function or value of this name is defined in a module; one that isn't there
    is another test's finding.
    """
    path = ROOT / module
    defined = rf"^\s*(?:(?:class|def|type) {name}\b|{name}\b.*?=)"
    return not path.is_file() or re.search(defined, path.read_text(), re.MULTILINE) is not None
