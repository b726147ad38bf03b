"""A pot that one game leaves and another begins with: how it is written, and why it binds the game
that left it (S13).
"""

from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import OpeningPot, PotTaken
from scoring.game import AnyGame
from scoring.shape import JsonObject, a_number, a_text, an_object, required

RULE = "S13"
PATH = "opening_pot"


def read_opening_pot(value: object, game: AnyGame, *, record: str) -> OpeningPot:
    """Read the pot a game begins with, as its `record` has it. Raises NotationError, also
    for a game that begins with no pot.
    """
    if game.opening_pot is None:
        raise NotationError(
            "%(game)s begins with no pot of another game", path=PATH, game=game.title
        )
    given = an_object(value, PATH, keys=("from", "chips"))
    earlier = a_text(required(given, "from", PATH), f"{PATH}.from", shortest=1, longest=64)
    if earlier == record:
        raise NotationError(
            "a game begins with what another game left, not with its own pot",
            path=f"{PATH}.from",
            rule=RULE,
        )
    return OpeningPot(
        game=earlier, chips=a_number(required(given, "chips", PATH), f"{PATH}.chips", least=1)
    )


def began_with(state: object) -> OpeningPot | None:
    """The pot that a game began with; None where it was empty, or where the game has no
    such pot.
    """
    pot: OpeningPot | None = getattr(state, "opening_pot", None)
    return pot


def write_opening_pot(state: object) -> JsonObject | None:
    """The same as a record holds it; None where a game began with an empty pot."""
    pot = began_with(state)
    return {"from": pot.game, "chips": pot.chips} if pot is not None else None


def pot_is_taken(taken: PotTaken) -> RuleViolation:
    """Why a game stays as it ended while another game has its pot, and the way on."""
    message = sentence(
        "game %(game)s began with the %(chips)s chips of this Ante Pot; correct there "
        "first that it began with an empty one",
        game=taken.game,
        chips=taken.chips,
    )
    return RuleViolation("pot_taken", message, rule=RULE)
