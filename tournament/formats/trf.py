"""A Swiss or round robin as TRF16, FIDE's tournament report file (Handbook C.04, annex 2).

An entry is one player there: a pair stands under both names. Who sat first at a table had white.
The report knows wins, draws, losses and byes only, so an event is reported when its scale is
`match`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.errors import RuleViolation, sentence
from tournament.domain.standings import results_by_round
from tournament.domain.standings.ranking import Standings
from tournament.domain.standings.values import HUNDREDTHS, Entry, Scale, Tournament

LONGEST_NAME = 33
MOST_RATING = 9999
ABSENT = "0000 - -"
NOT_PLAYED = {"pairing": "0000 - U", "full": "0000 - F", "half": "0000 - H", "zero": "0000 - Z"}
MISSING = "0000 -  "
KINDS = {"swiss": "Individual: Swiss-System", "round_robin": "Individual: Round-Robin"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Header above the players; dates are `YYYY/MM/DD`, "" if unknown."""

    name: str
    place: str = ""
    begins: str = ""
    ends: str = ""


def trf_of(
    header: Header, tournament: Tournament, table: Standings, names: Mapping[str, str]
) -> str:
    """The report after the rounds that the standings count; entries are numbered in the order in
    which they were made.

    Raises RuleViolation `bad_format` for an event of another scale than `match`, or one that isn't
    Swiss or round robin.
    """
    if tournament.stage.scale.kind != "match" or tournament.stage.kind not in KINDS:
        message = sentence(
            "TRF16 tells wins, draws and losses of a Swiss or a round robin: the scale of "
            "this tournament has to be match"
        )
        raise RuleViolation("bad_format", message, rule="tournaments", path="stage.scale")
    numbers = {entry.id: number for number, entry in enumerate(tournament.entries, start=1)}
    report = _Report(tournament=tournament, table=table, names=names, numbers=numbers)
    return "".join(
        f"{line.rstrip()}\n" for line in (*_header(header, tournament, table), *report.players())
    )


def _header(header: Header, tournament: Tournament, table: Standings) -> Iterator[str]:
    rated = sum(entry.rating is not None for entry in tournament.entries)
    yield f"012 {_one_line(header.name)}"
    yield f"022 {_one_line(header.place)}"
    yield f"042 {header.begins}"
    yield f"052 {header.ends}"
    yield f"062 {len(tournament.entries)}"
    yield f"072 {rated}"
    yield "082 0"
    yield f"092 {KINDS[tournament.stage.kind]}"
    yield f"XXR {tournament.stage.rounds or table.after_round}"
    yield from _scale_record(tournament)
    numbers = {entry.id: number for number, entry in enumerate(tournament.entries, start=1)}
    for each in tournament.adjustments:
        points = f"{each.points / HUNDREDTHS:>4.1f}"
        yield f"299          {points}  {each.after_round:>3} {numbers[each.entry]:>4}"


def _scale_record(tournament: Tournament) -> Iterator[str]:
    """Yield the points for each result if they aren't the usual ones: record 162 of TRF26."""
    scale = tournament.stage.scale
    bye = scale.win if tournament.stage.kind == "swiss" else 0
    if (scale.win, scale.draw, scale.loss, scale.bye) != (100, 50, 0, bye):
        worth = {"W": scale.win, "D": scale.draw, "L": scale.loss, "P": scale.bye}
        parts = (f" {key}{points / HUNDREDTHS:>4.1f}   " for key, points in worth.items())
        yield f"162 {''.join(parts)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """The lines of the players of one tournament."""

    tournament: Tournament
    table: Standings
    names: Mapping[str, str]
    numbers: Mapping[str, int]

    def players(self) -> Iterator[str]:
        standing = {row.entry: row for row in self.table.rows}
        played = results_by_round.courses(self.tournament)
        for entry in self.tournament.entries:
            by_round = {line.round: line for line in played[entry.id]}
            cells = [
                self._cell(entry, by_round.get(number), number)
                for number in range(1, self.table.after_round + 1)
            ]
            row = standing[entry.id]
            yield self._player(entry, row.points or 0, row.rank) + "".join(
                f"  {cell}" for cell in cells
            )

    def _player(self, entry: Entry, points: int, rank: int) -> str:
        """Columns 1 to 89 of the annex: number, name, rating, points, rank."""
        name = _one_line(self.names[entry.id])[:LONGEST_NAME]
        rating = "" if entry.rating is None or entry.rating > MOST_RATING else entry.rating
        return (
            f"001 {self.numbers[entry.id]:>4}      {name:<33} "
            f"{rating:>4}{'':28}{points / HUNDREDTHS:>4.1f} {rank:>4}"
        )

    def _cell(self, entry: Entry, line: results_by_round.Line | None, number: int) -> str:
        """The opponent, the colour and the result of a round, as columns 92 to 99."""
        if line is not None and line.kind in NOT_PLAYED:
            byes = self.tournament.rounds[number - 1].byes
            has_asked = any(bye.entry == entry.id for bye in byes)
            return NOT_PLAYED[line.kind] if has_asked else ABSENT
        seated = next(
            (
                table.entries
                for table in self.tournament.rounds[number - 1].tables
                if entry.id in table.entries
            ),
            (),
        )
        other = next((each for each in seated if each != entry.id), None)
        if other is None:
            return MISSING
        colour = "w" if seated[0] == entry.id else "b"
        return f"{self.numbers[other]:>4} {colour} {_result(self.tournament.stage.scale, line)}"


def _result(scale: Scale, line: results_by_round.Line | None) -> str:
    if line is None:
        return " "
    if line.kind == results_by_round.PLAYED:
        return "1" if line.points == scale.win else "0" if line.points == scale.loss else "="
    return {results_by_round.FORFEIT_WON: "+", results_by_round.FORFEIT_LOST: "-"}[line.kind]


def _one_line(text: str) -> str:
    return " ".join(text.split())
