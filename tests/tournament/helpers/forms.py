"""What a browser sends of a form as it stands on a page."""

from html.parser import HTMLParser

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
