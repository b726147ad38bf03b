"""What a director has just done, in words and by name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.domain.tournament.awards import AwardDeal
from tournament.domain.tournament.ended_games import EndTableGame, FreeTables
from tournament.domain.tournament.entries import MakeEntry, Return, Withdraw
from tournament.domain.tournament.games import AcceptDifference, CountGame, DetachGame
from tournament.domain.tournament.manual_pairing import BeginManualPairing, EndManualPairing
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.presence import (
    CancelAllCheckIns,
    CancelCheckIn,
    CheckIn,
    CheckInAll,
)
from tournament.domain.tournament.results import EnterResult, ForfeitTable
from tournament.domain.tournament.singles import NoteSingle, PairRemaining, PairSingles
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.domain.tournament.swaps import SwapEntries
from tournament.domain.tournament.table_places import LeavePlace, TakePlace
from tournament.domain.tournament.team_line_ups import HandInLineUp, OpenLineUps
from tournament.queries.tournament import Directed

type Words = Callable[[Directed, Any], str]


def done_words(after: Directed, acts: Sequence[Command]) -> str:
    """The confirmation of what has been recorded in one go, "" where the page itself shows it
    plainly.
    """
    act = acts[0]
    results = [each for each in acts if isinstance(each, EnterResult)]
    if len(results) == len(acts) > 1:
        return _("The results of tables %(tables)s are in.") % {
            "tables": ", ".join(str(each.table) for each in results)
        }
    return WORDS[type(act)](after, act) if type(act) in WORDS else ""


def _entered(after: Directed, _act: MakeEntry) -> str:
    entry = after.state.entries[-1]
    return _("Entry %(number)s: %(name)s.") % {"number": entry.id, "name": after.entries[entry.id]}


def _pairs(after: Directed, _act: PairRemaining) -> str:
    waiting = len(after.state.singles)
    if not waiting:
        return _("Every single has a partner.")
    return ngettext(
        "Pairs are made; %(count)d waits on.", "Pairs are made; %(count)d wait on.", waiting
    ) % {"count": waiting}


def _single(after: Directed, _act: NoteSingle) -> str:
    return _("Waits for a partner: %(name)s.") % {
        "name": after.players[after.state.singles[-1].player]
    }


def _swapped(after: Directed, act: SwapEntries) -> str:
    return _("Changed places: %(one)s and %(two)s.") % {
        "one": after.entries[act.one],
        "two": after.entries[act.two],
    }


def _of_entry(words: Callable[[], str]) -> Words:
    return lambda after, act: words() % {"name": after.entries[act.entry]}


WORDS: Mapping[type, Words] = {
    MakeEntry: _entered,
    PairSingles: _entered,
    PairRemaining: _pairs,
    NoteSingle: _single,
    CheckIn: _of_entry(lambda: _("Checked in: %(name)s.")),
    CheckInAll: lambda _after, _act: _("Everybody is here."),
    CancelAllCheckIns: lambda _after, _act: _("The check-ins are taken back."),
    CancelCheckIn: _of_entry(lambda: _("Not here after all: %(name)s.")),
    Withdraw: _of_entry(lambda: _("Withdrawn: %(name)s.")),
    Return: _of_entry(lambda: _("Plays again: %(name)s.")),
    ReplacePlayer: _of_entry(lambda: _("They play as: %(name)s.")),
    GivePenalty: _of_entry(lambda: _("Points recorded for %(name)s.")),
    SwapEntries: lambda after, act: (
        _("Changed places: %(one)s and %(two)s.")
        % {"one": after.entries[act.one], "two": after.entries[act.two]}
    ),
    BeginManualPairing: lambda _after, act: (
        _("Round %(round)d is being paired by hand.") % {"round": act.round}
    ),
    EndManualPairing: lambda _after, act: (
        _("Round %(round)d stands as it is paired now.") % {"round": act.round}
    ),
    LeavePlace: lambda after, act: (
        _("Table %(table)d plays without %(name)s.")
        % {"table": act.table, "name": after.entries[act.entry]}
    ),
    TakePlace: lambda after, act: (
        _("%(name)s sits at table %(table)d.")
        % {"table": act.table, "name": after.entries[act.entry]}
    ),
    EnterResult: lambda _after, act: (
        _("The result of table %(table)d is in.") % {"table": act.table}
    ),
    DetachGame: lambda _after, act: (
        _("The game at table %(table)d does not count.") % {"table": act.table}
    ),
    CountGame: lambda _after, act: _("The game counts at table %(table)d.") % {"table": act.table},
    EndTableGame: lambda _after, act: (
        _("The game at table %(table)d is over.") % {"table": act.table}
    ),
    FreeTables: lambda _after, _act: _(
        "The games of earlier rounds are over, and their tables are free."
    ),
    AcceptDifference: lambda _after, act: (
        _("What counts at table %(table)d is right.") % {"table": act.table}
    ),
    AwardDeal: lambda _after, act: (
        _("Deal %(deal)d is awarded at table %(table)d.") % {"deal": act.deal, "table": act.table}
    ),
    HandInLineUp: _of_entry(lambda: _("The line-up is handed in, sealed: %(name)s.")),
    OpenLineUps: lambda _after, act: (
        _("The line-ups of round %(round)d are open.") % {"round": act.round}
    ),
    ForfeitTable: lambda _after, act: (
        _("Table %(table)d goes without a game.") % {"table": act.table}
    ),
}
