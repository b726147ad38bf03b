"""The draw of the next round: who meets whom at which table, who sits out, and why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from scoring.errors import RuleViolation, sentence
from tournament.domain.pairing import explain
from tournament.domain.pairing.berger import berger_round, rounds_of
from tournament.domain.pairing.contenders import check_ready, contenders, rounds_met
from tournament.domain.pairing.costs import Tiers, tiers_of
from tournament.domain.pairing.knockout import draw_knockout
from tournament.domain.pairing.planned import draw_planned
from tournament.domain.pairing.pods import draw_pods
from tournament.domain.pairing.seats import first_dealer, in_order_of_tables, in_seats
from tournament.domain.pairing.seeding import (
    is_seeded,
    pairs_in_halves,
    robin_numbers,
    seed_entries,
    seed_reason,
    seeds_of,
)
from tournament.domain.pairing.swiss import Matched, best_draw
from tournament.domain.pairing.team_matches import at_several_tables
from tournament.domain.pairing.values import Contender, Draw, DrawnTable, NextBest, Reason, digest
from tournament.domain.standings.beginners import take_free_places
from tournament.domain.standings.formats import check_drawable_format
from tournament.domain.standings.values import BYES_TO, ENGINES, Tournament


def draw(tournament: Tournament, number: int | None = None) -> Draw:
    """The draw of round `number`, the next one by default, from the rounds before it; a match of
    several tables has them one after another.

    Raises RuleViolation: `no_format` for a game that can't be played so, `game_over` after the
    last round, `result_missing` while an earlier table has no result and no excuse, `too_few` for
    less than two entries.
    """
    number = len(tournament.rounds) + 1 if number is None else number
    tournament = seed_entries(tournament)
    check_drawable_format(tournament.stage, tournament.game)
    check_ready(tournament, number)
    players = contenders(tournament, number)
    if len(players) < 2:
        message = sentence(
            "a round needs two entries or more; %(players)s would play in round %(number)s",
            players=len(players),
            number=number,
        )
        raise RuleViolation("too_few", message, path="entries")
    drawn = DRAWS[tournament.stage.kind](tournament, number, players)
    return at_several_tables(drawn, tournament, number)


def _swiss(tournament: Tournament, number: int, players: Sequence[Contender]) -> Draw:
    tiers = tiers_of_round(tournament, number, players)
    if is_seeded(tournament, number):
        return _by_seeds(tournament, number, players, tiers)
    matched = best_draw(tiers)
    return Draw(
        round=number,
        tables=_explain_tables(tournament, number, tiers, matched),
        byes=() if matched.out is None else (tiers.players[matched.out].entry,),
        broken=explain.draw_reasons(tiers, matched.cost),
        totals=explain.draw_totals(tiers, matched.cost),
        engine=tournament.engine,
        digest=digest(tournament, number, players),
        byes_why=() if matched.out is None else (explain.bye_reasons(tiers, matched.out),),
    )


def tiers_of_round(tournament: Tournament, number: int, players: Sequence[Contender]) -> Tiers:
    """The aims of a round's draw by its engine, with the lots it draws."""
    placed = tournament.stage.bye_to == BYES_TO[0] and tournament.engine != ENGINES[0]
    return tiers_of(
        players,
        seed=tournament.lots_seed,
        number=number,
        clubs_apart=tournament.stage.clubs_apart,
        placed=placed,
    )


def _by_seeds(
    tournament: Tournament, number: int, players: Sequence[Contender], tiers: Tiers
) -> Draw:
    """The first round by the order of the ratings, where otherwise the lot decides."""
    seeds = seeds_of(tournament, players)
    of = {player.entry: place for place, player in enumerate(tiers.players)}
    stage = tournament.stage
    pairs, out = pairs_in_halves(seeds, stage.seeding, clubs_apart=stage.clubs_apart)
    met = ((of[seeds[one].entry], of[seeds[two].entry]) for one, two in pairs)
    places = tuple((min(pair), max(pair)) for pair in met)
    cost = tiers.unpacked(sum(tiers.packed(tiers.pair(one, two)) for one, two in places))
    matched = Matched(pairs=places, out=None if out is None else of[seeds[out].entry], cost=cost)
    tables = _explain_tables(tournament, number, tiers, matched)
    return Draw(
        round=number,
        tables=tuple(
            replace(table, why=(seed_reason(seeds, *table.entries), *table.why), next_best=None)
            for table in tables
        ),
        byes=() if out is None else (seeds[out].entry,),
        broken=explain.draw_reasons(tiers, cost),
        totals=explain.draw_totals(tiers, cost),
        engine=tournament.engine,
        digest=digest(tournament, number, players),
        byes_why=() if out is None else ((seed_reason(seeds, seeds[out].entry),),),
    )


