"""Pots that go from game to game (S13): what becomes of the game that left one when another begins
with it, or gives it back.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledger.models import Account, Event
from scoring.commands import GivePotBack, TakePot
from scoring.common_state import GameState
from scoring.effective_history import course_of
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import OpeningPot
from scoring.games import GAMES
from scoring.left_pots import RULE
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.streams.folds import Folded, advance_fold, fold_corrected_game, fold_of, read_course

FROM = "opening_pot.from"
OFFERED = 12  # the latest pots; those who want an older one name its game


class ChangedGame(NamedTuple):
    """A game that an act of another one changes, by its pot or a hand: its stream, its fold before
    and after, the facts that say so, and when what is stated anew was played.
    """

    stream: str
    before: Folded
    events: list[object]
    after: Folded
    times: Sequence[int | None] | None = None


class LeftPot(NamedTuple):
    """A pot that a game of the salon left and none has taken: the game's row, the chips,
    and when its last act was recorded, in microseconds UTC.
    """

    game: GameRow
    chips: int
    left_at: int


def list_left_pots(salon: Salon, kind: str) -> list[LeftPot]:
    """The pots that games of this kind left, the latest first."""
    if GAMES[kind].opening_pot is None:
        return []
    chips = dict(_pot_chips(salon, kind))
    finished = GameRow.objects.filter(salon=salon, pk__in=chips, kind=kind, finished=True)
    rows = finished.order_by("-started_position")[:OFFERED]
    last = Event.objects.filter(log=salon.log_id, position__in=[row.position for row in rows])
    times = dict(last.values_list("position", "recorded_at"))
    return [LeftPot(row, chips[row.pk], times[row.position]) for row in rows]


def _pot_chips(salon: Salon, kind: str) -> Iterator[tuple[str, int]]:
    accounts = Account.objects.filter(log=salon.log_id, owner="", key__in=GAMES[kind].pot_names)
    for stream, debits, credits in accounts.values_list("stream", "debits", "credits"):
        if credits > debits:
            yield stream, credits - debits


def pots_moved(
    salon: Salon, stream: str, before: GameState | None, after: Folded
) -> list[ChangedGame]:
    """The changes of other games when the game of this stream comes from the state
    `before` (None: no game yet) to that fold.

    Raises NotationError for a pot of no such game, RuleViolation for one that isn't
    there.
    """
    had, has = _pot(after, before), _pot(after, after.state)
    if had == has:
        return []
    moved: dict[str, ChangedGame] = {}
    for pot, act in (
        (had, GivePotBack()),
        (has, TakePot(game=after.state.record, chips=has.chips if has else 0)),
    ):
        if pot is not None:
            earlier = _stream_of(salon, pot, stream)
            moved[earlier] = _add_act(salon, earlier, moved.get(earlier), act)
    return list(moved.values())


def _pot(folded: Folded, state: GameState | None) -> OpeningPot | None:
    """The pot of another game that a game in this state holds."""
    of = getattr(folded.kind, "opening_pot", None)
    return of(state) if of is not None and state is not None else None


def _stream_of(salon: Salon, pot: OpeningPot, stream: str) -> str:
    rows = {row.record: row for row in GameRow.objects.filter(salon=salon, record=pot.game)}
    earlier, own = rows.get(pot.game), GameRow.objects.filter(salon=salon, pk=stream).first()
    if earlier is None:
        message = sentence(
            "there is no game %(game)s in this salon; a game begins with what an earlier one left",
            game=repr(pot.game),
        )
        raise NotationError(message, path=FROM, rule=RULE)
    if GAMES[earlier.kind].opening_pot is None:
        message = sentence(
            "a game of %(title)s leaves no pot for another", title=GAMES[earlier.kind].title
        )
        raise NotationError(message, path=FROM, rule=RULE)
    if own is not None and own.started_position <= earlier.started_position:
        message = sentence(
            "game %(game)s was started after this one, which can't have begun with its pot",
            game=pot.game,
        )
        raise RuleViolation("out_of_turn", message, rule=RULE, path=FROM)
    return earlier.pk


def _add_act(
    salon: Salon, stream: str, done: ChangedGame | None, act: GivePotBack | TakePot
) -> ChangedGame:
    """The game of that stream after one more act beside what was `done` already. Raises
    RuleViolation.
    """
    before = done.before if done is not None else fold_of(salon.log_id, stream)
    if before is None:
        raise LookupError(f"there is no game {stream}")
    folded = done.after if done is not None else before
    events = [*(done.events if done is not None else ()), *folded.game.decide(act, folded.state)]
    return ChangedGame(stream, before, events, _after(salon, stream, before, events))


def _after(salon: Salon, stream: str, before: Folded, events: list[object]) -> Folded:
    version = before.version + len(events)
    if before.marks is not None:
        played = read_course(salon.log_id, stream, before.game, version=before.version)
        course = course_of(before.game, enumerate(events, before.version + 1), played.course)
        return fold_corrected_game(before.game, course, version)
    return advance_fold(before, before.game.folded(events, before.state))
