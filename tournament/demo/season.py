"""What is played in a demo season: who sits where on which evening, and what is special about each
game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from scoring.precedence.play import PRECEDENCE
from tournament.demo.two_servers import SEATS

# Names that nobody has.
NAMES = (
    "Brass Otter",
    "Velvet Heron",
    "Paper Comet",
    "Copper Badger",
    "Midnight Teapot",
    "Silver Snail",
    "Lantern Fox",
    "Amber Walrus",
    "Quiet Thunder",
    "Marble Wren",
    "Crooked Candle",
    "Ivory Newt",
    "Salted Plum",
    "Hollow Kettle",
    "Scarlet Moth",
    "Gentle Anvil",
    "Winter Turnip",
    "Painted Gull",
    "Twelfth Pebble",
    "Drifting Spoon",
    "Solemn Goose",
    "Tin Nightingale",
    "Humble Pike",
    "Borrowed Crown",
)
TABLES = 6
BEGINS = timedelta(hours=19)
A_WEEK = timedelta(days=7)
NERVES = (
    -0.5,
    0.1,
    0.3,
    0.4,
)  # some pairs are careful and collect Excess, most bid what they hope for
DETAILS = ("totals", "winners", "cards", "cards")
# What is special about the games of a season, by the order in which they begin; the others are as
# any other.
SPECIAL: Mapping[int, str] = {
    1: "undo",
    2: "misdeal",
    3: "draw",
    7: "called",
    8: "substitute",
    9: "ruling",
    13: "stacks",
    14: "carry",
}
# What is played at which table of an evening; Precedence at the others.
KINDS: Mapping[int, str] = {4: "preference", 5: "contract_sabacc", 6: "order_of_precedence"}
OPTIONS: Mapping[str, Mapping[str, object]] = {
    "draw": {"hands_limit": 4},
    "stacks": {"opening_chips": 120},
    "carry": {"excess_reset": "carry", "no_winner_pot": "split"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedGame:
    """A game to come: `detail` is what its table writes down, `special` what happens in it (""
    nothing), `nerve` by team.
    """

    number: int
    kind: str
    table: str
    begins: datetime
    players: Mapping[str, str]
    stands_by: str
    detail: str
    special: str
    nerve: Mapping[str, float]

    @property
    def options(self) -> Mapping[str, object]:
        """The house rules of this game, where they are not the usual ones."""
        return OPTIONS.get(self.special, {})


def season(rng: Random, *, games: int, now: datetime) -> list[list[PlannedGame]]:
    """`games` games, evening by evening, the last of them tonight and still going on; at most six
    tables an evening.

    `now` is in the salon's own time. Raises ValueError for fewer than one game.
    """
    if games < 1:
        raise ValueError("a season has at least one game")
    evenings = -(-(games - 1) // TABLES)
    pairs = _pairs(rng)
    planned: list[list[PlannedGame]] = []
    for evening in range(evenings):
        begins = _day(now) - A_WEEK * (evenings - evening) + BEGINS
        first = evening * TABLES + 1
        tables = range(first, min(first + TABLES, games))
        planned.append(
            _evening(
                rng,
                pairs,
                [(number, begins + timedelta(minutes=rng.randrange(15))) for number in tables],
            )
        )
    tonight = _evening(rng, pairs, [(games, now - timedelta(minutes=50))], special="live")
    return [*planned, tonight]


def _day(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _pairs(rng: Random) -> list[tuple[str, str, float]]:
    """Partners for the season, and their nerve."""
    names = list(NAMES)
    rng.shuffle(names)
    return [
        (names[place], names[place + 1], rng.choice(NERVES)) for place in range(0, len(names), 2)
    ]


def _evening(
    rng: Random,
    pairs: list[tuple[str, str, float]],
    begins: list[tuple[int, datetime]],
    *,
    special: str = "",
) -> list[PlannedGame]:
    seated = rng.sample(pairs, len(pairs))
    planned = []
    for table, (number, at) in enumerate(begins, start=1):
        (north, south, ns), (east, west, ew) = seated[2 * table - 2 : 2 * table]
        game = PRECEDENCE.name if special else KINDS.get(table, PRECEDENCE.name)
        players = dict(zip(SEATS.get(game, "NESW"), (north, east, south, west), strict=False))
        happens = "" if game != PRECEDENCE.name else special or SPECIAL.get(number, "")
        planned.append(
            PlannedGame(
                number=number,
                kind=game,
                table=str(table),
                begins=at,
                players=players,
                stands_by=rng.choice([name for name in NAMES if name not in players.values()]),
                detail="acts" if happens in {"undo", "live"} else rng.choice(DETAILS),
                special=happens,
                nerve={"NS": ns, "EW": ew},
            )
        )
    return planned
