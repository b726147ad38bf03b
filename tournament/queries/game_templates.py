"""A game's own parts of a page: the templates that may show it, and the mark of
players who play together.
"""

from scoring.events import NOT_PLAYED, ChipsMoved
from scoring.game import AnyGame
from tournament.streams.acts import Moment

CHIPS = "ledger/what"


def parts_of(kind: str, name: str) -> tuple[str, str, str]:
    """The templates that may show this part of a game, the first that there is: `pad`,
    `history/asof`.

    A game has a folder of them (`precedence/pad.html`) or a single one with partials
    (`whist.html#pad`); what it has neither in is what games share (`any_game/pad_title.html`).
    """
    return f"{kind}/{name}.html", f"{kind}.html#{name.replace('/', '_')}", f"any_game/{name}.html"


def words_of_chips(kind: str, why: str) -> tuple[str, ...]:
    """The templates that may say what chips moved for; those that go back from a game that was not
    played are alike in all games.
    """
    shared = f"any_game/{CHIPS}.html"
    return (shared,) if why == NOT_PLAYED else parts_of(kind, CHIPS)


def build_chips_context(act: Moment, move: ChipsMoved, *, back: bool) -> dict[str, object]:
    """Template context for the chips that moved with an act, or that went `back`."""
    return {"move": move, "cause": act.entry.fact, "cause_name": act.entry.name, "back": back}


def events_of(kind: str, event: str) -> tuple[str, str, str]:
    """The partials that may say what happened, by the event's name without its game."""
    return (
        f"{kind}/history/events.html#{event}",
        f"{kind}.html#{event}",
        f"history/events.html#{event}",
    )


def team_mark(game: AnyGame, seat: str) -> str:
    """The class name and icon of the team that a seat belongs to, `ns`; "" where everybody plays
    alone.
    """
    return next((team.lower() for team in game.teams if seat in team), "")
