"""Times as the log has them: whole microseconds UTC."""

import time
from datetime import UTC, datetime


def now() -> int:
    """The time, in microseconds."""
    return time.time_ns() // 1000


def moment(microseconds: int) -> datetime:
    """A stored time."""
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC)
