"""People who came with a list: set aside when their entries are taken back, offered again with
them.
"""

from collections.abc import Sequence

from tournament.domain.tournament.removals import (
    EnterListAgain,
    RemoveEntry,
    RestoreEntry,
    TakeBackList,
)
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command
from tournament.models import Player
from tournament.salons.players import bring_back, set_aside


def settle_people(stream: str, before: State, commands: Sequence[Command]) -> None:
    """Set aside whom these commands took out of a tournament, if nothing else is known of them, and
    offer again whom they took in.
    """
    taken, entered = set[str](), set[str]()
    singles = {single.number: single.player for single in before.singles}
    for command in commands:
        match command:
            case RemoveEntry(entry=key):
                taken |= _people_of(before, [key])
            case TakeBackList(entries=keys, singles=numbers):
                taken |= _people_of(before, keys) | {singles[each] for each in numbers}
            case RestoreEntry(entry=key):
                entered |= _people_of(before, [key])
            case EnterListAgain(entries=keys):
                entered |= _people_of(before, keys)
    if taken:
        set_aside(Player.objects.filter(pk__in=taken), but_in=stream)
    if entered:
        bring_back(Player.objects.filter(pk__in=entered))


def _people_of(state: State, keys: Sequence[str]) -> set[str]:
    entries = (state.find_known_entry(key) for key in keys)
    return {player for entry in entries if entry for player in entry.everybody}