def _explain_tables(
    tournament: Tournament, number: int, tiers: Tiers, matched: Matched
) -> tuple[DrawnTable, ...]:
    """The tables from the first on, each with its reasons and the next best."""
    seed = tournament.lots_seed
    of = {player.entry: place for place, player in enumerate(tiers.players)}
    seated = [
        in_seats(tiers.players[one], tiers.players[two], seed=seed, number=number)
        for one, two in matched.pairs
    ]
    ordered = in_order_of_tables(seated, seed=seed, number=number)
    table_of = {
        pair[place].entry: table for table, pair in enumerate(ordered, start=1) for place in (0, 1)
    }
    others = dict(zip(matched.pairs, explain.next_bests(tiers, matched), strict=True))
    met = rounds_met(tournament, number)
    tables = []
    for table, (first, second) in enumerate(ordered, start=1):
        one, two = of[first.entry], of[second.entry]
        other = others[min(one, two), max(one, two)]
        tables.append(
            DrawnTable(
                table=table,
                entries=(first.entry, second.entry),
                dealer=first_dealer(tournament.game, seed=seed, number=number, table=table),
                why=explain.table_reasons(tiers, one, two, met),
                next_best=_at_table(tiers, matched, table_of, *other) if other else None,
            )
        )
    return tuple(tables)


def _at_table(
    tiers: Tiers, matched: Matched, table_of: Mapping[str, int], best: NextBest, other: int | None
) -> NextBest:
    if other is None:
        return best
    return replace(best, other_table=table_of[tiers.players[matched.pairs[other][0]].entry])


def _round_robin(tournament: Tournament, number: int, players: Sequence[Contender]) -> Draw:
    """The entries' numbers are their places in the list, those who left included, whose places
    those who came late take; who would meet nobody sits out.
    """
    numbers, stage = robin_numbers(tournament), tournament.stage
    entries = take_free_places(numbers, tournament, number)
    last = rounds_of(len(entries), double=stage.double)
    if number > last:
        message = sentence(
            "%(entries)s entries have met once after %(last)s rounds",
            entries=len(entries),
            last=last,
        )
        if stage.double:
            message = sentence(
                "%(entries)s entries have met twice after %(last)s rounds",
                entries=len(entries),
                last=last,
            )
        raise RuleViolation("game_over", message, path="stage.rounds")
    playing = {player.entry for player in players}
    tables: list[DrawnTable] = []
    for one, two in berger_round(len(entries), number):
        pair = tuple(entries[place - 1] for place in (one, two) if place <= len(entries))
        if len(pair) == 2 and playing.issuperset(pair):
            dealer = first_dealer(
                tournament.game, seed=tournament.lots_seed, number=number, table=len(tables) + 1
            )
            why = (Reason(tier="berger", cost=0, numbers=(number, len(entries), one, two)),)
            tables.append(DrawnTable(table=len(tables) + 1, entries=pair, dealer=dealer, why=why))
    seated = {entry for table in tables for entry in table.entries}
    return Draw(
        round=number,
        tables=tuple(tables),
        byes=tuple(player.entry for player in players if player.entry not in seated),
        broken=(),
        engine=tournament.engine,
        digest=digest(tournament, number, players),
    )


DRAWS: Mapping[str, Callable[[Tournament, int, Sequence[Contender]], Draw]] = {
    "swiss": _swiss,
    "round_robin": _round_robin,
    "rotating": draw_planned,
    "pods": draw_pods,
    "movement": draw_planned,
    "knockout": draw_knockout,
    "duplicate": draw_planned,
}
