"""A closed log takes no further events, whichever way they would be written, until an append opens
it again.
"""

import pytest

from ledger.drafts import Appended, CommandClaim, LogClosed
from ledger.models import Log
from ledger.reading import head_of
from ledger.store import KNOWN_HEADS, append
from ledger.verify import verify_log
from tests.ledger.writing import claim, new_stream, noted, store


def closes(
    log: int, stream: str, *, after: int, closed: bool | None, by: CommandClaim | None = None
) -> Appended:
    return append(
        log, by or claim(), [noted(stream)], expected={stream: after}, now=2_000, closes=closed
    )


@pytest.mark.parametrize("head_is_known", [True, False])
def test_a_closed_log_takes_nothing_but_what_opens_it(own_log: int, head_is_known: bool) -> None:
    stream = new_stream()
    closes(own_log, stream, after=0, closed=True)
    head = head_of(own_log)

    for closed in (None, True):
        KNOWN_HEADS.pop(own_log, None)
        if head_is_known:
            KNOWN_HEADS[own_log] = head
        with pytest.raises(LogClosed):
            closes(own_log, stream, after=1, closed=closed)
    assert head_of(own_log) == head
    closes(own_log, stream, after=1, closed=False)
    store(own_log, noted(stream), after=2)
    assert (head_of(own_log).position, Log.objects.get(pk=own_log).closed) == (3, False)
    assert list(verify_log(own_log)) == []


def test_a_command_that_was_taken_before_a_log_closed_has_its_answer(own_log: int) -> None:
    stream, first = new_stream(), claim()
    closes(own_log, stream, after=0, closed=None, by=first)
    closes(own_log, stream, after=1, closed=True)

    again = closes(own_log, stream, after=0, closed=None, by=first)
    assert (again.first, again.repeated) == (1, True)
