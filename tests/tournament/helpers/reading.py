"""What a reader finds in a page, a file or a letter."""

import re

from django.core.mail import EmailMessage
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse


def match_in(text: str, pattern: str, flags: int = 0) -> re.Match[str]:
    """Where the pattern first stands in a text; it does."""
    found = re.search(pattern, text, flags)
    assert found is not None, pattern
    return found


def link_in(letter: EmailMessage) -> str:
    """The path of the first address in a letter."""
    return str(match_in(str(letter.body), r"http://[^/]+(/\S+)")[1])


def bytes_of(answer: HttpResponseBase) -> bytes:
    """All that an answer sent, streamed or not."""
    assert isinstance(answer, HttpResponse | StreamingHttpResponse)
    return answer.getvalue()


def words(text: str) -> str:
    """A page's words without its pictures and tags."""
    text = re.sub(r"<svg.*?</svg>", "", text[text.index("<main") :], flags=re.DOTALL)
    return " ".join(
        re.sub(r"<[^>]+>", " ", text).replace("&#x27;", "'").replace("\u00a0", " ").split()
    )


def entries(page: str) -> list[int]:
    """The entries that a page shows as acts, in its order."""
    return [int(position) for position in re.findall(r'id="entry-(\d+)"', page)]


def body(answer: HttpResponseBase) -> str:
    """The whole text of an answer, streamed or not."""
    return bytes_of(answer).decode(errors="replace")
