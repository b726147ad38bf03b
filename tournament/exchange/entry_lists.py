"""Entries from a list: those lines that can be are entered together, and each is told what became
of it; or tried, and nothing is kept.
"""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Min
from django.utils.translation import gettext as _

from ledger.drafts import CommandReused, StreamMoved
from ledger.models import Event
from scoring.errors import NotationError, Refusal
from tournament.domain.names import folded, note_of, plain_name, without_note
from tournament.domain.tournament.entries import MakeEntry, sizes
from tournament.domain.tournament.entry_order import Columns, ListLine, ListReading
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.singles import NoteSingle
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.models import Player, Salon, Tournament
from tournament.queries.players import all_names, match_names
from tournament.queries.refusal_text import in_words, refusal_words
from tournament.recording.door import decide_and_fold
from tournament.recording.private_data import PrivateData
from tournament.recording.rulings import name_in_records
from tournament.recording.tournaments import direct
from tournament.salons.persons import find_offered_persons
from tournament.salons.players import note_list
from tournament.streams.folds import fold_at, fold_of
from tournament.streams.types import TOURNAMENT

LONGEST_NAME = 80
NO_NOTE = " ()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A line of a list, and why it was not entered, "" where it was; `act` is what it asks for with
    names as the salon knows them.
    """

    line: ListLine
    problem: str = ""
    act: Any = None

    @property
    def players(self) -> tuple[str, ...]:
        """The players that the line names, as the salon knows them."""
        asked = self.act or self.line.entry
        return tuple(name for _place, name in asked.players) if asked else ()


def reading_for(
    state: State, *, singles: bool, turned: bool = False, columns: Columns | None = None
) -> ListReading:
    """Return the way a list is read for this tournament; with `singles` a name alone is a
    player waiting for a partner, with `turned` surnames come first.
    """
    return ListReading(
        players=max(sizes(state)),
        fewest=state.stage.players_a_match or None,
        singles=singles,
        turned=turned,
        columns=columns,
    )


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
    named = {name for act in acts for _place, name in act.players}
    known = set(
        Player.objects.filter(salon=row.salon, name__in=named).values_list("name", flat=True)
    )
    problem = _record_acts(row, acts, actor, key, folded.version)
    if not problem:
        note_list(row.salon, named - known)
    return [
        replace(each, problem=problem)
        if problem and each.act is not None and not each.problem
        else each
        for each in tried
    ]


def try_list(
    salon: Salon, state: State, lines: Iterable[ListLine], *, actor: str
) -> Iterator[Reported]:
    """Try every line, entered one after another, and report the outcome; nothing is kept."""
    private, named, known = PrivateData(salon), set[str](), all_names(salon)
    for line in lines:
        problem, act = in_words(line.problem) if line.problem else "", None
        if line.entry is not None:
            try:
                entry = _disambiguate_players(line.entry, known)
                act = with_known_people(salon, entry, actor=actor, also=named)
                _events, state = decide_and_fold(TOURNAMENT, private.prepare(act), state)
                named |= {name for _place, name in act.players}
            except Refusal as refusal:
                problem = refusal_words(refusal)
        yield Reported(line=line, problem=problem, act=act)


def with_known_people[Asked: Command](
    salon: Salon, act: Asked, *, actor: str, also: Set[str] = frozenset()
) -> Asked:
    """A director's act with names as the salon knows them, or as they are `also` written, and with
    who gives a penalty.

    Raises NotationError as `match_names`.
    """
    if isinstance(act, GivePenalty):
        return replace(act, by=name_in_records(salon, actor))
    if not isinstance(act, MakeEntry | NoteSingle | ReplacePlayer):
        return act
    names = {*find_offered_persons(salon).values_list("name", flat=True), *also}
    return replace(act, players=match_names(act.players, names))


def _disambiguate_players(
    act: MakeEntry | NoteSingle, names: Collection[str]
) -> MakeEntry | NoteSingle:
    """An act of a list with the people that it means where several have one name: the club says so,
    a note, or `()` for the one without a note. Raises NotationError where nothing says which.
    """
    by_name: dict[str, list[str]] = {}
    for name in names:
        if without_note(name) != name:
            by_name.setdefault(folded(without_note(name)), []).append(name)
    if not by_name:
        return act
    club = folded(act.club or "")
    players = tuple(
        (place, _one_of_several(place, name, club, by_name, names)) for place, name in act.players
    )
    return replace(act, players=players)


def _one_of_several(
    place: str,
    written: str,
    club: str,
    by_name: Mapping[str, Sequence[str]],
    names: Collection[str],
) -> str:
    name = plain_name(written)
    if name.endswith(NO_NOTE):
        return name.removesuffix(NO_NOTE)
    namesakes = by_name.get(folded(name), ())
    if not namesakes:
        return written
    of_club = [each for each in namesakes if club and folded(note_of(each)) == club]
    if len(of_club) == 1:
        return of_club[0]
    plain = [f"{each}{NO_NOTE}" for each in names if folded(each) == folded(name)]
    message = _("several people are called so; write which one is meant: %(names)s") % {
        "names": "; ".join([*plain, *namesakes])
    }
    raise NotationError(message, path=f"players.{place}")


def _record_acts(
    row: Tournament, acts: Sequence[Command], actor: str, key: str, version: int
) -> str:
    """Record these acts; what kept them all from it, "" for nothing."""
    try:
        direct(row.salon, row.pk, acts, actor=actor, command=key, version=version)
    except Refusal as refusal:
        return refusal_words(refusal)
    except (StreamMoved, CommandReused):
        return _("somebody else was first; send it again")
    return ""
