"""What can't be in a tournament is refused at its form and by its file, with clear words and
nothing half done.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from ledger.models import Event
from tests.tournament.domain.standings.made import cup, setting
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import (
    PAIRS,
    after_round_1,
    command_on,
    does,
    draft,
    in_round_1,
    registered,
    send,
)
from tests.tournament.helpers.playing import a_command, told
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import Withdraw
from tournament.models import Player, Salon, Tournament
from tournament.streams.tournament_rows import state_of

type Change = Callable[[dict[str, Any]], object]
type Form = Callable[[Client, Salon], Answer]


def a_player_twice(owner: Client, salon: Salon) -> Answer:
    return send(
        owner,
        registered(salon),
        "entries",
        "entries",
        **{"players.0": PAIRS[0][0], "players.1": "New Name"},
    )


def a_pair_of_one(owner: Client, salon: Salon) -> Answer:
    return send(
        owner,
        registered(salon),
        "entries",
        "entries",
        **{"players.0": "New Name", "players.1": " New  Name "},
    )


def a_substitute_who_plays(owner: Client, salon: Salon) -> Answer:
    return send(
        owner, registered(salon), "substitutes", "entry-1", entry="1", place="1", player=PAIRS[1][0]
    )


def a_table_elsewhere(owner: Client, salon: Salon) -> Answer:
    return scored(owner, in_round_1(salon), 3)


def a_round_elsewhere(owner: Client, salon: Salon) -> Answer:
    row = in_round_1(salon)
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "tables.t1.results.0.score:half": "250",
    }
    return owner.post(f"/tournaments/{row.pk}/desk/rounds/2/results/?page=round-1", sent)


def scored(owner: Client, row: Tournament, table: int, **more: str) -> Answer:
    """The result 262 : 187 of a table, typed at round 1."""
    row.refresh_from_db()
    sent = {"version": str(row.version), "command": a_command()}
    sent |= {
        f"tables.t{table}.results.{place}.score:half": score
        for place, score in enumerate(("262", "187"))
    }
    return owner.post(f"/tournaments/{row.pk}/desk/rounds/1/results/?page=round-1", sent | more)


def thirteen_for_both(owner: Client, salon: Salon) -> Answer:
    tricks = {f"tables.t1.results.{place}.tricks:number": "13" for place in range(2)}
    return scored(owner, in_round_1(salon), 1, **tricks, **{"tables.t1.hands:number": "1"})


def one_good_and_one_bad(owner: Client, salon: Salon) -> Answer:
    return scored(owner, in_round_1(salon), 1, **{"tables.t2.results.0.score:half": "250"})


def a_draw_too_early(owner: Client, salon: Salon) -> Answer:
    return send(owner, in_round_1(salon), "draws", round__number="2")


def a_withdrawn_entry_seated(owner: Client, salon: Salon) -> Answer:
    row = does(after_round_1(salon), DrawRound(round=2), Withdraw(entry="2"))
    return send(owner, row, "publications", "round-2", round__number="2")


def a_withdrawn_entry_swapped_in(owner: Client, salon: Salon) -> Answer:
    row = does(after_round_1(salon), Withdraw(entry="2"), DrawRound(round=2))
    return send(owner, row, "swaps", "round-2", round__number="2", one="1", two="2")


def staged(owner: Client, salon: Salon, **fields: str) -> Answer:
    """The form that says how a tournament is played, with these fields."""
    row = draft(salon)
    address = f"/tournaments/{row.pk}/desk/stage/"
    form = {
        "command": command_on(owner.get(address)),
        "version": str(row.version),
        "name": "Cup",
        "format": "swiss",
        "rounds": "5",
    }
    return owner.post(address, form | {"scale": "match", "usual": "yes", "minutes": "60"} | fields)


def an_unknown_tie_break(owner: Client, salon: Salon) -> Answer:
    return staged(owner, salon, **{"usual": "no", "tie_breaks.0": "bucholz"})


def a_tie_break_twice(owner: Client, salon: Salon) -> Answer:
    return staged(owner, salon, **{"usual": "no", "tie_breaks.0": "wins", "tie_breaks.1": "wins"})


def a_pair_of_one_but_for_case(owner: Client, salon: Salon) -> Answer:
    return send(
        owner,
        registered(salon),
        "entries",
        "entries",
        **{"players.0": "New Body", "players.1": "new BODY"},
    )


def a_list_with_a_pair_of_one(owner: Client, salon: Salon) -> Answer:
    row = registered(salon)
    sent = {"version": str(row.version), "command": a_command(), "list": "Nuria Pell & núria pell"}
    sent["keep"] = "yes"
    return owner.post(f"/tournaments/{row.pk}/desk/lists/", sent)


FORMS: list[tuple[Form, int, str]] = [
    (a_pair_of_one_but_for_case, 400, "new BODY and New Body would be one person"),
    (a_list_with_a_pair_of_one, 422, "núria pell and Nuria Pell would be one person"),
    (a_player_twice, 422, "is in entry 1 already; nobody plays for two entries"),
    (a_pair_of_one, 400, "sits in two seats"),
    (a_substitute_who_plays, 422, "is in entry 2 already"),
    (a_table_elsewhere, 422, "round 1 has no table 3; it has 2"),
    (a_round_elsewhere, 422, "round 2 is not drawn; 1 are"),
    (thirteen_for_both, 422, "table 1: 13 + 13 tricks are 26; one hand has 13"),
    (one_good_and_one_bad, 422, "table 2 has 2 entries, and 1 results are given"),
    (a_draw_too_early, 422, "table 1 of round 1 has no result"),
    (a_withdrawn_entry_seated, 422, "entry 2 has withdrawn and is seated in round 2; draw it anew"),
    (a_withdrawn_entry_swapped_in, 422, "entry 2 is not in round 2"),
    (an_unknown_tie_break, 422, "There is no tie-break “bucholz”"),
    (a_tie_break_twice, 422, "a tie-break stands twice"),
]


@pytest.mark.parametrize(("form", "status", "words"), FORMS)
def test_what_can_not_be_is_refused_at_its_form(
    owner: Client,
    salon: Salon,
    monkeypatch: pytest.MonkeyPatch,
    form: Form,
    status: int,
    words: str,
) -> None:
    before: list[tuple[int, int]] = []
    post = owner.post

    def counting(*args: Any) -> Answer:
        before.append(counted())
        return post(*args)

    monkeypatch.setattr(owner, "post", counting)

    answer = form(owner, salon)

    assert answer.status_code == status
    assert words in told(answer)
    assert counted() == before[-1]


def counted() -> tuple[int, int]:
    """How many events and players there are."""
    return Event.objects.count(), Player.objects.count()


def test_typed_results_stay_on_the_page_when_one_of_them_is_refused(
    owner: Client, salon: Salon
) -> None:
    page = one_good_and_one_bad(owner, salon).content.decode()

    assert 'name="tables.t1.results.0.score:half"' in page
    assert page.count('value="262"') == page.count('value="187"') == page.count('value="250"') == 1
    assert not any(table.results for table in state_of(Tournament.objects.get()).rounds[0].tables)


THIRTEEN = {"1": {"points": 1, "tricks": 13}, "4": {"points": 0, "tricks": 13}}
FILES: list[tuple[Change, str]] = [
    (setting("entries", 1, "players", 0, "Asha"), "player_twice"),
    (setting("rounds", 0, "tables", 0, "result", "9", {"points": 1}), "bad_record"),
    (setting("rounds", 0, "tables", 0, "result", THIRTEEN), "bad_total"),
    (setting("entries", 3, "withdrawn_after", 0), "not_playing"),
    (setting("stage", "tie_breaks", 0, "bucholz"), "bad_record"),
    (setting("entries", 1, {"id": "2", "joined_in": 4, "withdrawn_after": 2}), "bad_withdrawal"),
    (setting("entries", 0, "away", [3, 3]), "bad_withdrawal"),
]


@pytest.mark.parametrize(("change", "code"), FILES)
def test_what_can_not_be_is_refused_by_its_file_and_nothing_of_it_is_stored(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Change, code: str
) -> None:
    before = counted()
    file = tmp_path / "cups.jsonl"
    file.write_text(json.dumps(cup(change)))

    ran = run(capsys, "tournament", "import", file, "--json")

    error: dict[str, Any] = ran.lines[0]["error"]
    assert (ran.status, error["code"]) == (1, code)
    assert error["message"]
    assert counted() == before
    assert not Tournament.objects.exists()
