"""Entries from a list: each line is entered by itself, and told what became of it; or tried, and nothing is kept."""

import uuid
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import Refusal
from tournament.desk import direct
from tournament.directing.commands import GivePenalty, MakeEntry, NoteSingle, ReplacePlayer
from tournament.directing.entries import sizes
from tournament.directing.lists import ListLine, read_list
from tournament.directing.state import State
from tournament.kinds import TOURNAMENT
from tournament.models import Player, Salon, Tournament
from tournament.outside import Outside
from tournament.queries.players import meant_together
from tournament.recording import decided
from tournament.refusal_words import in_words, refusal_words
from tournament.who import actors_in_words

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A line of a list, and why it was not entered, "" where it was."""

    line: ListLine
    problem: str = ""


def lines_of(state: State, text: str, *, singles: bool) -> Iterator[ListLine]:
    """The lines of a list for this tournament; with `singles` a name alone is somebody who waits for a partner."""
    return read_list(text, players=max(sizes(state)), singles=singles)


def enter_list(row: Tournament, lines: Iterable[ListLine], *, actor: str, command: str) -> Iterator[Reported]:
    """Enter every line that can be read, one after another. The same command again enters nobody twice."""
    for line in lines:
        yield Reported(line=line, problem=in_words(line.problem) if line.problem else _entered(row, line, actor, command))


def try_list(salon: Salon, state: State, lines: Iterable[ListLine], *, actor: str) -> Iterator[Reported]:
    """What would become of every line, entered one after another; nothing is kept."""
    outside, named = Outside(salon), set[str]()
    for line in lines:
        problem = in_words(line.problem) if line.problem else ""
        if line.entry is not None:
            try:
                act = with_known_people(salon, line.entry, actor=actor, also=named)
                _events, state = decided(TOURNAMENT, outside.prepare(act), state)
                named |= {name for _place, name in act.players}
            except Refusal as refusal:
                problem = refusal_words(refusal)
        yield Reported(line=line, problem=problem)


def with_known_people(salon: Salon, act: Any, *, actor: str, also: Set[str] = frozenset()) -> Any:
    """A director's act with names as the salon knows them, or as they are `also` written, and with who gives a penalty.

    Raises NotationError as `meant_together`.
    """
    if isinstance(act, GivePenalty):
        return replace(act, by=actors_in_words(salon, [actor])[actor][:LONGEST_NAME])
    if not isinstance(act, MakeEntry | NoteSingle | ReplacePlayer):
        return act
    names = {*Player.objects.filter(salon=salon).values_list("name", flat=True), *also}
    return replace(act, players=meant_together(act.players, names))


def _entered(row: Tournament, line: ListLine, actor: str, command: str) -> str:
    """Enter one line; what was wrong with it, "" for nothing."""
    if line.heading:
        return ""
    row.refresh_from_db(fields=["version"])
    key = uuid.uuid5(uuid.UUID(command), f"{line.number} {line.text}").hex
    try:
        acts = [with_known_people(row.salon, line.entry, actor=actor)]
        direct(row.salon, row.pk, acts, actor=actor, command=key, version=row.version)
    except Refusal as refusal:
        return refusal_words(refusal)
    except (StreamMoved, CommandReused):
        return _("somebody else was first; send it again")
    return ""
