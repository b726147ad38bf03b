"""Attendance in an event played by chance: entries come late, leave, return, ask
for a round off, or have a substitute; and the director's penalties.
"""

from itertools import product

from tournament.demo.evening import NAMES, give_penalty
from tournament.demo.tables import Evening
from tournament.domain.tournament.byes import AskBye
from tournament.domain.tournament.entries import Return, Withdraw
from tournament.domain.tournament.penalties import CancelPenalty
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.state import EntryState
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.domain.tournament.todo import last_round

# How often it happens, in a hundred.
COMES, ASKED, GONE, BACK, PENALTY, FORGIVEN, STOOD_IN, ONCE = 60, 2, 2, 40, 30, 30, 10, 60
STAY = 4  # so many entries never leave
CLOSED_ONCE_DRAWN = ("round_robin", "knockout")  # nobody comes late to these


def between_rounds(evening: Evening, number: int, *, troubled: bool) -> None:
    """Play the changes before round `number`, the first one apart.

    Late entries come, and if things go wrong some leave, return, ask for a round off,
    have a substitute or get a penalty.
    """
    _add_late_entries(evening)
    if not troubled:
        return
    leave(evening, GONE)
    _return_leavers(evening)
    _ask_for_byes(evening, number)
    if evening.goes_wrong(STOOD_IN):
        _add_substitute(evening, number)
    if evening.goes_wrong(PENALTY):
        _penalty(evening, number - 1)


def leave(evening: Evening, often: float, what: str = "withdrawals") -> None:
    """Some who still play leave, each of them `often` times in a hundred."""
    gone = [
        Withdraw(entry=entry.id, reason="They had to catch a train.")
        for entry in evening.state.entries[STAY:]
        if not entry.is_withdrawn and evening.goes_wrong(often, what)
    ]
    evening.does(*gone)


def people_who_stand_in(evening: Evening) -> list[str]:
    """Names that nobody of the event has, in an order of chance."""
    first, second = zip(*(name.split(" ", 1) for name in NAMES), strict=True)
    names = [f"{one} {two} the Third" for one, two in product(first, second)]
    evening.rng.shuffle(names)
    return names


def stand_in(evening: Evening, entry: EntryState, place: str, number: int, *, once: bool) -> None:
    """Somebody who is there plays at this place from round `number` on, or that one round."""
    replaced = ReplacePlayer(
        entry=entry.id,
        players=((place, evening.stand_ins.pop()),),
        reason="They don't feel well.",
        from_round=number,
        until_round=number if once else None,
    )
    evening.does(replaced, counted="substitutes_for_a_round" if once else "substitutes")


def _add_late_entries(evening: Evening) -> None:
    """Those who come late to a stage that still takes them, checked in at the door."""
    state = evening.state
    if state.begun or (state.rounds and state.stage.kind in CLOSED_ONCE_DRAWN):
        return
    last = last_round(state)
    if last and state.next_round > last:
        return
    coming = [each for each in evening.waiting if evening.happens(COMES)]
    evening.waiting = [each for each in evening.waiting if each not in coming]
    evening.does(*coming, counted="late_entries")
    away = [entry for entry in evening.state.entries if not entry.checked_in]
    evening.does(*(CheckIn(entry=entry.id) for entry in away if not entry.is_withdrawn))


def _return_leavers(evening: Evening) -> None:
    """Return some entries that left; a knock-out has gone on without them."""
    if evening.state.stage.kind == "knockout":
        return
    back = [
        Return(entry=entry.id)
        for entry in evening.state.entries
        if entry.is_withdrawn and evening.happens(BACK)
    ]
    evening.does(*back, counted="returns")


def _ask_for_byes(evening: Evening, number: int) -> None:
    """Some ask not to be seated in the round after the next."""
    playing = [entry for entry in evening.state.entries if entry.plays_in(number)]
    asking = [
        AskBye(entry=entry.id, round=number + 1, kind=evening.rng.choice(("half", "zero")))
        for entry in playing
        if number + 1 not in dict(entry.asked) and evening.goes_wrong(ASKED, "rounds_off_asked_for")
    ]
    evening.does(*asking)


def _add_substitute(evening: Evening, number: int) -> None:
    playing = [entry for entry in evening.state.entries if entry.plays_in(number)]
    if not playing or not evening.stand_ins:
        return
    entry = evening.rng.choice(playing)
    place, _player = evening.rng.choice(entry.players)
    stand_in(evening, entry, place, number, once=evening.happens(ONCE))


def _penalty(evening: Evening, after_round: int) -> None:
    """Somebody gets a penalty, or one that was given is taken back."""
    given = [each for each in evening.state.penalties if not each.cancelled]
    if given and evening.happens(FORGIVEN):
        one = evening.rng.choice(given).number
        taken_back = CancelPenalty(number=one, reason="The clock was fast.")
        evening.does(taken_back, counted="penalties_taken_back")
        return
    playing = [entry for entry in evening.state.entries if not entry.is_withdrawn]
    give_penalty(evening, playing, after_round)
