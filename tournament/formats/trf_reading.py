"""TRF16 and what is plain of TRF26, FIDE's tournament report files, read as salon-tournament/1.

Read are the players with their rounds (001), the name (012), the kind (092, 192), the number of
rounds (142, XXR), the scale (162, XXS), tie-breaks (202), byes (240) and points given by hand
(299). Reports of teams are refused; every other record says nothing of who met whom and is passed
over.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.errors import NotationError, Sentence, sentence
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.domain.names import plain_name

FORMAT = "salon-tournament/1"
DEFAULT_GAME = next(iter(GAMES))
PLAYER_LINE = re.compile(r"001 [ 0-9]{3}[0-9](?: |$)")
MAX_LETTERS = 8_000_000
MAX_PLAYERS, MAX_ROUNDS, MAX_RATING = 5_000, 200, 10_000
FIRST_CELL, CELL = 91, 10  # characters before the first round, and of each
TEAMS = ("013", "300", "310", "320", "330", "362")
PLAYED = {"1": "win", "W": "win", "=": "draw", "D": "draw", "0": "loss", "L": "loss"}
FORFEITS = {"+": "win", "-": "absent"}
BYES = {"U": "pairing", "F": "full", "H": "half", "Z": "zero"}
POINTS = {"win": 100, "draw": 50, "loss": 0, "absent": 0}
BY_LETTER = {"W": "win", "D": "draw", "L": "loss", "A": "absent", "P": "bye"}
# Of programs that write TRF16 with an extension of their own.
BY_WORD = {
    **dict.fromkeys(("W", "WW", "BW"), "win"),
    **dict.fromkeys(("D", "WD", "BD"), "draw"),
    **dict.fromkeys(("L", "WL", "BL"), "loss"),
    **dict.fromkeys(("FL", "ZPB"), "absent"),
    "PAB": "bye",
}
TIE_BREAKS = {
    "BH": "buchholz",
    "BH/C1": "buchholz_cut_1",
    "SB": "sonneborn_berger",
    "PS": "progressive",
    "DE": "direct_encounter",
    "WIN": "wins",
    "KS": "koya",
}
A_POINT = re.compile(r"-?[0-9]{1,3}(?:[.,][0-9]{1,2})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A round of a player: whom it met ("" nobody), its colour and its result."""

    line: int
    column: int
    opponent: str
    colour: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player record (001): `line` is its number in the file, `points` are hundredths, None where
    it says none.
    """

    line: int
    number: str
    name: str
    rating: int | None
    points: int | None
    cells: tuple[Cell, ...]


@dataclass(slots=True, kw_only=True)
class Report:
    """Content of the records of a report; `scale` in hundredths by result, `given` are
    (entry, points, round) triples of points given by hand.
    """

    players: list[PlayerLine] = field(default_factory=list)
    name: str = ""
    kinds: list[str] = field(default_factory=list)
    rounds: int | None = None
    scale: dict[str, int] = field(default_factory=dict)
    tie_breaks: list[str] = field(default_factory=list)
    byes: list[tuple[int, str, str]] = field(default_factory=list)
    given: list[tuple[str, int, int]] = field(default_factory=list)
    is_corrected: bool = False


def is_trf(text: str) -> bool:
    """Whether a text is a tournament report: it has a player record in its columns."""
    return any(PLAYER_LINE.match(line) for line in text.splitlines() if line.startswith("001"))


def list_of_players(text: str) -> str:
    """The players of a report as a list of entries: a heading, then a name and a rating a line.

    Raises NotationError.
    """
    rows = [f"{_in_quotes(each.name)};{each.rating or ''}" for each in _read_report(text).players]
    return "\n".join(("Name;Rating", *rows))


def read_trf(text: str, *, game: str = DEFAULT_GAME) -> JsonObject:
    """A report as a tournament of the form salon-tournament/1.

    Raises NotationError with line and column for what can't be read or contradicts itself.
    """
    report = _read_report(text)
    rounds = [_round_of(report, number) for number in range(1, _last_played(report) + 1)]
    kind = _kind_of(report)
    scale = _scale_of(report, kind)
    if not report.is_corrected:
        _check_points(report, len(rounds), scale)
    name = plain_name(report.name)[:80] or "Tournament"
    worth = {result: _plain(scale[result]) for result in ("win", "draw", "loss", "bye")}
    stage: dict[str, object] = {
        "kind": kind,
        "scale": {"kind": "match", **worth},
        "tie_breaks": list(dict.fromkeys(report.tie_breaks)),
    }
    if kind == "swiss":
        if _is_by_rating(report.players):
            stage["seeding"] = "slide"
        stage["rounds"] = max(report.rounds or 1, len(rounds))
    elif _meets_twice(rounds):
        stage["double"] = True
    value: dict[str, object] = {
        "format": FORMAT,
        "id": _id_of(name, text),
        "name": name,
        "game": game,
        "stage": stage,
        "entries": [_entry_of(each) for each in _number_namesakes(report.players)],
        "rounds": [_write_round(each, scale) for each in rounds],
    }
    if report.given:
        value["adjustments"] = [
            {
                "entry": entry,
                "points": _plain(points),
                "reason": "as its report says",
                "by": "its report",
                "after_round": min(after, len(rounds)),
            }
            for entry, points, after in report.given
        ]
    return value


def _read_report(text: str) -> Report:
    if len(text) > MAX_LETTERS:
        raise NotationError(
            "a report has %(most)s million characters at most", most=MAX_LETTERS // 1_000_000
        )
    report = Report()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
        _read_record(report, number, line)
    if not report.players:
        raise NotationError("a report has players, in records that begin with 001; this has none")
    _check_numbers(report.players)
    return report


def _read_record(report: Report, number: int, line: str) -> None:
    tag, rest = line[:3], line[4:].strip()
    if tag == "001":
        if len(report.players) >= MAX_PLAYERS:
            raise _wrong(
                number, 1, sentence("a report has %(most)s players at most", most=MAX_PLAYERS)
            )
        report.players.append(_read_player(number, line))
    elif tag in TEAMS and rest:
        raise _wrong(
            number,
            1,
            sentence(
                "record %(tag)s is of teams; only reports of single entries are read", tag=tag
            ),
        )
    elif tag == "012":
        report.name = report.name or rest
    elif tag in ("092", "192"):
        report.kinds.append(rest.casefold())
    elif tag in ("142", "XXR"):
        report.rounds = _a_number(rest.split(" ")[0], number, 5, 1, MAX_ROUNDS)
    elif tag == "162":
        _read_scale(report, number, line)
    elif tag == "XXS":
        _read_scale_in_words(report, number, rest)
    elif tag == "202":
        codes = re.split(r"[\s,;]+", rest)
        report.tie_breaks += [TIE_BREAKS[code] for code in codes if code in TIE_BREAKS]
    elif tag == "240":
        _read_byes(report, number, line)
    elif tag == "299":
        _read_given(report, number, line)


def _read_player(number: int, line: str) -> PlayerLine:
    """A player record by its columns."""
    start = _a_number(line[4:8].strip(), number, 5, 1, 9999)
    name = plain_name(line[14:47])
    if not name:
        raise _wrong(
            number, 15, sentence("the name of the player is expected here, in columns 15 to 47")
        )
    rating = line[48:52].strip()
    points = line[80:84].strip()
    if points and not A_POINT.fullmatch(points):
        raise _no_points(number, 81, points)
    return PlayerLine(
        line=number,
        number=str(start),
        name=name,
        rating=_a_number(rating, number, 49, 0, MAX_RATING) or None if rating else None,
        points=_hundredths(points) if points else None,
        cells=tuple(_cells(number, line)),
    )


def _cells(number: int, line: str) -> Iterator[Cell]:
    line = line.rstrip()
    count = -(-max(0, len(line) - FIRST_CELL) // CELL)
    if count > MAX_ROUNDS:
        raise _wrong(
            number,
            FIRST_CELL + 1,
            sentence("a report has %(most)s rounds at most", most=MAX_ROUNDS),
        )
    for place in range(count):
        column = FIRST_CELL + CELL * place
        cell = line[column : column + CELL].ljust(CELL)
        gaps = (4, 6, 8, 9) if place + 1 < count else (4, 6)
        if any(cell[gap] != " " for gap in gaps):
            raise _wrong(
                number,
                column + 1,
                sentence(
                    "round %(round)s is expected here as “  12 w 1”: the opponent in four columns, "
                    "colour and result in one each, not “%(cell)s”",
                    round=place + 1,
                    cell=cell.strip(),
                ),
            )
        opponent = cell[:4].strip()
        if opponent:
            opponent = str(_a_number(opponent, number, column + 1, 0, 9999))
        yield Cell(
            line=number,
            column=column + 1,
            opponent="" if opponent == "0" else opponent,
            colour=_one_of(cell[5].lower(), "wb- ", number, column + 6),
            result=_one_of(cell[7].upper(), "1=0+-WDLHFUZ ", number, column + 8),
        )


def _read_scale(report: Report, number: int, line: str) -> None:
    """Record 162: a letter in column 6, its points in columns 7 to 10, and so on every nine."""
    for column in range(5, len(line.rstrip()), 9):
        letter, points = line[column : column + 1], line[column + 1 : column + 5].strip()
        if letter.strip():
            _set_points(report, number, column + 1, BY_LETTER.get(letter.upper(), ""), points)


def _read_scale_in_words(report: Report, number: int, rest: str) -> None:
    for word in rest.split():
        code, _sign, points = word.partition("=")
        _set_points(report, number, 5, BY_WORD.get(code.upper(), ""), points)


def _set_points(report: Report, number: int, column: int, result: str, points: str) -> None:
    if not A_POINT.fullmatch(points):
        raise _no_points(number, column, points)
    if result:
        report.scale[result] = _hundredths(points)


def _read_byes(report: Report, number: int, line: str) -> None:
    """Record 240: byes that were asked for."""
    kind = _one_of(line[4:5].upper(), "FHZ", number, 5)
    in_round = _a_number(line[6:9].strip(), number, 7, 1, MAX_ROUNDS)
    report.byes += [
        (in_round, str(int(each)), kind) for each in line[9:].split() if each.isdecimal()
    ]


def _read_given(report: Report, number: int, line: str) -> None:
    """Record 299: points given or taken by hand; of another kind they are in the totals alone."""
    report.is_corrected = True
    points = line[13:17].strip()
    if line[4:5].strip() or not points:
        return
    if not A_POINT.fullmatch(points):
        raise _no_points(number, 14, points)
    in_round = line[19:22].strip()
    after = _a_number(in_round, number, 20, 0, MAX_ROUNDS) if in_round else 0
    report.given += [
        (str(int(each)), _hundredths(points), after)
        for each in line[22:].split()
        if each.isdecimal()
    ]


def _check_numbers(players: Sequence[PlayerLine]) -> None:
    """Every player has a number of their own, and meets one who has their line."""
    known: dict[str, int] = {}
    for each in players:
        if each.number in known:
            raise _wrong(
                each.line,
                5,
                sentence(
                    "the player in line %(other)s has the number %(number)s already",
                    other=known[each.number],
                    number=each.number,
                ),
            )
        known[each.number] = each.line
    for each in players:
        for cell in each.cells:
            if not cell.opponent and cell.result not in (*BYES, "-", " "):
                raise _wrong(
                    cell.line,
                    cell.column + 7,
                    sentence("without an opponent H, F, U or Z is expected here"),
                )
            if cell.opponent and cell.opponent not in known:
                raise _wrong(
                    cell.line,
                    cell.column,
                    sentence("there is no player %(number)s", number=cell.opponent),
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRead:
    """A round: its tables as (white, black) with what each reached, and byes as (entry, kind)."""

    tables: tuple[tuple[Cell, Cell, str, str], ...]
    byes: tuple[tuple[str, str], ...]


def _last_played(report: Report) -> int:
    """The last round in which somebody met somebody or sat out: later ones have not been drawn."""
    return max(
        (
            place
            for each in report.players
            for place, cell in enumerate(each.cells, start=1)
            if cell.opponent or cell.result == "U"
        ),
        default=0,
    )


def _round_of(report: Report, number: int) -> RoundRead:
    asked = {entry: kind for in_round, entry, kind in report.byes if in_round == number}
    cells = {each.number: _cell_of(each, number) for each in report.players}
    tables, byes = [], []
    for entry, cell in cells.items():
        if cell is None or not cell.opponent:
            result = cell.result.strip() if cell is not None else ""
            result = result if result not in ("", "-") else asked.get(entry, "")
            if result:
                byes.append((entry, BYES[result]))
            continue
        other = cells[cell.opponent]
        _check_pair(entry, cell, other, number)
        assert other is not None
        if _sits_first(entry, cell):
            tables.append((cell, other, entry, cell.opponent))
    return RoundRead(tables=tuple(tables), byes=tuple(byes))


def _cell_of(player: PlayerLine, number: int) -> Cell | None:
    return player.cells[number - 1] if number <= len(player.cells) else None


def _sits_first(entry: str, cell: Cell) -> bool:
    """White sits first; where no colour is said the lower number."""
    if cell.colour in "wb":
        return cell.colour == "w"
    return int(entry) < int(cell.opponent)


def _check_pair(entry: str, cell: Cell, other: Cell | None, number: int) -> None:
    """Both say that they met, with colours and results that fit."""
    if other is None or other.opponent != entry:
        met = sentence("nobody") if other is None or not other.opponent else other.opponent
        raise _wrong(
            cell.line,
            cell.column,
            sentence(
                "in round %(round)s player %(entry)s met %(opponent)s, who met %(met)s; both lines "
                "have to name each other",
                round=number,
                entry=entry,
                opponent=cell.opponent,
                met=met,
            ),
        )
    if (cell.colour, other.colour) not in {("w", "b"), ("b", "w")} and not (
        cell.colour not in "wb" and other.colour not in "wb"
    ):
        right = {"w": "b", "b": "w"}.get(other.colour, "-")
        raise _wrong(
            cell.line,
            cell.column + 5,
            sentence("by the line of the opponent “%(right)s” is expected here", right=right),
        )
    if not _can_both_be(cell.result, other.result):
        raise _wrong(
            cell.line,
            cell.column + 7,
            sentence(
                "“%(one)s” here and “%(two)s” of player %(opponent)s in line %(line)s can't both "
                "be; a win and a loss are expected, or two draws",
                one=cell.result,
                two=other.result,
                opponent=cell.opponent,
                line=other.line,
            ),
        )


def _can_both_be(one: str, two: str) -> bool:
    both = {one, two}
    if both & set("HFUZ"):
        return False
    if " " in both:
        return both == {" "}
    if both & set("+-"):
        return both in ({"+", "-"}, {"-"})
    worth = sorted(PLAYED[each] for each in (one, two))
    return worth in (["loss", "win"], ["draw", "draw"], ["loss", "loss"])


def _write_round(each: RoundRead, scale: Mapping[str, int]) -> dict[str, object]:
    return {
        "tables": [
            _write_table(place, *table, scale) for place, table in enumerate(each.tables, start=1)
        ],
        "byes": [{"entry": entry, "kind": kind} for entry, kind in each.byes],
    }


def _write_table(
    place: int, one: Cell, two: Cell, first: str, second: str, scale: Mapping[str, int]
) -> dict[str, object]:
    table: dict[str, object] = {"table": place, "entries": [first, second]}
    if one.result != " ":
        table["result"] = {
            entry: {"points": _plain(scale[(PLAYED | FORFEITS)[cell.result]])}
            for entry, cell in ((first, one), (second, two))
        }
    if one.result in FORFEITS:
        table["forfeit"] = True
    return table


def _kind_of(report: Report) -> str:
    words = " ".join(report.kinds)
    return "round_robin" if "robin" in words or "berger" in words else "swiss"


def _scale_of(report: Report, kind: str) -> dict[str, int]:
    scale = POINTS | report.scale
    if "draw" not in report.scale and "win" in report.scale:
        scale["draw"] = scale["win"] // 2
    bye = scale["win"] if kind == "swiss" else 0
    return scale | {"bye": report.scale.get("bye", bye)}


def _check_points(report: Report, rounds: int, scale: Mapping[str, int]) -> None:
    """The points of every player are those of the rounds."""
    worth = {
        **{code: scale[result] for code, result in (PLAYED | FORFEITS).items()},
        "U": scale["bye"],
        "F": scale["win"],
        "H": scale["draw"],
        "Z": 0,
        " ": 0,
    }
    asked = {(number, entry): kind for number, entry, kind in report.byes}
    for each in report.players:
        total = 0
        for number in range(1, rounds + 1):
            cell = _cell_of(each, number)
            result = cell.result if cell is not None else " "
            if cell is None or not cell.opponent:
                result = asked.get((number, each.number), " ") if result in " -" else result
            total += worth[result]
        if each.points is not None and abs(each.points - total) >= 10:  # tenths stand there
            raise _wrong(
                each.line,
                81,
                sentence(
                    "the rounds of this line come to %(total)s points, not to %(points)s",
                    total=f"{total / 100:g}",
                    points=f"{each.points / 100:g}",
                ),
            )


def _is_by_rating(players: Sequence[PlayerLine]) -> bool:
    """Whether the numbers follow the ratings, as for a first round of the upper half against the
    lower.
    """
    ratings = [each.rating or 0 for each in sorted(players, key=lambda each: int(each.number))]
    return any(ratings) and ratings == sorted(ratings, reverse=True)


def _meets_twice(rounds: Sequence[RoundRead]) -> bool:
    met: list[frozenset[str]] = [frozenset(table[2:]) for each in rounds for table in each.tables]
    return len(met) > len(set(met))


def _number_namesakes(players: Sequence[PlayerLine]) -> Iterator[PlayerLine]:
    """The players, those of a name that came before with their number."""
    seen = set[str]()
    for each in players:
        name = each.name if each.name not in seen else f"{each.name} ({each.number})"
        seen.add(each.name)
        yield replace(each, name=name)


def _entry_of(player: PlayerLine) -> dict[str, object]:
    """An entry; a name with & in it is of several people."""
    names = [name.strip() for name in player.name.split(" & ") if name.strip()]
    entry: dict[str, object] = {"id": player.number, "name": player.name, "players": names}
    return entry | ({"rating": player.rating} if player.rating is not None else {})


def _id_of(name: str, text: str) -> str:
    """An id by what stands in the report: the same one again is the same tournament."""
    plain = "-".join(re.findall(r"[a-z0-9]+", name.casefold()))[:40] or "report"
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _plain(hundredths: int) -> int | float:
    return hundredths // 100 if hundredths % 100 == 0 else hundredths / 100


def _hundredths(points: str) -> int:
    return round(float(points.replace(",", ".")) * 100)


def _a_number(text: str, line: int, column: int, least: int, most: int) -> int:
    if not (text.isascii() and text.isdecimal()) or not least <= int(text[:9]) <= most:
        raise _wrong(
            line,
            column,
            sentence(
                "a whole number from %(least)s to %(most)s is expected here, not “%(text)s”",
                least=least,
                most=most,
                text=text,
            ),
        )
    return int(text)


def _one_of(letter: str, letters: str, line: int, column: int) -> str:
    if letter and letter in letters:
        return letter
    message = sentence(
        "one of %(letters)s is expected here, not “%(letter)s”",
        letters=" ".join(letters.strip()),
        letter=letter,
    )
    raise _wrong(line, column, message)


def _no_points(line: int, column: int, points: str) -> NotationError:
    return _wrong(
        line,
        column,
        sentence("points such as 3.5 are expected here, not “%(points)s”", points=points),
    )


def _wrong(line: int, column: int, problem: Sentence) -> NotationError:
    return NotationError(
        "line %(line)s, column %(column)s: %(problem)s",
        path="trf",
        line=line,
        column=column,
        problem=problem,
    )
