"""Every round of a tournament drawn again from the rounds before it, beside what was played: which
tables differ, who sits out instead, and what the played round costs against the engine's.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.errors import RuleViolation
from tournament.domain.pairing.costs import TIERS
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.seating import Seating, seating_of
from tournament.domain.pairing.team_matches import matches_at
from tournament.domain.pairing.values import Draw, DrawnTable
from tournament.domain.standings.lots import other_lots
from tournament.domain.standings.stages import of_stage, rounds_before
from tournament.domain.standings.values import ENGINES, Entry, Round, SeatedTable, Tournament

OF_TWO = ("swiss", "round_robin")  # stages whose seatings can be told for tables of two alone
OF_THE_BYE = ("bye_above", "bye_place")  # told of who sits out alone
AIMS = (*TIERS, "berger")
MOST_OTHER_LOTS = 2  # how often a director is taken to have drawn one round anew

type Lots = tuple[Draw, int]  # a draw, and the seed of its lots


@dataclass(frozen=True, slots=True, kw_only=True)
class AimApart:
    """An aim that the played round and the engine's draw keep differently, as each comes to."""

    tier: str
    played: int
    drawn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redrawn:
    """A round beside the draw of its entries: `played` and `drawn` are the tables of which the
    other has none with the same entries, `byes_played` and `byes_drawn` likewise who sits out.

    `moved` are tables, as played, with the same entries at another number or in other seats. `aims`
    are told from the first in which the two differ on; nothing where they are as good as each other
    or can't be compared. `engine`, `seed` and `digest` are those of the draw; `refused` says why
    there is none.
    """

    round: int
    played: tuple[SeatedTable, ...] = ()
    drawn: tuple[DrawnTable, ...] = ()
    byes_played: tuple[str, ...] = ()
    byes_drawn: tuple[str, ...] = ()
    moved: tuple[SeatedTable, ...] = ()
    aims: tuple[AimApart, ...] = ()
    engine: str = ""
    seed: int = 0
    digest: str = ""
    refused: RuleViolation | None = None

    @property
    def meets(self) -> bool:
        """Whether the same entries meet and the same sit out."""
        return self.refused is None and not (
            self.played or self.drawn or self.byes_played or self.byes_drawn
        )

    @property
    def same(self) -> bool:
        """Whether the round is to the seat what the engine draws."""
        return self.meets and not self.moved


def redrawn(tournament: Tournament) -> Iterator[Redrawn]:
    """Every round of a tournament beside its draw, from the first on.

    Drawn are those who were in the round: at a table, or left over by the draw; the byes asked for
    stay. Lots are drawn from the tournament's seed. Where the engine that the tournament names
    gives another round, so do an older one or the lots that a director would draw next, which are
    tried, too. Of several stages each is drawn for those who went on to it.
    """
    for number, each in enumerate(tournament.rounds, start=1):
        try:
            seen = _stage_then(tournament, number)
            there = number - rounds_before(tournament, each.stage)
            yield replace(_redrawn(seen, there, each), round=number)
        except RuleViolation as refusal:
            yield Redrawn(round=number, refused=refusal)


def _stage_then(tournament: Tournament, number: int) -> Tournament:
    """The stage of round `number` as a tournament of its own, when that round was to be drawn.
    Raises RuleViolation for a cut that can't be made.
    """
    stage = tournament.rounds[number - 1].stage
    then = replace(
        tournament,
        rounds=tournament.rounds[: number - 1],
        cuts=tuple(cut for cut in tournament.cuts if cut.stage <= stage),
    )
    return of_stage(then, stage)


def _redrawn(seen: Tournament, number: int, each: Round) -> Redrawn:
    """A round of one stage beside its draw. Raises RuleViolation where there is none."""
    before = _before(seen, number, each)
    draws = _draws(before, number)
    first = _beside(before, number, each, next(draws))
    if first.meets:
        return first
    others = (_beside(before, number, each, other) for other in draws)
    return next((found for found in others if found.meets), first)


