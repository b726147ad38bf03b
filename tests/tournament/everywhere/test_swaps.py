"""No page takes back what somebody is entering: what a page renews by itself holds no field, or
says here why it may.
"""

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings

FOLDER = Path(settings.BASE_DIR, "templates")
FIFTH = Path(settings.BASE_DIR, "tests", "fifth_game", "templates")
SOURCES = {
    str(path.relative_to(folder)): path.read_text()
    for folder in (FOLDER, FIFTH)
    for path in sorted(folder.rglob("*.html"))
}

# What may be renewed although it holds fields, and why nobody loses anything by it.
MAY_HOLD_FIELDS = {
    "#pad": (
        "only the tap that answers its question renews it, and an idle look waits while "
        "somebody enters (tests/browser)"
    ),
    "#listed-entries": "only somebody who types in the field above, beside it, renews it",
}
ASKS = re.compile(r"\shx-(?:get|post|boost=\"true\")")
FIELD = re.compile(r"<(?:input(?![^>]*type=\"hidden\")|textarea|select)\b")
INCLUDE = re.compile(r"{% include (?:\"([^\"]+)\"|'([^']+)'|[\w.]+\|part:\"(\w+)\")")


@cache
def plain(source: str) -> str:
    """The source with everything that only templates read blanked out, every letter in its
    place.
    """
    return re.sub(
        r"{%.*?%}|{{.*?}}|{#.*?#}", lambda found: " " * len(found[0]), source, flags=re.DOTALL
    )


class Elements(HTMLParser):
    """Every element that is closed: its attributes and where it begins and ends."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=False)
        self.lines = [0, *(end.end() for end in re.finditer("\n", source))]
        self.open: list[tuple[str, dict[str, str | None], int]] = []
        self.found: list[tuple[dict[str, str | None], int, int]] = []
        self.feed(source)

    @property
    def place(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("input", "br", "meta", "link", "use"):
            self.found.append(
                (dict(attrs), self.place, self.place + len(self.get_starttag_text() or ""))
            )
        else:
            self.open.append((tag, dict(attrs), self.place))

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            opened, attributes, begin = self.open.pop()
            self.found.append((attributes, begin, self.place))
            if opened == tag:
                return


ELEMENTS = {name: Elements(plain(source)).found for name, source in SOURCES.items()}


def renewed() -> Iterator[tuple[str, str]]:
    """(template, selector) of everything that some element of a template asks the server for."""
    for name, source in SOURCES.items():
        tags = [(tag, attributes) for tag, attributes in opened(name) if ASKS.search(tag)]
        if not tags and ASKS.search(source):
            tags = [(source, {})]  # attributes alone, for a tag that is opened elsewhere
        for tag, attributes in tags:
            for each in targets_of(tag, attributes):
                yield name, each.strip()
        for tag, attributes in opened(name):
            if "hx-swap-oob=" in tag:  # goes to its place by itself, whoever asked
                yield name, f"#{attributes.get('id')}"


def opened(name: str) -> Iterator[tuple[str, dict[str, str | None]]]:
    """The opening tags of a template, with their attributes."""
    source = SOURCES[name]
    for attributes, begin, end in ELEMENTS[name]:
        yield (
            source[begin : begin + len(plain(source)[begin:end].partition(">")[0]) + 1],
            attributes,
        )


def targets_of(tag: str, attributes: dict[str, str | None]) -> list[str]:
    """The ids of what comes anew: named as the target or, where that is named by its place, as what
    is taken of the answer.
    """
    targets = re.findall(r"hx-target=\"(#[^\"]+)\"", tag) or re.findall(
        r"hx-select=\"(#[^\"]+)\"", tag
    )
    if not targets and 'hx-boost="true"' in tag:
        return []  # another way of following its links, inside what is renewed as a whole
    if not targets and 'hx-swap="none"' in tag:
        return []  # only what goes to its place by itself
    beside = re.findall(r"hx-select-oob=\"([^\"]+)\"", tag)
    return [
        *(targets or [f"#{attributes.get('id')}"]),
        *(part for each in beside if each != "unset" for part in each.split(",")),
    ]


def parts_inside(name: str, selector: str) -> Iterator[str]:
    """The source of the element with this id in this template, else of all with it, and of all that
    they include.
    """
    wanted = bare(selector.removeprefix("#"))
    holding = [
        SOURCES[each][begin:end]
        for each in (
            [name] if wanted in {bare(of.get("id")) for of, _, _ in ELEMENTS[name]} else SOURCES
        )
        for attributes, begin, end in ELEMENTS[each]
        if bare(attributes.get("id")) == wanted
    ]
    for source in holding:
        yield from included(source, set())


def bare(name: str | None) -> str:
    """An id without what is only known when the page is made: `suggest-{{ seat }}` is
    `suggest-`.
    """
    return "".join(plain(name or "").split())


def included(source: str, seen: set[str]) -> Iterator[str]:
    yield source
    for named, quoted, part in INCLUDE.findall(source):
        wanted = (
            [named or quoted]
            if named or quoted
            else [name for name in SOURCES if name.endswith(f"/{part}.html")]
        )
        for each in wanted:
            if each in SOURCES and each not in seen:
                seen.add(each)
                yield from included(SOURCES[each], seen)


RENEWED = sorted(set(renewed()))


def test_every_element_that_is_renewed_is_found() -> None:
    """The list that the next test goes through: were one not read, its fields would go unseen."""
    asking = {name for name, source in SOURCES.items() if re.search(r"\shx-(get|post)=", source)}

    assert asking <= {name for name, _ in RENEWED}
    assert {selector for _, selector in RENEWED} >= {
        "#pad",
        "#padtop",
        "#preview",
        "#board",
        "#live",
        "#counted",
        "#checks",
        "#record",
    }


@pytest.mark.parametrize(
    ("name", "selector"), RENEWED, ids=[f"{name}{selector}" for name, selector in RENEWED]
)
def test_what_is_renewed_holds_no_field_somebody_may_be_typing_in(name: str, selector: str) -> None:
    parts = list(parts_inside(name, selector))
    holding = [found for part in parts for found in FIELD.findall(part)]

    assert parts, "nothing has this id"
    assert not holding or selector in MAY_HOLD_FIELDS


def test_whatever_may_be_renewed_in_spite_of_its_fields_is_still_renewed() -> None:
    assert set(MAY_HOLD_FIELDS) <= {selector for _, selector in RENEWED}
