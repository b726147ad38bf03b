"""Decide a correction: the corrected course is decided again by the rules of its game, as if recorded so at first."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scoring.commands import AcceptHand, EndGame, StartGame, TakePot
from scoring.corrections import Change, Correction, CorrectOpeningPot, CorrectOptions, ReopenGame
from scoring.course import Course, Part, course_of, fold_course, hands_of
from scoring.ending import decide_end
from scoring.errors import NotationError, Refusal, RuleViolation, sentence
from scoring.events import GameCorrected, PotTaken
from scoring.game import Game
from scoring.left_pots import pot_is_taken
from scoring.open_hands import decide_open_hand
from scoring.planning import Slot, named, planned
from scoring.recorded_before import as_taken, without_such_rulings
from scoring.restating import Redone, Stated, restate
from scoring.rulings import FOLLOWING

EXCUSABLE = ("bad_dealer", "bad_trump", "no_chips")  # what a correction can make of hands that stay as played


class Corrected(NamedTuple):
    """What a correction comes to: its facts, the course and state after it, and the codes each hand had to be excused for."""

    facts: list[Stated]
    course: Course
    state: Any
    excused: tuple[tuple[int, tuple[str, ...]], ...]


class Deciding(NamedTuple):
    """On the way through the corrected course: the game, what is corrected, and whether hands are excused without being asked."""

    game: Game
    correction: Correction
    lenient: bool
    before: dict[int, Any]  # the recorded state before each part that counts, by its stream version


def decide_correction(game: Game, course: Course, version: int, correction: Correction, *, lenient: bool = False) -> Corrected:
    """The facts of a correction of a game with this course, whose stream is at `version`.

    Raises Refusal, its path seen from the record, where the corrected course breaks a rule that isn't excused;
    `lenient` excuses what a ruling can and says so. Raises NotationError when nothing would change.
    """
    state = fold_course(game, course, version)
    if isinstance(correction.change, CorrectOptions) and state.hand is not None:
        message = sentence("a hand is open; close it or undo its opening before the options are corrected")
        raise RuleViolation("out_of_turn", rule="Corrections", message=message, path="options")
    deciding = Deciding(game, correction, lenient, _states_before(game, course))
    redone, excused = _decided(deciding, course, state)
    stated = restate(redone, version)
    if not stated:
        raise NotationError(sentence("this is what is recorded; nothing would change"), path="hand")
    what, first, last = named(correction.change)
    head = GameCorrected(what=what, first=first, last=last, facts=len(stated), by=correction.by, reason=correction.reason)
    facts = [Stated(head), *stated]
    after = course_of(game, enumerate((each.fact for each in facts), version + 1), course)
    return Corrected(facts, after, _checked(game, fold_course(game, after, version + len(facts))), excused)


def _states_before(game: Game, course: Course) -> dict[int, Any]:
    states: dict[int, Any] = {}
    state: Any = None
    for part in course:
        if not part.surplus:
            states[part.opened] = state
            state = _folded(game, (fact for _, fact in part.facts), state)
    return states


def _decided(deciding: Deciding, course: Course, state: Any) -> tuple[list[Redone], tuple[tuple[int, tuple[str, ...]], ...]]:
    """Every part of the corrected course in order, decided on top of those before it; and the excuses of hands."""
    game, change = deciding.game, deciding.correction.change
    slots = planned(game, course, state, change)
    events = game.decide(_start(game, change, state), None)
    redone = [Redone(course[0], events, corrected=events[0] != course[0].first)]
    after, excused = _folded(game, events, None), []
    for slot in slots:
        number = len(redone) - sum(each.facts is None and not each.surplus for each in redone)
        each, after, codes = _hand(deciding, slot, number, after)
        redone.append(each)
        excused += [(number, codes)] if codes else []
    if state.hand is not None:
        opened = hands_of(course)[-1]
        redone.append(Redone(opened, decide_open_hand(game, opened, deciding.before[opened.opened], after)))
    for part in (each for each in course if each.is_end):
        redone.append(_ended(game, part, after, gone=isinstance(change, ReopenGame)))
        after = _folded(game, redone[-1].facts or (), after)
    for part in (each for each in course if each.is_taking):
        redone.append(Redone(part, _taken(game, part.first, after)))
    return redone, tuple(excused)


def _start(game: Game, change: Change, state: Any) -> StartGame:
    """How the corrected game begins."""
    pot = None if game.opening_pot is None else state.opening_pot
    return StartGame(
        record=state.record,
        players=tuple(state.players.items()),
        rules=change.rules if isinstance(change, CorrectOptions) else state.rules,
        table=state.table,
        played_on=state.played_on,
        note=state.note,
        opening_pot=change.opening_pot if isinstance(change, CorrectOpeningPot) else pot,
    )


def _hand(deciding: Deciding, slot: Slot, number: int, state: Any) -> tuple[Redone, Any, tuple[str, ...]]:
    """A hand decided on top of `state`, the state after it and the excuses it got; surplus when the game is over before it."""
    if slot.sheet is None:
        return Redone(slot.part, None), state, ()
    if state.closed is not None and slot.corrected:
        message = sentence("the game is over before this hand; what ended it is corrected first")
        raise RuleViolation("game_over", rule="Corrections", message=message, path=f"hands[{number - 1}]")
    if state.closed is not None:
        return Redone(slot.part, None, surplus=True), state, ()
    try:
        events, after, codes = _excusing(deciding, slot.sheet, number, state)
    except Refusal as refusal:
        taken = _as_taken(deciding, slot) if refusal.code in FOLLOWING else slot
        if taken.sheet is slot.sheet:
            raise
        return _as_played(deciding, taken, number, state)
    if not slot.corrected and not codes and _is_as_before(deciding, slot, events):
        assert slot.part is not None
        return Redone(slot.part, [fact for _, fact in slot.part.facts]), after, ()
    return Redone(slot.part, events, corrected=slot.corrected), after, codes


def _as_taken(deciding: Deciding, slot: Slot) -> Slot:
    """The slot of a hand that isn't corrected itself, with the sheet as it was taken when it was recorded."""
    if slot.corrected or slot.part is None or slot.part.opened not in deciding.before:
        return slot
    return slot._replace(sheet=as_taken(deciding.game, slot.sheet, deciding.before[slot.part.opened]))


