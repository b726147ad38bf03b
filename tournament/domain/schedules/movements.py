"""Movements: pairs who play the same deals as others, two at a table, N–S first (F5, F6)."""

from typing import Literal

from scoring.errors import RuleViolation
from tournament.domain.schedules.howell import Match, Matches, has_howell, howell_matches
from tournament.domain.schedules.mitchell import (
    MOST_TABLES_WITH_ROVER,
    mitchell_matches,
    with_rover,
)
from tournament.domain.schedules.values import Plan, PlannedRound, Sitting

type Movement = Literal["howell", "mitchell"]

MOST_PAIRS = 250
# Deals at all tables: what is typed of a round stands on one form, what came of all on one page.
MOST_IN_A_ROUND, MOST_PLAYED = 2_000, 20_000
FEWEST_PAIRS = {"howell": 4, "mitchell": 5}  # so that two tables at least play each deal
SWITCHED = 8  # of so many rounds of a Mitchell with one winner the last has directions exchanged


def movement_plan(
    pairs: int,
    kind: Movement,
    rounds: int | None,
    *,
    deals_a_round: int,
    winners: Literal[1, 2],
    rover: bool = False,
) -> Plan:
    """The movement of so many pairs: all its rounds, or the first so many.

    `places` are N–S and E–W. A table plays `deals_a_round` consecutive deals in a round. A Howell
    has one winner. A Mitchell has two, the best N–S and the best E–W, or one: then the last eighth
    of its rounds is played with the directions exchanged. Of an odd number of pairs one sits out
    each round, at a Mitchell that which has no opponent or, with a `rover`, that which the last
    pair displaces.

    Raises RuleViolation `no_movement` for what can't be had, with what can.
    """
    _check(pairs, kind, deals_a_round=deals_a_round, winners=winners, rover=rover)
    matches = _matches(pairs, kind, rover=rover)
    if rounds is not None:
        _check_rounds(rounds, len(matches), pairs, kind)
        matches = matches[:rounds]
    _check_played(pairs, len(matches), deals_a_round)
    construction = f"{kind} {pairs}"
    if rover:
        matches = _add_rover(matches, pairs)
        construction += " rover"
    if kind == "mitchell" and winners == 1:
        matches = _switch_arrows(matches)
        construction += " switched"
    return Plan(
        size=pairs,
        construction=construction,
        rounds=_plan_rounds(matches, pairs, deals_a_round),
        most_met=2 if kind == "howell" and pairs == 4 else 1,
        groups=_sides(pairs, rover=rover) if kind == "mitchell" else (),
        moves=(0, 1) if _is_plain(kind, pairs, rover=rover) else (),
        shares_deals=kind == "howell" and pairs in (5, 6),
        rover=pairs - 1 if rover else None,
    )


def rounds_of(pairs: int, kind: Movement, *, rover: bool = False) -> int:
    """Return the number of rounds of the whole movement; one with a rover may have no
    way through the last.

    Raises RuleViolation `no_movement`.
    """
    _check(pairs, kind, deals_a_round=1, winners=1, rover=rover)
    return len(_matches(pairs, kind, rover=rover))


def _check(pairs: int, kind: Movement, *, deals_a_round: int, winners: int, rover: bool) -> None:
    if pairs < FEWEST_PAIRS["howell"]:
        raise _refused(
            "entries",
            "%(pairs)s pairs are too few for a movement: no two tables would play the same deals; "
            "from 4 pairs on a Howell works, from 5 on a Mitchell, and fewer play a round robin",
            pairs=pairs,
        )
    if pairs < FEWEST_PAIRS[kind]:
        raise _refused(
            "entries", "%(pairs)s pairs are too few for a Mitchell; a Howell works", pairs=pairs
        )
    if pairs > MOST_PAIRS:
        raise _refused(
            "entries",
            "a movement is made for up to %(most)s pairs, not for %(pairs)s; play it in groups",
            most=MOST_PAIRS,
            pairs=pairs,
        )
    if kind == "howell" and not has_howell(pairs + pairs % 2):
        raise _refused(
            "movement",
            "no Howell of %(pairs)s pairs is known here; a Mitchell of %(tables)s tables works",
            pairs=pairs,
            tables=(pairs + 1) // 2,
        )
    if kind == "howell" and winners == 2:
        raise _refused(
            "winners",
            "a Howell has one winner, as everybody meets everybody; for two take a Mitchell",
        )
    if deals_a_round < 1:
        raise _refused(
            "deals_a_round",
            "a table plays %(deals)s deals in a round; 1 is the least",
            deals=deals_a_round,
        )
    if rover:
        _check_rover(pairs, kind)


