"""What a closed hand came to for each side: those who play together, or a seat where everybody
plays alone.
"""

from typing import NamedTuple

from scoring.shape import JsonObject

# What a result says by side under these names stands under those in a row.
BY_SIDE = {"tricks": "taken", "points": "points", "excess": "excess", "audits": "audits"}


class SideResult(NamedTuple):
    """A closed hand as one side saw it; None, or "", for what its game does not count or name.

    `bid` are the tricks it undertook to take, `contract` is what it named instead, `made` whether
    it did either. `excess` is the count after the hand, `chips` what its seats won and lost in it.
    """

    side: str
    bid: int | None = None
    contract: str = ""
    made: bool | None = None
    taken: int | None = None
    points: float | None = None
    excess: int | None = None
    audits: int | None = None
    chips: int | None = None


def side_results(hand: JsonObject) -> list[SideResult]:
    """What `Game.hand_results` says of a hand by side: by team where it counts tricks by team, else
    by seat. Nothing where it says nothing by either.
    """
    result = hand["result"]
    chips = result.get("chips") or {}
    counted = {name: result.get(name) for name in BY_SIDE}
    by_side = {name: said for name, said in counted.items() if isinstance(said, dict)}
    sides = next(iter(by_side.values()), chips)
    return [
        SideResult(
            side,
            chips=sum(chips[seat] for seat in chips if seat in side) if chips else None,
            **{BY_SIDE[name]: said[side] for name, said in by_side.items()},
        )
        for side in sides
    ]


def declared_by(role: str, hand: JsonObject) -> list[SideResult]:
    """What a hand says by seat, with the contract for the seat that its result names in this
    role.
    """
    result = hand["result"]
    return [
        each._replace(contract=result["contract"], made=result["made"])
        if each.side == result[role]
        else each
        for each in side_results(hand)
    ]
