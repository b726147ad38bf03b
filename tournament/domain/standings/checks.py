"""Checks of a tournament: players in two entries, entries where they aren't,
results that contradict themselves.
"""

from collections.abc import Iterator

from scoring.errors import RuleViolation, Sentence, sentence
from tournament.domain.standings.board_checks import check_boards
from tournament.domain.standings.count_bounds import TRICKS, Wrong
from tournament.domain.standings.formats import plays_alone
from tournament.domain.standings.line_ups import check_line_ups, check_team
from tournament.domain.standings.result_bounds import (
    find_excess_meeting,
    wrong_with,
    wrong_with_byes,
)
from tournament.domain.standings.scales import NEEDED, Leads, counts, leads_of
from tournament.domain.standings.stage_checks import check_fields, check_sequence, parts_of
from tournament.domain.standings.team_matches import check_parts, join_matches
from tournament.domain.standings.values import Entry, Round, SeatedTable, Tournament

TWO_SIDED = ("swiss", "round_robin", "movement", "knockout", "duplicate")


def sizes_at(tournament: Tournament) -> tuple[int, ...]:
    """Return the numbers of entries that a table of this stage may have."""
    if plays_alone(tournament.stage, tournament.game):
        return (1,)
    if tournament.stage.kind in TWO_SIDED:
        return (2,)
    if tournament.stage.kind == "rotating":
        return (4,)
    return (3, 4, 5) if tournament.stage.kind == "pods" else (1, 2, 3, 4, 5)


def check_tournament(tournament: Tournament) -> None:
    """Raise the first RuleViolation: of the entries, then round by round, then of the stages and
    the adjustments.
    """
    known = _check_entries(tournament)
    for place, entry in enumerate(tournament.entries):
        check_team(entry, tournament.stage, f"entries[{place}]")
    check_sequence(tournament, set(known))
    for part, before in parts_of(tournament):
        _check_rounds(part, known, before)
    check_fields(join_matches(tournament))
    for place, adjustment in enumerate(tournament.adjustments):
        _check_entry_known(adjustment.entry, known, f"adjustments[{place}].entry")


def _check_rounds(stage: Tournament, known: dict[str, Entry], before: int) -> None:
    """The rounds of one stage, after so many of the stages before it."""
    last = stage.stage.rounds
    for place, tables in enumerate(stage.rounds):
        path = f"rounds[{before + place}]"
        if last is not None and place >= last:
            raise RuleViolation(
                "game_over",
                "the stage has %(last)s rounds; this is round %(round)s",
                path=path,
                last=last,
                round=place + 1,
            )
        several = stage.stage.tables_a_match > 1
        _check_seating(tables, known, before + place + 1, path, several=several)
        check_parts(stage.stage, tables.tables, path)
        byes = wrong_with_byes(stage.stage, tables.byes)
        if byes is not None:
            raise _violation(byes[1], f"{path}.byes[{byes[0]}].{byes[1].field}")
        leads = leads_of(stage.stage.scale, tables.tables)
        for seat, table in enumerate(tables.tables):
            check_table(stage, table, leads, f"{path}.tables[{seat}]")
            check_line_ups(stage, table, before + place + 1, f"{path}.tables[{seat}]")
    again = find_excess_meeting(stage.stage, join_matches(stage).rounds)
    if again is not None:
        number, match, wrong = again
        place = match * stage.stage.tables_a_match
        raise _violation(wrong, f"rounds[{before + number - 1}].tables[{place}].entries")


def _violation(wrong: Wrong, path: str) -> RuleViolation:
    return RuleViolation(wrong.code, wrong.message, rule=wrong.rule, path=path)


