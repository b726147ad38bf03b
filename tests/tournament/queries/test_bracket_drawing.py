"""A knock-out on a page: names in its boxes, who won marked by more than a colour, and the same in
words.
"""

import re

import pytest
from django.template.loader import render_to_string

from tests.tournament.domain.brackets.play import first_wins, played_out, seeds_of
from tournament.domain.brackets.progress import Played, Progress, progress
from tournament.domain.brackets.values import Knockout
from tournament.queries.bracket_drawing import bracket_pages

SEMI = Played(match=1, entries=("e1", "e4"), winners=("e4", None, "e4"))
NAMES = {"e1": "Ada <b>", "e2": "Berta", "e3": "Carl", "e4": "Dora"}


def page(now: Progress, *, paged: bool = False) -> str:
    names = {seed: NAMES.get(seed, seed) for seed in now.seeds}
    return render_to_string(
        "tournaments/bracket.html",
        {"pages": bracket_pages(now, names, paged=paged), "key": "bracket"},
    )


def items(text: str) -> list[str]:
    return re.findall(r'<li value="\d+">(.*?)</li>', text)


def test_the_winner_of_a_match_is_heavier_and_has_a_tick_and_what_waits_says_for_whom() -> None:
    text = page(progress(Knockout(best_of=3), seeds_of(4), [SEMI]))

    assert len(re.findall(r'class="bracket__tick"', text)) == 1
    assert re.findall(r'class="bracket__won"[^>]*>(.*?)</text>', text) == ["Dora"]
    assert re.findall(r'text-anchor="end">(\d*)</text>', text) == ["0", "2", "", "", "", ""]
    assert ">Winner of M2<" in text


def test_a_match_of_one_game_shows_its_scores_and_long_names_make_room() -> None:
    played = Played(match=1, entries=("e1", "e4"), winners=("e4",))
    now = progress(Knockout(), seeds_of(4), [played])
    names = {**dict.fromkeys(now.seeds, "Ada"), "e4": "Dora Montgomery Lind"}

    (page,) = bracket_pages(now, names, paged=True, scores={1: {"e1": 18000, "e4": 25100}})

    first, second = page.boxes[0].sides
    assert (first.score, second.score) == ("180", "251")
    assert second.tick > page.boxes[1].sides[0].tick
    assert all(len(line.text) < len(names["e4"]) or line.squeezed for line in second.lines)
    assert {side.score for box in page.boxes[1:] for side in box.sides} == {""}


def test_beside_the_drawing_stands_every_match_in_words() -> None:
    text = page(progress(Knockout(third_place=True), seeds_of(4), [SEMI], withdrawn={"e3"}))

    assert items(text) == [
        "M1: Ada &lt;b&gt; against Dora: Dora won",
        "M2: Berta against Carl: Berta goes on without playing",
        "M3: Dora against Berta: to be played",
        "M4: Ada &lt;b&gt; against Carl: Ada &lt;b&gt; goes on without playing",
    ]
    assert "<b>" not in text


def test_what_was_played_on_a_wrong_premise_is_said_and_marked() -> None:
    results = [
        Played(match=1, entries=("e1", "e4"), winners=("e1",)),
        Played(match=2, entries=("e2", "e3"), winners=("e2",)),
        Played(match=3, entries=("e1", "e2"), winners=("e1",)),
        Played(match=1, entries=("e1", "e4"), winners=("e4",)),
    ]
    text = page(progress(Knockout(), seeds_of(4), results))

    assert items(text)[2] == (
        "M3: Dora against Berta: to be played (it was played on a wrong premise)"
    )
    assert text.count("bracket__box--wrong") == 1


def test_where_nobody_comes_that_is_said_and_a_reset_may_not_be_needed() -> None:
    gone = page(progress(Knockout(), seeds_of(4), withdrawn={"e1", "e4"}))
    assert items(gone)[::2] == [
        "M1: Ada &lt;b&gt; against Dora: nobody goes on",
        "M3: nobody against winner of M2",
    ]
    over, _ = played_out(Knockout(elimination="double"), seeds_of(4), first_wins)
    assert items(page(over))[-1] == "M7: not needed"
    assert ">Not needed<" in page(over)
    assert ">No. 4 of those left<" in page(progress(Knockout(reseed=True), seeds_of(8)))