def _before(tournament: Tournament, number: int, each: Round) -> Tournament:
    """The tournament when a round was to be drawn, with those in it who were in the round."""
    present = {entry for table in each.tables for entry in table.entries}
    present |= {bye.entry for bye in each.byes if bye.kind == "pairing"}
    entries = tuple(_as_it_was(entry, number, present) for entry in tournament.entries)
    return replace(
        tournament, entries=entries, rounds=tournament.rounds[: number - 1], draw_seed=None
    )


def _as_it_was(entry: Entry, number: int, present: Collection[str]) -> Entry:
    if entry.plays_in(number) == (entry.id in present):
        return entry
    if entry.id not in present:
        return replace(entry, away=(*entry.away, number))
    return replace(
        entry,
        joined_in=min(entry.joined_in, number),
        withdrawn_after=None,
        away=tuple(each for each in entry.away if each != number),
    )


def _draws(before: Tournament, number: int) -> Iterator[Lots]:
    """The draw as the tournament has it; then by older engines, then with other lots."""
    yield draw(before, number), before.seed
    if before.stage.kind != "swiss":
        return
    for engine in ENGINES[: ENGINES.index(before.engine)]:
        yield draw(replace(before, engine=engine), number), before.seed
    seed = before.seed
    for _again in range(MOST_OTHER_LOTS):
        seed = other_lots(seed, number)
        yield draw(replace(before, draw_seed=seed), number), seed


def _beside(before: Tournament, number: int, each: Round, lots: Lots) -> Redrawn:
    """The played round beside one draw of it."""
    drawn, seed = lots
    there = {frozenset(table.entries): table for table in matches_at(drawn.tables)}
    here = {frozenset(table.entries) for table in each.tables}
    byes = [bye.entry for bye in each.byes if bye.kind == "pairing"]
    played = tuple(table for table in each.tables if frozenset(table.entries) not in there)
    return Redrawn(
        round=number,
        played=played,
        drawn=tuple(table for entries, table in there.items() if entries not in here),
        byes_played=tuple(entry for entry in byes if entry not in drawn.byes),
        byes_drawn=tuple(entry for entry in drawn.byes if entry not in byes),
        moved=tuple(
            table
            for table in each.tables
            if (other := there.get(frozenset(table.entries))) is not None
            and (other.table, other.entries) != (table.table, table.entries)
        ),
        aims=_aims(before, number, each, byes, drawn) if played else (),
        engine=drawn.engine,
        seed=seed,
        digest=drawn.digest,
    )


def _aims(
    before: Tournament, number: int, each: Round, byes: Sequence[str], drawn: Draw
) -> tuple[AimApart, ...]:
    """The aims from the first on that the two keep differently."""
    if before.stage.kind in OF_TWO and any(len(table.entries) != 2 for table in each.tables):
        return ()
    seatings = (
        seating_of(before, number, [table.entries for table in each.tables], byes),
        seating_of(
            before, number, [table.entries for table in matches_at(drawn.tables)], drawn.byes
        ),
    )
    return aims_apart(*seatings)


def aims_apart(played: Seating, drawn: Seating) -> tuple[AimApart, ...]:
    """The aims that two seatings of the same entries keep differently, the first aim first."""
    now, then = _costs(played), _costs(drawn)
    return tuple(
        AimApart(tier=tier, played=now[tier], drawn=then[tier])
        for tier in AIMS
        if now[tier] != then[tier]
    )


def _costs(seating: Seating) -> Counter[str]:
    """Return the cost of a whole seating by goal; the goals of the bye from those who
    sit out.
    """
    costs = Counter({each.tier: each.cost for each in (*seating.broken, *seating.totals)})
    for reasons in seating.byes:
        costs.update({each.tier: each.cost for each in reasons if each.tier in OF_THE_BYE})
    return costs
