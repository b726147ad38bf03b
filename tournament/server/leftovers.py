"""What requests leave behind. Django's request and its lazy visitor know each other, so that
neither goes by itself when the answer is out, and the body stays with them until the collector
looks.

Nearly all else goes by itself. So the collector looks when many such were left, and at once when
few had much in them.
"""

import gc
from collections.abc import Callable
from dataclasses import dataclass

# Objects with references, of which a request leaves 30 to 100. Python's own measure (2,000) is
# passed by each page while it is written: 7 % of an act.
MOST_OBJECTS = 30_000
MOST_BYTES = 8 * 1024 * 1024  # of bodies


def look_seldom() -> None:
    """From now on the collector looks for what requests left, and no more at what stands by now,
    which stays as long as this process.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(MOST_OBJECTS, *gc.get_threshold()[1:])


@dataclass(slots=True)
class Leftovers:
    """How many bytes of bodies may have been left since the collector looked."""

    size: int = 0

    def after[Answer](self, size: int, answer: Callable[[], Answer]) -> Answer:
        """What `answer` gives or raises for a body of this size."""
        try:
            return answer()
        finally:
            self.size += size
            if self.size > MOST_BYTES:
                self.size = 0
                gc.collect(1)
