"""What a browser sends of a form: as it stands on a page, or as someone fills it in."""

from html.parser import HTMLParser
from typing import Any

CARDS = frozenset({"stock", "widow", "discards", "talon", "aside", "deal"})

type Attributes = list[tuple[str, str | None]]


class _Fields(HTMLParser):
    """The fields of a page that a browser would send, by name; those of a disabled fieldset are
    not.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}
        self._fieldsets: list[bool] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        given = dict(attrs)
        if tag == "fieldset":
            self._fieldsets.append("disabled" in given)
        name = given.get("name") or ""
        if any(self._fieldsets):
            return
        if tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            if "selected" in given or self._select not in self.sent:
                self.sent[self._select] = given.get("value") or ""
        elif (
            tag == "input"
            and name
            and (given.get("type") not in ("checkbox", "radio") or "checked" in given)
        ):
            self.sent[name] = given.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "fieldset":
            self._fieldsets.pop()
        elif tag == "select":
            self._select = ""


def fields_sent(page: str) -> dict[str, str]:
    """What the fields of a page say, as it would be sent without touching any."""
    fields = _Fields()
    fields.feed(page)
    return fields.sent


def fields_of(hand: dict[str, Any]) -> dict[str, str]:
    """A hand as somebody types it into the fields of a sheet, cards in small letters."""
    fields: dict[str, str] = {}
    for key, value in hand.items():
        fields |= _typed(key, key, value)
    return fields


def _typed(key: str, path: str, value: Any) -> dict[str, str]:
    if key == "plays":
        return {"plays:tricks": "\n".join(" ".join(cards).lower() for cards in value)}
    if key == "winners":
        return {f"winners.{trick}:trick": seat for trick, seat in enumerate(value)}
    if key == "moves":
        return {"moves:list": " ".join(value)}
    if key == "points":
        return {"points:half": str(value)}
    if isinstance(value, dict):
        return {
            name: text
            for part, inner in value.items()
            for name, text in _typed(key, f"{path}.{part}", inner).items()
        }
    if isinstance(value, list) and (key in CARDS or path.endswith(".cards")):
        return {
            f"{path}:cards" if key in CARDS else f"{path}:list": " ".join(value).lower()
            if key in CARDS
            else " ".join(value)
        }
    if isinstance(value, list):
        return {
            name: text
            for place, inner in enumerate(value)
            for name, text in _typed(key, f"{path}.{place}", inner).items()
        }
    if isinstance(value, bool):
        return {f"{path}:flag": "true" if value else "false"}
    if value is None:
        return {f"{path}:null": "nobody"}
    return {f"{path}:number": str(value)} if isinstance(value, int) else {path: str(value)}
