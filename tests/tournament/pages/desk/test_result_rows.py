"""Results typed row by row: each table is recorded by itself, what can't be is told beside it, and
what is rare in this salon is asked once more.
"""

import re
from collections.abc import Mapping

import pytest
from django.test import Client, override_settings

from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.evenings import does, in_round_1, of_teams, result
from tests.tournament.helpers.many_results import drawn, of_pairs, played
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.same_deals import STAGE as SAME_DEALS
from tests.tournament.helpers.same_deals import running
from tests.tournament.helpers.singles import published
from tournament.domain.standings.rare_results import LEAST
from tournament.domain.standings.values import (
    HUNDREDTHS,
    Duplicate,
    Pods,
    Scale,
    Stage,
)
from tournament.domain.tournament.results import ExcuseTable, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound
from tournament.domain.tournament.state import TableState
from tournament.models import Salon, Tournament
from tournament.projections.audit import audit
from tournament.recording.tournaments import start_linked_game
from tournament.streams.tournament_rows import state_of

ONE_ROW = "Accord-Row"
CHIPS = Scale(kind="chips", bye=0)
TWO_HANDS = ("255", "20", "1", "190", "6", "0", "2")  # score, tricks, audits of each; hands


@pytest.fixture
def row(salon: Salon) -> Tournament:
    return in_round_1(salon)


def page_of(row: Tournament, number: int = 1) -> str:
    return f"/tournaments/{row.pk}/desk/rounds/{number}/result-rows/"


def scores(table: int, *numbers: str, **more: str) -> dict[str, str]:
    """The fields of a table as they are sent."""
    fields = {
        f"tables.t{table}.results.{place}.score:half": number
        for place, number in enumerate(numbers)
    }
    return fields | {f"tables.t{table}.{name}": value for name, value in more.items()}


def sends(
    owner: Client,
    row: Tournament,
    *rows: Mapping[str, str],
    alone: int = 0,
    command: str = "",
    number: int = 1,
) -> Answer:
    """Send these rows; one `alone` as the page does by itself."""
    sent = {"version": str(row.version), "command": command or a_command()}
    for fields in rows:
        sent |= fields
    headers = {ONE_ROW: str(alone)} if alone else {}
    return owner.post(page_of(row, number), sent, headers=headers)


def table_of(row: Tournament, table: int = 1, number: int = 1) -> TableState:
    row.refresh_from_db()
    found = state_of(row).rounds[number - 1].table(table)
    assert found is not None
    return found


def recorded(row: Tournament, table: int = 1, number: int = 1) -> list[float]:
    return [(each.score or 0) / HUNDREDTHS for each in table_of(row, table, number).results]


def fields_of(owner: Client, row: Tournament, table: int = 1, number: int = 1) -> list[str]:
    """The names of the numbers asked at a table, in the order in which Enter walks."""
    page = owner.get(page_of(row, number)).text
    return re.findall(rf'name="(tables\.t{table}\.[^"]+:(?:half|number))"', page)


def test_the_form_sent_whole_records_what_can_be_and_keeps_the_rest_as_typed(
    owner: Client, row: Tournament
) -> None:
    answer = sends(owner, row, scores(1, "255", "190"), scores(2, "25x", "7"))

    assert answer.status_code == 400
    assert (recorded(row, 1), recorded(row, 2)) == ([255, 190], [])
    assert 'value="25x"' in answer.text
    assert "A number as 45 or 45.5 is expected here" in told(answer)
    assert re.search(r'id="f-2-0-0"[^>]*aria-invalid="true"', answer.text)


def test_a_row_sent_alone_comes_back_alone_with_how_many_are_missing(
    owner: Client, row: Tournament
) -> None:
    answer = sends(owner, row, scores(2, "255", "190"), alone=2)

    assert answer.status_code == 200
    assert 'id="row-2"' in answer.text
    assert 'id="row-1"' not in answer.text
    assert "One result is missing." in told(answer)
    assert recorded(row, 2) == [255, 190]