def _check_entries(tournament: Tournament) -> dict[str, Entry]:
    entries = tournament.entries
    known: dict[str, Entry] = {}
    of_player: dict[str, str] = {}
    for place, entry in enumerate(entries):
        path = f"entries[{place}]"
        if entry.id in known:
            raise RuleViolation(
                "entry_twice", "the entry %(entry)s stands twice", path=f"{path}.id", entry=entry.id
            )
        known[entry.id] = entry
        for seat, player in enumerate(entry.players):
            if player in of_player:
                where = (
                    f"of entry {of_player[player]} too"
                    if of_player[player] != entry.id
                    else "twice of this entry"
                )
                message = sentence(
                    "%(player)s is a player %(where)s; everybody plays once",
                    player=player,
                    where=where,
                )
                raise RuleViolation("player_twice", message, path=f"{path}.players[{seat}]")
            of_player[player] = entry.id
        _check_earlier(entry, path)
        _check_presence(entry, path)
        _check_left_out(entry, tournament, path)
    return known


def _check_earlier(entry: Entry, path: str) -> None:
    """Check that the earlier line-ups have as many people, each up to a later round
    than the one before.
    """
    begins = entry.joined_in
    for place, (last, players) in enumerate(entry.earlier):
        if last < begins:
            message = sentence(
                "rounds in order are expected here, %(begins)s or later for entry %(entry)s",
                begins=begins,
                entry=entry.id,
            )
            raise RuleViolation("bad_entry", message, path=f"{path}.earlier[{place}].until")
        if len(set(players)) != len(entry.players):
            message = sentence(
                "entry %(entry)s has %(players)s different players in every round",
                entry=entry.id,
                players=len(entry.players),
            )
            raise RuleViolation("bad_entry", message, path=f"{path}.earlier[{place}].players")
        begins = last + 1
    if entry.entered and entry.entered not in (entry.players, *dict(entry.earlier).values()):
        message = sentence(
            "those whom entry %(entry)s was entered with play in no round of it; leave "
            "`entered` out",
            entry=entry.id,
        )
        raise RuleViolation("bad_entry", message, path=f"{path}.entered")


def _check_left_out(entry: Entry, tournament: Tournament, path: str) -> None:
    """Games are left out of round robins alone, and of those who left them."""
    stages = tournament.stages or (tournament.stage,)
    for place, number in enumerate(entry.left_out):
        is_robin = number <= len(stages) and stages[number - 1].kind == "round_robin"
        if not is_robin or entry.withdrawn_after is None or number in entry.left_out[:place]:
            message = sentence(
                "the games of %(entry)s can be left out once of a round robin that it left; stage "
                "%(stage)s is none",
                entry=entry.id,
                stage=number,
            )
            raise RuleViolation("bad_entry", message, path=f"{path}.left_out[{place}]")


def _check_presence(entry: Entry, path: str) -> None:
    left = entry.withdrawn_after
    if left is not None and left < entry.joined_in - 1:  # before its first round it may leave
        message = sentence(
            "%(entry)s joined in round %(joined_in)s and can't have withdrawn after round "
            "%(left)s, before it played",
            entry=entry.id,
            joined_in=entry.joined_in,
            left=left,
        )
        raise RuleViolation("bad_withdrawal", message, path=f"{path}.withdrawn_after")
    for place, number in enumerate(entry.away):
        if not entry.is_in(number) or number in entry.away[:place]:
            message = sentence(
                "%(entry)s can be away once from a round it takes part in; round %(number)s is "
                "none",
                entry=entry.id,
                number=number,
            )
            raise RuleViolation("bad_withdrawal", message, path=f"{path}.away[{place}]")


