"""Read an archive that was just written, as another server would: what can't be taken in there must
be known here.
"""

from pathlib import Path

from tournament.exchange.salon_archive.file_format import ArchiveRefused, EventLine, SeedLine
from tournament.exchange.salon_archive.read import lines_of


def check_written(path: Path) -> int:
    """Check a written archive and return the number of its events. Raises ArchiveRefused
    if it is not whole, or a seed is of a stock that is not in it.
    """
    seeds, events = set[str](), 0
    with path.open("rb") as file:
        for value in lines_of(file):
            if isinstance(value, SeedLine):
                seeds.add(value.id)
            elif isinstance(value, EventLine):
                events += 1
                seeds.discard(value.stream)
    if seeds:
        message = f"the seed of stock {min(seeds)} is in the file, and no event of that stock"
        raise ArchiveRefused("unsound", message, path="seed")
    return events
