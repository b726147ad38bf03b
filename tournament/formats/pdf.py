"""A sheet on paper: its table, and the checkpoint that proves it with a code to scan."""

from dataclasses import asdict, dataclass

from tournament.domain.house.paper import A4, LETTER
from tournament.formats.sheets import Cell, Sheet

TYPST_PAPERS = {A4: "a4", LETTER: "us-letter"}  # by their names there
WIDE = frozenset({"name", "opponent"})  # columns of names take the room that is left


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The checkpoint a sheet of paper carries: `code` is its QR code as SVG, `root` the hash in
    groups, `says` what it covers.
    """

    heading: str
    root: str
    code: str
    says: str
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLogo:
    """The picture in a corner of a sheet: `png` or `webp`."""

    format: str
    content: bytes


def on_paper(
    sheet: Sheet,
    *,
    paper: str,
    salon: str,
    under: str,
    empty: str,
    proof: Proof | None,
    logo: PaperLogo | None = None,
    pictures: tuple[str, ...] = (),
) -> dict[str, object]:
    """What stands on the pages of this sheet, made of `paper` (one of PAPERS), but for the moment
    of printing; `empty` is what stands there without rows, `pictures` (SVG) come before them, each
    on a page.
    """
    return {
        "paper": TYPST_PAPERS[paper],
        "title": sheet.title,
        "under": under,
        "salon": salon,
        "empty": empty,
        "columns": [
            {
                "heading": heading,
                "wide": key in WIDE,
                "share": _longest(sheet, place),
                "numbers": _is_number(sheet, place),
            }
            for place, (key, heading) in _columns(sheet)
        ],
        "rows": [[_cell_text(cell) for cell in row] for row in sheet.rows],
        "logo": None if logo is None else {"format": logo.format, "bytes": list(logo.content)},
        "pictures": list(pictures),
        "proof": None if proof is None else asdict(proof),
    }


def _columns(sheet: Sheet) -> list[tuple[int, tuple[str, str]]]:
    return list(enumerate(sheet.columns))


def _longest(sheet: Sheet, place: int) -> int:
    """How many letters the longest cell of a column has: such a share it takes of the room left."""
    return max((len(_cell_text(row[place])) for row in sheet.rows), default=1) or 1


def _is_number(sheet: Sheet, place: int) -> bool:
    cells = [row[place] for row in sheet.rows if row[place] is not None]
    return bool(cells) and not any(isinstance(cell, str) for cell in cells)


def _cell_text(cell: Cell) -> str:
    return "" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell)
