"""Nothing of a game stands outside its module and its templates: the rest asks the table of
games.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from scoring.game import AnyGame
from scoring.games import GAMES

ROOT = Path(__file__).parents[1]


def own_package(game: AnyGame) -> str:
    """The folder in `scoring/` that the facts of this game alone come from."""
    (own,) = {
        fact.__module__.split(".")[1]
        for fact in game.shapes.values()
        if fact.__module__.count(".") > 1
    }
    return own


PACKAGES = {game: own_package(GAMES[game]) for game in GAMES}
TITLES = [game.title for game in GAMES.values()]
SAID = re.compile(
    "|".join(
        rf"\b{re.escape(word)}\b"
        for word in sorted({*GAMES, *TITLES, *PACKAGES.values()}, key=len, reverse=True)
    )
)
# A word of a name, as a name may be written on two lines.
NAMES = " ".join([*GAMES, *TITLES, *PACKAGES.values()]).lower()
WORD = re.compile("|".join(sorted({*re.findall("[a-z]{4,}", NAMES)})), re.IGNORECASE)
RULE = re.compile(rf"\b[{''.join(game.letter for game in GAMES.values())}]\d{{1,2}}\b")

# What may name a game, and why.
EXCUSED = {
    "scoring/games.py": "the line that every game has",
    "tournament/demo": "the demo plays the salon's four games, each by its own cards",
    "tournament/management/commands/simulate.py": (
        "a tournament played by chance is played in the demo's game of pairs"
    ),
    "tournament/api/acts.py": "the description of the API shows the acts of each game",
    "tournament/api/hands.py": "the description of the API shows the sheets of each game",
    "scoring/left_pots.py": (
        "the rule by which a game begins with what another left stands with its refusals"
    ),
    "tournament/domain/stock.py": (
        "the rule by which a stock is dealt to several stands with its facts"
    ),
    "tournament/recording/stocks.py": (
        "the rule by which a stock is dealt to several stands with its refusals"
    ),
    "tournament/api/stocks.py": (
        "the rule by which a stock is dealt to several stands with its refusals"
    ),
    "tournament/domain/standings/tie_breaks.py": (
        "a tie-break cites the rule that counts what it compares"
    ),
}


def modules() -> Iterator[Path]:
    """Every module outside the games' own packages."""
    yield from (ROOT / "scoring").glob("*.py")
    for package in ("ledger", "tournament"):
        yield from (ROOT / package).rglob("*.py")


def shared_templates() -> list[Path]:
    """Every template outside the games' own folders."""
    found = [
        path
        for path in (ROOT / "templates").rglob("*.html")
        if path.relative_to(ROOT / "templates").parts[0] not in GAMES
    ]
    assert len(found) > 50
    return found


def is_excused(path: Path) -> bool:
    name = path.relative_to(ROOT).as_posix()
    return any(name == excused or name.startswith(f"{excused}/") for excused in EXCUSED)


def named_in(path: Path) -> list[str]:
    """The games that a module imports, or names in a text or by one of their rules; its docstrings
    are left out.
    """
    source = path.read_text(encoding="utf-8")
    if not (WORD.search(source) or RULE.search(source)):
        return []  # no part of the text holds what the whole doesn't
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
            found += [
                name
                for name in names
                for package in PACKAGES.values()
                if re.match(rf"scoring\.{package}\b", name)
            ]
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        ):
            found += [
                f"line {node.lineno}: {word}"
                for word in (*SAID.findall(node.value), *RULE.findall(node.value))
            ]
    return found


def test_no_module_but_its_own_names_a_game() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): named_in(path)
        for path in modules()
        if not is_excused(path)
    }

    assert len(found) > 100
    assert {name: words for name, words in found.items() if words} == {}


def test_no_template_that_games_share_names_one() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): SAID.findall(path.read_text(encoding="utf-8"))
        for path in shared_templates()
    }

    assert {name: words for name, words in found.items() if words} == {}


def test_no_game_imports_another() -> None:
    for package in PACKAGES.values():
        others = "|".join(other for other in PACKAGES.values() if other != package)
        for path in (ROOT / "scoring" / package).glob("*.py"):
            assert (
                re.findall(
                    rf"^from scoring\.(?:{others})\b.*",
                    path.read_text(encoding="utf-8"),
                    re.MULTILINE,
                )
                == []
            ), path


def test_every_excuse_is_still_needed() -> None:
    for excused in EXCUSED:
        path = ROOT / excused
        files = [path] if path.is_file() else sorted(path.rglob("*.py"))
        assert any(map(named_in, files)), excused
