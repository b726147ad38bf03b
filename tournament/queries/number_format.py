"""Numbers and ranks as pages show them."""

MINUS = "\u2212"
NARROW = "\u00a0"


def number(value: int) -> str:
    """A whole number as it is shown: a real minus, thousands apart: `−1 250`."""
    digits = f"{abs(value):,}".replace(",", NARROW)
    return f"{MINUS}{digits}" if value < 0 else digits


def signed(value: int) -> str:
    """A change as it is shown: `+71`, `−100`, `0`."""
    return f"+{number(value)}" if value > 0 else number(value)


def halves(doubled: int) -> str:
    """A number that is kept doubled, as it is shown: `91` is `45.5`."""
    half = ".5" if doubled % 2 else ""
    return f"{MINUS if doubled < 0 else ''}{number(abs(doubled) // 2)}{half}"


def hundredths(value: int | None) -> str:
    """A number kept in hundredths, as it is shown: `250` is `2.5`, and a dash where there is
    none.
    """
    if value is None:
        return "\N{EN DASH}"
    whole, part = divmod(abs(value), 100)
    fraction = f".{part:02}".rstrip("0") if part else ""
    return f"{MINUS if value < 0 else ''}{number(whole)}{fraction}"


def rank_label(rank: str) -> str:
    """The label of a rank on a key or a card: `10` for `T`, else the rank's own code."""
    return "10" if rank == "T" else rank
