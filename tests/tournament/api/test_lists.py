"""Lists of players and entries by the API: looked at first, kept as it was said, and nobody
twice.
"""

import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.reading import head_of
from tests.tournament.api.calling import Caller, owner_calls
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


def test_columns_may_be_said(salon: Salon, owner: Caller) -> None:
    ahead = owner.post(
        "player-list-previews/", {"text": "7;Nell;Harrow", "name": 1, "second": 2, "heading": False}
    ).value

    assert [line["name"] for line in ahead["lines"]] == ["Nell Harrow"]
