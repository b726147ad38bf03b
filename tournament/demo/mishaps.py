"""What goes wrong with games that are over, and how it is put right: hands confirmed, disputed,
ruled on and corrected.
"""

import uuid
from random import Random

from scoring.commands import EndGame
from scoring.confirmation import Command, ConfirmHands, DisputeHand, RuleDispute
from scoring.corrections import CorrectHand, Correction
from scoring.precedence.commands import OpenHand
from tournament.demo.card_play import play_hand, sheet_of
from tournament.models import Game
from tournament.recording.confirmations import record_attestation
from tournament.recording.corrections import preview_correction, record_correction
from tournament.recording.door import record_acts
from tournament.streams.folds import Folded, fold_of

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
    """Both sides say that every hand is recorded right."""
    hands = tuple(range(1, _folded(game).state.played + 1))
    for seat in ("N", "E"):
        _said(game, ConfirmHands(hands=hands, seat=seat), actor=actor)


def disputed(rng: Random, game: Game, *, actor: str) -> None:
    """A player says that a hand is not recorded right; the director lets it stand, or has it
    corrected.
    """
    hand = questioned(rng, game, actor=actor)
    if rng.random() < 0.5:
        _said(
            game,
            RuleDispute(hand=hand, by=DIRECTOR, reason="The cards were still on the table."),
            actor=actor,
        )
    else:
        corrected(rng, game, actor=actor, hand=hand)


def questioned(rng: Random, game: Game, *, actor: str) -> int:
    """A player says that a hand is not recorded right; its number."""
    hand = rng.randint(1, _folded(game).state.played)
    _said(
        game,
        DisputeHand(hand=hand, seat=rng.choice("NESW"), reason="We had one trick more."),
        actor=actor,
    )
    return hand


def corrected(rng: Random, game: Game, *, actor: str, hand: int = 0) -> None:
    """A hand is recorded again as it really was; a game that is open again by that is called once
    more.
    """
    folded = _folded(game)
    number = hand or rng.randint(1, folded.state.played)
    before = folded.game.result(folded.state)["hands"][number - 1]
    played = play_hand(rng, dealer=before["dealer"], trump=before["trump"])
    sheet = sheet_of(played, detail="totals", opening=OpenHand(dealer=before["dealer"]))
    change = CorrectHand(hand=number, sheet=sheet)
    excused = preview_correction(
        game.salon, game.pk, Correction(change=change, by=DIRECTOR, reason="")
    ).excused
    correction = Correction(
        change=change, by=DIRECTOR, reason="The tricks were counted wrongly.", excused=excused
    )
    record_correction(
        game.salon, game.pk, correction, actor=actor, command=_command(), version=folded.version
    )
    if _folded(game).state.closed is None:
        end: object = EndGame(kind="called", by=DIRECTOR, reason="Time was up.")
        record_acts(
            game.salon,
            game.pk,
            [end],
            actor=actor,
            command=_command(),
            version=_folded(game).version,
        )


def _said(game: Game, said: Command, *, actor: str) -> None:
    record_attestation(
        game.salon, game.pk, said, actor=actor, command=_command(), version=_folded(game).version
    )


def _folded(game: Game) -> Folded:
    folded = fold_of(game.salon.log_id, game.pk)
    assert folded is not None
    return folded


def _command() -> str:
    return uuid.uuid4().hex
