"""The confirmation of a game as its row has it: the state of every closed hand, whom
it waits for, and what was said.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.confirmation import CONFIRMED, DISPUTED, ENTERED, FINAL, write_attested_hand
from scoring.games import GAMES
from scoring.shape import JsonMapping, JsonObject
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.queries.table import TableGame
from tournament.streams.texts import words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HandConfirmation:
    """The confirmations, dispute and ruling of one closed hand; reasons in words."""

    number: int
    state: str
    waits_for: Sequence[str]
    entered_by: str
    confirmed_by: Sequence[str]
    confirmed_how: Sequence[JsonMapping]
    dispute: Mapping[str, str] | None
    second: JsonMapping | None
    ruling: Mapping[str, str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """The state of a game and of each of its closed hands."""

    state: str
    final: bool
    hands: Sequence[HandConfirmation]

    @property
    def states(self) -> list[tuple[int, str]]:
        """The number of each hand and its state."""
        return [(hand.number, hand.state) for hand in self.hands]

    @property
    def disputed(self) -> list[int]:
        """The hands that wait for the director."""
        return [hand.number for hand in self.hands if hand.state == DISPUTED]

    @property
    def waiting(self) -> list[int]:
        """The hands that nobody has disputed and that are not confirmed yet."""
        return [hand.number for hand in self.hands if hand.state == ENTERED]

    def list_hands_waiting_for(self, *sides: str) -> list[HandConfirmation]:
        """The hands of which one of these sides has still to say that they are right."""
        waiting = (each for each in self.hands if each.state == ENTERED)
        return [each for each in waiting if not set(sides).isdisjoint(each.waits_for)]


def list_disputed_hands(row: GameRow) -> list[int]:
    """The numbers of a game's hands that wait for the director, by its row alone."""
    said = (row.confirmation or {}).get("hands", {})
    return sorted(int(number) for number, hand in said.items() if hand["state"] == DISPUTED)


def confirmed(at: TableGame) -> Confirmed:
    """The confirmation of a game, with the words of its disputes and rulings."""
    return read_confirmation(at.row, list(at.row.seats), closed=at.table["hands"])


def read_confirmation(row: GameRow, seats: Sequence[str], *, closed: int) -> Confirmed:
    """The confirmation of a game with this number of `closed` hands."""
    said: JsonObject = row.confirmation or {"final": False, "hands": {}}
    unsaid = write_attested_hand(GAMES[row.kind], seats)
    words = _words(row.salon, said["hands"])
    hands = [
        _hand(number, said["hands"].get(str(number), unsaid), words)
        for number in range(1, closed + 1)
    ]
    return Confirmed(state=_state(said["final"], hands), final=said["final"], hands=hands)


def state_of_confirmation(row: GameRow, *, closed: int) -> str:
    """The state of such a game alone: no words are looked up."""
    said: JsonObject = row.confirmation or {"final": False, "hands": {}}
    unsaid = write_attested_hand(GAMES[row.kind], list(row.seats))
    hands = [
        _hand(number, said["hands"].get(str(number), unsaid), {}) for number in range(1, closed + 1)
    ]
    return _state(said["final"], hands)


def _state(final: bool, hands: Sequence[HandConfirmation]) -> str:
    if final:
        return FINAL
    states = {hand.state for hand in hands}
    if DISPUTED in states:
        return DISPUTED
    return ENTERED if ENTERED in states or not states else CONFIRMED


def _hand(number: int, said: JsonMapping, words: Mapping[str, str]) -> HandConfirmation:
    return HandConfirmation(
        number=number,
        state=said["state"],
        waits_for=said["waits_for"],
        entered_by=said["entered_by"],
        confirmed_by=said["confirmed_by"],
        confirmed_how=said.get("confirmed_how", ()),
        dispute=_fill_in_words(said["dispute"], words),
        second=said["second"]
        and {"agrees": said["second"]["agrees"], "entry": json.loads(said["second"]["entry"])},
        ruling=_fill_in_words(said["ruling"], words),
    )


def _words(salon: Salon, hands: JsonMapping) -> dict[str, str]:
    parts = [part for said in hands.values() for part in (said["dispute"], said["ruling"]) if part]
    digests = {part[key] for part in parts for key in ("by", "reason") if part.get(key)}
    return words_of(salon, digests) if digests else {}


def _fill_in_words(
    part: Mapping[str, str] | None, words: Mapping[str, str]
) -> dict[str, str] | None:
    if part is None:
        return None
    return {
        key: words.get(text, "") if key in ("by", "reason") else text for key, text in part.items()
    }
