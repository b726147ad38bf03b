"""Lists of players and entries by the API: looked at first, kept as it was said, and nobody
twice.
"""

import base64
import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.reading import head_of
from tests.tournament.api.calling import Caller, owner_calls
from tests.tournament.helpers.playing import playing
from tournament.models import KeptAnswer, Player, Salon

STAGE = {"kind": "swiss", "rounds": 2}
NAMES = ("Asha Renn", "Cato Liss", "Ilse Marrow", "Juno Dray", "Nell Harrow", "")
ENTRY = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.sampled_from(["", "; Core", "; Core; 1510", "; 1; 2", "; Core; x"]),
)


@pytest.fixture
def owner(salon: Salon) -> Caller:
    return owner_calls(salon)


def an_event(owner: Caller) -> str:
    event = str(
        owner.post(
            "tournaments/", {"name": "Spring Cup", "game": "precedence", "stage": STAGE}
        ).value["stream"]
    )
    owner.post(f"tournaments/{event}/acts/phases/", {"phase": "registration"}, version=1)
    return event


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(lines=st.lists(ENTRY, min_size=1, max_size=5), singles=st.booleans())
def test_a_list_of_entries_comes_to_what_was_said_of_it_before(
    salon: Salon, lines: list[tuple[str, str, str]], singles: bool
) -> None:
    owner = owner_calls(salon)
    event, listed = an_event(owner), "\n".join(f"{one} & {two}{rest}" for one, two, rest in lines)
    before = head_of(salon.log_id), Player.objects.count()
    given = {"text": listed, "singles": singles}

    ahead = owner.post(f"tournaments/{event}/entry-list-previews/", given)

    assert (head_of(salon.log_id), Player.objects.count()) == before
    done = owner.post(f"tournaments/{event}/entry-lists/", given)
    assert done.value["lines"] == ahead.value["lines"]
    entries = owner.get(f"tournaments/{event}/").value["entries"]
    whole = [line for line in done.value["lines"] if not line["problem"]]
    assert len(entries) <= len(whole)
    assert len(entries) == len(whole) or singles


def test_the_same_list_under_the_same_key_enters_nobody_twice(salon: Salon, owner: Caller) -> None:
    event, key = an_event(owner), str(uuid.uuid4())
    listed = {"text": "Asha Renn & Cato Liss; Core; 1510\nIlse Marrow & Juno Dray"}

    first, again = (
        owner.post(f"tournaments/{event}/entry-lists/", listed, key=key) for _ in range(2)
    )
    other = owner.post(
        f"tournaments/{event}/entry-lists/", {"text": "Orla Venn & Pim Aster"}, key=key
    )

    assert (first.status, first.value) == (again.status, again.value)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (other.status, other.value["code"]) == (422, "key_reused")
    names = [entry["name"] for entry in owner.get(f"tournaments/{event}/").value["entries"]]
    assert len(names) == 2
    assert "Asha" not in KeptAnswer.objects.get().answer


def test_players_from_another_program_are_kept_once_and_lines_are_told(
    salon: Salon, owner: Caller
) -> None:
    Player.objects.create(salon=salon, name="Asha Renn")
    listed = {"text": "surname;forename\nHarrow;Nell\nRenn;Asha\nHarrow;Nell\n;;9"}

    ahead = owner.post("player-list-previews/", listed).value

    assert [line["kind"] for line in ahead["lines"]] == ["new", "known", "again", "bad"]
    assert ahead["heading"] is True
    assert Player.objects.count() == 1
    assert owner.post("player-lists/", listed).value == {"new": 1, "known": 1, "bad": 1}
    assert owner.post("player-lists/", listed).value == {"new": 0, "known": 2, "bad": 1}
    assert set(Player.objects.values_list("name", flat=True)) == {"Asha Renn", "Nell Harrow"}


def test_a_list_of_players_is_taken_back_but_for_who_was_there_without_it(
    salon: Salon, owner: Caller
) -> None:
    Player.objects.create(salon=salon, name="Asha Renn")
    listed = {"text": "surname;forename\nHarrow;Nell\nRenn;Asha\nMarrow;Ilse\n;;9"}
    owner.post("player-lists/", listed)
    playing(salon)

    assert owner.post("player-list-removals/", listed).value == {"taken_back": 1, "stay": 2}
    assert owner.post("player-list-removals/", listed).value == {"taken_back": 0, "stay": 2}
    assert list(Player.objects.filter(set_aside=True).values_list("name", flat=True)) == [
        "Nell Harrow"
    ]
    owner.post("player-lists/", listed)
    assert not Player.objects.filter(set_aside=True).exists()


def test_columns_may_be_said(salon: Salon, owner: Caller) -> None:
    ahead = owner.post(
        "player-list-previews/", {"text": "7;Nell;Harrow", "name": 1, "second": 2, "heading": False}
    ).value

    assert [line["name"] for line in ahead["lines"]] == ["Nell Harrow"]


REPORT = (
    "012 Spring Open\nXXR 2\n"
    "001    1      Casadei, Mara                     1510                             1.0    1"
    "     2 w 1\n"
    "001    2      Kit Two                                                            0.0    2"
    "     1 b 0\n"
)


def test_a_report_comes_in_as_a_tournament_and_as_a_list(owner: Caller) -> None:
    first, again = (owner.post("tournament-files/", {"trf": REPORT}) for _time in range(2))

    assert (first.status, first.value["outcome"]) == (201, "recorded")
    assert again.value["outcome"] == "unchanged"
    event = owner.get(f"tournaments/{first.value['id']}/").value
    assert [entry["name"] for entry in event["entries"]] == ["Casadei, Mara", "Kit Two"]
    wrong = owner.post("tournament-files/", {"trf": REPORT.replace("2 w 1", "2 w =")})
    assert wrong.status == 400
    assert "line 3, column 99" in str(wrong.value)
    ahead = owner.post("player-list-previews/", {"text": REPORT}).value
    assert [line["name"] for line in ahead["lines"]] == ["Casadei, Mara", "Kit Two"]


def test_lists_are_sent_as_files_and_by_columns(owner: Caller) -> None:
    event = an_event(owner)
    file = base64.b64encode("Two;Kit;One;Pat;7".encode("utf-16")).decode()
    sent = {"file": file, "columns": ["last", "first", "last", "first", "unused"]}

    (line,) = owner.post(f"tournaments/{event}/entry-list-previews/", sent).value["lines"]

    assert (line["players"], line["rating"], line["problem"]) == (["Kit Two", "Pat One"], None, "")
    for wrong in (base64.b64encode(b"%PDF-1.7").decode(), "no base64!"):
        for place in (f"tournaments/{event}/entry-lists/", "player-lists/"):
            assert owner.post(place, {"file": wrong}).status == 400
    assert owner.post(f"tournaments/{event}/entry-lists/", {"text": "A\x00 & B"}).status == 400
    assert not owner.get(f"tournaments/{event}/").value["entries"]


@pytest.mark.parametrize("file", ["no base64", "\u0087\u00f1", "\udbd0k"])
def test_what_is_no_base64_is_refused_at_its_field(owner: Caller, file: str) -> None:
    refused = owner.post("player-list-previews/", {"file": file})

    assert refused.status == 400
    assert refused.value["path"] == "file"
