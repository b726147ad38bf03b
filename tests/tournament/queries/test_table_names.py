"""Names where there is little room: whole while they fit, else shortened so that nobody is taken
for another.
"""

import pytest

from tournament.queries.table_names import are_wide, brief, called


def test_a_name_that_fits_stays_whole() -> None:
    players = {"N": "Asha Renn", "E": "Ilse Marrow"}

    assert called(players) == players


def test_a_long_name_is_its_first_word() -> None:
    players = {"A": "Konstantinos Papadimitriou", "B": "Maria-Magdalena Oberhuber-Schmidt"}

    assert called(players) == {"A": "Konstantinos", "B": "Maria-Magdalena"}


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Anna Bergström-Lindqvist", "Anna Castell"), ("Anna B", "Anna C")),
        (("Anna Bergström", "Anna Berglund"), ("Anna Bergs", "Anna Bergl")),
        (("Anna", "Anna Berg"), ("Anna", "Anna B")),
        (("Anna Berg", "Anna Berg"), ("Anna Berg", "Anna Berg")),
        (("Anna Berg", "Anna Bergson"), ("Anna Berg", "Anna Bergs")),
        (("", "Jo"), ("", "Jo")),
    ],
)
def test_two_of_the_same_first_name_are_told_apart(
    names: tuple[str, str], shown: tuple[str, str]
) -> None:
    assert tuple(brief(dict(zip("AB", names, strict=True))).values()) == shown


def test_a_name_of_one_long_word_is_kept_and_wide() -> None:
    players = {"A": "Wolfeschlegelsteinhausen"}

    assert called(players) == players
    assert are_wide(players)
    assert not are_wide({"A": "Mary-Anne Lee"})
