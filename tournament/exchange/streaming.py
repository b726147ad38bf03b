"""Files as answers: what lies on disk is sent from there. A file of many lines is written whole
before anything is sent, so that it is never half a file.
"""

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import BinaryIO

from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase

LINES = "application/jsonl"


def as_attachment(content: bytes | BinaryIO, media_type: str, name: str) -> HttpResponseBase:
    """Content of this type, to be kept as a file of this name; an open file is sent as it lies on
    disk.
    """
    if isinstance(content, bytes):
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(content, content_type=media_type, headers=headers)
    return FileResponse(content, as_attachment=True, filename=name, content_type=media_type)


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
