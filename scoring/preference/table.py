"""What a pad or a board shows of a Preference game, and what may come next, as plain JSON values."""

from typing import Any

from scoring.preference.auction import HOLD, auction_of
from scoring.preference.contracts import CONTRACTS, MISERES, NEEDED, TRUMP, VALUES, WITH_WIDOW
from scoring.preference.events import SHAPES
from scoring.preference.opening import antes_due, next_dealer
from scoring.preference.payments import POT
from scoring.preference.results import flow_of
from scoring.preference.score import longest_row, may_be_said, tricks_taken
from scoring.preference.seats import SEATS, defenders_of
from scoring.preference.state import Hand, Play, State
from scoring.preference.tricks import TRICKS
from scoring.purses import net_chips, with_most_chips
from scoring.rulings import rulings_of, shown
from scoring.told import undoable


def table(state: State) -> dict[str, Any]:
    """The table as it stands: stage, score (chips won and lost by seat), pot, the open hand, and what `Undo` would take back.

    `stage` is `opening` (a hand may be opened), `auction`, `contract` (the auction is over), `defence`, `play` or `over`.
    """
    rules = state.rules
    return {
        "stage": _stage(state),
        "hands_limit": rules.hands,
        "stakes": {"ante": rules.ante, "take": rules.take, "forfeit": rules.forfeit, "duty": rules.duty},
        "misere_duty": rules.misere_duty,
        "insister_pays": rules.insister_pays,
        "winners": with_most_chips(state),
        "opening_chips": rules.opening_chips,
        "closed": state.closed.kind if state.closed is not None else None,
        "score": net_chips(state),
        "pots": {POT: state.balances.get(POT, 0)},
        "hands": state.played,
        "next": {"number": state.played + 1, "dealer": next_dealer(state), "ante": antes_due(state)},
        "hand": _hand(state.hand) if state.hand is not None else None,
        "undo": undoable(state, SHAPES),
    }


def _stage(state: State) -> str:
    if state.closed is not None:
        return "over"
    if state.hand is None:
        return "opening"
    if state.hand.contract:
        return "play" if state.hand.defence is not None else "defence"
    auction = auction_of(state.hand.dealer, state.hand.calls)
    return "auction" if auction.speaker is not None else "contract"


def _hand(hand: Hand) -> dict[str, Any]:
    won = hand.play.winners
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "players": dict(hand.players),
        "calls": [list(call) for call in hand.calls],
        "auction": _auction(hand),
        "soloist": hand.soloist or None,
        "contract": hand.contract or None,
        "value": VALUES.get(hand.contract),
        "trump": TRUMP.get(hand.contract, ""),
        "widow": hand.contract in WITH_WIDOW,
        "needed": (0 if hand.contract in MISERES else NEEDED) if hand.contract else None,
        "defenders": list(defenders_of(hand.soloist)) if hand.soloist else [],
        "defence": dict(hand.defence) if hand.defence is not None else None,
        "dealt": [list(cards) for cards in hand.deal.holdings] if hand.deal is not None and hand.deal.holdings else None,
        "written": hand.deal is not None,
        "trick": hand.play.trick,
        "leader": hand.play.order[0] if hand.play.order else None,
        "playing": [seat for seat in SEATS if seat in hand.play.order],
        "tricks": tricks_taken(hand),
        "totals": _totals(hand),
        "in_a_row": longest_row(won, hand.soloist)[0],
        "winners": list(won),
        "plays": [list(cards) for cards in hand.play.cards],
        "by_cards": len(hand.play.cards) == len(won),
        "accepted": sorted(hand.accepted),
        "chips": flow_of(hand),
        "cards": _play(hand.play),
        **shown(rulings_of(hand)),
    }


def _totals(hand: Hand) -> dict[str, list[int]]:
    """How many tricks the soloist may have in all (R13).

    In `no_trump` those with six in succession (`true`) and without (`false`), elsewhere those under "".
    """
    if not hand.play.order:
        return {}
    taken = tricks_taken(hand)
    mine = range(taken[hand.soloist], TRICKS + 1 - sum(won for seat, won in taken.items() if seat != hand.soloist))
    if hand.contract != "no_trump":
        return {"": [*mine]}
    return {name: [tricks for tricks in mine if may_be_said(hand, tricks, said)] for name, said in (("true", True), ("false", False))}


def _auction(hand: Hand) -> dict[str, Any]:
    """Who speaks, what they may say, and which contracts the soloist may name once it is over (R6, R8)."""
    auction = auction_of(hand.dealer, hand.calls)
    may = auction.may_say
    least = VALUES[auction.high] - 1 if auction.high is not None else 0
    return {
        "high": auction.high,
        "holder": auction.holder,
        "speaker": auction.speaker,
        "live": list(auction.live),
        "may_hold": HOLD in may,
        "bids": [call for call in may if call in VALUES],
        "contracts": list(CONTRACTS[least:]),
    }


def _play(play: Play) -> dict[str, Any]:
    """What the play tells about cards, so that `offer` needs the table alone; sets of cards are bits."""
    return {"order": play.order, "played": play.played, "held": play.held, "denied": play.denied, "spare": play.spare}
