"""What a typed result of a table has to agree with."""

from dataclasses import replace

from scoring.errors import RuleViolation, sentence
from scoring.games import GAMES
from tournament.domain.same_fields import made_of
from tournament.domain.standings.board_checks import check_boards, totals
from tournament.domain.standings.possible import wrong_with
from tournament.domain.standings.scales import NEEDED, counts
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
        if not counts(stage.scale, result):
            needed = NEEDED[stage.scale.kind]
            message = sentence(
                "table %(table)s: the %(needed)s of entry %(entry)s is missing",
                table=table.table,
                needed=needed,
                entry=table.entries[place],
            )
            raise refused("bad_result", message, f"results[{place}].{needed}")
    _check_tricks(_as_sides(table, stage), _tricks_a_hand(game, table))
    _check_possible(table, stage)


def totals_of(boards: tuple[BoardResult, ...], table: TableState) -> tuple[Result, ...]:
    """What the deals of a table add up to for each entry. Raises RuleViolation for what they can't
    be.
    """
    if not boards:
        return ()
    seated = made_of(SeatedTable, table, results=(), boards=boards)
    check_boards(Stage(), seated, "")
    return totals(boards, len(table.entries))


def _check_possible(table: TableState, stage: Stage) -> None:
    """The same that a file's results are weighed by."""
    seated = made_of(SeatedTable, table, partners=plays_with_partners(stage, table))
    check_boards(stage, seated, "")
    wrong = wrong_with(stage.scale, seated)
    if wrong is not None:
        message = sentence("table %(table)s: %(message)s", table=table.table, message=wrong.message)
        raise RuleViolation(
            wrong.code,
            message,
            rule=wrong.rule,
            path=f"results[{wrong.place or 0}].{wrong.field or 'points'}",
        )


def _as_sides(table: TableState, stage: Stage) -> TableState:
    """The table with one result a side, where four play two against two: partners share tricks."""
    return replace(table, results=table.results[:2]) if plays_with_partners(stage, table) else table


def _tricks_a_hand(game: str, table: TableState) -> int | None:
    """How many tricks a hand has at this table, where its entries are the sides of a game with
    teams.
    """
    return GAMES[game].tricks(len(table.entries)) if GAMES[game].teams else None


def _check_tricks(table: TableState, tricks_a_hand: int | None) -> None:
    """All tricks of all hands, where everybody's are given; nobody has more than there are."""
    tricks = [result.tricks for result in table.results if result.tricks is not None]
    if not tricks or tricks_a_hand is None:
        return
    if table.hands is None:
        message = sentence(
            "table %(table)s: say how many hands were played, so that the tricks can be checked",
            table=table.table,
        )
        raise refused("bad_result", message, "hands")
    there, complete = tricks_a_hand * table.hands, len(tricks) == len(table.results)
    if max(tricks) > there or (complete and sum(tricks) != there):
        message = sentence(
            "table %(table)s: %(numbers)s tricks are %(sum)s; %(hands)s hands have %(all)s",
            table=table.table,
            numbers=" + ".join(map(str, tricks)),
            sum=sum(tricks),
            hands=table.hands,
            all=there,
        )
        raise refused("bad_result", message, "results[0].tricks")
