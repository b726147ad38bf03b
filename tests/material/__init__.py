"""Games and tournaments that nobody here wrote, with results that others computed: what they are
says README.md.

Each file lies packed, as its name with `.xz` behind it; it is read by its own name, as any file
here that isn't packed.
"""

import json
import lzma
from pathlib import Path
from typing import Any

MATERIAL = Path(__file__).parent
PACKED = ".xz"


def text_of(path: Path) -> str:
    """What a file holds, packed or not."""
    packed = path.with_name(path.name + PACKED)
    return (
        lzma.decompress(packed.read_bytes()).decode()
        if packed.exists()
        else path.read_text(encoding="utf-8")
    )


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The values of a file with one JSON value a line."""
    return [json.loads(line) for line in text_of(path).splitlines()]


def files(folder: Path, pattern: str) -> list[Path]:
    """The packed files of this pattern in a folder, by the names they are read by, in order."""
    return [path.with_suffix("") for path in sorted(folder.glob(pattern + PACKED))]
