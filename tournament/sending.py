"""A file of many lines as an answer, sent while it is being written."""

from collections.abc import Iterator
from itertools import chain

from django.http import Http404, StreamingHttpResponse

LINES = "application/jsonl"


def sent(lines: Iterator[bytes], name: str) -> StreamingHttpResponse:
    """The lines as a file of this name; a file without any is not there.

    What the first line raises, it raises before anything is sent.
    """
    first = next(lines, None)
    if first is None:
        raise Http404
    answer = StreamingHttpResponse(chain([first], lines), content_type=f"{LINES}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
