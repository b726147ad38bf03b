"""The rules pages have the words by which people know a game, and a line of where it comes from."""

import re
from pathlib import Path

import pytest
from django.test import Client

from scoring.games import GAMES
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.templatetags.accord import rule

WORDS = [
    ("precedence", "the small blind of the table"),
    ("precedence", "costs the bidder a credit"),
    ("precedence", "came out of the Core Worlds with the Stellar Drive Empire"),
    ("precedence", "Salons of the Core and of the Border"),
    ("precedence", "a misdeal may be recorded before it did"),
    ("contract_sabacc", "78 cards, the Centran deck"),
    ("contract_sabacc", "91 card points of the declarer are a Grand Slam"),
    ("order_of_precedence", "known as Precedence, Panama and Downing Street too"),
    ("order_of_precedence", "Legitimist is a variant"),
    ("preference", "A defender who plays alone has nobody to leave it to"),
    ("precedence", "partners sit opposite each other"),
    ("precedence", "Each player gets 13 cards"),
    ("precedence", "Core rules don't allow that name"),
    ("preference", "batches of three, four and three"),
    ("preference", "face up so that all players can see it"),
    ("preference", "by custom with One whatever the cards"),
    ("preference", "Deal and play go clockwise"),
    ("preference", "suits rank clubs, spades, diamonds, hearts"),
    ("contract_sabacc", "A Sabacc set aside lies face up for all to see"),
    (
        "contract_sabacc",
        "The first dealer is drawn, or chosen. The deal begins at the dealer's right",
    ),
    ("contract_sabacc", "lays the trick face down"),
    ("order_of_precedence", "overlap: then everyone sees which card ends a foundation"),
    ("order_of_precedence", "or earlier when the player stops"),
    ("order_of_precedence", "Chips left over go one each"),
    ("preference", "the director may end a game with a reason"),
    ("precedence", "the director gives a ruling with a reason"),
]


@pytest.mark.parametrize(("game", "words"), WORDS)
def test_the_rules_of_a_game_have_the_words_people_look_for(
    game: str, words: str, db: None
) -> None:
    owner: Client = owner_of(opened_salon())

    assert words in told(owner.get(f"/rules/{game}/"))


def test_the_ante_of_precedence_is_called_small_blind_where_a_game_is_started(db: None) -> None:
    owner: Client = owner_of(opened_salon())

    assert "Ante (small blind)" in told(owner.get("/games/new/?table=4"))


CLONE = Path(__file__).resolve().parents[4]
CITED = re.compile(r"""(?:\brule=|"rule": |\bRULE = |{% rule )"([A-Z][\w ]*|tournaments)\"""")


def cited_rules() -> list[str]:
    """Every rule that a refusal, an explanation or a template cites."""
    sources = [
        *(CLONE / "scoring").rglob("*.py"),
        *(CLONE / "tournament").rglob("*.py"),
        *(CLONE / "templates").rglob("*.html"),
    ]
    return sorted({rule for path in sources for rule in CITED.findall(path.read_text("utf-8"))})


def test_every_rule_that_a_page_cites_leads_to_its_text(db: None) -> None:
    owner: Client = owner_of(opened_salon())
    pages: dict[str, str] = {}
    for cited in cited_rules():
        link = re.search(r'href="([^"#]+)#([^"]+)"', rule(cited))
        assert link, f"{cited} leads nowhere"
        page = pages.setdefault(link[1], owner.get(link[1]).content.decode())
        assert f'id="{link[2]}"' in page, f"{link[1]} has no {cited}"
    assert len(pages) == 1 + len(GAMES)