@pytest.mark.parametrize(
    ("typed", "place"),
    [(("255", ""), "1"), (("", "190"), "0"), (("255", "1.3"), "1"), (("99999999", "0"), None)],
)
def test_what_cannot_be_is_told_at_its_row_and_nothing_is_recorded(
    owner: Client, row: Tournament, typed: tuple[str, str], place: str | None
) -> None:
    before = row.version

    answer = sends(owner, row, scores(1, *typed), alone=1)

    assert answer.status_code in (400, 422)
    assert 'class="error"' in answer.text
    assert place is None or re.search(rf'id="f-1-{place}-0"[^>]*aria-invalid', answer.text)
    assert all(f'value="{each}"' in answer.text for each in typed)
    row.refresh_from_db()
    assert row.version == before


def test_the_same_row_again_records_nothing_and_another_number_changes_it(
    owner: Client, row: Tournament
) -> None:
    sends(owner, row, scores(1, "255", "190"))
    version = Tournament.objects.get(pk=row.pk).version

    again = sends(owner, row, scores(1, "255.0", "+190", was="255:190"), alone=1)
    lost = sends(owner, row, scores(1, "255", "190"), alone=1)  # its first answer never came
    assert (again.status_code, lost.status_code) == (200, 200)
    assert Tournament.objects.get(pk=row.pk).version == version

    assert sends(owner, row, scores(1, "250", "190", was="255:190"), alone=1).status_code == 200
    assert recorded(row) == [250, 190]


def test_two_people_type_other_tables_at_once_and_neither_waits(
    owner: Client, row: Tournament
) -> None:
    version = row.version
    sends(owner, row, scores(1, "255", "190"))
    row.version = version  # this page was opened before

    assert sends(owner, row, scores(2, "200", "100"), alone=2).status_code == 200
    assert (recorded(row, 1), recorded(row, 2)) == ([255, 190], [200, 100])


def test_whoever_types_over_a_result_unseen_is_told_it_and_asked_once_more(
    owner: Client, row: Tournament
) -> None:
    does(row, result(1, 255, 190))

    answer = sends(owner, row, scores(1, "250", "180"), alone=1)
    assert answer.status_code == 409
    assert "it is 255 : 190 now" in told(answer)
    assert recorded(row) == [255, 190]
    assert 'name="tables.t1.was" value="255:190"' in answer.text

    assert sends(owner, row, scores(1, "250", "180", was="255:190"), alone=1).status_code == 200
    assert recorded(row) == [250, 180]


def test_an_emptied_row_takes_no_result_back(owner: Client, row: Tournament) -> None:
    does(row, result(1, 255, 190))

    answer = sends(owner, row, scores(1, "", "", was="255:190"), alone=1)

    assert answer.status_code == 400
    assert "On the page of the round a result is taken back" in told(answer)
    assert recorded(row) == [255, 190]


def test_a_game_that_goes_on_is_asked_about_in_the_row(owner: Client, row: Tournament) -> None:
    game = start_linked_game(
        row.salon,
        row.pk,
        round=1,
        table=1,
        label="4",
        actor="user:1",
        command=a_command(),
        version=row.version,
    )
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    row.refresh_from_db()

    answer = sends(owner, row, scores(1, "255", "190"), alone=1)
    assert answer.status_code == 422
    assert 'name="tables.t1.its_game"' in answer.text
    assert 'value="255"' in answer.text

    more = {"its_game": "detach", "reason": "They play on for fun"}
    assert sends(owner, row, scores(1, "255", "190", **more), alone=1).status_code == 200
    assert recorded(row) == [255, 190]
    assert list(audit(row.salon)) == []


