"""Data of a command that is kept outside the log: people who are new, and words that
someone wrote.
"""

from dataclasses import replace
from typing import Any

from tournament.models import Salon
from tournament.salons.players import Roster
from tournament.streams.texts import Sealing


class PrivateData:
    """Data of a command that is kept outside the log: its new players and its words."""

    def __init__(self, salon: Salon) -> None:
        self._roster = Roster(salon)
        self._sealing = Sealing(salon)

    def prepare[Act](self, act: Act, /) -> Act:
        """An act or a sheet with ids for names and digests for words."""
        prepared: Act = self.seat(self._sealing.seal(act))
        return prepared

    def seat(self, act: Any) -> Any:  # noqa: ANN401 - of the shape that came in
        """An act, a sheet or a correction with player ids in place of the names of those
        who sit.
        """
        for part in ("opening", "change", "sheet"):
            if hasattr(act, part):
                return replace(act, **{part: self.seat(getattr(act, part))})
        if not getattr(act, "players", ()):
            return act
        return replace(act, players=self._roster.seated(act.players))

    @property
    def empty(self) -> bool:
        """Whether there is nothing to keep."""
        return self._roster.empty and self._sealing.empty

    def store(self) -> None:
        """Keep them. Raises NameTaken."""
        self._roster.store()
        self._sealing.store()
