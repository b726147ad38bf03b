"""The fields of a table's result: what is asked of each entry, or of two partners together, and
what stands in them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from tournament.domain.standings.scales import NEEDED
from tournament.domain.standings.values import HUNDREDTHS, Result, Stage
from tournament.domain.tournament.counting import plays_with_partners
from tournament.pages.desk.deal_fields import ResultField, deal_field
from tournament.queries.entry_paths import in_a_row
from tournament.queries.tournament import ShownTable

COUNTED = {
    "score": gettext_lazy("Score"),
    "chips": gettext_lazy("Chips"),
    "built": gettext_lazy("Cards built"),
    "tricks": gettext_lazy("Tricks"),
    "audits": gettext_lazy("Audits"),
    "excess": gettext_lazy("Excess"),
}
# What a tie-break counts that the scale may not.
ALSO = {
    "score_difference": "score",
    "score_total": "score",
    "tricks": "tricks",
    "fewest_audits": "audits",
    "fewest_excess": "excess",
    "chips": "chips",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """The fields for an entry at a table, or for two partners together: their names, their
    side, and the fields.
    """

    name: str
    side: str
    fields: Sequence[ResultField]


def list_result_fields(stage: Stage) -> list[str]:
    """Return the fields typed for each entry of a table: first the one that the scale
    turns into points, then those that the tie-breaks count. In pods the score is the
    chips, and it is not typed twice.
    """
    also = [ALSO[name] for name in stage.tie_breaks if name in ALSO]
    asked = dict.fromkeys([NEEDED[stage.scale.kind], *also])
    if stage.kind == "pods":
        asked = dict.fromkeys("chips" if name == "score" else name for name in asked)
    return list(asked)


def result_lines(
    stage: Stage, shown: ShownTable, prefix: str, values: Sequence[object]
) -> list[ResultLine]:
    """The fields of the results at a table, an entry after the other; partners are asked once."""
    partners = plays_with_partners(stage, shown.table)
    sides = (
        [shown.seated[0::2], shown.seated[1::2]] if partners else [[seat] for seat in shown.seated]
    )
    asked = list_result_fields(stage)
    return [
        ResultLine(
            name=in_a_row(seat.name for seat in side),
            side="\N{EN DASH}".join(seat.side for seat in side),
            fields=[deal_field(prefix, place, deal, values[place]) for deal in shown.table.deals]
            or [_field(f"{prefix}results.{place}", name, values[place]) for name in asked],
        )
        for place, side in enumerate(sides)
    ]


def as_typed(result: Result | None) -> dict[str, str]:
    """A result as it would be typed."""
    if result is None:
        return {}
    values = {name: getattr(result, name) for name in COUNTED}
    return {
        name: f"{value / HUNDREDTHS:g}" if name == "score" else str(value)
        for name, value in values.items()
        if value is not None
    }


def _field(path: str, name: str, typed: object) -> ResultField:
    kind = "half" if name == "score" else "number"
    value = typed.get(name, "") if isinstance(typed, dict) else ""
    return ResultField(name=f"{path}.{name}", label=str(COUNTED[name]), kind=kind, typed=str(value))
