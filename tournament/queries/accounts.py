"""Chip accounts in words: whose an account is, and payments as sentences need them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.chips import BANK, EARLIER, LATER
from scoring.events import ChipsMoved
from scoring.game import AnyGame
from tournament.models import Game as GameRow
from tournament.queries.seats_as_of import called
from tournament.queries.word_lists import list_words
from tournament.streams.entries import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """Chips that went the same way for the same reason: `each` chips; `shape` says which side has
    several (`many_to_one`, …).
    """

    sources: str
    targets: str
    each: int
    shape: str
    why: str
    rule: str


def account_name(
    game: AnyGame, key: str, names: Mapping[str, str], seats: Mapping[str, str]
) -> str:
    """An account at the table: `the Hand Pot`, `the bank`, or what the seat is called whose it is;
    a substitute by name.

    `names` are by player id, `seats` are those of the game, a player's id at each.
    """
    outside = {BANK: _("the bank"), EARLIER: _("an earlier game"), LATER: _("a later game")}
    if key in outside:
        return outside[key]
    if key in game.pot_names:
        return _("the %(pot)s") % {"pot": _(game.pot_names[key])}
    seat, _colon, substitute = key.partition(":")
    return (
        names.get(substitute, _("a substitute")) if substitute else called(game, seats, names)[seat]
    )


def account_title(
    game: AnyGame, key: str, names: Mapping[str, str], seats: Mapping[str, str]
) -> str:
    """An account in the books: the player behind it with the seat, or the pot; `seats` are the
    game's, `names` by player id.
    """
    outside = {BANK: _("Bank"), EARLIER: _("Earlier game"), LATER: _("Later game")}
    if key in outside:
        return outside[key]
    if key in game.pot_names:
        return _(game.pot_names[key])
    seat, _colon, substitute = key.partition(":")
    player = names.get(substitute or seats[seat], "")
    words = {"player": player, "seat": _(game.seat_names[seat])}
    return (_("%(player)s for %(seat)s") if substitute else _("%(player)s, %(seat)s")) % words


def seats_of(row: GameRow) -> dict[str, str]:
    """The player's id at each seat of a game."""
    seats: dict[str, str] = row.seats
    return seats


def payments(moved: Sequence[Entry], names: Mapping[str, str]) -> list[Payment]:
    """The chips of one act, those together that went the same way."""
    found: list[Payment] = []
    for same in _alike(moved):
        first = same[0]
        sources, targets = (_accounts(same, side, names) for side in ("source", "target"))
        found.append(
            Payment(
                sources=list_words(sources),
                targets=list_words(targets),
                each=first.fact.chips,
                shape=_shape(sources, targets),
                why=first.fact.why,
                rule=first.fact.rule,
            )
        )
    return found


def _accounts(moved: Sequence[Entry], side: str, names: Mapping[str, str]) -> list[str]:
    """The accounts that chips moved from, or to, each once."""
    return list(
        dict.fromkeys(
            account_name(entry.game, getattr(entry.fact, side), names, entry.after.players)
            for entry in moved
        )
    )


def _shape(sources: Sequence[str], targets: Sequence[str]) -> str:
    if len(sources) > 1:
        return "many_to_one"
    return "one_to_many" if len(targets) > 1 else "one_to_one"


def _alike(moved: Sequence[Entry]) -> list[list[Entry]]:
    """Neighbours with the same chips and reason that share their source or their target."""
    groups: list[list[Entry]] = []
    for entry in moved:
        if groups and _joins(groups[-1], entry.fact):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


def _joins(group: Sequence[Entry], move: ChipsMoved) -> bool:
    facts = [entry.fact for entry in group]
    same = all(
        (fact.chips, fact.why, fact.reverses is None)
        == (move.chips, move.why, move.reverses is None)
        for fact in facts
    )
    one_target = all(fact.target == move.target for fact in facts)
    one_source = all(fact.source == move.source for fact in facts)
    return same and (one_target or one_source)
