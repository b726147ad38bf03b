"""Short names of people at one table if there is little room: the whole name, or as
much of it as tells them apart.
"""

from collections.abc import Mapping

LONGEST = 18  # letters that a key, a column's two lines and a question on a phone have room for
LONGEST_IN_A_LINE = 11  # letters that fit into a column of the calls
WIDEST_WORD = 8  # letters that fit beside four others


def called(players: Mapping[str, str]) -> dict[str, str]:
    """Everybody at the table by seat: a name that fits as it is, a longer one by its first word."""
    short = brief(players) if any(len(name) > LONGEST for name in players.values()) else {}
    return {seat: name if len(name) <= LONGEST else short[seat] for seat, name in players.items()}


def brief(players: Mapping[str, str]) -> dict[str, str]:
    """Everybody by the first word of the name, with as many letters of the last as two of the same
    first name need.
    """
    return {
        seat: _shorten_name(name, [other for place, other in players.items() if place != seat])
        for seat, name in players.items()
    }


def rotate_seats(players: Mapping[str, str]) -> dict[str, str]:
    """The same people at other seats: all but the first one seat further; empty where nobody can
    change.
    """
    first, *others = players.values() or ("",)
    if len(others) < 2:
        return {}
    return dict(zip(players, (first, others[-1], *others[:-1]), strict=True))


def are_wide(names: Mapping[str, str]) -> bool:
    """Whether somebody's name has a word, or a part of a hyphened one, that is too wide for one of
    five columns.
    """
    words = [word for name in names.values() for word in name.replace("-", " ").split()]
    return any(len(word) > WIDEST_WORD for word in words)


def are_long(names: Mapping[str, str]) -> bool:
    """Whether somebody's name needs two lines in a column of the calls."""
    return any(len(name) > LONGEST_IN_A_LINE for name in names.values())


def _shorten_name(name: str, others: list[str]) -> str:
    words = name.split()
    if len(words) < 2 or all(_first(other) != words[0] for other in others):
        return words[0] if words else name
    last = words[-1]
    for letters in range(1, len(last)):
        short = f"{words[0]} {last[:letters]}"
        if not any(
            _first(other) == words[0] and other.split()[-1].startswith(last[:letters])
            for other in others
        ):
            return short
    return name


def _first(name: str) -> str:
    return next(iter(name.split()), "")
