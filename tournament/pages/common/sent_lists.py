"""The list that a form sent: pasted, or as a file, or both; the file is read by what is in it."""

from scoring.errors import NotationError
from tournament.accounts.access import SalonRequest
from tournament.formats.list_files import MAX_WORKBOOK, ListFile, check_text, read_list_file

ACCEPTED = ".csv,.txt,.xlsx,.xls,.ods,.trf,text/csv,text/plain"


def read_sent_list(request: SalonRequest) -> ListFile:
    """Read the list in the fields `list` and `file`. Raises NotationError if it isn't one."""
    pasted, file = check_text(request.POST.get("list", "")), request.FILES.get("file")
    if file is None:
        sheet, others = request.POST.get("sheet", ""), request.POST.getlist("others")
        return ListFile(text=pasted, sheet=sheet[:80], others=tuple(others[:20]))
    if (file.size or 0) > MAX_WORKBOOK:
        raise NotationError(
            "a file has %(most)s kB at most; save the list as CSV",
            path="file",
            most=MAX_WORKBOOK // 1000,
        )
    listed = read_list_file(file.read())
    if not pasted.strip():
        return listed
    return ListFile(text=f"{listed.text}\n{pasted}", sheet=listed.sheet, others=listed.others)
