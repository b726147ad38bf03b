"""Feeds that other programs look at now and then, as Atom has them (RFC 4287)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.utils.feedgenerator import Atom1Feed

if TYPE_CHECKING:
    from django.utils.xmlutils import SimplerXMLGenerator

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


class _AtomFeed(Atom1Feed):
    """Django's Atom with entries that have plain text, and an update before there are any."""

    def latest_post_date(self) -> datetime:
        """When the latest entry was updated, or since when there is a feed."""
        began: datetime = self.feed["began"]
        return max(began, super().latest_post_date()) if self.num_items() else began

    def add_item_elements(self, handler: "SimplerXMLGenerator", item: dict[str, Any]) -> None:
        """The elements of an entry, its description as text: Django's would be HTML."""
        super().add_item_elements(handler, item | {"description": None})
        handler.addQuickElement("content", item["description"], {"type": "text"})


def as_atom(feed: Feed) -> bytes:
    """The feed as XML. It was updated when its latest entry was."""
    written = _AtomFeed(
        title=_text(feed.title),
        link=feed.page,
        description="",  # Atom has none
        author_name=_text(feed.author),
        feed_url=feed.own,
        feed_guid=TAG + feed.key,
        began=feed.began.astimezone(UTC),
    )
    for entry in feed.entries:
        written.add_item(
            title=_text(entry.title),
            link=entry.address,
            description=_text(entry.text),
            unique_id=TAG + entry.key,
            updateddate=entry.updated.astimezone(UTC),
        )
    return written.writeString("utf-8").encode()


def _text(text: str) -> str:
    return NO_XML.sub("", text)
