"""Entries from a pasted list or a CSV file, line by line."""

import pytest

from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.entry_order import MOST_LINES, ListLine, read_list
from tournament.domain.tournament.singles import NoteSingle

PAIR = MakeEntry(players=(("1", "Asha"), ("2", "Cato")), club="Core", rating=1510)
ALONE = NoteSingle(players=(("1", "Asha"),), club="Core", rating=1510)


def lines(text: str, players: int = 2, *, singles: bool = False) -> list[ListLine]:
    return list(read_list(text, players=players, singles=singles))


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
        ("Asha & Cato; Core; Border", "a club and a rating are all"),
        ("Asha & Cato; 1510; 1600", "a club and a rating are all"),
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
    three, four, one, five = read_list(text, players=4, fewest=2)

    assert three.entry == MakeEntry(
        players=(("1", "Asha"), ("2", "Cato"), ("3", "Emil")), club="Core", rating=1510
    )
    assert four.entry is not None
    assert [name for _, name in four.entry.players] == ["Gila", "Hugo", "Ines", "Jona"]
    for wrong in (one, five):
        assert wrong.entry is None
        assert "2 to 4 names are expected" in str(wrong.problem)


def test_people_who_are_called_as_a_column_is_are_no_headings() -> None:
    lines = list(read_list("Player 01\nPlayer 02\nPlayer 03", players=1))

    assert [line.heading for line in lines] == [False, False, False]
    assert [line.entry.players for line in lines if line.entry] == [
        (("1", f"Player 0{number}"),) for number in (1, 2, 3)
    ]
