"""The admin: it shows the books and never edits them. A player's and the salon's name are all that can be changed here."""

from tournament.admin import books, people, salon, signed

__all__ = ["books", "people", "salon", "signed"]
