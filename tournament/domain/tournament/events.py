"""The facts of a tournament, and the names under which they are stored."""

from collections.abc import Callable, Mapping
from typing import Any

from tournament.domain.tournament.life_events import (
    AddressChosen,
    ByeAsked,
    ByeDropped,
    CheckInCancelled,
    EntryCheckedIn,
    EntryMade,
    EntryReturned,
    EntryWithdrawn,
    PenaltyCancelled,
    PenaltyGiven,
    PhaseEntered,
    PlayerReplaced,
    PracticeBegun,
    RatedSet,
    SilenceBegun,
    SingleLeft,
    SingleNoted,
    StageChanged,
    TournamentOpened,
)
from tournament.domain.tournament.round_events import (
    ClockPaused,
    ClockStarted,
    DifferenceAccepted,
    EntriesSwapped,
    GameCounted,
    GameDetached,
    GameEnded,
    GameLinked,
    GameUnlinked,
    LastHandCalled,
    LastHandRecalled,
    ResultEntered,
    RoundClosed,
    RoundDrawn,
    RoundDropped,
    RoundPublished,
    RoundReopened,
    RoundUnpublished,
    TableCleared,
    TableExcused,
    TableForfeited,
    TimeExtended,
)
from tournament.domain.tournament.upcasters import RoundDrawnInWords, with_numbers

type Event = (
    TournamentOpened
    | StageChanged
    | RatedSet
    | AddressChosen
    | PracticeBegun
    | PhaseEntered
    | EntryMade
    | SingleNoted
    | SingleLeft
    | EntryCheckedIn
    | CheckInCancelled
    | EntryWithdrawn
    | EntryReturned
    | ByeAsked
    | ByeDropped
    | PlayerReplaced
    | RoundDrawn
    | RoundDropped
    | EntriesSwapped
    | RoundPublished
    | RoundUnpublished
    | ClockStarted
    | ClockPaused
    | TimeExtended
    | LastHandCalled
    | LastHandRecalled
    | GameLinked
    | GameUnlinked
    | GameDetached
    | GameCounted
    | GameEnded
    | DifferenceAccepted
    | ResultEntered
    | TableForfeited
    | TableExcused
    | TableCleared
    | RoundClosed
    | RoundReopened
    | PenaltyGiven
    | PenaltyCancelled
    | SilenceBegun
)

# The stored names, written out: a class may be renamed, a stored name never. What the conditions of
# a tournament were before they were stored (schema 1 of `opened` and `stage_changed`) is what
# `Conditions()` says; before schema 3 nothing was seeded, and who sits out was no choice. Draws
# before schema 3 had the tournament's own lots, swaps before schema 2 no reasons. A round closed
# under schema 1 was closed before anybody was asked whether an abandoned game counts: there each
# did, and still does.
SHAPES: Mapping[tuple[str, int], type] = {
    ("tournament.opened", 1): TournamentOpened,
    ("tournament.opened", 2): TournamentOpened,
    ("tournament.opened", 3): TournamentOpened,
    ("tournament.stage_changed", 1): StageChanged,
    ("tournament.stage_changed", 2): StageChanged,
    ("tournament.stage_changed", 3): StageChanged,
    ("tournament.rated_set", 1): RatedSet,
    ("tournament.address_chosen", 1): AddressChosen,
    ("tournament.practice_begun", 1): PracticeBegun,
    ("tournament.phase_entered", 1): PhaseEntered,
    ("tournament.entry_made", 1): EntryMade,
    ("tournament.single_noted", 1): SingleNoted,
    ("tournament.single_left", 1): SingleLeft,
    ("tournament.entry_checked_in", 1): EntryCheckedIn,
    ("tournament.check_in_cancelled", 1): CheckInCancelled,
    ("tournament.entry_withdrawn", 1): EntryWithdrawn,
    ("tournament.entry_returned", 1): EntryReturned,
    ("tournament.bye_asked", 1): ByeAsked,
    ("tournament.bye_dropped", 1): ByeDropped,
    ("tournament.player_replaced", 1): PlayerReplaced,
    ("tournament.player_replaced", 2): PlayerReplaced,
    ("tournament.player_replaced", 3): PlayerReplaced,
    ("tournament.round_drawn", 1): RoundDrawnInWords,
    ("tournament.round_drawn", 2): RoundDrawn,
    ("tournament.round_drawn", 3): RoundDrawn,
    ("tournament.round_dropped", 1): RoundDropped,
    ("tournament.entries_swapped", 1): EntriesSwapped,
    ("tournament.entries_swapped", 2): EntriesSwapped,
    ("tournament.round_published", 1): RoundPublished,
    ("tournament.round_unpublished", 1): RoundUnpublished,
    ("tournament.clock_started", 1): ClockStarted,
    ("tournament.clock_paused", 1): ClockPaused,
    ("tournament.time_extended", 1): TimeExtended,
    ("tournament.last_hand_called", 1): LastHandCalled,
    ("tournament.last_hand_recalled", 1): LastHandRecalled,
    ("tournament.game_linked", 1): GameLinked,
    ("tournament.game_unlinked", 1): GameUnlinked,
    ("tournament.game_detached", 1): GameDetached,
    ("tournament.game_counted", 1): GameCounted,
    ("tournament.game_ended", 1): GameEnded,
    ("tournament.difference_accepted", 1): DifferenceAccepted,
    ("tournament.result_entered", 1): ResultEntered,
    ("tournament.result_entered", 2): ResultEntered,
    ("tournament.table_forfeited", 1): TableForfeited,
    ("tournament.table_excused", 1): TableExcused,
    ("tournament.table_cleared", 1): TableCleared,
    ("tournament.round_closed", 1): RoundClosed,
    ("tournament.round_closed", 2): RoundClosed,
    ("tournament.round_reopened", 1): RoundReopened,
    ("tournament.penalty_given", 1): PenaltyGiven,
    ("tournament.penalty_cancelled", 1): PenaltyCancelled,
    ("tournament.silence_begun", 1): SilenceBegun,
}
# How a fact of an older shape is read as one of the next.
UPCASTERS: Mapping[tuple[str, int], Callable[[Any], Any]] = {
    ("tournament.round_drawn", 1): with_numbers,
}
