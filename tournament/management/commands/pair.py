"""`manage.py pair FILE…`: the next round of recorded tournaments, and why. It needs no database and
stores nothing.
"""

from collections.abc import Mapping, Sequence

from scoring.game import ResultTable
from tournament.domain.pairing.stages import NextRound, draw_next, next_round
from tournament.domain.pairing.values import Draw, DrawnTable, Reason
from tournament.domain.standings.cutting import CutMade
from tournament.domain.standings.stages import cut_before
from tournament.domain.standings.values import Tournament
from tournament.domain.standings.writing import number
from tournament.management.files import Answer, TournamentsCommand
from tournament.queries.cut_words import cut_words
from tournament.queries.draw_reasons import broken_words, next_best_words, reason_words
from tournament.queries.sides import side_words


class Command(TournamentsCommand):
    """Print the next round of every tournament of the files; exit status 1 when one was refused."""

    help = (
        "Draw the next round of recorded tournaments; nothing is stored and no database is needed."
    )

    def choose_answer(self, **_options: object) -> Answer:
        """The next round, and why."""
        return _answer


def _answer(tournament: Tournament) -> tuple[dict[str, object], ResultTable]:
    drawn, at = draw_next(tournament), next_round(tournament)
    names = {entry.id: entry.name for entry in tournament.entries}
    fields = {
        "id": tournament.id,
        "round": drawn.round,
        "tables": [
            _table(table, drawn, names, side_words(tournament.game)) for table in drawn.tables
        ],
        "byes": [_bye(drawn, place) for place in range(len(drawn.byes))],
        "broken": [_reason(reason) | {"words": broken_words(reason)} for reason in drawn.broken],
        "totals": [_reason(reason) | {"words": broken_words(reason)} for reason in drawn.totals],
        "seed": at.seen.lots_seed,
        "engine": drawn.engine,
        "digest": drawn.digest,
        **({"construction": drawn.construction} if drawn.construction else {}),
    }
    if tournament.stages:
        fields["stage"] = at.stage
    if at.stage > 1:
        fields["cut"] = _cut(cut_before(tournament, at.stage), names)
    return fields, _for_people(tournament, drawn, at)


def _cut(cut: CutMade, names: Mapping[str, str]) -> dict[str, object]:
    """Return the entries that qualified for the stage, and what decided it."""
    fields: dict[str, object] = {"entries": list(cut.entries), "words": cut_words(cut, names)}
    if cut.parts:
        return fields | {"sources": [_source(part) for part in cut.parts]}
    return fields | _explain_edges(cut)


def _source(part: CutMade) -> dict[str, object]:
    """Return the entries that qualified from one of several sources, and what decided
    it.
    """
    return {
        "from": part.from_stage,
        "places": [part.first, part.first + len(part.entries) - 1],
        "entries": list(part.entries),
        **_explain_edges(part),
    }


def _explain_edges(cut: CutMade) -> dict[str, object]:
    """Return what decided at the edges of a cut from one source."""
    fields: dict[str, object] = {}
    if cut.above is not None:
        fields |= {
            "above": cut.above,
            "above_criterion": cut.above_criterion,
            "above_values": [number(value) for value in cut.above_values],
        }
    if cut.missed is not None:
        fields |= {
            "made": cut.made,
            "missed": cut.missed,
            "criterion": cut.criterion,
            "values": [number(value) for value in cut.values],
        }
    return fields


def _table(
    table: DrawnTable, drawn: Draw, names: Mapping[str, str], sides: Sequence[str]
) -> dict[str, object]:
    fields: dict[str, object] = {
        "table": table.table,
        "entries": list(table.entries),
        "dealer": table.dealer,
        "why": [
            _reason(reason, [names[entry] for entry in table.entries], sides)
            for reason in table.why
        ],
    }
    if table.deals:
        fields["deals"] = list(table.deals)
    if table.match is not None:
        fields |= {"match": table.match, "bracket": table.bracket}
    best = table.next_best
    if best is not None:
        fields["next_best"] = {
            "entries": list(best.entries),
            "other_table": best.other_table,
            "tier": best.tier,
            "more": best.more,
            "words": next_best_words(best, drawn.totals),
        }
    return fields


def _bye(drawn: Draw, place: int) -> dict[str, object]:
    why = drawn.byes_why[place] if drawn.byes_why else ()
    return {
        "entry": drawn.byes[place],
        **({"why": [_reason(reason) for reason in why]} if why else {}),
    }


def _reason(
    reason: Reason, names: Sequence[str] = (), sides: Sequence[str] = ()
) -> dict[str, object]:
    return {"tier": reason.tier, "cost": reason.cost, "words": reason_words(reason, names, sides)}


def _for_people(tournament: Tournament, drawn: Draw, at: NextRound) -> ResultTable:
    names, sides = (
        {entry.id: entry.name for entry in tournament.entries},
        side_words(tournament.game),
    )
    return ResultTable(
        columns=("table", "at the table", "deals first", "why"),
        rows=tuple(
            (
                str(table.table),
                " – ".join(names[entry] for entry in table.entries),
                table.dealer or "",
                _why(table, [names[entry] for entry in table.entries], sides),
            )
            for table in drawn.tables
        ),
        sums=(
            (
                f"Round {drawn.round}, drawn from seed {at.seen.lots_seed} by {drawn.engine}, "
                f"digest {drawn.digest}."
            ),
            *(cut_words(cut_before(tournament, at.stage), names) if at.stage > 1 else ()),
            *(f"{names[entry]} sits out." for entry in drawn.byes),
            *(f"Could not be avoided: {broken_words(reason)}." for reason in drawn.broken),
        ),
    )


def _why(table: DrawnTable, names: Sequence[str], sides: Sequence[str]) -> str:
    return "; ".join(
        reason_words(reason, names, sides) for reason in table.why if reason.tier != "seat_balance"
    )
