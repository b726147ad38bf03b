"""Calendars as RFC 5545 has them, feeds as RFC 4287 has them: what was put in is what another
program reads.
"""

from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import icalendar
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.formats.atom import NAMESPACE, NO_XML, TAG, Feed, FeedEntry, as_atom
from tournament.formats.ical import ESCAPED, OCTETS_A_LINE, Appointment, as_ical

pytestmark = pytest.mark.fast
MOMENTS = st.datetimes(
    min_value=datetime(2000, 1, 1),  # noqa: DTZ001 - which time zone, the next line says
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
).map(lambda at: at.replace(microsecond=0))
LETTERS = st.characters(exclude_categories=["Cs"])
# Long ones are made of short ones: what is drawn at once is seldom long.
LONG = st.lists(st.text(LETTERS, min_size=1, max_size=6), min_size=30, max_size=40).map("".join)
TEXTS = st.text(LETTERS, max_size=120) | LONG
APPOINTMENTS = st.builds(
    Appointment,
    uid=st.uuids().map(lambda key: f"{key}@accord.invalid"),
    begins=MOMENTS,
    ends=MOMENTS,
    changed=MOMENTS,
    title=TEXTS,
    place=TEXTS,
    text=TEXTS,
    address=st.just("https://salon.example.org/me/0/"),
)
ENTRIES = st.builds(
    FeedEntry,
    key=st.uuids().map(str),
    title=TEXTS,
    text=TEXTS,
    address=st.just("https://salon.example.org/"),
    updated=MOMENTS,
)


def kept(text: str) -> str:
    """A text as a calendar can say it: without control characters, its lines ended one way."""
    plain = {code: None for code, written in ESCAPED.items() if written == ""}
    return text.replace("\r\n", "\n").translate(plain)


@settings(max_examples=60)
@given(TEXTS, st.lists(APPOINTMENTS, max_size=3, unique_by=lambda each: each.uid))
def test_another_program_reads_in_a_calendar_what_was_put_in(
    name: str, appointments: list[Appointment]
) -> None:
    read = icalendar.Calendar.from_ical(as_ical(name, appointments))

    found: dict[str, Any] = {str(event["UID"]): event for event in read.walk("VEVENT")}
    assert found.keys() == {each.uid for each in appointments}
    for each in appointments:
        event = found[each.uid]
        moments = [event[key].dt for key in ("DTSTART", "DTEND", "DTSTAMP")]
        assert moments == [each.begins, each.ends, each.changed]
        texts = [str(event[key]) for key in ("SUMMARY", "LOCATION", "DESCRIPTION")]
        assert texts == [kept(each.title), kept(each.place), kept(each.text)]
        assert str(event["URL"]) == each.address


@settings(max_examples=60)
@given(APPOINTMENTS)
def test_no_line_of_a_calendar_is_longer_than_the_standard_has_it(each: Appointment) -> None:
    written = as_ical("Lantern Cup", [each])

    assert written.endswith(b"\r\n")
    lines = written.removesuffix(b"\r\n").split(b"\r\n")
    assert all(len(line) <= OCTETS_A_LINE for line in lines)
    assert all(b"\n" not in line and b"\r" not in line for line in lines)
    assert [line.decode() for line in lines], "no character is broken in two"


@settings(max_examples=60)
@given(TEXTS, st.lists(ENTRIES, max_size=3))
def test_another_program_reads_in_a_feed_what_was_put_in(
    title: str, entries: list[FeedEntry]
) -> None:
    began = datetime(2001, 1, 1, tzinfo=UTC)
    feed = Feed(
        key="a/results",
        title=title,
        author="The salon",
        own="https://salon.example.org/results.atom",
        page="https://salon.example.org/",
        began=began,
        entries=entries,
    )

    root = ElementTree.fromstring(as_atom(feed))

    def text(node: ElementTree.Element, name: str) -> str:
        return node.findtext(f"{{{NAMESPACE}}}{name}") or ""

    assert root.tag == f"{{{NAMESPACE}}}feed"
    assert text(root, "id") == f"{TAG}a/results"
    assert root.findtext(f"{{{NAMESPACE}}}author/{{{NAMESPACE}}}name") == "The salon"
    assert links(root) == {"self": feed.own, "alternate": feed.page}
    assert unlined(text(root, "title")) == unlined(NO_XML.sub("", title))
    found = root.findall(f"{{{NAMESPACE}}}entry")
    for node, each in zip(found, entries, strict=True):
        assert text(node, "id") == f"{TAG}{each.key}"
        assert links(node) == {"alternate": each.address}
        assert unlined(text(node, "title")) == unlined(NO_XML.sub("", each.title))
        content = node.find(f"{{{NAMESPACE}}}content")
        assert content is not None
        assert content.get("type") == "text"
        assert unlined(text(node, "content")) == unlined(NO_XML.sub("", each.text))
        assert datetime.fromisoformat(text(node, "updated")) == each.updated
    latest = max([began, *(each.updated for each in entries)])
    assert datetime.fromisoformat(text(root, "updated")) - latest < timedelta(milliseconds=1)


def links(node: ElementTree.Element) -> dict[str | None, str | None]:
    """The addresses of a feed or an entry by what they are."""
    return {link.get("rel"): link.get("href") for link in node.findall(f"{{{NAMESPACE}}}link")}


def unlined(text: str) -> str:
    """A text whose lines end one way: every reader of XML has them so."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
