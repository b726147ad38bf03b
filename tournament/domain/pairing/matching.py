"""The least sum of a perfect matching, by rustworkx."""

from collections.abc import Iterable, Sequence

import rustworkx

type Edge = tuple[int, int, int]


def least_matching(nodes: int, edges: Sequence[Edge]) -> list[tuple[int, int]] | None:
    """The pairs of a perfect matching whose costs add up to the least, or None where there is no
    perfect one.

    Nodes are numbered from 0, an edge is (one, two, cost). Costs are whole numbers of at most 120
    binary digits.
    """
    if not edges:
        return [] if nodes == 0 else None
    above = max(cost for _, _, cost in edges) + 1
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(one, two, above - cost) for one, two, cost in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matched) < nodes:
        return None
    return sorted(_in_order(matched))


def _in_order(pairs: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    return ((min(pair), max(pair)) for pair in pairs)
