"""The admin: it shows the books and never edits them. A player's and the salon's name are all that
can be changed here.

What works in the background can be told to try again.
"""

from tournament.admin import background, books, checkpoints, people, salon

__all__ = ["background", "books", "checkpoints", "people", "salon"]
