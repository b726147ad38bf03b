"""The closed hands of a game as their records hold them, in the order played."""

from dataclasses import dataclass

from django.http import Http404

from scoring.corrections import write_closed_hands
from scoring.effective_history import hands_of
from scoring.events import HandClosed
from scoring.shape import JsonMapping, JsonObject
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.folds import fold_of, read_course
from tournament.streams.texts import digests_in, with_words, words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedHand:
    """A closed hand as a record holds it: `hand` counts misdealt ones too, `number` doesn't (0: it
    was misdealt).
    """

    hand: int
    number: int
    sheet: JsonMapping
    surplus: bool
    corrected: bool


def list_hands_as_recorded(row: GameRow, audience: Audience) -> list[RecordedHand]:
    """The closed hands of a game in the order played, misdealt and surplus ones too, with names for
    this audience.

    Raises Http404 for a game without events.
    """
    log = row.salon.log_id
    folded = fold_of(log, row.pk)
    if folded is None:
        raise Http404
    course = read_course(log, row.pk, folded.game, version=folded.version).course
    sheets = _with_names(row.salon, write_closed_hands(folded.game, course), audience)
    return [
        RecordedHand(
            hand=hand,
            number=next((fact.number for _, fact in part.facts if isinstance(fact, HandClosed)), 0),
            sheet=sheet,
            surplus=part.surplus,
            corrected=part.corrected,
        )
        for hand, (part, sheet) in enumerate(zip(hands_of(course), sheets, strict=False), 1)
    ]


def _with_names(salon: Salon, hands: list[JsonObject], audience: Audience) -> list[JsonObject]:
    names = names_of(
        salon, {player for hand in hands for player in hand.get("players", {}).values()}, audience
    )
    named = [dict(hand) for hand in hands]
    for hand in named:
        if "players" in hand:
            hand["players"] = {seat: names[player] for seat, player in hand["players"].items()}
    return with_words(named, words_of(salon, digests_in(named)))  # type: ignore[no-any-return]
