"""Round robins by Berger tables (FIDE Handbook, C.05, annex 1): everybody meets everybody once, or
twice.
"""


def berger_round(count: int, number: int) -> list[tuple[int, int]]:
    """The pairs of round `number`, from 1 on, for `count` players numbered from 1; the first of a
    pair has the first seats.

    An odd count is that of a table with one more, whose last number sits out with whoever would
    meet it: that pair has `count` + 1 in it. Later rounds begin again with the seats changed, as in
    a double round robin.
    """
    size = count + count % 2
    cycle, step = divmod(number - 1, size - 1)
    pairs = _single_round(size, step)
    return [(two, one) for one, two in pairs] if cycle % 2 else pairs


def rounds_of(count: int, *, double: bool) -> int:
    """Return the number of rounds of a round robin."""
    return (count + count % 2 - 1) * (2 if double else 1) if count > 1 else 0


def _single_round(size: int, step: int) -> list[tuple[int, int]]:
    """The last number stays; the others move half a turn from round to round."""
    turning = size - 1
    start = step * (size // 2) % turning
    last = (start + 1, size) if step % 2 == 0 else (size, start + 1)
    return [
        last,
        *(
            ((start + place) % turning + 1, (start - place) % turning + 1)
            for place in range(1, size // 2)
        ),
    ]