def test_typing_begins_at_the_first_table_that_lacks_its_result(
    owner: Client, row: Tournament
) -> None:
    assert re.search(r'id="f-1-0-0"[^>]*autofocus', owner.get(page_of(row)).text)
    does(row, result(1, 255, 190))
    assert re.search(r'id="f-2-0-0"[^>]*autofocus', owner.get(page_of(row)).text)
    does(row, result(2, 255, 190))
    page = owner.get(page_of(row))
    assert "autofocus" not in page.text
    assert "Every result is in." in told(page)


def test_forfeits_excuses_and_closed_rounds_are_shown_and_not_typed(
    owner: Client, salon: Salon
) -> None:
    row = in_round_1(salon, 6)
    absent = table_of(row, 1).entries[:1]
    does(
        row,
        ForfeitTable(round=1, table=1, absent=absent),
        ExcuseTable(round=1, table=2, reason="They left early"),
    )
    assert [len(fields_of(owner, row, table)) for table in (1, 2, 3)] == [0, 0, 2]

    does(row, result(3, 255, 190), CloseRound(round=1))
    assert fields_of(owner, row, 3) == []
    assert "The round is closed." in told(owner.get(page_of(row)))
    answer = sends(owner, row, scores(3, "250", "180", was="255:190"))
    assert answer.status_code == 422
    assert "round 1 is closed" in told(answer).lower()
    assert 'value="250"' in answer.text
    assert recorded(row, 3) == [255, 190]


def test_a_table_whose_line_ups_are_sealed_waits(owner: Client, salon: Salon) -> None:
    row = of_teams(salon)

    assert fields_of(owner, row) == []
    assert "line-ups sealed" in told(owner.get(page_of(row)))


def test_a_form_without_a_table_or_of_no_table_is_refused(owner: Client, row: Tournament) -> None:
    assert sends(owner, row).status_code == 400
    assert sends(owner, row, scores(9, "1", "2")).status_code == 400
    assert sends(owner, row, scores(9, "1", "2"), alone=9).status_code == 404
    assert sends(owner, row, scores(1, "1", "2"), command="x").status_code == 400
    assert owner.get(page_of(row, 2)).status_code == 404


def of_one_format(salon: Salon, kind: str) -> Tournament:
    """An event of this format in its first round."""
    match kind:
        case "rotating":
            return published(salon, 5)
        case "pods":
            stage = Stage(kind="pods", pods=Pods(sizes=(5, 4, 3)), scale=CHIPS)
            return published(salon, 13, stage, "contract_sabacc")
        case "movement":
            return running(salon, SAME_DEALS)
        case "knockout":
            return in_round_1(salon, 4, Stage(kind="knockout"))
        case "tricks":
            return in_round_1(salon, 4, Stage(rounds=3, tie_breaks=("tricks", "fewest_audits")))
        case _:
            stage = Stage(
                kind="duplicate",
                duplicate=Duplicate(deals=3, scoring="built"),
                scale=Scale(kind="built", bye=0),
            )
            return published(salon, 3, stage, "order_of_precedence")


@pytest.mark.parametrize(
    "kind", ["rotating", "pods", "movement", "knockout", "tricks", "duplicate"]
)
def test_every_format_is_typed_row_by_row_and_shown_again_as_typed(
    owner: Client, salon: Salon, kind: str
) -> None:
    row = of_one_format(salon, kind)
    tables = [table.table for table in state_of(row).rounds[0].tables]

    for table in tables:
        names = fields_of(owner, row, table)
        assert names, table
        numbers = [str(3 * (place + 1)) for place in range(len(names))]
        if "chips" in names[0]:
            numbers[-1] = str(-sum(map(int, numbers[:-1])))
        if kind == "tricks":
            numbers = list(TWO_HANDS)
        answer = sends(owner, row, dict(zip(names, numbers, strict=True)), alone=table)
        assert answer.status_code == 200, told(answer)
        typed = re.findall(r'class="input input--s"[^>]*value="([^"]*)"', answer.text)
        assert typed == numbers
        version = Tournament.objects.get(pk=row.pk).version
        was = {f"tables.t{table}.was": ":".join(numbers)}
        again = sends(owner, row, dict(zip(names, numbers, strict=True)) | was, alone=table)
        assert again.status_code == 200
        assert Tournament.objects.get(pk=row.pk).version == version
    assert "Every result is in." in told(owner.get(page_of(row)))
    assert list(audit(salon)) == []


