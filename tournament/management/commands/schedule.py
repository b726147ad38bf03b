"""`manage.py schedule FILE…`: the whole plan of recorded tournaments, and what was counted in it.

It needs no database and stores nothing.
"""

from argparse import ArgumentParser
from collections.abc import Sequence

from scoring.game import ResultTable
from tournament.domain.pairing.forecast import as_it_stands
from tournament.domain.pairing.given_plan import count_given_schedule
from tournament.domain.pairing.schedule import Schedule, proof_counts, schedule, write_schedule
from tournament.domain.pairing.stages import next_round
from tournament.domain.standings.stages import current_stage, of_stage, rounds_before
from tournament.domain.standings.values import Tournament
from tournament.management.files import Answer, TournamentsCommand
from tournament.queries.plan_words import moves_words


class Command(TournamentsCommand):
    """Print all rounds of every planned tournament of the files; exit status 1 when one was
    refused.
    """

    help = "Print all rounds of planned tournaments, and the verifier's counts; nothing is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, and how to print."""
        super().add_arguments(parser)
        parser.add_argument(
            "--given",
            action="store_true",
            help="count the rounds that the file has, and say what is wrong with them",
        )

    def choose_answer(self, **options: object) -> Answer:
        """The plan, or what is wrong with the rounds that the file has."""
        return _answer_given if options["given"] else _answer_planned


def _answer_planned(tournament: Tournament) -> tuple[dict[str, object], ResultTable]:
    at = next_round(tournament)
    whole = as_it_stands(at.seen, schedule(at.seen))
    fields = write_schedule(at.seen, whole, before=at.before)
    if moves := moves_words(whole.moves):
        fields["moves"] = moves
    return fields, _for_people(at.seen, whole, (), at.before)


def _answer_given(tournament: Tournament) -> tuple[dict[str, object], ResultTable]:
    number = current_stage(tournament)
    seen, before = of_stage(tournament, number), rounds_before(tournament, number)
    whole, faults = count_given_schedule(seen)
    words = [str(fault) for fault in faults]
    fields = write_schedule(seen, whole, before=before) | {"faults": words}
    return fields, _for_people(seen, whole, words, before)


def _for_people(
    tournament: Tournament, whole: Schedule, faults: Sequence[str], before: int
) -> ResultTable:
    names = {entry.id: entry.name for entry in tournament.entries}
    rows = [
        (
            str(number),
            str(table.table),
            " – ".join(names.get(entry, entry) for entry in table.entries),
            " ".join(map(str, table.deals)) if table.match is None else str(table.match),
        )
        for number, (tables, _out) in enumerate(whole.rounds, start=before + 1)
        for table in tables
    ]
    out = [
        f"Round {number}: {', '.join(names[entry] for entry in out)} out."
        for number, (_tables, out) in enumerate(whole.rounds, start=before + 1)
        if out
    ]
    counts = [
        f"{name.replace('_', ' ')}: "
        + ", ".join(f"{many} × {times}" for times, many in count.items())
        for name, count in proof_counts(whole.proof).items()
    ] + [
        f"at tables of {size}: " + ", ".join(f"{many} × {times}" for times, many in count.items())
        for size, count in whole.proof.table_sizes.items()
    ]
    return ResultTable(
        columns=(
            *("round", "table", "at the table"),
            "match" if tournament.stage.kind == "knockout" else "deals",
        ),
        rows=tuple(rows),
        sums=(
            f"{whole.construction}, seed {tournament.seed}.",
            *([moves] if (moves := moves_words(whole.moves)) else []),
            *out,
            *(["Counted, so many × so often: " + "; ".join(counts) + "."] if counts else []),
            *(f"Wrong: {fault}." for fault in faults),
        ),
    )
