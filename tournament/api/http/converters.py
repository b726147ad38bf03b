"""What stands in an address of the API: ids, labels, numbers. Anything else is no address."""

from django.urls.converters import IntConverter, StringConverter


class Id(StringConverter):
    """32 hexadecimal digits."""

    regex = "[0-9a-f]{32}"


class Label(StringConverter):
    """A table's label."""

    regex = r"[^/\x00-\x1f\x7f]{1,20}"


class Code(StringConverter):
    """A number of a board."""

    regex = "[A-Za-z0-9_.]{1,40}"


class AccountKey(StringConverter):
    """An account of a game."""

    regex = "[A-Za-z0-9_:]{1,64}"


class Seat(StringConverter):
    """A seat of a game."""

    regex = "[A-Z]{1,4}"


class Key(StringConverter):
    """An entry of a tournament."""

    regex = r"[^/\x00-\x1f\x7f]{1,64}"


class Number(IntConverter):
    """A whole number from 0."""

    regex = "[0-9]{1,15}"
