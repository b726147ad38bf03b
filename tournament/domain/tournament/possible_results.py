"""Checks of a typed result against its table."""

from scoring.errors import RuleViolation, sentence
from tournament.domain.same_fields import build_from
from tournament.domain.standings.board_checks import check_boards, totals
from tournament.domain.standings.count_bounds import TRICKS
from tournament.domain.standings.result_bounds import wrong_with
from tournament.domain.standings.scales import NEEDED, counts
from tournament.domain.standings.team_matches import points_at_a_part
from tournament.domain.standings.values import BoardResult, Result, SeatedTable, Stage
from tournament.domain.tournament.counting import plays_with_partners
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.state import TableState


def check_results(table: TableState, game: str, stage: Stage) -> None:
    """Raise RuleViolation `bad_result`, or what a file is refused for, unless the typed results of
    this table can be.
    """
    if len(table.results) != len(table.entries):
        message = sentence(
            "table %(table)s has %(entries)s entries, and %(results)s results are given",
            table=table.table,
            entries=len(table.entries),
            results=len(table.results),
        )
        raise refused("bad_result", message, "results")
    for place, result in enumerate(table.results):
        if stage.tables_a_match > 1 and result.points is not None and not table.forfeit:
            raise points_at_a_part(f"results[{place}].points", table.table)
        if not counts(stage.scale, result):
            needed = NEEDED[stage.scale.kind]
            message = sentence(
                "table %(table)s: the %(needed)s of entry %(entry)s is missing",
                table=table.table,
                needed=needed,
                entry=table.entries[place],
            )
            raise refused("bad_result", message, f"results[{place}].{needed}")
    _check_possible(table, game, stage)


def totals_of(boards: tuple[BoardResult, ...], table: TableState, game: str) -> tuple[Result, ...]:
    """Return the sum of the deals of a table for each entry. Raises RuleViolation for
    sums that are not possible.
    """
    if not boards:
        return ()
    seated = build_from(SeatedTable, table, results=(), boards=boards)
    check_boards(Stage(), seated, "", game)
    return totals(boards, len(table.entries))


def _check_possible(table: TableState, game: str, stage: Stage) -> None:
    """The same that a file's results are weighed by."""
    seated = build_from(SeatedTable, table, partners=plays_with_partners(stage, table))
    check_boards(stage, seated, "", game)
    wrong = wrong_with(stage.scale, seated, game=game)
    if wrong is not None:
        message = sentence("table %(table)s: %(message)s", table=table.table, message=wrong.message)
        # The desk has always refused a wrong sum of tricks as this; codes stay what they were.
        is_sum_of_tricks = wrong.field == TRICKS and wrong.place is None
        raise RuleViolation(
            "bad_result" if is_sum_of_tricks else wrong.code,
            message,
            rule=wrong.rule,
            path="hands"
            if wrong.field == "hands"
            else f"results[{wrong.place or 0}].{wrong.field or 'points'}",
        )
