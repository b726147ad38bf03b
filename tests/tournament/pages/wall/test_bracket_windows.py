"""A bracket on the wall: whoever is to play stands on it, no match lies over another one, and every
match is wholly on the screen.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.domain.brackets.play import by_lot, played_out, seeds_of
from tournament.domain.brackets.progress import MatchState, Progress, progress
from tournament.domain.brackets.values import Knockout
from tournament.pages.wall.bracket_windows import HEIGHT, OVER, WallMatch, windows
from tournament.pages.wall.screenfuls import SHAPES

KNOCKOUTS = (
    Knockout(),
    Knockout(third_place=True),
    Knockout(reseed=True),
    Knockout(elimination="double"),
    Knockout(best_of=3),
)
LONG = "Konstantinos Papadimitriou & Maria-Magdalena Oberhuber-Schmidt"


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Progress, dict[str, str]]:
    """A knock-out with some of its matches played, and names that fit a line or don't."""
    knockout, seeds = (
        draw(st.sampled_from(KNOCKOUTS)),
        seeds_of(draw(st.integers(2, 24))),
    )
    _over, results = played_out(knockout, seeds, by_lot(draw(st.integers(0, 5))))
    now = progress(knockout, seeds, results[: draw(st.integers(0, len(results)))])
    more = f" {LONG}" if draw(st.booleans()) else ""
    return now, {seed: f"{seed}.{more}" for seed in seeds}


def first_words(match: WallMatch) -> set[str]:
    return {name.text.split()[0] for name in match.names}


def waits(state: MatchState) -> bool:
    return state.status not in OVER


@given(evenings())
def test_everybody_who_is_to_play_stands_on_the_wall(
    evening: tuple[Progress, dict[str, str]],
) -> None:
    now, names = evening
    shown = {
        word
        for each in windows(now, names, ())
        for match in each.matches
        for word in first_words(match)
    }

    playing = {
        names[entry].split()[0].capitalize()
        for state in now.states
        if waits(state)
        for entry in state.entries
        if isinstance(entry, str)
    }
    assert playing <= shown
    assert windows(now, names, ())


@given(evenings(), st.sampled_from([shape.width for shape in SHAPES]))
def test_no_match_lies_over_another_one_and_all_are_on_the_screen(
    evening: tuple[Progress, dict[str, str]], screen: int
) -> None:
    for window in windows(*evening, (), screen=screen):
        for match in window.matches:
            assert 0 <= match.y <= match.y + match.height <= HEIGHT
            assert match.x + window.box <= window.width < 10 * screen
            assert all(match.y < name.y < match.y + match.height for name in match.names)
        for column in {match.x for match in window.matches}:
            edges = sorted(
                (match.y, match.y + match.height) for match in window.matches if match.x == column
            )
            below = [top for top, _bottom in edges[1:]]
            assert all(bottom < top for (_, bottom), top in zip(edges, below, strict=False))


@pytest.mark.parametrize("knockout", KNOCKOUTS, ids=str)
def test_when_it_is_over_the_final_stays_with_who_has_won(knockout: Knockout) -> None:
    now, _results = played_out(knockout, seeds_of(8))
    names = {seed: seed for seed in now.seeds}

    (last,) = windows(now, names, ())[-1:]

    assert any(name.won and name.text == "E1" for match in last.matches for name in match.names)