def _as_played(deciding: Deciding, slot: Slot, number: int, state: Any) -> tuple[Redone, Any, tuple[str, ...]]:
    """`_hand` for one that a rule of play would refuse today: it is stated without the rulings that its sheet has for that."""
    assert slot.part is not None
    recorded = [fact for _, fact in slot.part.facts]
    decided, _, codes = _excusing(deciding, slot.sheet, number, state)
    as_before = not codes and _is_as_before(deciding, slot, decided)
    events = recorded if as_before else without_such_rulings(decided)
    return Redone(slot.part, events), _folded(deciding.game, events, state), codes


def _excusing(deciding: Deciding, sheet: Any, number: int, state: Any) -> tuple[list[Any], Any, tuple[str, ...]]:
    """The hand's events, the state after them and the codes it had to be excused for. Raises Refusal."""
    allowed = EXCUSABLE if deciding.lenient else dict(deciding.correction.excused).get(number, ())
    codes: tuple[str, ...] = ()
    while True:
        try:
            return *deciding.game.decide_sheet(_excused(sheet, codes, deciding.correction), state), codes
        except Refusal as refusal:
            if refusal.code not in allowed or refusal.code in codes:
                raise refusal.under(f"hands[{number - 1}]") from None
            codes = (*codes, refusal.code)


def _excused(sheet: Any, codes: tuple[str, ...], correction: Correction) -> Any:
    if not codes:
        return sheet
    ruling = AcceptHand(excuses=codes, by=correction.by, reason=correction.reason)
    return replace(sheet, opening=replace(sheet.opening, accepted=(*sheet.opening.accepted, ruling)))


def _is_as_before(deciding: Deciding, slot: Slot, events: Sequence[Any]) -> bool:
    """Whether a hand that is not corrected itself comes to the same as before; acts may have been recorded in another order."""
    if slot.part is None or slot.part.surplus:
        return False
    if events == [fact for _, fact in slot.part.facts]:
        return True
    try:
        before, _ = deciding.game.decide_sheet(slot.sheet, deciding.before[slot.part.opened])
    except Refusal:  # under other options it would have been refused
        return False
    return events == before


def _ended(game: Game, end: Part, state: Any, *, gone: bool) -> Redone:
    """The end of a game that was called, on top of `state`: surplus when the game is over before it."""
    if gone:
        return Redone(end, None, corrected=True)
    if state.closed is not None:
        return Redone(end, None, surplus=True)
    return Redone(end, decide_end(game, EndGame(kind=end.first.kind, by=end.first.by, reason=end.first.reason), state))


def _taken(game: Game, taken: PotTaken, state: Any) -> list[Any]:
    """The pot of the corrected game taken as it was. Raises RuleViolation `pot_taken` where that isn't what it leaves any more."""
    try:
        return game.decide(TakePot(game=taken.game, chips=taken.chips), state)
    except RuleViolation:
        raise pot_is_taken(taken) from None


def _checked(game: Game, state: Any) -> Any:
    """The state, unless somebody holds less than nothing who may not: the open hand was paid for by chips that are gone."""
    short = [key for key, chips in state.balances.items() if chips < 0 and key.partition(":")[0] in state.players]
    if state.hand is None or not short or game.may_overdraw(state):
        return state
    message = sentence("%(short)s could not have paid for the hand that is open; undo it first", short=short[0])
    raise RuleViolation("no_chips", rule="Chips", message=message)


def _folded(game: Game, facts: Iterable[Any], state: Any) -> Any:
    for fact in facts:
        state = game.evolve(state, fact)
    return state
