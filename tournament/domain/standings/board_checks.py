"""Checks of the deals of a table: a file's results and those typed at the desk are
checked alike.
"""

from dataclasses import replace

from scoring.errors import RuleViolation, sentence
from scoring.games import GAMES
from tournament.domain.standings.count_bounds import LIMITS
from tournament.domain.standings.deal_points import AWARDED_IMPS, counts_deals
from tournament.domain.standings.values import (
    BUILT,
    HUNDREDTHS,
    BoardResult,
    Result,
    SeatedTable,
    Stage,
)

AWARDS = tuple(AWARDED_IMPS)  # per cent
MOST_SCORE = 100_000  # hundredths, of one deal


def with_totals(table: SeatedTable) -> SeatedTable:
    """The table with what its deals add up to for each entry where only these were written down."""
    if table.results or not table.boards:
        return table
    return replace(table, results=totals(table.boards, len(table.entries)))


def totals(boards: tuple[BoardResult, ...], entries: int) -> tuple[Result, ...]:
    """Return the score of each entry in all deals together; for an entry alone, that is
    the number of cards built.
    """
    sums = [
        sum(board.scores[place] for board in boards if board.scores) for place in range(entries)
    ]
    return tuple(Result(score=each, built=each // 100 if entries == 1 else None) for each in sums)


def check_boards(stage: Stage, table: SeatedTable, path: str, game: str) -> None:
    """Raise RuleViolation `bad_boards` where the deals of a table are none of its own, stand twice,
    or don't add up to its result; `bad_result` where they are missing and the scale counts them.
    """
    deals = [board.deal for board in table.boards]
    for place, board in enumerate(table.boards):
        where = f"{path}.boards[{place}]"
        if board.deal not in table.deals or deals.count(board.deal) > 1:
            message = sentence(
                "deal %(deal)s is none of table %(table)s, or stands twice there",
                deal=board.deal,
                table=table.table,
            )
            raise RuleViolation("bad_boards", message, path=f"{where}.deal")
        _check_board(table, board, where, game)
    if not table.results or table.forfeit:
        return
    given = all(result.points is not None for result in table.results)
    if counts_deals(stage) and table.deals and not table.boards and not given:
        message = sentence(
            "table %(table)s: the scores deal by deal are missing", table=table.table
        )
        raise RuleViolation("bad_result", message, path=f"{path}.boards")
    _check_sum(table, path)


def _check_board(table: SeatedTable, board: BoardResult, where: str, game: str) -> None:
    for name in ("scores", "awarded"):
        values = getattr(board, name)
        if values and len(values) != len(table.entries):
            message = sentence(
                "deal %(deal)s at table %(table)s has a score for each of %(entries)s entries, or "
                "none",
                deal=board.deal,
                table=table.table,
                entries=len(table.entries),
            )
            raise RuleViolation("bad_boards", message, path=f"{where}.{name}")
    if any(abs(score) > MOST_SCORE for score in board.scores):
        message = sentence("nobody scores more than %(most)s in one deal", most=MOST_SCORE // 100)
        raise RuleViolation("bad_boards", message, path=f"{where}.scores")
    if BUILT in GAMES[game].limits:
        _check_built(table, board, where)
    if any(share not in AWARDS for share in board.awarded):
        message = sentence(
            "an artificial score is 60 for a side at no fault, 50 or 40 for one at fault"
        )
        raise RuleViolation("bad_boards", message, path=f"{where}.awarded")


def _check_built(table: SeatedTable, board: BoardResult, where: str) -> None:
    """Check that a deal of the patience scores the number of cards built."""
    limit = LIMITS[BUILT]
    for entry, score in zip(table.entries, board.scores, strict=True):
        if score % HUNDREDTHS or not 0 <= score <= HUNDREDTHS * limit.each_hand:
            message = sentence(
                "deal %(deal)s at table %(table)s: entry %(entry)s can't have %(score)s cards "
                "built; one deal brings 0 to %(most)s",
                deal=board.deal,
                table=table.table,
                entry=entry,
                score=f"{score / HUNDREDTHS:g}",
                most=limit.each_hand,
            )
            raise RuleViolation("bad_total", message, rule=limit.rule, path=f"{where}.scores")


def _check_sum(table: SeatedTable, path: str) -> None:
    """Check that the total of an entry is the sum of its deals."""
    for place, result in enumerate(table.results if table.boards else ()):
        there = sum(board.scores[place] for board in table.boards if board.scores)
        if result.score is not None and result.score != there:
            message = sentence(
                "the deals of %(entry)s add up to %(sum)s, not to %(score)s",
                entry=table.entries[place],
                sum=f"{there / 100:g}",
                score=f"{result.score / 100:g}",
            )
            raise RuleViolation("bad_total", message, path=f"{path}.result")
