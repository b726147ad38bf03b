"""What a visitor who means harm sends costs little and is refused with words: depth, length,
charsets, hosts.
"""

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from scoring.errors import NotationError
from tests.tournament.helpers.playing import a_command, a_game
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.accounts.seat_links import links_of
from tournament.accounts.two_factor import GRACE
from tournament.domain.names import LONGEST_NAME
from tournament.domain.names import folded as fold
from tournament.models import Membership, Player, Salon
from tournament.pages.common.form_values import plain_value
from tournament.queries import players


def form(**fields: str) -> QueryDict:
    written = QueryDict(mutable=True)
    written.update(fields)
    return written


@pytest.mark.parametrize("path", ["a" + ".a" * 3_000, "melds." + "9" * 4_400, "a" * 5_000])
def test_a_field_s_path_has_a_depth_and_a_length(path: str) -> None:
    with pytest.raises(NotationError):
        plain_value(form(**{path: "1"}))
    with pytest.raises(NotationError):
        plain_value(form(fields=f"{path}=1"))


def test_a_deep_form_is_refused_on_the_page(salon: Salon) -> None:
    a_game(salon)
    phone = scorer_at(salon, "4")

    for collection in ("bids", "hands", "sheet", "sheet/preview"):
        answer = phone.post(
            f"/tables/4/{collection}/", {"command": a_command(), "a" + ".a" * 3_000: "1"}
        )
        assert answer.status_code in (400, 422), collection


def test_json_that_is_nested_deep_is_refused(salon: Salon) -> None:
    deep = '{"a":' * 5_000 + "1" + "}" * 5_000

    answer = owner_of(salon).post(
        "/api/v1/salons/salon-at-border-gate/games/",
        deep,
        content_type="application/json",
        headers={"Idempotency-Key": "a" * 32},
    )

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_a_name_too_long_is_folded_never_and_a_name_is_folded_once(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.bulk_create(
        Player(salon=salon, name=f"Player {number}") for number in range(300)
    )
    folded: list[str] = []

    def counting(text: str) -> str:
        folded.append(text)
        return fold(text)

    monkeypatch.setattr(players, "folded", counting)
    names = players.all_names(salon)

    assert players.match_name("ﷺ" * (LONGEST_NAME + 1), names) == "ﷺ" * (LONGEST_NAME + 1)
    assert all(len(text) <= LONGEST_NAME for text in folded)
    players.match_names([("N", "player 7"), ("E", "player 8")], names)
    assert folded.count("player 7") == folded.count("player 8") == 1
    assert len(folded) <= len(names) + 10


def test_many_long_names_for_seats_that_there_are_not_cost_nothing(salon: Salon) -> None:
    Player.objects.bulk_create(
        Player(salon=salon, name=f"Player {number}") for number in range(800)
    )
    phone = scorer_at(salon, "3")
    sent = {"game": "precedence", "table": "3", "command": a_command()} | {
        f"players.{number}": "ﷺ" * 1_500 for number in range(200)
    }

    began = time.process_time()
    answer = phone.post("/games/new/", sent)

    assert answer.status_code == 422
    assert time.process_time() - began < 2


@pytest.mark.parametrize("charset", ["utf-7", "latin-1", "utf-16", "nonsense"])
@pytest.mark.parametrize(
    "address", ["/sign-in/", "/welcome/", "/games/new/", "/account/password/forgotten/"]
)
def test_a_form_in_another_charset_is_refused_and_breaks_nothing(
    salon: Salon, address: str, charset: str
) -> None:
    client = Client(raise_request_exception=False)

    answer = client.generic(
        "POST",
        address,
        b"a=1",
        content_type=f"application/x-www-form-urlencoded; charset={charset}",
    )

    assert answer.status_code == 415
    assert "write it in UTF-8" in answer.text


REFUSED_BEFORE_ANY_VIEW: dict[str, tuple[dict[str, Any], str]] = {
    "another charset": ({"content_type": "application/json; charset=latin-1"}, "415 not_utf_8"),
    "a name of the Internet": ({"headers": {"Host": "evil.example"}}, "400 unknown_host"),
    "a name that is none": ({"headers": {"Host": "a b"}}, "400 bad_request"),
}


@pytest.mark.parametrize("asked", REFUSED_BEFORE_ANY_VIEW)
@pytest.mark.parametrize(
    "address", ["/api/v1/salons/salon-at-border-gate/games/", "/api/openapi.json", "/api/nothing/"]
)
def test_a_program_that_is_refused_before_any_view_gets_problem_details(
    salon: Salon, address: str, asked: str
) -> None:
    sent, expected = REFUSED_BEFORE_ANY_VIEW[asked]

    answer = Client(raise_request_exception=False).post(
        address, "{}", **{"content_type": "application/json", **sent}
    )

    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], f"{answer.status_code} {problem['code']}") == (
        answer.status_code,
        expected,
    )
    assert problem["detail"]


def test_the_api_s_document_is_only_read(salon: Salon) -> None:
    assert (
        Client(raise_request_exception=False).post("/api/openapi.json", {"a": "1"}).status_code
        == 405
    )


def test_an_address_of_the_api_with_a_line_break_is_a_problem_document(salon: Salon) -> None:
    answer = Client().get("/api/v1/salons/salon-at-border-gate/games/a%0Ab/")

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_a_house_that_holds_nothing_yet_has_no_later_version(salon: Salon) -> None:
    answer = owner_of(salon).post(
        "/api/v1/salons/salon-at-border-gate/house/correction-periods/",
        {"hours": 12, "reason": "shorter"},
        content_type="application/json",
        headers={"Idempotency-Key": "b" * 32, "If-Match": '"3"'},
    )

    assert answer.status_code == 409


def test_the_page_that_asks_for_a_seat_s_pin_says_the_public_name(salon: Salon) -> None:
    game = a_game(salon)
    link = links_of(game, "NESW")["N"]
    name = Client().get(f"/c/{link.token}/").text
    salon.names_shown = "pseudonym"
    salon.save()

    page = Client().get(f"/c/{link.token}/").text

    player = Player.objects.get(salon=salon, pk=game.seats["N"])
    assert player.name in name
    assert player.name not in page


def test_an_owner_of_the_server_who_owes_the_second_step_opens_no_salon(salon: Salon) -> None:
    owner = owner_of(salon)
    user = User.objects.get(membership__salon=salon)
    assert user.is_superuser
    assert owner.get("/salons/new/").status_code == 200
    member = Membership.objects.get(salon=salon)
    member.since -= GRACE * 2
    member.save()

    answer = owner.post("/salons/new/", {"name": "Corp", "owner": user.email})

    assert answer.status_code in (302, 403)
    assert Salon.objects.count() == 1
