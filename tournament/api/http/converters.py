"""Path converters of the API: ids, labels, numbers. No other value is an address."""


class Text:
    """A part of an address that stands for itself."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        """The text."""
        return value

    def to_url(self, value: str) -> str:
        """The text."""
        return value


class Id(Text):
    """32 hexadecimal digits."""

    regex = "[0-9a-f]{32}"


class Label(Text):
    """A table's label."""

    regex = r"[^/\x00-\x1f\x7f]{1,20}"


class Code(Text):
    """A number of a board."""

    regex = "[A-Za-z0-9_.]{1,40}"


class AccountKey(Text):
    """An account of a game."""

    regex = "[A-Za-z0-9_:]{1,64}"


class Seat(Text):
    """A seat of a game."""

    regex = "[A-Z]{1,4}"


class Key(Text):
    """An entry of a tournament."""

    regex = r"[^/\x00-\x1f\x7f]{1,64}"


class Number:
    """A whole number from 0."""

    regex = "[0-9]{1,15}"

    def to_python(self, value: str) -> int:
        """The number that these digits write."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Its digits."""
        return str(value)
