"""Entries from a list: those lines that can be are entered together, and each is told what became
of it; or tried, and nothing is kept.
"""

import uuid
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Min
from django.utils.translation import gettext as _

from ledger.drafts import CommandReused, StreamMoved
from ledger.models import Event
from scoring.errors import Refusal
from tournament.domain.tournament.entries import MakeEntry, sizes
from tournament.domain.tournament.entry_order import ListLine, read_list
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.singles import NoteSingle
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.models import Player, Salon, Tournament
from tournament.queries.players import intended_names
from tournament.queries.refusal_text import in_words, refusal_words
from tournament.recording.door import decided
from tournament.recording.private_data import PrivateData
from tournament.recording.rulings import name_in_records
from tournament.recording.tournaments import direct
from tournament.streams.folds import fold_at, fold_of
from tournament.streams.types import TOURNAMENT

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A line of a list, and why it was not entered, "" where it was; `act` is what it asks for with
    names as the salon knows them.
    """

    line: ListLine
    problem: str = ""
    act: Any = None


def lines_of(state: State, text: str, *, singles: bool) -> Iterator[ListLine]:
    """The lines of a list for this tournament; with `singles` a name alone is somebody who waits
    for a partner.
    """
    fewest = state.stage.line_up or None
    return read_list(text, players=max(sizes(state)), fewest=fewest, singles=singles)


def enter_list(
    row: Tournament, lines: Iterable[ListLine], *, actor: str, command: str
) -> list[Reported]:
    """Enter all lines that can be entered as one command, all of them or, where anything breaks,
    none. The same list under the same command again enters nobody twice, and reports the same.
    """
    read = list(lines)
    key = uuid.uuid5(
        uuid.UUID(command), "\n".join(f"{line.number} {line.text}" for line in read)
    ).hex
    entered = Event.objects.filter(log=row.salon.log_id, stream=row.pk, command=key).aggregate(
        first=Min("version")
    )["first"]
    folded = (
        fold_of(row.salon.log_id, row.pk)
        if entered is None
        else fold_at(row.salon.log_id, row.pk, entered - 1)
    )
    assert folded is not None
    tried = list(try_list(row.salon, folded.state, read, actor=actor))
    acts = [each.act for each in tried if each.act is not None and not each.problem]
    if entered is not None or not acts:
        return tried
    problem = _recorded(row, acts, actor, key, folded.version)
    return [
        replace(each, problem=problem)
        if problem and each.act is not None and not each.problem
        else each
        for each in tried
    ]


def try_list(
    salon: Salon, state: State, lines: Iterable[ListLine], *, actor: str
) -> Iterator[Reported]:
    """What would become of every line, entered one after another; nothing is kept."""
    private, named = PrivateData(salon), set[str]()
    for line in lines:
        problem, act = in_words(line.problem) if line.problem else "", None
        if line.entry is not None:
            try:
                act = with_known_people(salon, line.entry, actor=actor, also=named)
                _events, state = decided(TOURNAMENT, private.prepare(act), state)
                named |= {name for _place, name in act.players}
            except Refusal as refusal:
                problem = refusal_words(refusal)
        yield Reported(line=line, problem=problem, act=act)


def with_known_people[Asked: Command](
    salon: Salon, act: Asked, *, actor: str, also: Set[str] = frozenset()
) -> Asked:
    """A director's act with names as the salon knows them, or as they are `also` written, and with
    who gives a penalty.

    Raises NotationError as `intended_names`.
    """
    if isinstance(act, GivePenalty):
        return replace(act, by=name_in_records(salon, actor))
    if not isinstance(act, MakeEntry | NoteSingle | ReplacePlayer):
        return act
    names = {*Player.objects.filter(salon=salon).values_list("name", flat=True), *also}
    return replace(act, players=intended_names(act.players, names))


def _recorded(row: Tournament, acts: Sequence[Command], actor: str, key: str, version: int) -> str:
    """Record these acts; what kept them all from it, "" for nothing."""
    try:
        direct(row.salon, row.pk, acts, actor=actor, command=key, version=version)
    except Refusal as refusal:
        return refusal_words(refusal)
    except (StreamMoved, CommandReused):
        return _("somebody else was first; send it again")
    return ""
