"""The values of a draw: who can be paired, which tables came out, and why; and the digest that
names it: the same input, seed and engine give the same draw.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from scoring.shape import JsonObject
from tournament.domain.standings.exact import Exact, round_half_up
from tournament.domain.standings.formats import write_own
from tournament.domain.standings.scales import points_of_round
from tournament.domain.standings.values import BY_LOT, ENGINES, Entry, Seats, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """An entry that is to be seated in the next round, with all that its pairing depends on.

    `points` are hundredths, adjustments included, and `virtual`, those of them that acceleration
    lends for this draw; `met` says how often each opponent was met at a
    table; `byes` how often it got the points of a win without playing; `floated` is 1 when it met a
    higher score in the last round, -1 a lower one or a bye, else 0; `balance` how much oftener it
    sat in the first seats of a table than in the second; `rank` its place in the standings before
    the draw.
    """

    entry: str
    points: int = 0
    club: str | None = None
    met: Mapping[str, int] = field(default_factory=dict)
    byes: int = 0
    floated: int = 0
    balance: int = 0
    rank: int = 0
    virtual: int = 0


def same_club(one: Contender, two: Contender) -> bool:
    """Whether two are of one club."""
    return one.club is not None and one.club == two.club


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """The outcome of one goal of the draw at a table.

    `cost` 0 means kept, more is how far the goal had to give way. `numbers` are what
    the cost comes from, in the order of the seats: how often they met, then in which
    rounds (`rematch`), both scores in hundredths, then how much of each is lent by
    acceleration if any is (`score_difference`), 1 or -1 for each that meets a higher or
    lower score again (`repeated_float`), both balances of seats (`seat_balance`), how
    many have a lower score (`bye_above`), how many of the same score are placed lower
    (`bye_place`), round, entries, both places in the list, and in which round they were
    to meet (`berger`); how many are seeded, and the places of these in their order
    (`seeds`), the first and the last deal of a table of one (`same_deals`), the number
    of the rover and of the entry it displaces, the rover's alone if it displaces none
    (`rover`).
    """

    tier: str
    cost: int
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NextBest:
    """The best that an exchange of opponents with one other table would give (`other_table` None:
    with who sits out).

    `entries` are who would meet instead; `tier` is the first aim that would be kept worse, by
    `more`; with `tier` "lots" both are as good, and the lot decided.
    """

    entries: tuple[str, str]
    other_table: int | None
    tier: str
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTable(Seats):
    """A table of the next round: its entries in the order of the seats, who deals first, and why
    they meet; the deals played there, and which match of a knock-out it is.
    """

    why: tuple[Reason, ...] = ()
    next_best: NextBest | None = None


type Counts = tuple[tuple[int, int], ...]  # (how often, for how many) pairs, in order


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanCounts:
    """The verifier's counts of the plan of a stage for `size` entries and `rounds`
    rounds: the proof of a draw, as `schedules.values.Proof` has it.

    `never_met` names the pairs that never share a table if they are few; `moves` says
    by how many tables each group of the plan moves up after a round. `table_sizes` are
    the sizes of tables, if they differ, each with how often, for how many entries.
    """

    size: int
    rounds: int
    meetings: Counts = ()
    partners: Counts = ()
    opponents: Counts = ()
    left: Counts = ()
    sit_outs: Counts = ()
    deals: Counts = ()
    never_met: tuple[tuple[str, str], ...] = ()
    moves: tuple[int, ...] = ()
    table_sizes: tuple[tuple[int, Counts], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The draw of a round. `broken` names the aims no draw of these entries can keep, with how far
    this one is off, `totals` what the whole draw comes to in every aim; `byes_why` says in the same
    order as `byes` why they sit out, where a choice was made.

    `digest` is a SHA-256 of the input, the seed and the engine's version in hexadecimal digits: the
    same gives the same draw. A round of a plan names its `construction`, and what the verifier
    `counted` in it.
    """

    round: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[str, ...]
    broken: tuple[Reason, ...]
    engine: str
    digest: str
    byes_why: tuple[tuple[Reason, ...], ...] = ()
    totals: tuple[Reason, ...] = ()
    construction: str = ""
    counted: PlanCounts | None = None


def digest(tournament: Tournament, number: int, players: Sequence[Contender]) -> str:
    """A SHA-256, in hexadecimal digits, of all that the draw of a round depends on, as its engine
    wrote it down.
    """
    stage, first = tournament.stage, tournament.engine == ENGINES[0]
    added = (*(("rank",) if first else ()), *(() if stage.accelerated else ("virtual",)))
    facts = {
        "engine": tournament.engine,
        "tournament": tournament.id,
        "game": tournament.game,
        "seed": tournament.lots_seed,
        "round": number,
        "stage": {"kind": stage.kind, "clubs_apart": stage.clubs_apart, "double": stage.double}
        | ({} if first else {"bye_to": stage.bye_to})
        | _write_seeding(tournament)
        | ({"accelerated": stage.accelerated} if stage.accelerated else {}),
        "entries": [entry.id for entry in tournament.entries],
        **_plan_or_tree(tournament, number),
        "contenders": [
            _without(asdict(player), added)
            for player in sorted(players, key=lambda player: player.entry)
        ],
    }
    return hashlib.sha256(
        json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


def _plan_or_tree(tournament: Tournament, number: int) -> JsonObject:
    """Return the further input of a plan or a tree: the options of the format, who was
    to play when, and the tables until now.
    """
    own = write_own(tournament.stage)
    if not own:
        return {}
    return {
        "own": own,
        "presence": [
            (entry.joined_in, _find_leaving_round(entry, number), entry.rating, entry.club)
            for entry in tournament.entries
        ],
        "tables": [
            [
                (table.table, table.entries, table.match, _round_points(points.get(table.table)))
                for table in each.tables
            ]
            for each in tournament.rounds[: number - 1]
            for points in (points_of_round(tournament.stage.scale, each),)
        ],
    }


def _round_points(points: Sequence[Exact] | None) -> list[int] | None:
    return None if points is None else list(map(round_half_up, points))


def _find_leaving_round(entry: Entry, number: int) -> int | None:
    """Return the round after which an entry had left before a round; None if it was
    still there.
    """
    left = entry.withdrawn_after
    return left if left is not None and left < number else None


def _without(facts: JsonObject, names: Sequence[str]) -> JsonObject:
    return {name: fact for name, fact in facts.items() if name not in names}


def _write_seeding(tournament: Tournament) -> dict[str, object]:
    """The option and the ratings that it counts, where it is not by lot."""
    if tournament.stage.seeding == BY_LOT:
        return {}
    return {
        "seeding": tournament.stage.seeding,
        "ratings": {entry.id: entry.rating for entry in tournament.entries},
    }
