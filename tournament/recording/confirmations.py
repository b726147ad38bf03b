"""Statements about recorded hands, and the correction period: confirmations, disputes
and their rulings as facts.
"""

import uuid

import structlog

from ledger import times
from ledger.drafts import StreamMoved
from ledger.models import Event
from scoring import confirmation
from scoring.confirmation import Command, FinaliseGame
from scoring.errors import Refusal
from tournament.models import Game, Salon
from tournament.projections.computed import NOT_THE_EVENTS
from tournament.recording.door import Outcome, Prepare, Recorded, WriteRequest, record_on
from tournament.recording.games_not_final import not_final
from tournament.streams.codec import encode
from tournament.streams.correction_period import HOUR, hours_by, periods_of
from tournament.streams.folds import Folded, add_attestation

log_line = structlog.stdlib.get_logger(__name__)

BY_ITSELF = "period"  # the actor of what the end of a correction period does


def record_attestation(
    salon: Salon,
    stream: str,
    said: Command,
    *,
    actor: str,
    command: str,
    version: int,
    occurred_at: int | None = None,
    handed_over: bool = False,
) -> Recorded:
    """Record what somebody says about closed hands of a game, on top of version `version` of its
    stream.

    It moves no chips and changes no score. The same command again gives the same answer. Raises
    Refusal, StreamMoved when the game is at another version, CommandReused, LookupError for no such
    game.
    """

    def decide(folded: Folded, prepare: Prepare) -> Outcome:
        facts = list(
            confirmation.decide(prepare(said), folded.game, folded.state, folded.confirmation)
        )
        for fact in facts:
            folded = add_attestation(folded, fact)
        return Outcome(facts, folded)

    content = encode([stream, type(said).__name__, said])
    return record_on(
        WriteRequest(
            salon=salon,
            stream=stream,
            actor=actor,
            command=command,
            content=content,
            occurred_at=occurred_at,
            handed_over=handed_over,
        ),
        version,
        decide,
    )


def finalise_when_due(salon: Salon, *, now: int | None = None) -> int:
    """Make final every game whose correction period has passed and that nobody disputes; how many
    those were.

    The period is the one that was laid down by the game's last entry. `now` is in microseconds UTC.
    Said twice it changes nothing: the same game has the same command.
    """
    moment, periods = times.now() if now is None else now, periods_of(salon.log)
    over = not_final(salon).filter(finished=True, not_played=False)
    done = 0
    for game in over:
        ended = ended_at(game)
        if ended is not None and moment - ended >= hours_by(periods, game.position) * HOUR:
            done += _finalise(salon, game, ended)
    return done


def ended_at(game: Game) -> int | None:
    """When the last fact of a game was recorded, in microseconds UTC."""
    return (
        Event.objects.filter(log=game.salon.log_id, position=game.position)
        .values_list("recorded_at", flat=True)
        .first()
    )


def _finalise(salon: Salon, game: Game, ended: int) -> bool:
    command = uuid.uuid5(uuid.UUID(game.pk), f"final {ended}").hex
    try:
        record_attestation(
            salon, game.pk, FinaliseGame(), actor=BY_ITSELF, command=command, version=game.version
        )
    except (Refusal, StreamMoved):
        return False  # A hand is disputed, or something was recorded just now.
    except NOT_THE_EVENTS:
        raise
    except Exception as error:
        # It can't be folded: all other games become final all the same.
        log_line.error(
            "a game could not be made final", game=game.pk, error=f"{type(error).__name__}: {error}"
        )
        return False
    return True