@pytest.mark.parametrize(
    ("knockout", "entries"),
    [
        (Knockout(third_place=True), 6),
        (Knockout(elimination="double"), 13),
        (Knockout(elimination="double"), 64),
    ],
)
@pytest.mark.parametrize("paged", [False, True])
def test_a_place_not_decided_yet_names_a_match_of_the_drawing_or_of_another_page(
    knockout: Knockout, entries: int, paged: bool
) -> None:
    now = progress(knockout, seeds_of(entries))
    made = bracket_pages(now, {seed: seed for seed in now.seeds}, paged=paged)
    page_of = {box.number: page.number for page in made for box in page.boxes}

    for page in made:
        assert page.part == (f"Part {page.number} of {len(made)}" if len(made) > 1 else "")
        for box in page.boxes:
            assert box.label == f"M{box.number}"
            places = now.state(box.number).match.places
            for side, place in zip(box.sides, places, strict=True):
                if side.known:
                    continue
                away = page_of[place.number] != page.number
                said = f"{place.kind} of M{place.number}" + (
                    f", part {page_of[place.number]}" if away else ""
                )
                drawn_text = " ".join(line.text for line in side.lines)
                assert drawn_text == said[0].upper() + said[1:]
                assert said in box.state_words


def test_who_has_no_match_before_its_first_is_marked_as_having_a_bye() -> None:
    now = progress(Knockout(), seeds_of(5))
    (made,) = bracket_pages(now, {seed: seed for seed in now.seeds}, paged=False)

    byes = {
        line.text for box in made.boxes for side in box.sides if side.bye for line in side.lines
    }
    assert byes == {"e1", "e2", "e3"}
    assert page(now).count(">Bye<") == 3
    assert items(page(now))[1:3] == [
        "M2: Ada &lt;b&gt; against winner of M1 (by a bye: Ada &lt;b&gt;)",
        "M3: Berta against Carl: to be played (by a bye: Berta and Carl)",
    ]


def test_a_name_keeps_its_small_letter_and_the_description_says_all_the_list_says() -> None:
    text = render_to_string(
        "tournaments/bracket.html",
        {
            "pages": bracket_pages(
                progress(Knockout(), ["a", "b"]), {"a": "van Dyck", "b": "B"}, paged=False
            )
        },
    )

    assert ">van Dyck<" in text
    (description,) = re.findall(r"<desc[^>]*>(.*?)</desc>", text)
    assert description.split(". ")[:-1] == items(text)


def test_a_large_drawing_is_printed_on_several_pages_with_every_match_once() -> None:
    now = progress(Knockout(elimination="double"), seeds_of(64))

    for paged, pages in ((False, 2), (True, 8)):
        text = page(now, paged=paged)
        assert text.count('<svg class="bracket"') == pages
        assert sorted(map(int, re.findall(r'<li value="(\d+)">', text))) == list(range(1, 128))
        assert re.search(r'viewBox="-2 -2 \d+ \d+"', text)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Asha Renn", ["Asha Renn"]),
        ("Ilse Marrow & Juno Dray", ["Ilse Marrow &", "Juno Dray"]),
        ("Maximiliane Winterbottom-Featherstonehaugh", None),
        ("W" * 80 + " & " + "M" * 80, None),
        ("王" * 30, None),
    ],
)
def test_a_long_name_stands_in_two_lines_or_is_squeezed_and_never_cut(
    name: str, lines: list[str] | None
) -> None:
    (made,) = bracket_pages(progress(Knockout(), ["a", "b"]), {"a": name, "b": "B"}, paged=False)

    side = made.boxes[0].sides[0]

    found = [line.text for line in side.lines]
    assert " ".join(found) == name
    assert len(found) <= 2
    if lines is not None:
        assert found == lines
    else:
        assert any(line.squeezed for line in side.lines)
