"""What `manage.py score` prints for a game of Contract Sabacc, and a hand as a record holds it."""

from collections.abc import Mapping
from typing import Any

from scoring.chips import BANK
from scoring.game import ResultTable
from scoring.rulings import write_rulings
from scoring.sabacc.auction import CONTRACT_NAMES
from scoring.sabacc.pots import ANTE, WAGER
from scoring.sabacc.score import BONUS_NAMES, plain, shown
from scoring.sabacc.state import ClosedHand, Hand, HandResult, State


def result(state: State) -> dict[str, Any]:
    """The game's result as a JSON value: hands, net chips by seat, the Ante Pot (game-records.md)."""
    return {
        "id": state.record,
        "game": "contract_sabacc",
        "finished": state.closed is not None,
        "winners": winners(state),
        "hands": [hand_result(closed.hand, closed.result, state.seats) for closed in state.done],
        "chips": net_chips(state),
        "pots": {"ante": state.balances.get(ANTE, 0)},
    }


def winners(state: State) -> list[str]:
    """The seats with most chips, several when they share the place; empty while the game goes on (S13)."""
    if state.closed is None:
        return []
    chips = net_chips(state)
    return [seat for seat in state.seats if chips[seat] == max(chips.values())]


def hand_result(hand: Hand, closed: HandResult, seats: tuple[str, ...]) -> dict[str, Any]:
    """One hand's result as a JSON value; chips are the hand's net by seat."""
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "declarer": hand.declarer,
        "contract": hand.contract,
        "points": plain(closed.points) if closed.points is not None else None,
        "made": closed.made,
        "bonus": dict(closed.bonus._asdict()) if closed.bonus is not None else None,
        "chips": by_seat(hand.flow, seats),
        "ante_pot": closed.ante_pot,
    }


def net_chips(state: State) -> dict[str, int]:
    """Chips won or lost since the start by seat, what was given out or bought apart (Chips)."""
    bought = by_seat(state.bought, state.seats)
    return {seat: chips - bought[seat] for seat, chips in by_seat(state.balances, state.seats).items()}


def by_seat(accounts: Mapping[str, int], seats: tuple[str, ...]) -> dict[str, int]:
    """Chips by seat of the game: a substitute's are those of the seat they played for."""
    sums = dict.fromkeys(seats, 0)
    for account, chips in accounts.items():
        if account not in (ANTE, WAGER, BANK):
            sums[account[0]] += chips
    return sums


def result_table(result: dict[str, Any]) -> ResultTable:
    """A result as people read it: a row for each hand, then chips and the Ante Pot."""
    seats = tuple(result["chips"])
    ended = f"Most chips: {' and '.join(result['winners'])}." if result["finished"] else "Not finished."
    chips = ", ".join(f"{seat} {chips:+}" for seat, chips in result["chips"].items())
    return ResultTable(
        columns=("", "deals", "contract", "", "points", "bonus", *seats, "Ante Pot"),
        rows=tuple(_row(hand) for hand in result["hands"]),
        sums=(ended, f"Chips: {chips}. Ante Pot {result['pots']['ante']}."),
    )


def _row(hand: dict[str, Any]) -> tuple[str, ...]:
    chips = (f"{chips:+}" for chips in hand["chips"].values())
    if hand["declarer"] is None:
        return (str(hand["number"]), hand["dealer"], "nobody bid", "", "", "", *chips, str(hand["ante_pot"]))
    bonus = hand["bonus"]
    return (
        str(hand["number"]),
        hand["dealer"],
        f"{hand['declarer']} {CONTRACT_NAMES[hand['contract']]}",
        "made" if hand["made"] else "failed",
        shown(round(hand["points"] * 2)),
        f"{BONUS_NAMES[bonus['kind']]} {bonus['seat']} {bonus['chips']}" if bonus else "",
        *chips,
        str(hand["ante_pot"]),
    )


def write_sheet(closed: ClosedHand) -> dict[str, Any]:
    """A hand as a canonical record holds it: the finest detail that was written down, nothing twice."""
    hand = closed.hand
    sheet: dict[str, Any] = {"dealer": hand.dealer}
    extras = {
        "players": dict(hand.players),
        "buy_ins": dict(hand.buy_ins),
        "rulings": rulings_of(hand),
        "note": hand.note,
        "at": hand.at,
        "calls": [[seat, call] for seat, call in hand.calls],
    }
    sheet |= {key: value for key, value in extras.items() if value}
    return sheet | {"declarer": hand.declarer, "contract": hand.contract} | _written_play(hand)


def _written_play(hand: Hand) -> dict[str, Any]:
    play: dict[str, Any] = {}
    if hand.deal is not None:
        play["deal"] = {seat: list(cards) for seat, cards in zip(hand.accounts, hand.deal, strict=True)}
    if hand.talon is not None:
        play["talon"] = list(hand.talon)
    if hand.aside is not None:
        play["aside"] = list(hand.aside)
    if hand.play.cards:
        play["plays"] = [list(cards) for cards in hand.play.cards]
    if hand.counted is not None:
        points, kind, seat = hand.counted
        play["points"] = plain(points)
        if kind is not None:
            play["bonus"] = {"kind": kind, "seat": seat}
    return play


def rulings_of(hand: Hand) -> list[dict[str, Any]]:
    """The rulings of a hand as a record holds them."""
    seats = {account: seat for seat, account in hand.accounts.items()}
    written = write_rulings(hand.rulings, hand.ruled_moves, seats)
    return [{**ruling, "points": plain(ruling["points"])} if "points" in ruling else ruling for ruling in written]
