"""The salon's tables: added, renamed, retired and taken back, as facts with who and when, wherever
tables are listed or reached.
"""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from ledger.models import Event
from ledger.verify import verify_log
from scoring.commands import EndGame
from tests.tournament.helpers.playing import a_command, a_game, done, told
from tests.tournament.helpers.salons import member, scorer_at
from tournament.domain.house.table_labels import in_order, next_labels, several_labels
from tournament.models import Salon, Table
from tournament.projections.audit import audit
from tournament.projections.difference import Difference
from tournament.projections.rebuild import differences
from tournament.recording.door import record_acts

NUMBERS = [str(number) for number in range(1, 9)]


def keeps(client: Client, what: str, **fields: str) -> Any:
    """A form of the settings about tables."""
    return client.post("/settings/tables/", {"what": what, "command": a_command(), **fields})


def shown(client: Client) -> list[str]:
    """The labels on the page of the tables, in its order."""
    return [line.label for line in client.get("/tables/").context["lines"]]


def differs(salon: Salon, *, mend: bool = False) -> list[Difference]:
    return list(differences(salon, mend=mend, progress=lambda done: None))


def facts(salon: Salon) -> list[str]:
    return [
        name.removeprefix("house.")
        for name in Event.objects.filter(log=salon.log_id)
        .order_by("position")
        .values_list("type", flat=True)
    ]


def test_tables_are_added_several_at_once_and_each_has_its_slip(
    salon: Salon, owner: Client
) -> None:
    assert keeps(owner, "add", labels="9-11, Window").status_code == 302

    assert shown(owner) == [*NUMBERS, "9", "10", "11", "Window"]
    slips = told(owner.get("/table-slips/"))
    assert "Table 11" in slips
    assert "Table Window" in slips
    new = Table.objects.get(label="11")
    assert new.pin
    assert scorer_at(salon, "11").get("/tables/11/").status_code == 200
    assert facts(salon) == ["tables_found", "tables_added"]
    assert list(differs(salon)) == []
    assert list(audit(salon)) == []


def test_who_added_a_table_and_when_stands_in_the_history(salon: Salon, owner: Client) -> None:
    keeps(owner, "add", labels="9, 10")

    history = told(owner.get("/history/"))

    assert "Tables added: 9 and 10." in history
    assert "Mara Ilves" in history
    assert "Tables added: 9 and 10." in told(owner.get("/house/"))


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ("", "say what the new tables are called"),
        ("8", "there is a table 8 already"),
        ("9, 9", "there is a table 9 already"),
        ("Window, window", "there is a table window already"),
        ("a/b", "leave out"),
        ("..", "leave out"),
        ("x" * 21, "1 to 20 characters"),
        ("9-999", "200 tables at most"),
    ],
)
def test_a_table_that_cannot_be_is_refused_beside_its_field_with_what_was_typed(
    salon: Salon, owner: Client, labels: str, why: str
) -> None:
    answer = keeps(owner, "add", labels=labels)

    assert answer.status_code == 422
    assert why in told(answer)
    assert f'value="{labels}"' in answer.text
    assert Table.objects.count() == 8
    assert not Event.objects.exists()


def test_a_table_is_renamed_and_its_link_and_past_games_stay(salon: Salon, owner: Client) -> None:
    scorer, table = scorer_at(salon, "4"), Table.objects.get(label="4")

    assert keeps(owner, "rename", label="4", new_label="Window").status_code == 302

    renamed = Table.objects.get(pk=table.pk)
    assert (renamed.label, renamed.token, renamed.pin) == ("Window", table.token, table.pin)
    assert scorer.get("/tables/Window/").status_code == 200
    assert owner.get("/tables/4/").status_code == 404
    assert shown(owner) == [label for label in NUMBERS if label != "4"] + ["Window"]
    assert "Table 4 is called Window from here on." in told(owner.get("/house/"))
    assert list(differs(salon)) == []


def test_a_table_is_neither_renamed_nor_retired_while_a_game_is_on(
    salon: Salon, owner: Client
) -> None:
    a_game(salon, table="4")

    for form in ({"what": "rename", "new_label": "Window"}, {"what": "retire"}):
        answer = owner.post("/settings/tables/", {"command": a_command(), "label": "4", **form})
        assert answer.status_code == 422
        assert "a game is on at table 4" in told(answer)

    assert Table.objects.filter(label="4", retired=False).exists()


def test_a_retired_table_is_nowhere_offered_and_can_be_taken_back(
    salon: Salon, owner: Client
) -> None:
    scorer = scorer_at(salon, "4")
    table = Table.objects.get(label="4")

    assert keeps(owner, "retire", label="4").status_code == 302

    assert "4" not in shown(owner)
    assert "Table 4<" not in owner.get("/table-slips/").text
    assert 'value="4"' not in owner.get("/games/new/").text
    assert Client().get(f"/t/{table.token}/").status_code == 404
    assert scorer.get("/tables/4/").status_code in (302, 404)
    assert "Table 4 is retired." in told(owner.get("/house/"))

    assert keeps(owner, "back", label="4").status_code == 302
    assert shown(owner) == NUMBERS
    assert scorer.get("/tables/4/").status_code == 200
    assert list(differs(salon)) == []


