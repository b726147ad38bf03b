"""A sheet on paper: its table, and the checkpoint that proves it with a code to scan."""

import re
from dataclasses import asdict, dataclass

from tournament.domain.house.paper import A4, LETTER
from tournament.formats.sheets import Cell, Sheet

TYPST_PAPERS = {A4: "a4", LETTER: "us-letter"}  # by their names there
# `-3` and `: -3`, not `1-3` or `2026-11-28`.
HYPHEN_OF_A_NUMBER = re.compile(r"(?<!\S)-(?=\d)")
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
    under: str,
    empty: str,
    proof: Proof | None,
    logo: PaperLogo | None = None,
    pictures: tuple[str, ...] = (),
    largest: int = 0,
) -> dict[str, object]:
    """The contents of this sheet's pages, without their frame; `empty` is what stands there without
    rows, `pictures` (SVG) come before them, each on a page. Letters grow up to `largest` points. A
    column of nothing is left out.
    """
    return {
        "title": sheet.title,
        "under": under,
        "empty": empty,
        "note": sheet.note,
        "columns": [
            {
                "heading": heading,
                "wide": key in WIDE,
                "numbers": _is_number(sheet, place),
            }
            for place, (key, heading) in _columns(sheet)
        ],
        "rows": [
            [_cell_text(row[place]) for place, _column in _columns(sheet)] for row in sheet.rows
        ],
        "logo": None if logo is None else {"format": logo.format, "bytes": list(logo.content)},
        "pictures": list(pictures),
        "largest": largest,
        "proof": None if proof is None else asdict(proof),
    }


def _columns(sheet: Sheet) -> list[tuple[int, tuple[str, str]]]:
    return [
        (place, column)
        for place, column in enumerate(sheet.columns)
        if not sheet.rows or any(row[place] not in (None, "") for row in sheet.rows)
    ]


def _is_number(sheet: Sheet, place: int) -> bool:
    cells = [row[place] for row in sheet.rows if row[place] is not None]
    return bool(cells) and not any(isinstance(cell, str) for cell in cells)


def _cell_text(cell: Cell) -> str:
    if isinstance(cell, float):
        cell = f"{cell:g}"
    return "" if cell is None else with_minus(str(cell))


def with_minus(text: str) -> str:
    """The text with a real minus before its negative numbers."""
    return HYPHEN_OF_A_NUMBER.sub("\N{MINUS SIGN}", text)
