"""Templates of the salon, whose source stands in short lines.

Between `{% joined %}` and `{% endjoined %}` a line break of the source, and the spaces around it,
put nothing on the page, or one space where they part two attributes. From `{% joined_to_the_end %}`
to the end of the file it is the same, so that a file of words may end with a line break and stand
in the middle of a sentence. Django never sees these three marks.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from django.template import Origin, TemplateDoesNotExist, TemplateSyntaxError
from django.template.loaders import base

TAG = re.compile(r"(\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\})")
BREAK = re.compile(r"(?<!\s)\s*\n\s*|[<>\"']")
MARKS = frozenset({"joined", "joined_to_the_end", "endjoined"})
# What is inside is no text of the page, or is looked up as it stands.
UNTOUCHED = frozenset({"blocktranslate", "comment", "verbatim"})


class Loader(base.Loader):
    """Reads the files of the folders in `DIRS` and joins their lines."""

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        """Yield the places of a template of this name, inside the folders only."""
        for folder in map(Path, self.engine.dirs):
            path = (folder / template_name).resolve()
            if path.is_relative_to(folder.resolve()):
                yield Origin(name=str(path), template_name=template_name, loader=self)

    def get_contents(self, origin: Origin) -> str:
        """The source with its lines joined. Raises TemplateDoesNotExist."""
        try:
            source = Path(origin.name).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise TemplateDoesNotExist(origin) from None
        return join_lines(source)


class Joiner:
    """Knows whether a line break parts two attributes of an element, where one space has to
    stay.
    """

    def __init__(self) -> None:
        self.tag, self.quote = False, ""

    def join(self, text: str) -> str:
        """Return the next text of the source without its line breaks."""
        return BREAK.sub(self._replacement, text)

    def _replacement(self, found: re.Match[str]) -> str:
        mark = found[0]
        if mark.isspace():
            return " " if self.tag and not self.quote else ""
        if mark in "<>" and not self.quote:
            self.tag = mark == "<"
        elif mark == self.quote:
            self.quote = ""
        elif self.tag and not self.quote:
            self.quote = mark
        return mark


def join_lines(source: str) -> str:
    """Return the source of a template with the lines joined that it marks, and without the marks.

    Raises TemplateSyntaxError where a mark has no partner.
    """
    written: list[str] = []
    joiner = Joiner()
    mark = ""  # of the lines that are joined now
    end = ""  # of what stays as it is
    for place, piece in enumerate(TAG.split(source)):
        name = _name_of_tag(piece) if place % 2 else ""
        if end:
            end = "" if name == end else end
        elif name in UNTOUCHED:
            end = f"end{name}"
        elif name in MARKS:
            if mark != ("joined" if name == "endjoined" else ""):
                raise TemplateSyntaxError(f"{piece} without its partner")
            mark, joiner = "" if name == "endjoined" else name, Joiner()
            continue
        elif mark and place % 2 == 0:
            piece = joiner.join(piece)
        written.append(piece)
    if mark == "joined":
        raise TemplateSyntaxError("{% joined %} without its partner")
    return "".join(written)


def _name_of_tag(piece: str) -> str:
    """`{% url "home" %}` → url; "" for what is no tag."""
    words = piece[2:-2].split() if piece.startswith("{%") else []
    return words[0] if words else ""
