"""Feeds that other programs look at now and then, as Atom has them (RFC 4287)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

TYPE = "application/atom+xml; charset=utf-8"
NAMESPACE = "http://www.w3.org/2005/Atom"
# A tag (RFC 4151) of nobody's domain (RFC 2606): a salon's address changes, its ids don't.
TAG = "tag:accord.invalid,2026:"
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """One thing that was told: `key` is the same for ever, `updated` when it was recorded last."""

    key: str
    title: str
    text: str
    address: str
    updated: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed: `own` is its address, `page` that of what it tells of, `began` when that began."""

    key: str
    title: str
    author: str
    own: str
    page: str
    began: datetime
    entries: Sequence[FeedEntry]


def as_atom(feed: Feed) -> bytes:
    """The feed as XML. It was updated when its latest entry was."""
    root = Element("feed", {"xmlns": NAMESPACE})
    _named(root, "id", TAG + feed.key)
    _named(root, "title", feed.title)
    _named(root, "updated", _moment(max([feed.began, *(each.updated for each in feed.entries)])))
    SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": feed.own})
    SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": feed.page})
    _named(SubElement(root, "author"), "name", feed.author)
    for each in feed.entries:
        entry = SubElement(root, "entry")
        _named(entry, "id", TAG + each.key)
        _named(entry, "title", each.title)
        _named(entry, "updated", _moment(each.updated))
        link = {"rel": "alternate", "type": "text/html", "href": each.address}
        SubElement(entry, "link", link)
        SubElement(entry, "content", {"type": "text"}).text = _text(each.text)
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _named(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = _text(text)


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _text(text: str) -> str:
    return NO_XML.sub("", text)