def _check_played(pairs: int, rounds: int, deals_a_round: int) -> None:
    """As many deals as all tables play, in a round and in all rounds."""
    tables = (pairs + 1) // 2
    if tables * deals_a_round > MOST_IN_A_ROUND:
        raise _refused(
            "deals_a_round",
            "%(tables)s tables play at most %(most)s deals each in a round, not %(deals)s",
            tables=tables,
            most=MOST_IN_A_ROUND // tables,
            deals=deals_a_round,
        )
    if tables * rounds * deals_a_round > MOST_PLAYED:
        raise _refused(
            "rounds",
            "with %(deals)s deals a round %(tables)s tables have %(most)s rounds at most, not "
            "%(rounds)s",
            deals=deals_a_round,
            tables=tables,
            most=MOST_PLAYED // (tables * deals_a_round),
            rounds=rounds,
        )


def _check_rover(pairs: int, kind: Movement) -> None:
    if kind == "howell" or pairs % 2 == 0:
        raise _refused(
            "rover", "a rover is the odd pair of a Mitchell; here a movement without one works"
        )
    if not 3 <= pairs // 2 <= MOST_TABLES_WITH_ROVER:
        raise _refused(
            "rover",
            "a rover works from 3 to %(most)s tables, not at %(tables)s; without one a pair sits "
            "out each round",
            most=MOST_TABLES_WITH_ROVER,
            tables=pairs // 2,
        )


def _check_rounds(rounds: int, most: int, pairs: int, kind: Movement) -> None:
    if not 1 <= rounds <= most:
        raise _refused(
            "rounds",
            "%(pairs)s pairs have 1 to %(most)s rounds of this movement, not %(rounds)s: in more "
            "they would play deals again",
            pairs=pairs,
            most=most,
            rounds=rounds,
        )
    if kind == "howell" and pairs == FEWEST_PAIRS[kind] and rounds % 2:
        raise _refused(
            "rounds",
            "a Howell of 4 pairs has 2, 4 or 6 rounds, as two tables exchange their deals each "
            "second round",
        )


def _matches(pairs: int, kind: Movement, *, rover: bool) -> Matches:
    """All rounds; who sits out meets a number that isn't there."""
    if kind == "howell":
        return howell_matches(pairs + pairs % 2)
    return mitchell_matches(pairs // 2 if rover else (pairs + 1) // 2)


def _add_rover(matches: Matches, pairs: int) -> Matches:
    roved = with_rover(matches, pairs - 1)
    if roved is None:
        raise RuleViolation(
            "no_movement",
            "a rover has no way through %(rounds)s rounds at %(tables)s tables; with a round less "
            "it has",
            path="rounds",
            rounds=len(matches),
            tables=pairs // 2,
        )
    return roved


def _switch_arrows(matches: Matches) -> Matches:
    """The arrow switch: the directions are exchanged in the last ⌈R/8⌉ of R rounds."""
    straight = len(matches) - (len(matches) + SWITCHED - 1) // SWITCHED
    return matches[:straight] + [
        [
            match._replace(north_south=match.east_west, east_west=match.north_south)
            for match in tables
        ]
        for tables in matches[straight:]
    ]


def _plan_rounds(matches: Matches, pairs: int, deals_a_round: int) -> tuple[PlannedRound, ...]:
    standing = sorted(
        {
            place
            for tables in matches
            for place, match in enumerate(tables)
            if _is_played(match, pairs)
        }
    )
    number_of = {place: number for number, place in enumerate(standing, start=1)}
    planned = []
    for tables in matches:
        sittings = tuple(
            Sitting(
                table=number_of[place],
                places=match[:2],
                deals=tuple(
                    range(match.deals * deals_a_round + 1, (match.deals + 1) * deals_a_round + 1)
                ),
            )
            for place, match in enumerate(tables)
            if _is_played(match, pairs)
        )
        seated = {pair for sitting in sittings for pair in sitting.places}
        planned.append(PlannedRound(tables=sittings, out=tuple(sorted({*range(pairs)} - seated))))
    return tuple(planned)


def _is_played(match: Match, pairs: int) -> bool:
    return max(match[:2]) < pairs


def _sides(pairs: int, *, rover: bool) -> tuple[tuple[int, ...], ...]:
    """Return the pairs that sit N–S at a Mitchell, and those that sit E–W."""
    tables = pairs // 2 if rover else (pairs + 1) // 2
    return tuple(range(tables)), tuple(range(tables, pairs))


def _is_plain(kind: Movement, pairs: int, *, rover: bool) -> bool:
    """Whether one sentence says how all move: E–W one table up after each round."""
    return kind == "mitchell" and not rover and (pairs + 1) // 2 % 2 == 1


def _refused(path: str, message: str, **values: object) -> RuleViolation:
    return RuleViolation("no_movement", message, rule="", path=path, **values)
