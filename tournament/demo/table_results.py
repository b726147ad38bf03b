"""The result of a round's table in an event played by chance: a game, totals or
deals typed, a no-show, an excuse, deals that can't be scored.
"""

from tournament.demo.evening import nobody_came
from tournament.demo.mishaps import mishaps
from tournament.demo.tables import Evening, play_out
from tournament.domain.standings.formats import plays_alone
from tournament.domain.standings.values import DEAL_SCALES, BoardResult, Result
from tournament.domain.tournament.awards import AwardDeal, CancelAward
from tournament.domain.tournament.games import CountGame
from tournament.domain.tournament.results import ClearTable, EnterResult, ExcuseTable
from tournament.domain.tournament.sides import seats_of
from tournament.domain.tournament.state import State, TableState
from tournament.streams.folds import require_fold

# How often it happens, in a hundred.
NO_SHOW, TYPED, MISTYPED, EQUAL, ABANDONED, EXCUSED = 2, 10, 20, 10, 4, 1
AWARDED, TAKEN_BACK, FOULED, NOT_PLAYED = 5, 30, 6, 4
SHARES = (60, 50, 40)  # of a deal that can't be scored, in a hundred


def comes_to_nothing(evening: Evening, number: int, table: TableState) -> bool:
    """Whether nobody came to a table, or the tournament goes on without its result."""
    if evening.goes_wrong(NO_SHOW, "no_shows"):
        nobody_came(evening, number, table)
        return True
    if evening.goes_wrong(EXCUSED, "excused"):
        evening.does(ExcuseTable(round=number, table=table.table, reason="The slip was lost."))
        return True
    return False


def played(evening: Evening, number: int, table: TableState, *, troubled: bool) -> None:
    """A table that is played: its result is typed, or comes from its game."""
    if troubled and table.deals:
        _award_deal(evening, number, table)
        if _table(evening, number, table.table).is_awarded:
            return  # there is no deal left to be played
    if not _fills_a_game(evening.state, number, table) or evening.happens(TYPED):
        _type_result(evening, number, table, troubled=troubled)
    else:
        _with_a_game(evening, number, table, troubled=troubled)


def totals(evening: Evening, number: int, table: TableState) -> EnterResult:
    """Return the typed totals of a table of any size: scores, of partners the same, or
    the number of cards built by each.

    If its deals are also played by others, the scores are given deal by deal.
    """
    reason = "That is what the slip says."
    stage, size = evening.state.stage_in(number), len(table.entries)
    if stage.kind == "duplicate" or stage.scale.kind in DEAL_SCALES:
        boards = _boards(evening, number, table)
        return EnterResult(round=number, table=table.table, boards=boards, reason=reason)
    sides = 2 if stage.kind == "rotating" else size
    told = [evening.rng.randrange(40, 104) for _ in range(sides)]
    if evening.happens(EQUAL):
        told = told[:1] * sides
    each = told * (size // sides)
    built = stage.scale.kind == "built"
    results = tuple(Result(built=one) if built else Result(score=100 * one) for one in each)
    return EnterResult(round=number, table=table.table, results=results, reason=reason)


def is_typed(table: TableState) -> bool:
    """Whether people played here, and their result was typed."""
    return bool(table.results) and table.game is None and not table.forfeit


def _boards(evening: Evening, number: int, table: TableState) -> tuple[BoardResult, ...]:
    """The scores of every deal; now and then it was dealt wrongly from this table on, or not
    played.
    """
    size = len(table.entries)
    boards = [
        BoardResult(
            deal=deal,
            scores=tuple(100 * evening.rng.randrange(4, 40) for _ in range(size)),
            version=2 if evening.goes_wrong(FOULED, "fouled_deals") else 1,
        )
        for deal in table.deals
    ]
    if len(boards) > 1 and evening.goes_wrong(NOT_PLAYED, "deals_not_played"):
        boards.pop(evening.rng.randrange(len(boards)))
    return tuple(boards)


def _award_deal(evening: Evening, number: int, table: TableState) -> None:
    """A deal that can't be played here gets an artificial score; now and then it could after
    all.
    """
    if not evening.goes_wrong(AWARDED, "awards"):
        return
    deal = evening.rng.choice(table.deals)
    awarded = tuple(evening.rng.choice(SHARES) for _ in table.entries)
    label, why = table.table, "A card lay face up."
    evening.does(AwardDeal(round=number, table=label, deal=deal, awarded=awarded, reason=why))
    if evening.happens(TAKEN_BACK):
        back = CancelAward(round=number, table=label, deal=deal, reason="It was the back.")
        evening.does(back, counted="awards_taken_back")


def _table(evening: Evening, number: int, label: int) -> TableState:
    table = evening.state.rounds[number - 1].table(label)
    assert table is not None
    return table


def _fills_a_game(state: State, number: int, table: TableState) -> bool:
    """Whether the people of a table fill the seats of one game."""
    size = len(table.entries)
    return all(
        seats_of(
            state.game, size, place, tuple(dict(state.players_at(number, table, key)).values())
        )
        for place, key in enumerate(table.entries)
    )


def _with_a_game(evening: Evening, number: int, table: TableState, *, troubled: bool) -> None:
    """A game of the table, now and then abandoned: then the director has it count."""
    abandoned = troubled and evening.goes_wrong(ABANDONED)
    game = play_out(evening, number, table.table, ended="abandoned" if abandoned else "called")
    folded = require_fold(evening.salon.log_id, game.pk)
    if folded.state.closed.kind == "abandoned":
        counts = CountGame(round=number, table=table.table, reason="Most of it was played.")
        evening.does(counts, counted="abandoned_games_that_count")
    if plays_alone(evening.state.stage, evening.state.game) or len(folded.state.players) == 1:
        return  # nobody else has seen what was built
    if troubled:
        mishaps(evening.rng, game, actor=evening.actor)
    evening.games.append(game)


def _type_result(evening: Evening, number: int, table: TableState, *, troubled: bool) -> None:
    """A table that only tells its totals; now and then they were wrong at first."""
    evening.happened["typed"] += 1
    if troubled and evening.goes_wrong(MISTYPED, "cleared"):
        evening.does(
            totals(evening, number, table),
            ClearTable(round=number, table=table.table, reason="The scores were swapped."),
        )
    evening.does(totals(evening, number, table))
