"""The acts of a whole hand's sheet one by one, as a scorer would enter them."""

from collections.abc import Sequence

from scoring.patience.sheet import Sheet as PatienceSheet
from scoring.patience.whole_hand import moves_of
from scoring.precedence import commands as precedence
from scoring.precedence.sheet import Sheet as PrecedenceSheet
from scoring.precedence.whole_hand import bids_in_turn, contracts_of
from scoring.precedence.whole_hand import tricks_of as precedence_tricks
from scoring.preference import commands as preference
from scoring.preference.contracts import may_keep_out
from scoring.preference.rules import Rules
from scoring.preference.sheet import Sheet as PreferenceSheet
from scoring.preference.whole_hand import tricks_of as preference_tricks
from scoring.sabacc import commands as sabacc
from scoring.sabacc.sheet import Sheet as SabaccSheet
from scoring.sabacc.whole_hand import tricks_of as sabacc_tricks


def patience_acts(sheet: PatienceSheet) -> Sequence[object]:
    """Of a patience."""
    return [sheet.opening, *sheet.rulings, *moves_of(sheet)]


def precedence_acts(sheet: PrecedenceSheet, dealer: str) -> Sequence[object]:
    """Of Precedence, for a hand that `dealer` deals."""
    said = [*bids_in_turn(sheet, dealer), *contracts_of(sheet, dealer)]
    acts = [sheet.opening, *sheet.melds, *said]
    dealt = [precedence.RecordDeal(holdings=sheet.deal)] if sheet.deal is not None else []
    played = [precedence.CallMisdeal()] if sheet.misdeal else precedence_tricks(sheet)
    return [*acts, *dealt, *sheet.rulings, *played]


def preference_acts(sheet: PreferenceSheet, rules: Rules) -> Sequence[object]:
    """Of Preference."""
    calls = [preference.MakeCall(seat=seat, call=call) for seat, call in sheet.calls]
    deal = preference.RecordDeal(holdings=sheet.deal, widow=sheet.widow, discards=sheet.discards)
    dealt = [deal] if deal != preference.RecordDeal() else []
    opening = [sheet.opening, *sheet.rulings]
    if sheet.soloist is None:
        last: list[object] = [*calls[-1:]] or [preference.ThrowIn()]
        return [*opening, *calls[:-1], *dealt, *last]
    named = preference.NameContract(soloist=sheet.soloist, contract=sheet.contract)
    chosen = preference.ChooseDefence(choices=sheet.defenders)
    defence = [chosen] if may_keep_out(sheet.contract, rules) else []
    return [*opening, *calls, named, *dealt, *defence, *preference_tricks(sheet)]


def sabacc_acts(sheet: SabaccSheet, players: int) -> Sequence[object]:
    """Of Contract Sabacc, for a game of so many players."""
    bidding = [*sheet.calls] if sheet.calls or sheet.named is None else [sheet.named]
    apart: list[object] = []
    if sheet.deal is not None:
        apart.append(sabacc.RecordDeal(holdings=tuple(cards for _, cards in sheet.deal)))
    if sheet.talon is not None:
        apart.append(sabacc.ShowTalon(cards=sheet.talon))
    if sheet.aside is not None:
        apart.append(sabacc.SetAside(cards=sheet.aside))
    if sheet.is_void:
        return [sheet.opening, *bidding[:-1], *apart, *sheet.rulings, *bidding[-1:]]
    return [sheet.opening, *bidding, *apart, *sheet.rulings, *sabacc_tricks(sheet, players)]
