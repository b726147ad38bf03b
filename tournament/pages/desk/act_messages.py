"""Confirmations of a director's last act, with names; also of games begun at the
tables of a round.
"""

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.domain.tournament import presence
from tournament.domain.tournament.added_tables import AddTable, RemoveTable
from tournament.domain.tournament.awards import AwardDeal
from tournament.domain.tournament.ended_games import EndRoundGames, EndTableGame, FreeTables
from tournament.domain.tournament.entries import MakeEntry, Return, Withdraw
from tournament.domain.tournament.entry_changes import ChangeEntry
from tournament.domain.tournament.games import AcceptDifference, CountGame, DetachGame
from tournament.domain.tournament.leavers import SettleLeaver
from tournament.domain.tournament.lifecycle import HideTournament, ShowTournament
from tournament.domain.tournament.manual_pairing import BeginManualPairing, EndManualPairing
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.removals import (
    EnterListAgain,
    RemoveEntry,
    RestoreEntry,
    TakeBackList,
)
from tournament.domain.tournament.results import EnterResult, ForfeitTable
from tournament.domain.tournament.singles import NoteSingle, PairRemaining, PairSingles
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.domain.tournament.swaps import SwapEntries
from tournament.domain.tournament.table_places import LeavePlace, TakePlace
from tournament.domain.tournament.team_line_ups import ChangeLineUp, HandInLineUp, OpenLineUps
from tournament.queries.refusal_text import in_words
from tournament.queries.tournament import TournamentView
from tournament.queries.word_lists import list_words
from tournament.recording.tables.start_games import BegunGame, StartedRound

# The words for an act that names a table, a round or a deal by number, or an entry by name.
WORDS: Mapping[type, Promise] = {
    presence.CheckIn: gettext_lazy("Checked in: %(name)s."),
    presence.CheckInAll: gettext_lazy("Everybody has been checked in."),
    presence.CancelAllCheckIns: gettext_lazy("The check-ins are taken back."),
    presence.CancelCheckIn: gettext_lazy("Not here after all: %(name)s."),
    Withdraw: gettext_lazy("Withdrawn: %(name)s."),
    SettleLeaver: gettext_lazy("Settled: the games of %(name)s."),
    ChangeEntry: gettext_lazy("Changed: %(name)s."),
    HideTournament: gettext_lazy("The tournament is in no list any more."),
    ShowTournament: gettext_lazy("The tournament is in the lists again."),
    RemoveEntry: gettext_lazy("Removed: %(name)s."),
    RestoreEntry: gettext_lazy("Entered again: %(name)s."),
    TakeBackList: gettext_lazy("The list is taken back: nobody on it is entered any more."),
    EnterListAgain: gettext_lazy("The list is entered again."),
    Return: gettext_lazy("Plays again: %(name)s."),
    ReplacePlayer: gettext_lazy("They play as: %(name)s."),
    GivePenalty: gettext_lazy("Points recorded for %(name)s."),
    SwapEntries: gettext_lazy("Changed places: %(one)s and %(two)s."),
    BeginManualPairing: gettext_lazy("Round %(round)d is being paired by hand."),
    EndManualPairing: gettext_lazy("Round %(round)d stands as it is paired now."),
    LeavePlace: gettext_lazy("Table %(table)d plays without %(name)s."),
    TakePlace: gettext_lazy("%(name)s sits at table %(table)d."),
    AddTable: gettext_lazy("They play at one more table of round %(round)d."),
    RemoveTable: gettext_lazy("Table %(table)d is gone; its entries wait again."),
    EnterResult: gettext_lazy("The result of table %(table)d is in."),
    DetachGame: gettext_lazy("The game at table %(table)d does not count."),
    CountGame: gettext_lazy("The game counts at table %(table)d."),
    EndTableGame: gettext_lazy("The game at table %(table)d is over."),
    EndRoundGames: gettext_lazy("The games of round %(round)d are over."),
    FreeTables: gettext_lazy("The games of earlier rounds are over, and their tables are free."),
    AcceptDifference: gettext_lazy("What counts at table %(table)d is right."),
    AwardDeal: gettext_lazy("Deal %(deal)d is awarded at table %(table)d."),
    HandInLineUp: gettext_lazy("The line-up is handed in, sealed: %(name)s."),
    ChangeLineUp: gettext_lazy("The line-up is changed: %(name)s."),
    OpenLineUps: gettext_lazy("The line-ups of round %(round)d are open."),
    ForfeitTable: gettext_lazy("Table %(table)d goes without a game."),
}
NUMBERS = ("table", "round", "deal")
ENTRIES = {"entry": "name", "one": "one", "two": "two"}  # fields, and what the words call them


