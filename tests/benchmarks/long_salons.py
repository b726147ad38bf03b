"""A salon as it is after years: a tournament, games that are over, corrected ones and such as are
played, and a long log of them.
"""

import uuid
from dataclasses import replace

from django.contrib.auth.models import User

from scoring.commands import EndGame
from scoring.confirmation import Command, ConfirmHands, FinaliseGame
from scoring.corrections import CorrectHand, Correction
from tests.benchmarks import evening
from tests.benchmarks.long_logs import lengthen
from tournament.demo.evening import play_evening_of_pairs
from tournament.exchange.game_records import record_file
from tournament.models import Game, Membership, Salon, Table
from tournament.projections.background import catch_up
from tournament.recording.confirmations import record_attestation
from tournament.recording.corrections import record_correction
from tournament.tasks import PROJECTIONS

HANDS = 8
PEOPLE = 200
ACTOR = "user:1"  # of the copies: the phone of a table
IN_TEN = ("final",) * 7 + ("corrected",) * 3  # what every ten games of a long log are
BESIDE = ("waiting", "playing") * 6  # those that are not final


def fill(
    salon: Salon, events: int, *, seed: int = 1, hands: int = HANDS, people: int = PEOPLE
) -> None:
    """Bring an empty salon to so many events: a tournament of 8 pairs and a game of each kind are
    played, the rest copies them.
    """
    play_evening_of_pairs(
        salon, entries=8, rounds=3, seed=seed, hands=2, actor=ACTOR, progress=lambda _done: None
    )
    for kind in dict.fromkeys(IN_TEN + BESIDE):
        _game(salon, kind, hands, seed)
    catch_up(salon.log, PROJECTIONS)
    others = [Game.objects.get(salon=salon, record=record_of(kind, seed)).pk for kind in BESIDE]
    lengthen(salon, 0, others, people=people, seed=seed, games=len(others))
    lengthened(salon, events, seed=seed, people=people)


def lengthened(
    salon: Salon, events: int, *, seed: int = 1, people: int = PEOPLE, crowd: int = 1
) -> None:
    """Bring a salon that was filled to so many events; each `crowd` is of other people."""
    games = {
        kind: Game.objects.get(salon=salon, record=record_of(kind, seed)).pk for kind in IN_TEN
    }
    lengthen(salon, events, [games[kind] for kind in IN_TEN], people=people, seed=crowd)


def record_of(kind: str, seed: int) -> str:
    """The record of the game that is copied as this kind."""
    return f"template-{kind}-{seed}"


def with_owner(salon: Salon) -> User:
    """The owner of a salon, made where there is none."""
    owner, _made = User.objects.get_or_create(
        username=f"owner.{salon.slug}@example.org", defaults={"first_name": "Mara"}
    )
    Membership.objects.get_or_create(
        salon=salon, user=owner, defaults={"role": Membership.Role.OWNER}
    )
    Table.objects.bulk_create(
        [Table(salon=salon, label=str(number)) for number in range(1, 13)], ignore_conflicts=True
    )
    return owner


def _game(salon: Salon, kind: str, hands: int, seed: int) -> str:
    """A game of so many hands: still `playing`, over and `waiting` for its hands to be confirmed,
    `final`, or `corrected` before it was.
    """
    sheets = evening.sheets(hands, seed=seed)
    made = evening.record(sheets, record_of(kind, seed))
    start = replace(made.start, table="1", played_on="2026-10-31")
    ended = (
        None if kind == "playing" else EndGame(kind="called", by="Mara", reason="the house closes")
    )
    record_file(salon, replace(made, start=start, ended=ended), actor=ACTOR)
    row = Game.objects.get(salon=salon, record=made.start.record)
    if kind == "corrected":
        change = CorrectHand(
            hand=1,
            sheet=replace(sheets[0], bids=tuple((seat, 3) for seat, _tricks in sheets[0].bids)),
        )
        wrong = Correction(change=change, by="Mara", reason="a bid was heard wrong")
        record_correction(
            salon, row.pk, wrong, actor=ACTOR, command=uuid.uuid4().hex, version=row.version
        )
    if kind in ("final", "corrected"):
        confirmed = (
            [ConfirmHands(hands=tuple(range(1, hands + 1)), seat=seat) for seat in "NE"]
            if kind == "final"
            else []
        )
        attested: list[Command] = [*confirmed, FinaliseGame(by="Mara", reason="all agree")]
        for said in attested:
            row.refresh_from_db()
            record_attestation(
                salon, row.pk, said, actor=ACTOR, command=uuid.uuid4().hex, version=row.version
            )
    return row.pk
