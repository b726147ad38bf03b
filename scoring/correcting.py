"""Decide a correction: the corrected course is decided again by the rules of its game, as if
recorded so at first.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from scoring.commands import AcceptHand, EndGame, StartGame, TakePot
from scoring.common_state import GameState
from scoring.corrections import (
    Correction,
    CorrectOpeningPot,
    CorrectOptions,
    CorrectSeats,
    ReopenGame,
    Slot,
    decide_open_hand,
    named,
    planned,
)
from scoring.effective_history import Course, Part, course_of, fold_course, hands_of
from scoring.ending import decide_end
from scoring.errors import NotationError, Refusal, RuleViolation, sentence
from scoring.events import GameClosed, GameCorrected, PotTaken
from scoring.game import AnyGame
from scoring.left_pots import began_with, pot_is_taken
from scoring.legacy_hands import TAKEN_BEFORE, allowances, apply_allowances, without_allowances
from scoring.restatement import CorrectionFact, Redone, restate
from scoring.sheets import HandSheet

# What a correction can make of hands that stay as played.
EXCUSABLE = ("bad_dealer", "bad_trump", "no_chips")


class Corrected(NamedTuple):
    """Outcome of a correction: its facts, the course and state after it, and the codes
    each hand had to be excused for.
    """

    facts: list[CorrectionFact]
    course: Course
    state: GameState
    excused: tuple[tuple[int, tuple[str, ...]], ...]


class Deciding(NamedTuple):
    """On the way through the corrected course: the game, what is corrected, and whether hands are
    excused without being asked.
    """

    game: AnyGame
    correction: Correction
    lenient: bool
    # The recorded state before each part that counts but the start, by its stream version.
    before: dict[int, GameState]


def decide_correction(
    game: AnyGame, course: Course, version: int, correction: Correction, *, lenient: bool = False
) -> Corrected:
    """The facts of a correction of a game with this course, whose stream is at `version`.

    Raises Refusal, its path seen from the record, where the corrected course breaks a rule that
    isn't excused; `lenient` excuses what a ruling can and says so. Raises NotationError when
    nothing would change.
    """
    state = fold_course(game, course, version)
    if isinstance(correction.change, CorrectOptions) and state.hand is not None:
        message = sentence(
            "a hand is open; close it or undo its opening before the options are corrected"
        )
        raise RuleViolation("out_of_turn", message, rule="Corrections", path="options")
    deciding = Deciding(game, correction, lenient, _states_before(game, course))
    redone, excused = _decide_parts(deciding, course, state)
    restated = restate(redone, version)
    if not restated:
        raise NotationError("this is what is recorded; nothing would change", path="hand")
    what, first, last = named(correction.change)
    head = GameCorrected(
        what=what,
        first=first,
        last=last,
        facts=len(restated),
        by=correction.by,
        reason=correction.reason,
        game=correction.game,
    )
    facts = [CorrectionFact(head), *restated]
    after = course_of(game, enumerate((each.fact for each in facts), version + 1), course)
    return Corrected(
        facts, after, _check_balances(game, fold_course(game, after, version + len(facts))), excused
    )


def _states_before(game: AnyGame, course: Course) -> dict[int, GameState]:
    states: dict[int, GameState] = {}
    state: GameState | None = None
    for part in course:
        if not part.surplus:
            states |= {part.opened: state} if state is not None else {}
            state = game.folded((fact for _, fact in part.facts), state)
    return states


def _decide_parts(
    deciding: Deciding, course: Course, state: GameState
) -> tuple[list[Redone], tuple[tuple[int, tuple[str, ...]], ...]]:
    """Every part of the corrected course in order, decided on top of those before it; and the
    excuses of hands.
    """
    game, change = deciding.game, deciding.correction.change
    slots = planned(game, course, state, change)
    events = game.decide(_start(deciding.correction, state), None)
    redone = [Redone(course[0], events, corrected=events[0] != course[0].first)]
    after, excused = game.folded(events, None), []
    for slot in slots:
        number = len(redone) - sum(each.facts is None and not each.surplus for each in redone)
        each, after, codes = _hand(deciding, slot, number, after)
        redone.append(each)
        excused += [(number, codes)] if codes else []
    if state.hand is not None:
        opened = hands_of(course)[-1]
        redone.append(
            Redone(opened, decide_open_hand(game, opened, deciding.before[opened.opened], after))
        )
    for part in (each for each in course if each.is_end):
        redone.append(_decide_early_end(game, part, after, gone=isinstance(change, ReopenGame)))
        after = game.folded(redone[-1].facts or (), after)
    for part in (each for each in course if each.is_taking):
        redone.append(Redone(part, _take_pot_again(game, part, after)))
    return redone, tuple(excused)


def _start(correction: Correction, state: GameState) -> StartGame:
    """Return the act that starts the corrected game."""
    change = correction.change
    return StartGame(
        record=state.record,
        players=tuple(state.players.items()),
        rules=change.rules if isinstance(change, CorrectOptions) else state.rules,
        table=correction.table or state.table,
        played_on=state.played_on,
        note=state.note,
        opening_pot=change.opening_pot
        if isinstance(change, CorrectOpeningPot)
        else began_with(state),
    )


def _hand(
    deciding: Deciding, slot: Slot, number: int, state: GameState
) -> tuple[Redone, GameState, tuple[str, ...]]:
    """A hand decided on top of `state`, the state after it and the excuses it got; surplus when the
    game is over before it.
    """
    if slot.sheet is None:
        return Redone(slot.part, None), state, ()
    if state.closed is not None and slot.corrected:
        message = sentence("the game is over before this hand; what ended it is corrected first")
        raise RuleViolation("game_over", message, rule="Corrections", path=f"hands[{number - 1}]")
    if state.closed is not None:
        return Redone(slot.part, None, surplus=True), state, ()
    try:
        events, after, codes = _decide_with_excuses(deciding, slot.sheet, number, state)
    except Refusal as refusal:
        taken = _as_taken(deciding, slot, state) if refusal.code in TAKEN_BEFORE else slot
        if taken.sheet is slot.sheet:
            raise
        return _as_played(deciding, taken, number, state)
    if not slot.corrected and not codes and _is_as_before(deciding, slot, events):
        assert slot.part is not None
        return Redone(slot.part, [fact for _, fact in slot.part.facts]), after, ()
    return Redone(slot.part, events, corrected=slot.corrected), after, codes


def _as_taken(deciding: Deciding, slot: Slot, state: GameState) -> Slot:
    """The slot of a hand of which at most who sat is corrected, with what it was taken with when it
    was recorded.

    What a surplus hand was recorded on top of is gone: it is tried on `state`, excused for what
    follows from that.
    """
    if slot.part is None or slot.sheet is None:
        return slot
    if slot.corrected and not isinstance(deciding.correction.change, CorrectSeats):
        return slot
    before = deciding.before.get(slot.part.opened)
    tried = (
        slot.sheet
        if before is not None
        else _add_excuses(slot.sheet, EXCUSABLE, deciding.correction)
    )
    given = allowances(deciding.game, tried, before if before is not None else state)
    return slot._replace(sheet=apply_allowances(slot.sheet, given)) if given else slot


def _as_played(
    deciding: Deciding, slot: Slot, number: int, state: GameState
) -> tuple[Redone, GameState, tuple[str, ...]]:
    """`_hand` for one that a rule would refuse today: it is restated without what its sheet is
    allowed for that.
    """
    assert slot.part is not None
    assert slot.sheet is not None
    recorded = [fact for _, fact in slot.part.facts]
    decided, _, codes = _decide_with_excuses(deciding, slot.sheet, number, state)
    as_before = not slot.corrected and not codes and _is_as_before(deciding, slot, decided)
    events = recorded if as_before else without_allowances(decided)
    return (
        Redone(slot.part, events, corrected=slot.corrected),
        deciding.game.folded(events, state),
        codes,
    )


def _decide_with_excuses(
    deciding: Deciding, sheet: HandSheet, number: int, state: GameState
) -> tuple[list[object], GameState, tuple[str, ...]]:
    """The hand's events, the state after them and the codes it had to be excused for. Raises
    Refusal.
    """
    allowed = EXCUSABLE if deciding.lenient else dict(deciding.correction.excused).get(number, ())
    codes: tuple[str, ...] = ()
    while True:
        try:
            return *deciding.game.decide_sheet(
                _add_excuses(sheet, codes, deciding.correction), state
            ), codes
        except Refusal as refusal:
            if refusal.code not in allowed or refusal.code in codes:
                raise refusal.under(f"hands[{number - 1}]") from None
            codes = (*codes, refusal.code)


def _add_excuses(sheet: HandSheet, codes: tuple[str, ...], correction: Correction) -> HandSheet:
    if not codes:
        return sheet
    ruling = AcceptHand(excuses=codes, by=correction.by, reason=correction.reason)
    return replace(
        sheet, opening=replace(sheet.opening, accepted=(*sheet.opening.accepted, ruling))
    )


def _is_as_before(deciding: Deciding, slot: Slot, events: Sequence[object]) -> bool:
    """Whether a hand that is not corrected itself comes to the same as before; acts may have been
    recorded in another order.
    """
    if slot.part is None or slot.part.surplus:
        return False
    if events == [fact for _, fact in slot.part.facts]:
        return True
    try:
        before, _ = deciding.game.decide_sheet(slot.sheet, deciding.before[slot.part.opened])
    except Refusal:  # under other options it would have been refused
        return False
    return events == before


def _decide_early_end(game: AnyGame, end: Part, state: GameState, *, gone: bool) -> Redone:
    """The end of a game that was called, on top of `state`: surplus when the game is over before
    it.
    """
    if gone:
        return Redone(end, None, corrected=True)
    if state.closed is not None:
        return Redone(end, None, surplus=True)
    closed = end.first
    assert isinstance(closed, GameClosed)
    assert closed.by is not None
    assert closed.reason is not None
    return Redone(
        end, decide_end(game, EndGame(kind=closed.kind, by=closed.by, reason=closed.reason), state)
    )


def _take_pot_again(game: AnyGame, part: Part, state: GameState) -> list[object]:
    """The pot of the corrected game taken as it was. Raises RuleViolation `pot_taken` where that
    isn't what it leaves any more.
    """
    pot = part.first
    assert isinstance(pot, PotTaken)
    try:
        return game.decide(TakePot(game=pot.game, chips=pot.chips), state)
    except RuleViolation:
        raise pot_is_taken(pot) from None


def _check_balances(game: AnyGame, state: GameState) -> GameState:
    """The state, unless somebody holds less than nothing who may not: the open hand was paid for by
    chips that are gone.
    """
    short = [
        key
        for key, chips in state.balances.items()
        if chips < 0 and key.partition(":")[0] in state.players
    ]
    if state.hand is None or not short or game.may_overdraw(state):
        return state
    message = sentence(
        "%(short)s could not have paid for the hand that is open; undo it first", short=short[0]
    )
    raise RuleViolation("no_chips", message, rule="Chips")
