"""Times of checkpoints that fall: told, and no fault of the books.

What comes after what is proven by sizes and roots: a later checkpoint has more entries, begins with
those of the one before, and follows it by `previous`; each of these is checked. The time is what
the clock of the server said, signed, so that nobody can change it in the row unseen. A clock can be
wrong: one that was an hour ahead and was set back signs an earlier time under a longer log. Since
what is signed is never changed, a finding of it would stay in every audit for ever, and say that
the books are wrong, which they are not. `make` lets no time fall any more; this tells where one did
before.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from ledger.models import Checkpoint


def find_falling_times(rows: Sequence[Checkpoint]) -> Iterator[str]:
    """A remark for each checkpoint (`rows` by size) that says an earlier time than the one before
    it.
    """
    for before, row in pairwise(rows):
        if row.made_at < before.made_at:
            yield (
                f"The checkpoint of {row.size} lines says {_moment(row.made_at)}, and the "
                f"shorter one of {before.size}"
                f" says {_moment(before.made_at)}: the clock was ahead then and was set back. "
                f"Sizes say which came first."
            )


def _moment(microseconds: int) -> str:
    """A time as it stands in the row, in words; rows can hold numbers that are no time."""
    try:
        return f"{datetime.fromtimestamp(microseconds // 1_000_000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return f"{microseconds} microseconds"