def test_chips_that_do_not_add_up_are_told_at_the_last_seat(owner: Client, salon: Salon) -> None:
    row = of_one_format(salon, "pods")
    names = fields_of(owner, row)

    answer = sends(owner, row, dict.fromkeys(names, "5"), alone=1)

    assert answer.status_code == 422
    assert "add up to 0" in told(answer)
    assert re.search(rf'id="f-1-{len(names) - 1}-0"[^>]*aria-invalid', answer.text)


@pytest.mark.parametrize("alone", [0, 1])
def test_cards_built_over_several_deals_are_held_against_each_deal(
    owner: Client, salon: Salon, alone: int
) -> None:
    row = of_one_format(salon, "duplicate")
    names = fields_of(owner, row)
    typed = dict(zip(names, ("104", "40", "40"), strict=True))

    refused = sends(owner, row, typed | {names[1]: "105"}, alone=alone)
    assert refused.status_code == 422
    assert "105 cards built; one deal brings 0 to 104" in told(refused)

    assert sends(owner, row, typed, alone=alone).status_code in (200, 302)
    assert table_of(row).results[0].built == 184


def test_one_side_of_a_deal_alone_is_told_at_the_other(owner: Client, salon: Salon) -> None:
    row = of_one_format(salon, "movement")
    names = fields_of(owner, row)

    answer = sends(owner, row, {names[0]: "77", names[2]: "31", names[3]: "12"}, alone=1)

    assert answer.status_code == 400
    assert re.search(r'id="f-1-0-1"[^>]*aria-invalid', answer.text)
    assert 'value="77"' in answer.text


def test_what_nobody_has_won_by_yet_is_asked_once_more_and_then_recorded(
    owner: Client, salon: Salon
) -> None:
    row = of_pairs(salon, 100)
    margins = [60 + table % 90 for table in range(50)]
    for _round in range(LEAST // 50):
        played(row, margins)
    number, widest = drawn(row), max(margins)

    usual = sends(owner, row, scores(1, str(100 + widest), "100"), alone=1, number=number)
    assert (usual.status_code, recorded(row, 1, number)) == (200, [100 + widest, 100])

    odd = scores(2, str(101 + widest), "100")
    answer = sends(owner, row, odd, alone=2, number=number)
    assert answer.status_code == 422
    assert f"Nobody here has won by {widest + 1} yet: Enter once more." in told(answer)
    assert recorded(row, 2, number) == []
    sure = re.search(r'name="tables.t2.sure" value="([^"]+)"', answer.text)
    assert sure is not None

    other = scores(2, str(102 + widest), "100", sure=sure[1])
    assert sends(owner, row, other, alone=2, number=number).status_code == 422
    again = odd | {"tables.t2.sure": sure[1]}
    assert sends(owner, row, again, alone=2, number=number).status_code == 200
    assert recorded(row, 2, number) == [101 + widest, 100]


def test_who_has_no_script_is_led_to_the_portions_of_a_round_of_too_many_tables(
    owner: Client, row: Tournament
) -> None:
    portions = f'<a href="/tournaments/{row.pk}/desk/rounds/1/">'
    assert "<noscript>" not in owner.get(page_of(row)).text

    with override_settings(DATA_UPLOAD_MAX_NUMBER_FIELDS=57):  # two tables of four fields
        page = owner.get(page_of(row)).text

    assert portions in page.partition("<noscript>")[2].partition("</noscript>")[0]
