"""What can't be played as it was asked is refused at every door with the same words, which say what
would work: at the desk, in the API, and of a file on the command line.
"""

import json
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.api.calling import a_game, a_hand, owner_calls
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import does, of_teams, registered
from tests.tournament.helpers.festivals import after_one_round
from tests.tournament.helpers.playing import a_command, about
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.singles import entered
from tests.tournament.helpers.tables import samples, simple
from tournament.domain.standings.values import Pods, Scale, Stage
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.models import Tournament

pytestmark = pytest.mark.django_db

SEVEN = (
    "7 players can't all sit at tables of 5, 4; 5 can while 2 sit out, or 8; with tables of 3 too "
    "all can"
)
THREE_PAIRS = "from 4 pairs on a Howell works, from 5 on a Mitchell, and fewer play a round robin"
TOO_LARGE = "stage 2 can't take 9 entries: 4 can go on; take 2 to 4"
STRANGER = "Zoe is no member of entry 1; name 2 of"
FIVES_AND_FOURS = Stage(kind="pods", pods=Pods(sizes=(5, 4)), scale=Scale(kind="chips", bye=0))


def begun(row: Tournament, entries: int) -> Tournament:
    """The event with everybody here."""
    here = [CheckIn(entry=str(number)) for number in range(1, entries + 1)]
    return does(row, *here, EnterPhase(phase="running"))


def seven_players() -> Tournament:
    row = entered(opened_salon(), 7, FIVES_AND_FOURS, "contract_sabacc")
    return begun(row, 7)


def three_pairs() -> Tournament:
    row = registered(opened_salon(), 3, Stage(kind="movement", tie_breaks=("wins",)))
    return begun(row, 3)


@pytest.mark.parametrize(
    ("event", "collection", "act", "words"),
    [
        (seven_players, "draws", {"round": 1}, SEVEN),
        (three_pairs, "draws", {"round": 1}, THREE_PAIRS),
        (after_one_round, "stage-beginnings", {"stage": 2, "top": 9}, TOO_LARGE),
        (
            lambda: of_teams(opened_salon()),
            "line-ups",
            {"round": 1, "entry": "1", "players": ["Zoe", "Asha Renn"]},
            STRANGER,
        ),
    ],
)
def test_the_desk_and_the_api_say_what_would_work(
    event: Callable[[], Tournament], collection: str, act: dict[str, Any], words: str
) -> None:
    row = event()
    row.refresh_from_db()
    form = {"command": a_command(), "version": str(row.version)}
    for name, value in act.items():
        if isinstance(value, list):
            form |= {f"{name}.{place}": each for place, each in enumerate(value)}
        else:
            form[f"{name}:number" if isinstance(value, int) else name] = str(value)

    called = owner_calls(row.salon).post(
        f"tournaments/{row.pk}/acts/{collection}/", act, version=row.version
    )
    page = owner_of(row.salon).post(f"/tournaments/{row.pk}/acts/{collection}/?page=desk", form)

    assert (called.status, words in called.value["detail"]) == (422, True)
    assert (page.status_code, words in unescape(page.text)) == (422, True)
    assert Tournament.objects.get().version == row.version


def a_file(stages: list[dict[str, Any]], entries: int, people: str, **more: Any) -> dict[str, Any]:
    played = {"stage": stages[0]} if len(stages) == 1 else {"stages": stages}
    return {
        "format": "salon-tournament/1",
        "id": "cup",
        "name": "Cup",
        "game": "precedence",
        "seed": 7,
        "entries": [
            {"id": str(each), "players": [f"P{each}{one}" for one in people]}
            for each in range(1, entries + 1)
        ],
        "rounds": [],
        **played,
        **more,
    }


def one_round(*tables: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {
        "tables": [
            {
                "table": number,
                "entries": list(pair),
                "result": {pair[0]: {"score": 262}, pair[1]: {"score": 187}},
                **more,
            }
            for number, pair in enumerate(tables, start=1)
        ],
        "byes": [],
    }


SWISS: dict[str, Any] = {"kind": "swiss", "rounds": 1}
FILES: list[tuple[dict[str, Any], str]] = [
    (a_file([{"kind": "pods", "sizes": [5, 4]}], 7, "a", game="contract_sabacc"), SEVEN),
    (a_file([{"kind": "movement", "movement": "howell"}], 3, "ab"), THREE_PAIRS),
    (
        a_file(
            [SWISS, {"kind": "knockout", "takes": {"from": 1, "top": 9}}],
            *(4, "ab"),
            rounds=[one_round(("1", "4"), ("2", "3")) | {"stage": 1}],
        ),
        TOO_LARGE,
    ),
    (
        a_file(
            [SWISS | {"line_up": 2}],
            *(2, "abc"),
            rounds=[one_round(("1", "2"), line_ups={"1": ["P1a", "Zoe"], "2": ["P2a", "P2b"]})],
        ),
        STRANGER,
    ),
]


@pytest.mark.parametrize(("given", "words"), FILES)
def test_the_commands_say_it_of_a_file(
    given: dict[str, Any], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cup.json"
    path.write_text(json.dumps(given))

    for command in ("pair", "schedule"):
        ran = run(capsys, command, path)
        assert (ran.status, words in ran.out + ran.err) == (1, True), command


def test_a_deal_of_fifty_one_cards_is_refused_with_the_card_that_nobody_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = samples()[0]["hands"][0]
    *north, lost = hand["deal"]["N"]
    dealt = {**hand["deal"], "N": north}
    words = f"North was dealt 12 cards; a holding has 13, and nobody was dealt {lost}"
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(simple(hands=[hand | {"deal": dealt}])))
    salon = opened_salon()
    api, owner = owner_calls(salon), owner_of(salon)
    game = a_game(api)
    form = {f"bids.{seat}:number": str(bid) for seat, bid in hand["bids"].items()}
    form |= {f"deal.{seat}:cards": " ".join(cards) for seat, cards in dealt.items()}
    form |= {"tricks.NS:number": "7", "tricks.EW:number": "6", "dealer": hand["dealer"]}

    ran = run(capsys, "score", path)
    called = a_hand(api, game, dealer=hand["dealer"], bids=hand["bids"], deal=dealt)
    page = owner.post(
        "/tables/4/sheet/",
        about(owner.get("/tables/4/sheet/")) | form,
    )

    assert (ran.status, words in ran.out + ran.err) == (1, True)
    assert (called.status, called.value["path"]) == (422, "deal.N")
    assert words in called.value["detail"]
    assert (page.status_code, words in unescape(page.text)) == (422, True)
