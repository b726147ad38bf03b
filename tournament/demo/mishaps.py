"""Mishaps of games that are over, and their correction: hands confirmed, disputed,
ruled on and corrected.
"""

import uuid
from random import Random

from scoring.commands import EndGame, StartGame
from scoring.confirmation import Command, ConfirmHands, DisputeHand, RuleDispute
from scoring.corrections import CorrectHand, Correction
from scoring.errors import Refusal
from scoring.precedence.commands import OpenHand
from scoring.precedence.play import PRECEDENCE
from scoring.sheets import HandSheet
from tournament.demo.card_play import hand_by_chance, play_hand, sheet_of
from tournament.models import Game
from tournament.recording.confirmations import record_attestation
from tournament.recording.corrections import can_go_on, preview_correction, record_correction
from tournament.recording.door import record_acts
from tournament.streams.folds import Folded, require_fold

DIRECTOR = "The director"
# How often it happens to a game, in a hundred.
CONFIRMED, DISPUTED, CORRECTED = 20, 4, 4


def mishaps(rng: Random, game: Game, *, actor: str) -> None:
    """Let happen to a game that is over what happens to some: its hands are confirmed, one of them
    is disputed or corrected.
    """
    happened = rng.random() * 100
    if happened < CONFIRMED:
        confirmed(game, actor=actor)
    elif happened < CONFIRMED + DISPUTED:
        disputed(rng, game, actor=actor)
    elif happened < CONFIRMED + DISPUTED + CORRECTED:
        corrected(rng, game, actor=actor)


def confirmed(game: Game, *, actor: str) -> None:
    """Every side says that every hand is recorded right."""
    folded = _fold_game(game)
    hands = tuple(range(1, folded.state.played + 1))
    for side in folded.game.teams or folded.state.players:
        _attest(game, ConfirmHands(hands=hands, seat=side[0]), actor=actor)


def disputed(rng: Random, game: Game, *, actor: str) -> None:
    """A player says that a hand is not recorded right; the director lets it stand, or has it
    corrected.
    """
    hand = dispute_hand(rng, game, actor=actor)
    if rng.random() < 0.5:
        why = "The cards were still on the table."
        _attest(game, RuleDispute(hand=hand, by=DIRECTOR, reason=why), actor=actor)
    else:
        corrected(rng, game, actor=actor, hand=hand)


def dispute_hand(rng: Random, game: Game, *, actor: str) -> int:
    """A player says that a hand is not recorded right; its number."""
    state = _fold_game(game).state
    hand = rng.randint(1, state.played)
    seat = rng.choice([*state.players])
    _attest(game, DisputeHand(hand=hand, seat=seat, reason="We had one trick more."), actor=actor)
    return hand


def corrected(rng: Random, game: Game, *, actor: str, hand: int = 0) -> None:
    """A hand is recorded again as it really was; a game that is open again by that is called once
    more. What the hands after it can't follow is left as it is.
    """
    folded = _fold_game(game)
    number = hand or rng.randint(1, folded.state.played)
    again = _another_precedence if folded.game is PRECEDENCE else _another_by_chance
    change = CorrectHand(hand=number, sheet=again(rng, folded, number))
    try:
        preview = preview_correction(
            game.salon, game.pk, Correction(change=change, by=DIRECTOR, reason="")
        )
    except Refusal:
        return
    correction = Correction(
        change=change,
        by=DIRECTOR,
        reason="The tricks were counted wrongly.",
        excused=preview.excused,
    )
    ends = preview.reopens and not can_go_on(game.salon, game.pk, game.table)
    record_correction(
        game.salon,
        game.pk,
        correction,
        actor=actor,
        command=_command(),
        version=folded.version,
        ends=ends,
    )
    now = _fold_game(game)
    if now.state.closed is None:
        end = EndGame(kind="called", by=DIRECTOR, reason="Time was up.")
        record_acts(
            game.salon, game.pk, [end], actor=actor, command=_command(), version=now.version
        )


def _another_precedence(rng: Random, folded: Folded, number: int) -> HandSheet:
    before = folded.game.result(folded.state)["hands"][number - 1]
    played = play_hand(rng, dealer=before["dealer"], trump=before["trump"])
    return sheet_of(played, detail="totals", opening=OpenHand(dealer=before["dealer"]))


def _another_by_chance(rng: Random, folded: Folded, number: int) -> HandSheet:
    """Another hand that could have followed those before it."""
    game, rules = folded.game, folded.state.rules
    players = tuple(folded.state.players.items())
    start = StartGame(record=folded.state.record, players=players, rules=rules)
    state = game.folded(game.decide(start, None))
    for each in game.write_hands(folded.state)[: number - 1]:
        _events, state = game.decide_sheet(game.read_sheet(each, rules), state)
    _acts, after = hand_by_chance(rng, game, state)
    sheet: HandSheet = game.read_sheet(game.write_hands(after)[-1], rules)
    return sheet


def _attest(game: Game, act: Command, *, actor: str) -> None:
    record_attestation(
        game.salon, game.pk, act, actor=actor, command=_command(), version=_fold_game(game).version
    )


def _fold_game(game: Game) -> Folded:
    return require_fold(game.salon.log_id, game.pk)


def _command() -> str:
    return uuid.uuid4().hex
