"""The demo salon's event: a Swiss of pairs in its middle, directed and played through the same
commands as everybody's.
"""

import uuid
from random import Random

from ledger import times
from tournament.demo.evening import NAMES, invent_pairs, open_swiss, totals
from tournament.demo.mishaps import DIRECTOR, confirmed, dispute_hand
from tournament.demo.tables import Evening, begun, hand, play_out
from tournament.domain.standings.values import HUNDREDTHS
from tournament.domain.tournament.clock import ExtendTime, StartClock
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.models import Salon

NAME = "Lantern Cup"
ROUNDS, HANDS, MINUTES = 5, 3, 50
LATE_BY = "Ten minutes late."
TRAIN = "They had to catch a train."


def play_cup(salon: Salon, *, seed: int, actor: str) -> str:
    """Direct an event up to the middle of its third round; its stream.

    Eleven pairs of the salon begin, the twelfth comes late, one leaves after two rounds; in the
    third a substitute plays, the clock runs, one game is over with a hand in dispute, one is
    confirmed, one is played, and one result is missing.
    """
    rng = Random(seed)  # noqa: S311 - nothing is kept secret by it
    timed, command = Conditions(players=2, minutes=MINUTES), uuid.uuid4().hex
    row = open_swiss(salon, NAME, command, rounds=ROUNDS, seed=seed, actor=actor, conditions=timed)
    cup = Evening(salon=salon, rng=rng, actor=actor, hands=HANDS, stream=row.pk)
    *pairs, late = _pairs(rng)
    cup.does(EnterPhase(phase="registration"), *pairs)
    cup.does(*(CheckIn(entry=entry.id) for entry in cup.state.entries), EnterPhase(phase="running"))
    _play_typed_round(cup, 1)
    cup.does(
        late,
        CheckIn(entry="12"),
        GivePenalty(entry="3", points=-HUNDREDTHS // 2, after_round=1, reason=LATE_BY, by=DIRECTOR),
    )
    _play_typed_round(cup, 2, somebody_is_missing=True)
    new = invent_pairs(rng, 1, taken=NAMES)[0].players[0][1]
    cup.does(
        Withdraw(entry="7", reason=TRAIN),
        ReplacePlayer(entry="4", players=(("2", new),), reason="Ill."),
    )
    _third_round(cup)
    return row.pk


def _pairs(rng: Random) -> list[MakeEntry]:
    names = list(NAMES)
    rng.shuffle(names)
    clubs = ("Harbour", "Old Mill", None)
    pairs = [(("1", one), ("2", two)) for one, two in zip(names[::2], names[1::2], strict=True)]
    return [
        MakeEntry(players=pair, rating=rng.randrange(1200, 1900), club=rng.choice(clubs))
        for pair in pairs
    ]


def _play_typed_round(cup: Evening, number: int, *, somebody_is_missing: bool = False) -> None:
    """A round whose tables only tell their totals; at the last one, perhaps, a pair did not
    come.
    """
    cup.does(DrawRound(round=number), PublishRound(round=number))
    *tables, last = cup.state.rounds[-1].tables
    cup.does(*(totals(cup, number, table.table) for table in tables))
    absent, why = last.entries[:1], "Nobody came."
    missing = ForfeitTable(round=number, table=last.table, absent=absent, reason=why)
    told = missing if somebody_is_missing else totals(cup, number, last.table)
    cup.does(told, CloseRound(round=number))


def _third_round(cup: Evening) -> None:
    clock = StartClock(round=3, at=times.now(), seconds=60 * MINUTES)
    cup.does(DrawRound(round=3), PublishRound(round=3), clock)
    cup.does(totals(cup, 3, 1), ExtendTime(round=3, seconds=300, table=2))
    playing, version = begun(cup, 3, 2)
    hand(cup, playing, version)
    dispute_hand(cup.rng, play_out(cup, 3, 3), actor=cup.actor)
    confirmed(play_out(cup, 3, 4), actor=cup.actor)
