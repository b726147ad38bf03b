"""What a table is worth, in words, whatever the scale."""

import pytest

from tournament.domain.standings.values import SCALE_KINDS, Scale
from tournament.queries.scale_words import scale_words
from tournament.queries.standing_points import SCALES


@pytest.mark.parametrize("kind", SCALE_KINDS)
def test_every_scale_says_how_points_come_about_and_what_sitting_out_brings(kind: str) -> None:
    words = scale_words(Scale(kind=kind, bye=50, steps=(100, 200)))

    assert words.endswith("Sitting out counts 0.5.")
    assert "%" not in words
    assert kind == "match" or kind in SCALES


@pytest.mark.parametrize("kind", ["match", "chips", "points"])
def test_where_tables_have_several_sizes_the_rule_that_evens_them_out_is_said(kind: str) -> None:
    plain, evened = (scale_words(Scale(kind=kind, opponents=most)) for most in (0, 4))

    assert "every size" in evened
    assert "every size" not in plain
