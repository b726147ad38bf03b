"""The number of nightly backups to keep."""


def parse_retention(written: str) -> tuple[int, int]:
    """Parse the number of days and of weeks to keep: "7,4" or "7"; "0" makes none. Raises
    ValueError for any other text.
    """
    days, _, weeks = written.partition(",")
    found = int(days), int(weeks or "0")
    if not all(0 <= each <= 1000 for each in found):
        raise ValueError(
            f"BACKUP_KEEP is {written!r}; like 7,4 would be right: so many days, and so many weeks"
        )
    return found
