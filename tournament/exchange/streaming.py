"""A file of many lines as an answer: written whole before anything is sent, so that it is never
half a file.
"""

from collections.abc import Iterator
from tempfile import TemporaryFile

from django.http import FileResponse, Http404

LINES = "application/jsonl"


def lines_as_file(lines: Iterator[bytes], name: str) -> FileResponse:
    """The lines as a file of this name; a file without any is not there.

    What a line raises, it raises before anything is sent. The lines are taken as fast as they come,
    into a file that ends with the answer: how fast somebody reads must not say how long one view of
    the database is kept.
    """
    file = TemporaryFile()  # noqa: SIM115 - the answer closes it
    file.writelines(lines)
    if not file.tell():
        file.close()
        raise Http404
    file.seek(0)
    return FileResponse(
        file, as_attachment=True, filename=name, content_type=f"{LINES}; charset=utf-8"
    )
