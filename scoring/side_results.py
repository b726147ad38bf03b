"""Results of a closed hand for each side: partners, or a seat if all play alone."""

from typing import NamedTuple

from scoring.shape import JsonObject


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
    """Return the results of a hand from `tricks` and `chips` of `Game.hand_results`: by
    team if it counts tricks by team, else by seat.
    """
    tricks, chips = hand["result"].get("tricks") or {}, hand["result"].get("chips") or {}
    return [
        SideResult(
            side,
            taken=tricks.get(side),
            chips=sum(chips[seat] for seat in chips if seat in side) if chips else None,
        )
        for side in tricks or chips
    ]


def list_declared_results(role: str, hand: JsonObject) -> list[SideResult]:
    """Return the results of a hand by seat, with the contract for the seat that its result
    names in this role.
    """
    result = hand["result"]
    return [
        each._replace(contract=result["contract"], made=result["made"])
        if each.side == result[role]
        else each
        for each in side_results(hand)
    ]