def describe_acts(after: TournamentView, acts: Sequence[Command]) -> str:
    """Return the confirmation of the acts recorded in one go, "" if the page itself shows
    it plainly.
    """
    act = acts[0]
    results = [each for each in acts if isinstance(each, EnterResult)]
    if len(results) == len(acts) > 1:
        return _("The results of tables %(tables)s are in.") % {
            "tables": ", ".join(str(each.table) for each in results)
        }
    match act:
        case MakeEntry() | PairSingles():
            return _entry_message(after)
        case PairRemaining():
            return _pairs(after)
        case NoteSingle():
            single = after.state.singles[-1].player
            return _("Waits for a partner: %(name)s.") % {"name": after.players[single]}
    return str(WORDS[type(act)]) % _names_in_act(after, act) if type(act) in WORDS else ""


def _names_in_act(after: TournamentView, act: Command) -> dict[str, object]:
    """Return the names in an act, by their placeholders in its message."""
    numbers = {field: getattr(act, field) for field in NUMBERS if hasattr(act, field)}
    names = {**after.removed, **after.entries}
    entries = {
        called: names[getattr(act, field)]
        for field, called in ENTRIES.items()
        if hasattr(act, field)
    }
    return numbers | entries


def _entry_message(after: TournamentView) -> str:
    entry = after.state.entries[-1]
    return _("Entry %(number)s: %(name)s.") % {"number": entry.id, "name": after.entries[entry.id]}


def _pairs(after: TournamentView) -> str:
    waiting = len(after.state.singles)
    if not waiting:
        return _("Every single has a partner.")
    return ngettext(
        "Pairs are made; %(count)d waits on.", "Pairs are made; %(count)d wait on.", waiting
    ) % {"count": waiting}


def say_begun(request: HttpRequest, came: StartedRound) -> None:
    """Say which games have begun, which tables are new, and of each table that has no game why."""
    for words in describe_begun_games(came):
        messages.success(request, words)


def describe_begun_games(came: StartedRound) -> list[str]:
    """Return the games begun, and those that weren't, as sentences."""
    count = len(came.begun)
    said = [
        ngettext("One game has begun.", "%(count)d games have begun.", count) % {"count": count}
        if count
        else _("No game has begun.")
    ]
    if came.made:
        new = ngettext("Table %(tables)s is new.", "Tables %(tables)s are new.", len(came.made)) % {
            "tables": list_words(came.made)
        }
        said[0] = f"{said[0]} {new}"
    said += _describe_moved_games([each for each in came.begun if each.label != str(each.table)])
    for why in dict.fromkeys(in_words(each.why) for each in came.left):
        left = [str(each.table) for each in came.left if in_words(each.why) == why]
        words = ngettext(
            "Table %(tables)s has none: %(why)s.",
            "Tables %(tables)s have none: %(why)s.",
            len(left),
        )
        said.append(words % {"tables": list_words(left), "why": why})
    return said


def _describe_moved_games(moved: Sequence[BegunGame]) -> list[str]:
    """Return in one sentence the tables of the round that play at another table of the
    salon.
    """
    if len(moved) < 2:
        return [
            _("Table %(table)s plays at table %(label)s of the salon.")
            % {"table": each.table, "label": each.label}
            for each in moved
        ]
    places = [
        _("%(table)s at %(label)s") % {"table": each.table, "label": each.label} for each in moved
    ]
    return [_("Tables play elsewhere in the salon: %(places)s.") % {"places": list_words(places)}]
