"""The conditions of a tournament besides its stage: who an entry is, and how the games at its
tables are played.
"""

from dataclasses import dataclass

from scoring.options import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What the director sets before the first draw.

    `players` is how many people an entry has (None: as many as the first one), `options` the house
    rules of the games at its tables, those that differ from their defaults, `minutes` how long the
    clock of a round runs.
    """

    players: int | None = None
    options: tuple[tuple[str, Choice], ...] = ()
    minutes: int = 60