def _check_seating(
    tables: Round, known: dict[str, Entry], number: int, path: str, *, several: bool
) -> None:
    """Everybody in the round is an entry, takes part in it, and is in it once, at `several` tables
    against the same; table numbers are different.
    """
    seen: dict[str, frozenset[str]] = {}
    for entry, where, may_be_away, those in _everybody(tables):
        _check_entry_known(entry, known, f"{path}.{where}")
        if entry in seen and not (several and len(those) > 1 and seen[entry] == those):
            raise RuleViolation(
                "seated_twice",
                "%(entry)s is in round %(number)s twice",
                path=f"{path}.{where}",
                entry=entry,
                number=number,
            )
        seen[entry] = those
        if not may_be_away and not known[entry].plays_in(number):
            raise RuleViolation(
                "not_playing", _why_not(known[entry], number), path=f"{path}.{where}"
            )
    numbers: set[int] = set()
    for place, table in enumerate(tables.tables):
        if table.table in numbers:
            message = sentence(
                "table %(table)s stands twice in round %(number)s", table=table.table, number=number
            )
            raise RuleViolation("table_twice", message, path=f"{path}.tables[{place}].table")
        numbers.add(table.table)


def _everybody(tables: Round) -> Iterator[tuple[str, str, bool, frozenset[str]]]:
    """Every entry of a round, where it stands, whether it may be away, and all of its table."""
    for place, table in enumerate(tables.tables):
        yield from (
            (entry, f"tables[{place}].entries[{seat}]", False, frozenset(table.entries))
            for seat, entry in enumerate(table.entries)
        )
    for place, bye in enumerate(tables.byes):
        yield bye.entry, f"byes[{place}].entry", bye.kind in ("half", "zero"), frozenset()


def _check_entry_known(entry: str, known: dict[str, Entry], path: str) -> None:
    if entry not in known:
        raise RuleViolation("unknown_entry", "there is no entry %(entry)s", path=path, entry=entry)


def _why_not(entry: Entry, number: int) -> Sentence:
    if number < entry.joined_in:
        return sentence(
            "%(entry)s joins in round %(joined)s and can't be seated in round %(round)s",
            entry=entry.id,
            joined=entry.joined_in,
            round=number,
        )
    if number in entry.away:
        return sentence(
            "%(entry)s is away in round %(round)s and can't be seated", entry=entry.id, round=number
        )
    left = entry.withdrawn_after
    return sentence(
        "%(entry)s withdrew after round %(left)s and can't be seated in round %(round)s",
        entry=entry.id,
        left=left,
        round=number,
    )


def check_table(tournament: Tournament, table: SeatedTable, leads: Leads, path: str) -> None:
    """Raise RuleViolation where a table has not the entries its stage seats, or a result
    contradicts itself or the scale.
    """
    sizes = sizes_at(tournament)
    if len(table.entries) not in sizes:
        message = sentence(
            "%(sizes)s entries meet at a table of this stage, not %(entries)s",
            sizes=" or ".join(map(str, sizes)),
            entries=len(table.entries),
        )
        if sizes == (2,):
            message = sentence(
                "two entries meet at a table of this stage, not %(entries)s",
                entries=len(table.entries),
            )
        raise RuleViolation("bad_table", message, path=f"{path}.entries")
    if not table.results:
        return
    scale = tournament.stage.scale
    for entry, result in zip(table.entries, table.results, strict=True):
        if table.forfeit and result.points is None:
            message = sentence(
                "nobody played here: the points of %(entry)s have to be given", entry=entry
            )
            raise RuleViolation("bad_result", message, path=f"{path}.result.{entry}.points")
        if not counts(scale, result):
            message = sentence(
                "the points of %(entry)s, or what they follow from (%(needed)s), are missing",
                entry=entry,
                needed=NEEDED[scale.kind],
            )
            raise RuleViolation("bad_result", message, path=f"{path}.result.{entry}")
    check_boards(tournament.stage, table, path, tournament.game)
    wrong = wrong_with(scale, table, leads, game=tournament.game)
    if wrong is not None:
        beside = f"result.{table.entries[wrong.place]}." if wrong.place is not None else ""
        field = "result" if wrong.field == TRICKS and wrong.place is None else wrong.field
        message = sentence("table %(table)s: %(message)s", table=table.table, message=wrong.message)
        raise _violation(wrong._replace(message=message), f"{path}.{beside}{field or 'result'}")
