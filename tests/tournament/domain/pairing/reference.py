"""The aims of a Swiss draw said once more, plainly, and the best draw over all pairs by
networkx.
"""

import networkx

from tournament.domain.pairing.values import Draw
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.values import Result, Round, Tournament


class Pairs(networkx.Graph):  # type: ignore[misc]  # networkx says nothing of its types
    """A graph whose edges are read as they are kept: the matching asks for millions."""

    def __getitem__(self, node: str) -> dict[str, dict[str, object]]:
        found: dict[str, dict[str, object]] = self._adj[node]
        return found


type Cost = tuple[int, ...]
OUT = "nobody"
BASE = 10**13  # more than any tier of these events can reach


def points_of(result: Result) -> int:
    """The points that a result was given."""
    assert result.points is not None
    return result.points


class Reference:
    """What the next round of an event costs, counted from its rounds alone. Results have their
    points given.
    """

    def __init__(self, tournament: Tournament) -> None:
        number = len(tournament.rounds) + 1
        self.playing = [entry.id for entry in tournament.entries if entry.plays_in(number)]
        self.club = {entry.id: entry.club for entry in tournament.entries}
        self.apart = tournament.stage.clubs_apart
        self.bye_worth = tournament.stage.scale.bye
        self.half_worth = (
            50
            if tournament.stage.scale.kind == "match"
            else 100 * len(tournament.stage.scale.steps)
        )
        self.points = {entry.id: 0 for entry in tournament.entries}
        self.byes = dict.fromkeys(self.points, 0)
        self.balance = dict.fromkeys(self.points, 0)
        self.meetings: dict[frozenset[str], int] = {}
        self.floated: dict[str, int] = {}
        for played in tournament.rounds:
            self._play(played)
        self.placed = tournament.stage.bye_to == "lowest_placed"
        self.rank = {row.entry: row.rank for row in standings(tournament).rows}
        for adjustment in tournament.adjustments:
            self.points[adjustment.entry] += adjustment.points
        self.ladder = sorted({self.points[entry] for entry in self.playing})

    def _play(self, played: Round) -> None:
        before, self.floated = dict(self.points), {}
        for table in played.tables:
            for entry, result in zip(table.entries, table.results, strict=True):
                self.points[entry] += points_of(result)
            if table.forfeit:
                best, least = (
                    choose(points_of(result) for result in table.results) for choose in (max, min)
                )
                winners = [
                    entry
                    for entry, result in zip(table.entries, table.results, strict=True)
                    if points_of(result) == best > least
                ]
                self.byes.update({entry: self.byes[entry] + 1 for entry in winners})
                continue
            one, two = table.entries
            self.meetings[frozenset(table.entries)] = (
                self.meetings.get(frozenset(table.entries), 0) + 1
            )
            self.balance[one] += 1
            self.balance[two] -= 1
            if before[one] != before[two]:
                self.floated[one], self.floated[two] = (
                    (-1, 1) if before[one] > before[two] else (1, -1)
                )
        for bye in played.byes:
            self.points[bye.entry] += {
                "pairing": self.bye_worth,
                "half": self.half_worth,
                "zero": 0,
            }[bye.kind]
            if bye.kind == "pairing":
                self.byes[bye.entry] += 1
                self.floated[bye.entry] = -1

    def pair(self, one: str, two: str) -> Cost:
        met = self.meetings.get(frozenset((one, two)), 0)
        high, low = (one, two) if self.points[one] >= self.points[two] else (two, one)
        apart = self.points[high] - self.points[low]
        floats = (self.floated.get(high) == -1) + (self.floated.get(low) == 1) if apart else 0
        club = self.apart and self.club[one] is not None and self.club[one] == self.club[two]
        first, second = sorted((self.balance[one], self.balance[two]))
        return (
            min(met, 1),
            max(0, met - 1),
            0,
            0,
            0,
            apart**2,
            floats,
            int(club),
            (first + 1) ** 2 + (second - 1) ** 2,
        )

    def bye(self, entry: str) -> Cost:
        balance = self.balance[entry] ** 2
        floats = int(self.floated.get(entry) == -1)
        return (
            0,
            0,
            self.byes[entry],
            self.ladder.index(self.points[entry]),
            self.below(entry),
            0,
            floats,
            0,
            balance,
        )

    def below(self, entry: str) -> int:
        """How many of the same score stand lower, where that matters."""
        alike = [other for other in self.playing if self.points[other] == self.points[entry]]
        return sum(self.rank[other] > self.rank[entry] for other in alike) if self.placed else 0

    def cost(self, drawn: Draw) -> Cost:
        """What a draw costs in each tier."""
        costs = [self.pair(*table.entries) for table in drawn.tables] + [
            self.bye(entry) for entry in drawn.byes
        ]
        return tuple(map(sum, zip(*costs, strict=True)))

    def least_cost(self) -> Cost:
        """The least that any draw costs, by networkx's matching over every pair."""
        graph = Pairs()
        sitting = [*self.playing, OUT] if len(self.playing) % 2 else list(self.playing)
        for place, one in enumerate(sitting):
            for two in sitting[place + 1 :]:
                cost = self.bye(one) if two == OUT else self.pair(one, two)
                graph.add_edge(
                    one,
                    two,
                    cost=cost,
                    weight=-sum(part * BASE ** (8 - tier) for tier, part in enumerate(cost)),
                )
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        return tuple(map(sum, zip(*(graph.edges[edge]["cost"] for edge in matching), strict=True)))


def can_all_meet_anew(reference: Reference, *may_sit_out: str) -> bool:
    """Whether everybody can be paired with somebody new, one of these (all, when none is named)
    sitting out if need be.
    """
    graph = networkx.Graph()
    graph.add_nodes_from(reference.playing)
    graph.add_edges_from(
        (one, two)
        for one in reference.playing
        for two in reference.playing
        if one < two and not reference.pair(one, two)[0]
    )
    if len(reference.playing) % 2:
        graph.add_edges_from((entry, OUT) for entry in may_sit_out or reference.playing)
    return bool(
        networkx.is_perfect_matching(
            graph, networkx.max_weight_matching(graph, maxcardinality=True)
        )
    )
