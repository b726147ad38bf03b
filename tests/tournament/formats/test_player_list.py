"""Players from the list of another program: looked at line by line, then made; what is
known stays.
"""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.playing import told
from tournament.formats.player_list import (
    AGAIN,
    BAD,
    KNOWN,
    NEW,
    Mapping,
    guess_columns,
    lines_of,
    read_listed,
)
from tournament.models import Player, Salon
from tournament.queries.players import all_names


def names() -> set[str]:
    return set(Player.objects.values_list("name", flat=True))


def looked_at(text: str, *known: str) -> list[tuple[int, str, str]]:
    listed = read_listed(text)
    return [
        (line.number, line.name, line.kind)
        for line in lines_of(listed, guess_columns(listed), known)
    ]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_columns_are_parted_by_whatever_parts_them_and_found_by_their_headings(sign: str) -> None:
    rows = [
        ("Club", "First name", "Surname", "Elo"),
        ("Core", "Asha", "Renn", "1510"),
        ("", "Cato", "Liss", ""),
    ]

    assert looked_at("\n".join(sign.join(row) for row in rows)) == [
        (2, "Asha Renn", NEW),
        (3, "Cato Liss", NEW),
    ]


def test_a_column_called_name_holds_the_names() -> None:
    assert looked_at('No,"Player name"\n1,"Renn, Asha"\n') == [(2, "Renn, Asha", NEW)]


def test_names_alone_one_a_line_need_no_heading() -> None:
    assert looked_at("Asha Renn\n\nCato Liss\n") == [(1, "Asha Renn", NEW), (3, "Cato Liss", NEW)]


def test_known_names_doubled_ones_and_lines_without_a_name_are_told_apart() -> None:
    text = "name;club\nAsha  Renn;Core\nCato Liss;\nAsha Renn;Rim\n;Core\n" + "x" * 81 + ";"

    assert [kind for _number, _name, kind in looked_at(text, "Cato Liss")] == [
        NEW,
        KNOWN,
        AGAIN,
        BAD,
        BAD,
    ]


@given(st.text(max_size=200), st.integers(0, 4), st.none() | st.integers(0, 4), st.booleans())
def test_any_text_comes_to_a_line_a_row_and_no_error(
    text: str, name: int, second: int | None, heading: bool
) -> None:
    listed = read_listed(text)
    lines = list(lines_of(listed, Mapping(name=name, second=second, heading=heading), ()))

    assert len(lines) == max(len(listed.rows) - heading, 0)
    assert all(line.name or line.kind == BAD for line in lines)


def test_nothing_is_kept_before_it_was_looked_at(owner: Client) -> None:
    page = owner.post("/players/list/", {"list": "Asha Renn\nCato Liss"})

    assert "Line 1: Asha Renn , new" in told(page)
    assert names() == set()


def test_new_players_are_made_and_a_second_time_nothing_changes(owner: Client) -> None:
    for _ in range(2):
        answer = owner.post(
            "/players/list/",
            {
                "list": "first;last\nAsha;Renn\nCato;Liss",
                "name": "0",
                "second": "1",
                "heading": "yes",
                "keep": "yes",
            },
        )
        assert answer.status_code == 302

    assert names() == {"Asha Renn", "Cato Liss"}


def test_the_columns_are_chosen_by_hand_where_no_heading_says_them(owner: Client) -> None:
    text = "1,Asha,Renn\n2,Cato,Liss"

    assert "1 , new" in told(owner.post("/players/list/", {"list": text}))
    assert "Asha Renn , new" in told(
        owner.post("/players/list/", {"list": text, "name": "1", "second": "2"})
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_in_the_encodings_of_spreadsheets_is_read(owner: Client, encoding: str) -> None:
    file = SimpleUploadedFile("list.csv", "Name\nÅsa Löf\n".encode(encoding))

    assert "Åsa Löf , new" in told(owner.post("/players/list/", {"file": file}))


def refused(owner: Client, **form: object) -> Answer:
    return owner.post("/players/list/", form)


def test_an_empty_list_and_one_too_long_are_refused_beside_the_field(owner: Client) -> None:
    assert "Paste one player a line" in told(refused(owner, list=" \n"))
    assert "500 kB at most" in told(refused(owner, list="x" * 500_001))
    assert refused(owner, list="").status_code == 422


def test_the_last_list_of_players_is_taken_back_and_made_again(owner: Client, salon: Salon) -> None:
    Player.objects.create(salon=salon, name="Known One")
    owner.post("/players/list/", {"list": "Asha Renn\nKnown One", "name": "0", "keep": "yes"})
    assert "The last list brought one new player." in told(owner.get("/players/list/"))

    owner.post("/players/list/", {"last": "yes"})

    assert all_names(salon) == ["Known One"]
    assert "Make them again" in told(owner.get("/players/list/"))
    owner.post("/players/list/", {"last": "yes"})
    assert all_names(salon) == ["Asha Renn", "Known One"]


@pytest.mark.parametrize("line", ["Casadei, Mara\nRenn, Asha", "1. Casadei, Mara\n2. Renn, Asha"])
def test_players_written_surname_first_keep_their_names_whole(line: str) -> None:
    assert [name for _number, name, _kind in looked_at(line)] == ["Casadei, Mara", "Renn, Asha"]
    listed = read_listed(line)
    turned = lines_of(listed, Mapping(turned=True), ())
    assert [each.name for each in turned] == ["Mara Casadei", "Asha Renn"]
    known = lines_of(listed, guess_columns(listed), {"Mara Casadei"})
    assert [each.kind for each in known] == [KNOWN, NEW]
