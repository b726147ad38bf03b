"""`manage.py check_pairings FILE…`: every round of recorded tournaments drawn again, and where what
was played differs. It needs no database and stores nothing.
"""

from collections.abc import Mapping, Sequence

from scoring.game import ResultTable
from tournament.domain.pairing.redraw import AimApart, Redrawn, redrawn
from tournament.domain.pairing.values import DrawnTable
from tournament.domain.standings.values import SeatedTable, Tournament
from tournament.management.files import Answer, TournamentsCommand
from tournament.queries.draw_reasons import apart_words

SAME, SEATS, DIFFERENT, NOT_DRAWN = "same", "seats", "different", "not drawn"
AS_GOOD = "as good as each other; the lot decides"
NO_AIMS = "a stage of this kind has no aims that could be compared"


class Command(TournamentsCommand):
    """Print for every round whether the engine draws it as it was played; exit status 1 when a
    tournament was refused. A round that differs is an answer: it may have been seated by hand.
    """

    help = (
        "Draw every round of recorded tournaments again from the rounds before it, and say where "
        "what was played differs; nothing is stored and no database is needed."
    )

    def choose_answer(self, **_options: object) -> Answer:
        """Every round drawn again."""
        return _answer


def _answer(tournament: Tournament) -> tuple[dict[str, object], ResultTable]:
    rounds = list(redrawn(tournament))
    fields = {
        "id": tournament.id,
        "same": sum(each.same for each in rounds),
        "rounds": [_round(each) for each in rounds],
    }
    return fields, _for_people(tournament, rounds)


def _round(each: Redrawn) -> dict[str, object]:
    fields: dict[str, object] = {"round": each.round, "answer": _kind(each)}
    if each.refused is not None:
        error = {"code": each.refused.code, "message": each.refused.message}
        return fields | {"error": error}
    fields |= {"engine": each.engine, "seed": each.seed, "digest": each.digest}
    if not each.meets:
        fields |= {
            "played": _tables(each.played),
            "drawn": _tables(each.drawn),
            "byes_played": list(each.byes_played),
            "byes_drawn": list(each.byes_drawn),
            "aims": [_aim(aim) for aim in each.aims],
        }
    return fields | ({"moved": _tables(each.moved)} if each.moved else {})


def _kind(each: Redrawn) -> str:
    if each.refused is not None:
        return NOT_DRAWN
    return SAME if each.same else SEATS if each.meets else DIFFERENT


def _tables(tables: Sequence[SeatedTable | DrawnTable]) -> list[dict[str, object]]:
    return [{"table": table.table, "entries": list(table.entries)} for table in tables]


def _aim(aim: AimApart) -> dict[str, object]:
    return {"tier": aim.tier, "played": aim.played, "drawn": aim.drawn, "words": apart_words(aim)}


def _for_people(tournament: Tournament, rounds: Sequence[Redrawn]) -> ResultTable:
    names = {entry.id: entry.name for entry in tournament.entries}
    same = sum(each.same for each in rounds)
    return ResultTable(
        columns=("round", "answer", "at the table", "why"),
        rows=tuple(
            (str(each.round), _kind(each), _where(each, names), _why(each, tournament.stage.kind))
            for each in rounds
        ),
        sums=(f"{same} of {len(rounds)} rounds are to the seat what the engine draws.",),
    )


def _where(each: Redrawn, names: Mapping[str, str]) -> str:
    """Return the tables as played, and as drawn again, where they differ."""
    if each.meets:
        return "; ".join(_table_words(table, names) for table in each.moved)
    played = [_table_words(table, names) for table in each.played]
    played += [f"{names[entry]} sits out" for entry in each.byes_played]
    drawn = [_table_words(table, names) for table in each.drawn]
    drawn += [f"{names[entry]} sits out" for entry in each.byes_drawn]
    return f"played: {'; '.join(played)}. Drawn: {'; '.join(drawn)}." if played or drawn else ""


def _table_words(table: SeatedTable | DrawnTable, names: Mapping[str, str]) -> str:
    return f"{table.table}: {' – '.join(names[entry] for entry in table.entries)}"


def _why(each: Redrawn, kind: str) -> str:
    if each.refused is not None:
        return each.refused.message
    if each.meets:
        return "the same entries meet, at other tables or in other seats" if each.moved else ""
    aims = "; ".join(apart_words(aim) for aim in each.aims)
    return aims or (AS_GOOD if kind == "swiss" else NO_AIMS)
