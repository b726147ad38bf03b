"""The players of a team at each table (formats.md F10): read from a file's tables,
written there again, and checked against the entries.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from scoring.errors import RuleViolation, Sentence, sentence
from scoring.shape import JsonObject, a_list, a_text, an_object, inside
from tournament.domain.names import LONGEST_NAME, plain_name
from tournament.domain.standings.values import Entry, SeatedTable, Stage, Tournament

KEY = "line_ups"


def with_line_ups(tournament: Tournament, rounds: object) -> Tournament:
    """The tournament with the line-ups that stand at the tables of its file's `rounds`, each with
    the entry whose it is. Raises NotationError.
    """
    found: dict[str, dict[int, tuple[str, ...]]] = defaultdict(dict)
    for number, (given, read) in enumerate(
        zip(a_list(rounds, "rounds"), tournament.rounds, strict=True), 1
    ):
        tables = given.get("tables", []) if isinstance(given, dict) else []
        for place, (value, table) in enumerate(zip(tables, read.tables, strict=True)):
            path = f"rounds[{number - 1}].tables[{place}].{KEY}"
            for entry, players in _read_line_ups(value, path, table).items():
                found[entry][number] = (*found[entry].get(number, ()), *players)
    entries = (replace(each, line_ups=tuple(found[each.id].items())) for each in tournament.entries)
    return replace(tournament, entries=tuple(entries)) if found else tournament


def write_line_ups(
    table: SeatedTable, number: int, entries: Mapping[str, Entry], part: tuple[int, int]
) -> JsonObject | None:
    """Return the players of each team at a table of round `number` as a file holds
    them; None if none are known.

    `part` is the place of the table in its match, and the number of tables of that
    match.
    """
    return {
        key: list(entries[key].players_at(number, *part))
        for key in table.entries
        if number in dict(entries[key].line_ups)
    } or None


def check_line_ups(tournament: Tournament, table: SeatedTable, number: int, path: str) -> None:
    """Raise RuleViolation where a line-up is not so many of the team's members, each once at all
    tables of its match, or nobody says who played a result.
    """
    entries = {entry.id: entry for entry in tournament.entries}
    line_up = tournament.stage.players_a_match
    for key in table.entries:
        entry = entries[key]
        players = dict(entry.line_ups).get(number)
        where = inside(f"{path}.{KEY}", key)
        if players is not None:
            _check_players(entry, players, number, tournament.stage, where)
        elif line_up and table.results and not table.forfeit:
            raise _wrong(
                sentence(
                    "who of entry %(entry)s played in round %(number)s? Name %(line_up)s of "
                    "%(members)s",
                    entry=entry.id,
                    number=number,
                    line_up=line_up,
                    members=", ".join(entry.members_in(number)),
                ),
                where,
            )


def check_team(entry: Entry, stage: Stage, path: str) -> None:
    """Raise RuleViolation for a team that has fewer members than play in a round."""
    if len(entry.players) < stage.players_a_match:
        if stage.tables_a_match > 1:
            raise RuleViolation(
                "bad_entry",
                "%(line_up)s of a team play at the %(tables)s tables of a match; entry %(entry)s "
                "has %(players)s",
                path=f"{path}.players",
                line_up=stage.players_a_match,
                tables=stage.tables_a_match,
                entry=entry.id,
                players=len(entry.players),
            )
        raise RuleViolation(
            "bad_entry",
            "%(line_up)s of a team play at a table; entry %(entry)s has %(players)s",
            path=f"{path}.players",
            line_up=stage.line_up,
            entry=entry.id,
            players=len(entry.players),
        )


def _read_line_ups(value: object, path: str, table: SeatedTable) -> dict[str, tuple[str, ...]]:
    given = value.get(KEY) if isinstance(value, dict) else None
    if given is None:
        return {}
    return {
        key: tuple(
            plain_name(
                a_text(name, f"{inside(path, key)}[{seat}]", shortest=1, longest=LONGEST_NAME)
            )
            for seat, name in enumerate(a_list(names, inside(path, key)))
        )
        for key, names in an_object(given, path, keys=table.entries).items()
    }


def _check_players(
    entry: Entry, players: tuple[str, ...], number: int, stage: Stage, path: str
) -> None:
    line_up, tables = stage.players_a_match, stage.tables_a_match
    if not line_up:
        message = sentence(
            "all of an entry play at a table here; line-ups are for a stage with `line_up`"
        )
        raise _wrong(message, path)
    for seat, player in enumerate(players):
        if player not in entry.members_in(number):
            message = sentence(
                "%(stranger)s is no member of entry %(entry)s; name %(line_up)s of %(members)s",
                stranger=player,
                entry=entry.id,
                line_up=line_up,
                members=", ".join(entry.members_in(number)),
            )
            raise _wrong(message, f"{path}[{seat}]")
    if len(players) != line_up or len(set(players)) < line_up:
        message = sentence(
            "%(line_up)s of entry %(entry)s play at a table, each once; name %(line_up)s of "
            "%(members)s",
            entry=entry.id,
            line_up=line_up,
            members=", ".join(entry.members_in(number)),
        )
        if tables > 1:
            message = sentence(
                "%(line_up)s of entry %(entry)s play at the %(tables)s tables of a match, each "
                "once; name %(line_up)s of %(members)s",
                entry=entry.id,
                line_up=line_up,
                tables=tables,
                members=", ".join(entry.members_in(number)),
            )
        raise _wrong(message, path)


def _wrong(message: Sentence, path: str) -> RuleViolation:
    return RuleViolation("bad_line_up", message, rule="F10", path=path)
