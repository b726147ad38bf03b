"""Entries from a pasted list or a CSV file, line by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.entry_order import (
    MOST_LINES,
    Columns,
    ListLine,
    ListReading,
    columns_of,
    read_list,
)
from tournament.domain.tournament.singles import NoteSingle

PAIR = MakeEntry(players=(("1", "Asha"), ("2", "Cato")), club="Core", rating=1510)
ALONE = NoteSingle(players=(("1", "Asha"),), club="Core", rating=1510)


def lines(text: str, players: int = 2, *, singles: bool = False) -> list[ListLine]:
    return list(read_list(text, ListReading(players=players, singles=singles)))


@pytest.mark.parametrize(
    "text",
    [
        "Asha & Cato; Core; 1510",
        "Asha + Cato;1510;Core",
        "Asha / Cato\tCore\t1510",
        "Asha and Cato, Core, 1510",
        "Asha;Cato;Core;1510",
        "Asha,Cato,Core,1510",
        '"Asha","Cato","Core","1510"',
        "  Asha , Cato,, Core , 1510 ",
    ],
)
def test_a_pair_is_written_in_one_field_or_in_two_with_club_and_rating_after_it(text: str) -> None:
    assert [line.entry for line in lines(text)] == [PAIR]


@pytest.mark.parametrize(
    "text",
    [
        "Player 1,Player 2,Club,Rating\nAsha,Cato,Core,1510",
        "Club;Rating;Pair\nCore;1510;Asha & Cato",
        "Rating,Name,Partner,Club\n1510,Asha,Cato,Core",
        "Name;Elo;Club;Name 2\nAsha;1510;Core;Cato",
    ],
)
def test_a_first_line_that_names_the_columns_orders_them(text: str) -> None:
    heading, line = lines(text)

    assert heading.heading
    assert (line.number, line.entry) == (2, PAIR)


def test_names_with_commas_stand_in_quotation_marks() -> None:
    (line,) = lines('"Renn, Asha","Liss, Cato",Core')

    assert line.entry == MakeEntry(players=(("1", "Renn, Asha"), ("2", "Liss, Cato")), club="Core")


def test_who_stands_alone_waits_for_a_partner_only_where_that_is_asked_for() -> None:
    assert [line.entry for line in lines("Asha", singles=True)] == [
        NoteSingle(players=(("1", "Asha"),))
    ]
    assert "2 names are expected" in str(lines("Asha")[0].problem)
    assert [line.entry for line in lines("Asha;;Core;1510", singles=True)] == [ALONE]


def test_a_single_has_club_and_rating_by_columns() -> None:
    assert lines("Name,Partner,Club,Rating\nAsha,,Core,1510", singles=True)[1].entry == ALONE


def test_single_players_are_one_a_line() -> None:
    assert [line.entry for line in lines("Asha; Core\nCato,1400", players=1)] == [
        MakeEntry(players=(("1", "Asha"),), club="Core"),
        MakeEntry(players=(("1", "Cato"),), rating=1400),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Asha", "2 names are expected"),
        ("Asha & Cato & Orla", "2 names are expected"),
        ("&", "2 names are expected"),
        (";;;", "2 names are expected"),
        ("Asha & Cato; Core; high", "“high” is one thing too many"),
        ("Asha & Cato; 1510; 1600", "“1600” is one thing too many"),
        ("Asha & Cato; 99999", "a rating is a whole number up to 10000"),
        (
            "Name,Partner,Rating\nAsha,Cato,strong",
            "a rating is a whole number up to 10000, not “strong”",
        ),
        ("Asha & Cato; " + "x" * 81, "80 characters at most"),
    ],
)
def test_a_line_that_can_not_be_read_says_what_is_expected(text: str, problem: str) -> None:
    line = lines(text)[-1]

    assert line.entry is None
    assert problem in str(line.problem)


def test_lines_past_the_most_are_told_not_lost() -> None:
    found = lines("\n".join(f"a{number} & b{number}" for number in range(MOST_LINES + 2)))

    assert [bool(line.problem) for line in found].count(True) == 2
    assert "send the rest afterwards" in str(found[-1].problem)


def test_blank_lines_count_in_the_numbers_and_nowhere_else() -> None:
    assert [line.number for line in lines("\nAsha & Cato\n\n\nOrla & Pim\n")] == [2, 5]
    assert lines(" \n\n") == []


def test_a_team_is_written_in_one_field_with_as_many_names_as_it_has() -> None:
    text = "Asha & Cato & Emil; Core; 1510\nGila & Hugo & Ines & Jona\nKira\nA & B & C & D & E"
    three, four, one, five = read_list(text, ListReading(players=4, fewest=2))

    assert three.entry == MakeEntry(
        players=(("1", "Asha"), ("2", "Cato"), ("3", "Emil")), club="Core", rating=1510
    )
    assert four.entry is not None
    assert [name for _, name in four.entry.players] == ["Gila", "Hugo", "Ines", "Jona"]
    for wrong in (one, five):
        assert wrong.entry is None
        assert "2 to 4 names are expected" in str(wrong.problem)


def test_people_who_are_called_as_a_column_is_are_no_headings() -> None:
    lines = list(read_list("Player 01\nPlayer 02\nPlayer 03", ListReading(players=1)))

    assert [line.heading for line in lines] == [False, False, False]
    assert [line.entry.players for line in lines if line.entry] == [
        (("1", f"Player 0{number}"),) for number in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("text", "players", "entered"),
    [
        ("O'Brien, Sean & D'Arcy, Zoe", 2, (["O'Brien, Sean", "D'Arcy, Zoe"], None, None)),
        (
            "O'Brien, Sean / D'Arcy, Zoe, Core, 1510",
            2,
            (["O'Brien, Sean", "D'Arcy, Zoe"], "Core", 1510),
        ),
        ("O'Brien, Sean & Zoe D'Arcy", 2, (["O'Brien, Sean", "Zoe D'Arcy"], None, None)),
        ("O'Brien, Sean & D'Arcy, Zoe; Core", 2, (["O'Brien, Sean", "D'Arcy, Zoe"], "Core", None)),
        ("Casadei, Mara", 1, (["Casadei, Mara"], None, None)),
        ("van der Berg, Jan Piet, 1510", 1, (["van der Berg, Jan Piet"], None, 1510)),
        ("Casadei, Mara, Core, 1510", 1, (["Casadei, Mara"], "Core", 1510)),
        ("Asha Renn, Core", 1, (["Asha Renn"], "Core", None)),
        ("1. Pat One & Kit Two", 2, (["Pat One", "Kit Two"], None, None)),
        ("12) Pat One & Kit Two; Core", 2, (["Pat One", "Kit Two"], "Core", None)),
        ("#3. O'Brien, Sean & D'Arcy, Zoe", 2, (["O'Brien, Sean", "D'Arcy, Zoe"], None, None)),
        ("1;Pat One;Kit Two;Core;1510", 2, (["Pat One", "Kit Two"], "Core", 1510)),
        ("1\tPat One\t1510", 1, (["Pat One"], None, 1510)),
    ],
)
def test_surnames_first_and_numbered_lines_keep_their_names_whole(
    text: str, players: int, entered: tuple[list[str], str | None, int | None]
) -> None:
    (line,) = lines(text, players)

    assert line.entry is not None
    names = [name for _place, name in line.entry.players]
    assert (names, line.entry.club, line.entry.rating) == entered


def test_names_and_clubs_beside_each_other_are_told_from_surnames_by_the_whole_list() -> None:
    clubs = "Asha, Core\nCato, Core\nOrla, Rim\nPim, Core"
    surnames = "Renn, Asha\nLiss, Cato\nGarcia Marquez, Gabriel\nVenn, Orla"

    assert {line.entry.club for line in lines(clubs, 1) if line.entry} == {"Core", "Rim"}
    assert [line.entry.players[0][1] for line in lines(surnames, 1) if line.entry] == [
        "Renn, Asha",
        "Liss, Cato",
        "Garcia Marquez, Gabriel",
        "Venn, Orla",
    ]


def test_surnames_are_turned_where_that_is_asked_for() -> None:
    reading = ListReading(players=2, turned=True)
    (line,) = read_list("O'Brien, Sean & Kit Two", reading)

    assert line.entry is not None
    assert [name for _place, name in line.entry.players] == ["Sean O'Brien", "Kit Two"]


@pytest.mark.parametrize(
    ("text", "players", "names"),
    [
        ("Vorname;Nachname;Verein;DWZ\nÄnne;Öztürk;Nord;1510", 1, ["Änne Öztürk"]),
        ("Name;Vorname;Verein\nÖztürk;Änne;Nord", 1, ["Änne Öztürk"]),
        ("Nr;Titel;Spieler;Elo;Verein\n1;FM;Änne Öztürk;1510;Nord", 1, ["Änne Öztürk"]),
        ("Nom;Prénom;Nom;Prénom\nSol;Bruno;Groß;Carla", 2, ["Bruno Sol", "Carla Groß"]),
        ("First name 1,Last name 1,First name 2,Last name 2\nA,B,C,D", 2, ["A B", "C D"]),
    ],
)
def test_headings_of_other_lists_are_known(text: str, players: int, names: list[str]) -> None:
    heading, line = lines(text, players)

    assert heading.heading
    assert line.entry is not None
    assert [name for _place, name in line.entry.players] == names


def test_columns_are_recognised_and_may_be_chosen_otherwise() -> None:
    text = "7;Asha;Cato;Core;1510\n8;Orla;Pim;Rim;"
    columns, first = columns_of(text, ListReading(players=2))

    assert columns == Columns(roles=("unused", "players", "players", "club", "rating"))
    assert first == ("7", "Asha", "Cato", "Core", "1510")
    chosen = Columns(roles=("rating", "last", "first", "players", "unused"))
    line, other = read_list(text, ListReading(players=2, columns=chosen))
    assert line.entry == MakeEntry(players=(("1", "Cato Asha"), ("2", "Core")), rating=7)
    assert other.entry is not None


@given(st.text(max_size=200), st.integers(1, 4), st.booleans())
def test_any_text_comes_to_a_line_a_line_by_any_columns(
    text: str, players: int, turned: bool
) -> None:
    reading = ListReading(players=players, turned=turned)
    columns, first = columns_of(text, reading)
    chosen = ListReading(players=players, columns=columns)

    assert len(columns.roles) == len(first)
    assert len(list(read_list(text, reading))) == len(list(read_list(text, chosen)))
