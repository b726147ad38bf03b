"""The conditions of a tournament besides its stage: who an entry is, and how the games at its
tables are played.
"""

from dataclasses import dataclass

from scoring.options import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The settings made before the first draw.

    `players` is the number of people in an entry (None: as many as the first one),
    `options` the house rules of the games at its tables, those that differ from their
    defaults, `minutes` the time on the clock of a round.
    """

    players: int | None = None
    options: tuple[tuple[str, Choice], ...] = ()
    minutes: int = 60