def test_a_retired_table_that_is_added_again_is_the_same_table(salon: Salon, owner: Client) -> None:
    table = Table.objects.get(label="4")
    keeps(owner, "retire", label="4")

    keeps(owner, "add", labels="4, 9")

    assert Table.objects.get(label="4", retired=False).pk == table.pk
    assert shown(owner) == [*NUMBERS, "9"]


def test_games_of_a_retired_table_keep_it(salon: Salon, owner: Client) -> None:
    game = done(a_game(salon, table="4"), "hands", dealer="S")
    for seat in "WNES":
        done(game, "bids", seat=seat, tricks=3)
    done(game, "totals", NS=7, EW=6)
    end = EndGame(kind="called", by="Elder", reason="late")
    record_acts(salon, game.pk, [end], actor="user:1", command=a_command(), version=game.version)

    assert keeps(owner, "retire", label="4").status_code == 302

    assert owner.get(f"/games/{game.pk}/").status_code == 200
    assert "History of table 4" in told(owner.get(f"/games/{game.pk}/history/"))


def test_the_same_form_sent_twice_adds_a_table_once(salon: Salon, owner: Client) -> None:
    form = {"what": "add", "labels": "9", "command": a_command()}

    answers = [owner.post("/settings/tables/", form).status_code for _ in range(2)]

    assert answers == [302, 302]
    assert facts(salon) == ["tables_found", "tables_added"]


def test_directors_keep_tables_and_nobody_below_them_does(salon: Salon) -> None:
    director = member(salon, "director")
    assert keeps(director, "add", labels="9").status_code == 302
    assert "9" in told(director.get("/settings/tables/"))

    for client in (
        Client(),
        scorer_at(salon, "4"),
        member(salon, "scorer"),
        member(salon, "auditor"),
    ):
        assert keeps(client, "add", labels="10").status_code == 403
    assert Table.objects.count() == 9


def test_a_salon_that_has_moved_takes_no_more_tables(salon: Salon, owner: Client) -> None:
    sent = {
        "what": "move",
        "place": "elsewhere.example",
        "why": "moving",
        "version": "0",
        "command": a_command(),
    }
    assert owner.post("/house/", sent).status_code == 302

    answer = keeps(owner, "add", labels="9")

    assert answer.status_code == 422
    assert "the salon has moved" in told(answer)


def test_a_table_row_that_says_something_else_is_found_and_mended(
    salon: Salon, owner: Client
) -> None:
    keeps(owner, "add", labels="9")
    Table.objects.filter(label="9").update(label="99", retired=True)

    found = list(audit(salon))
    assert [each.column for each in differs(salon, mend=True)] == ["label", "retired"]

    assert found
    assert Table.objects.filter(label="9", retired=False).exists()
    assert list(audit(salon)) == []


def test_rows_and_chain_hold_after_every_act_on_tables(salon: Salon, owner: Client) -> None:
    keeps(owner, "add", labels="9-12")
    keeps(owner, "rename", label="9", new_label="Alcove")
    keeps(owner, "rename", label="10", new_label="9")
    keeps(owner, "retire", label="12")
    keeps(owner, "back", label="12")

    assert shown(owner) == [*NUMBERS, "9", "11", "12", "Alcove"]
    assert list(differs(salon)) == []
    assert list(verify_log(salon.log_id)) == []


def test_tables_are_kept_on_the_command_line(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("tables", "add", "9-10", "Window")
    call_command("tables", "rename", "9", "Alcove")
    call_command("tables", "retire", "10")
    capsys.readouterr()
    call_command("tables")

    out = capsys.readouterr().out
    assert out.split("\n")[:9] == [*NUMBERS, "Alcove"]
    assert "10  retired" in out
    assert {event.actor for event in Event.objects.all()} == {"command-line"}
    with pytest.raises(CommandError, match="there is a table 1 already"):
        call_command("tables", "add", "1")


def test_labels_are_put_in_the_order_in_which_people_look_for_them() -> None:
    assert in_order(["10", "2", "Window", "1", "Table 10", "Table 2", "2b"]) == [
        "1",
        "2",
        "2b",
        "10",
        "Table 2",
        "Table 10",
        "Window",
    ]


def test_several_tables_are_written_with_commas_and_from_to() -> None:
    assert several_labels(" 9-11 ; Window\nAlcove, 3 \u2013 4,,") == [
        "9",
        "10",
        "11",
        "Window",
        "Alcove",
        "3",
        "4",
    ]
    assert several_labels("5-3") == ["5-3"]


def test_new_numbers_go_on_after_the_highest() -> None:
    assert next_labels(["1", "2", "7", "Window"], 2) == ["8", "9"]
    assert next_labels([], 1) == ["1"]
