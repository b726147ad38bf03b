"""Captains of teams played by chance (F10): each hands in who plays, late, anew, wrongly or never;
the director opens what is complete, or what is missing.
"""

import uuid

from scoring.errors import RuleViolation
from tournament.demo.attendance import stand_in
from tournament.demo.tables import Evening
from tournament.domain.tournament.lookups import line_ups_are_open
from tournament.domain.tournament.state import EntryState, TableState
from tournament.domain.tournament.team_line_ups import HandInLineUp, OpenLineUps
from tournament.recording.tournaments import direct
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience

# How often a captain does so, in a hundred.
LATE, NEVER, ANEW, A_STRANGER, AFTERWARDS = 12, 6, 15, 4, 5
CAPTAIN = "captain"


def hand_in(evening: Evening, number: int, *, troubled: bool) -> list[TableState]:
    """The captains of a round hand in their line-ups, which open by themselves where both are in;
    the tables of the round in the order in which they can play.
    """
    each = evening.state.rounds[number - 1]
    if not evening.state.stage.line_up:
        return list(each.tables)
    late: list[TableState] = []
    for table in each.tables:
        if troubled and evening.goes_wrong(LATE, "line_ups_handed_in_late"):
            late.append(table)
        else:
            line_ups_of(evening, number, table, troubled=troubled)
    return [*(table for table in each.tables if table not in late), *late]


def line_ups_of(evening: Evening, number: int, table: TableState, *, troubled: bool) -> None:
    """The line-ups of a table, one after the other; where one never comes the director opens
    them.
    """
    if line_ups_are_open(evening.state, number, table):
        return
    for key in table.entries:
        if troubled and evening.goes_wrong(NEVER, "line_ups_that_never_came"):
            continue
        if troubled and evening.goes_wrong(A_STRANGER):
            _refused(evening, number, key, ("Nobody At All",), "line_ups_of_strangers")
        _hands_in(evening, number, key, _choose_players(evening, number, key))
        waits = not line_ups_are_open(evening.state, number, table)
        if troubled and waits and evening.goes_wrong(ANEW, "line_ups_handed_in_anew"):
            _hands_in(evening, number, key, _choose_players(evening, number, key))
    if not line_ups_are_open(evening.state, number, table):
        opened = OpenLineUps(round=number, table=table.table)
        evening.does(opened, counted="line_ups_opened_by_the_director")
    if troubled and evening.goes_wrong(AFTERWARDS):
        _afterwards(evening, number, evening.rng.choice(table.entries))


def _hands_in(evening: Evening, number: int, key: str, members: tuple[str, ...]) -> None:
    """Record what a captain hands in, on top of whatever there is by now; it may open the table."""
    act = HandInLineUp(round=number, entry=key, members=members)
    key, version = uuid.uuid4().hex, evening.version
    direct(evening.salon, evening.stream, [act], actor=CAPTAIN, command=key, version=version)
    evening.catches_up()
    evening.happened["line_ups"] += 1


def _refused(evening: Evening, number: int, key: str, members: tuple[str, ...], what: str) -> None:
    """A line-up that is turned away."""
    try:
        _hands_in(evening, number, key, members)
    except RuleViolation as refusal:
        if refusal.code not in ("bad_line_up", "line_ups_open"):
            raise
        evening.happened[what] += 1


def _afterwards(evening: Evening, number: int, key: str) -> None:
    """A captain wants another line-up when all are open: that is refused, and somebody stands in
    for one round.
    """
    _refused(
        evening, number, key, _choose_players(evening, number, key), "line_ups_after_they_were_open"
    )
    entry = _entry(evening, key)
    if evening.stand_ins:
        place, _player = evening.rng.choice(entry.players_in(number))
        stand_in(evening, entry, place, number, once=True)


def _choose_players(evening: Evening, number: int, key: str) -> tuple[str, ...]:
    """The names of so many of a team as play, in an order of chance."""
    members = [player for _place, player in _entry(evening, key).members_in(number)]
    chosen = evening.rng.sample(members, evening.state.stage.players_a_match)
    names = names_of(evening.salon, chosen, Audience.SALON)
    return tuple(names[player] for player in chosen)


def _entry(evening: Evening, key: str) -> EntryState:
    entry = evening.state.entry(key)
    assert entry is not None
    return entry
