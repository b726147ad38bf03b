"""The draw of a round in an event played by chance: made anew for somebody who is missed then, with
other lots or after it was taken back, paired by hand, published, places left and taken.
"""

from tournament.demo.corrections import overturn_match
from tournament.demo.tables import DRAWN, Evening
from tournament.domain.pairing.team_matches import matches_at
from tournament.domain.standings.formats import sizes_for
from tournament.domain.tournament.draws import DrawRound, DropRound
from tournament.domain.tournament.manual_pairing import BeginManualPairing, EndManualPairing
from tournament.domain.tournament.rounds import PublishRound, UnpublishRound
from tournament.domain.tournament.state import RoundState
from tournament.domain.tournament.swaps import SwapEntries
from tournament.domain.tournament.table_places import LeavePlace, TakePlace

# How often it happens, in a hundred.
AWAY, NOT_SEEN, OTHER_LOTS, TAKEN_BACK, BY_HAND = 3, 10, 4, 4, 12
OVERTURNED, HIDDEN, NOT_COME, SITS_DOWN = 15, 50, 2, 8
MOST_SWAPS = 3
NOBODY_LEFT = ("game_over", "too_few")  # how a draw is refused when there is none


def draw_and_publish(evening: Evening, number: int, *, troubled: bool) -> bool:
    """Draw and publish a round; whether there was one more to be drawn."""
    playing = [entry.id for entry in evening.state.entries if entry.plays_in(number)]
    away = tuple(
        entry for entry in playing if troubled and evening.goes_wrong(AWAY, "away_for_a_round")
    )
    with_byes = tuple(entry.id for entry in evening.state.entries if number in dict(entry.asked))
    # Where nobody can play without those who are away, they come.
    ways = (DrawRound(round=number, away=away), DrawRound(round=number, here=(*with_byes, *away)))
    if not any(_can_draw(evening, way) for way in ways):
        return False
    if troubled:
        _redraw_round(evening, number)
        _pair_by_hand(evening, number)
    if not _publish_round(evening, number, troubled=troubled):
        evening.does(DropRound(round=number), counted="draws_dropped")
        return False
    if troubled:
        _places_changed(evening, number)
    return True


def _can_draw(evening: Evening, command: DrawRound) -> bool:
    """Whether a round could be drawn; it is, then, and who watches is told."""
    if not evening.can(command, unless=NOBODY_LEFT):
        return False
    evening.tells_watchers(DRAWN)
    return True


def _redraw_round(evening: Evening, number: int) -> None:
    """The draw is made again: without somebody who isn't there after all, with other lots, or
    because it was taken back.
    """
    state = evening.state
    tables = matches_at(state.rounds[number - 1].tables)
    seated = [key for table in tables for key in table.entries]
    if seated and evening.goes_wrong(NOT_SEEN):
        missed = DrawRound(round=number, away=(evening.rng.choice(seated),))
        evening.happened["drawn_anew"] += _can_draw(evening, missed)
    if not state.stage.is_planned and evening.goes_wrong(OTHER_LOTS, "other_lots"):
        _can_draw(evening, DrawRound(round=number, other_lots=True, reason="The lots fell down."))
    if evening.goes_wrong(TAKEN_BACK, "draws_taken_back"):
        evening.does(DropRound(round=number))
        _can_draw(evening, DrawRound(round=number))


def _pair_by_hand(evening: Evening, number: int) -> None:
    """The director changes places in a Swiss by hand, and says when that is over."""
    each = evening.state.rounds[number - 1]
    seated = [key for table in matches_at(each.tables) for key in table.entries]
    if evening.state.stage.kind != "swiss" or not evening.goes_wrong(BY_HAND, "paired_by_hand"):
        return
    evening.does(BeginManualPairing(round=number, reason="Two of them came in one carriage."))
    for _ in range(evening.rng.randint(1, MOST_SWAPS)):
        one, two = evening.rng.sample(seated, 2)
        swapped = SwapEntries(round=number, one=one, two=two, reason="They asked for it.")
        evening.does(swapped, counted="swaps")
    evening.does(EndManualPairing(round=number))


def _publish_round(evening: Evening, number: int, *, troubled: bool) -> bool:
    """Whether the round can be published; it is, then. Where a match of a knock-out is between
    others by then it is drawn anew, also after it was hidden again.
    """
    if troubled and evening.goes_wrong(OVERTURNED):
        overturn_match(evening, number)
    if not _publish_draw(evening, number):
        return False
    if not troubled or not evening.goes_wrong(OVERTURNED) or not overturn_match(evening, number):
        return True
    if not evening.happens(HIDDEN):
        return True  # they play all the same
    evening.does(UnpublishRound(round=number), counted="rounds_hidden_again")
    return _publish_draw(evening, number)


def _publish_draw(evening: Evening, number: int) -> bool:
    """Publish the round, drawn anew as long as its matches are others'; False where nobody is left
    to play them.
    """
    while not evening.can(PublishRound(round=number), unless=("wrong_premise",)):
        evening.happened["drawn_anew_for_their_premise"] += 1
        with_byes = tuple(
            entry.id for entry in evening.state.entries if number in dict(entry.asked)
        )
        ways = (DrawRound(round=number), DrawRound(round=number, here=with_byes))
        if not any(_can_draw(evening, way) for way in ways):
            return False
    return True


def _places_changed(evening: Evening, number: int) -> None:
    """At tables of three to five somebody doesn't come and the others play with one fewer, or takes
    a place who would sit out.
    """
    state = evening.state
    if state.stage.kind != "pods":
        return
    for table in state.rounds[number - 1].tables:
        can_play = len(table.entries) - 1 in sizes_for(state.game)
        if can_play and evening.goes_wrong(NOT_COME * len(table.entries), "places_left"):
            missed = evening.rng.choice(table.entries)
            evening.does(
                LeavePlace(round=number, table=table.table, entry=missed, reason="Not here.")
            )
    for bye in evening.state.rounds[number - 1].byes:
        room = _table_with_room(evening, evening.state.rounds[number - 1])
        if room is not None and evening.goes_wrong(SITS_DOWN, "places_taken"):
            evening.does(TakePlace(round=number, table=room, entry=bye.entry))


def _table_with_room(evening: Evening, each: RoundState) -> int | None:
    sizes = sizes_for(evening.state.game)
    return next((table.table for table in each.tables if len(table.entries) + 1 in sizes), None)
