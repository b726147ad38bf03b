"""Parts of pages that are kept are what they would be if they were written anew, on every page of
every game and for everybody.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.template import Context, Engine, Template
from django.test import Client
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

from scoring.games import GAMES
from tests.material import lines_of
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.sample_games import SAMPLES
from tests.tournament.helpers.playing import a_game, done
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.tables import recorded
from tournament.models import Game
from tournament.templatetags import fragment_cache
from tournament.templatetags.fragment_cache import Part, Surroundings

ONE_OF_EACH = (
    "precedence_simulated",
    "preference_simulated",
    "contract_sabacc_simulated",
    "order_of_precedence_games",
)
text_with = Part.text_with


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    fragment_cache.forget()
    yield
    fragment_cache.forget()


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What parts there were: each is what it would be anew, with nothing else known and with all
    that is known around it.
    """
    seen: list[str] = []

    def checked_text(
        part: Part, context: Context, known: dict[str, object], surroundings: Surroundings
    ) -> SafeString:
        shown = text_with(part, context, known, surroundings)
        alone = part.nodelist.render(context.new(known))
        with context.push(**known):
            around = part.nodelist.render(context)
        assert shown == alone == around
        seen.append(shown)
        return shown

    monkeypatch.setattr(Part, "text_with", checked_text)
    return seen


def page_of(source: str, **about: object) -> str:
    return Template(source).render(Context(about))


def test_pages_of_every_game_are_the_same_kept_and_anew(db: None, looked_at: list[str]) -> None:
    salon = opened_salon()
    for name in ONE_OF_EACH:
        recorded(salon, with_rulings(lines_of(SAMPLES / f"{name}.jsonl")[0]))
    games = list(Game.objects.filter(salon=salon).order_by("pk"))
    pages = [
        "/",
        "/tables/",
        *(f"/games/{game.pk}/{query}" for game in games for query in ("", "?hand=2")),
    ]

    for client in (owner_of(salon), Client()):
        for page in pages:
            assert client.get(page).status_code == 200

    assert {game.kind for game in games} == set(GAMES)
    assert len(set(looked_at)) > 20
    assert len(looked_at) > 2 * len(set(looked_at))


def test_a_pad_is_the_same_kept_and_anew_at_every_question(db: None, looked_at: list[str]) -> None:
    salon = opened_salon()
    game, owner = a_game(salon), owner_of(salon)

    def looks() -> None:
        for page in ("/tables/4/?by=winners", "/", "/tables/", f"/games/{game.pk}/"):
            assert owner.get(page).status_code == 200

    looks()
    for dealer in "SW":
        done(game, "hands", dealer=dealer) if dealer == "S" else done(game, "hands")
        looks()
        for seat in ("NESW" * 2)["NESW".index(dealer) + 1 :][:4]:
            done(game, "bids", seat=seat, tricks=3)
        looks()
        done(game, "winners", seat="N")
        looks()
        done(game, "totals", NS=7, EW=6)
        looks()

    assert len(set(looked_at)) > 20


@pytest.mark.parametrize(
    "values",
    [
        (1, True, 1.0, "1", None, ""),
        ("<b>", mark_safe("<b>")),
        ([1], [True], [1.0], ["1"], [], {}, {"1": 1}),
        ([mark_safe("<b>")], ["<b>"]),
        (datetime(2026, 11, 23, tzinfo=UTC), datetime(2026, 11, 24, tzinfo=UTC)),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, {"a": {"c": 1}}),
    ],
)
def test_values_that_are_written_otherwise_are_never_taken_for_each_other(
    values: tuple[object, ...],
) -> None:
    plain = "{{ value }}{{ value.a }}{% for x in value %}{{ x }}{% endfor %}"
    source = "{% kept_part value=value %}" + plain + "{% endkept_part %}"
    loops = [value for value in values if hasattr(value, "__iter__")]
    page, anew = Template(source), Template(plain)

    for value in (*loops, *loops):
        assert page.render(Context({"value": value})) == anew.render(Context({"value": value}))
    short = Template("{% kept_part value=value %}{{ value }}{% endkept_part %}")
    for value in (*values, *values):
        assert short.render(Context({"value": value})) == page_of("{{ value }}", value=value)


def test_a_part_knows_nothing_but_its_values() -> None:
    source = "{% kept_part one=one %}{{ one }}{{ other }}{% endkept_part %}"

    assert page_of(source, one="1", other="2") == "1"


def test_nothing_else_is_known_where_only_some_values_are_given() -> None:
    source = "{% only name=one two size=3 %}{{ name }}{{ one }}{{ two }}{{ size }}{% endonly %}"

    assert page_of(source + "{{ one }}", one="a", two="b") == "ab3a"


def test_a_part_of_each_is_what_a_loop_would_write_that_knows_nothing_else() -> None:
    content = "{{ one }}{{ one.a }}{{ other }};"
    each = "{% kept_part_of_each one in values %}" + content + "{% endkept_part_of_each %}"
    loop = "{% for one in values %}{{ one }}{{ one.a }};{% endfor %}"
    values = [1, True, "1", mark_safe("<b>"), "<b>", {"a": 1}, datetime(2026, 11, 23, tzinfo=UTC)]

    for found in (values, values, values[::-1], []):
        assert page_of(each, values=found, other="2") == page_of(loop, values=found)


def test_a_part_is_kept_for_each_language_and_salon() -> None:
    page = Engine.get_default().from_string(
        "{% load i18n %}{% kept_part %}{% translate 'Yes' %}{% endkept_part %}"
    )

    def spoken(language: str) -> str:
        with translation.override(language):
            return page.render(Context()).lower()

    assert [spoken(each) for each in ("en-gb", "de", "en-gb")] == ["yes", "ja", "yes"]


def test_what_stands_several_times_on_a_page_is_the_same_there_and_another_on_the_next() -> None:
    page = Template("{% for n in 'ab' %}{% once %}{{ values.pop }}{% endonce %}{% endfor %}")
    values = [1, 2, 3]

    assert [page.render(Context({"values": values})) for _ in range(2)] == ["33", "22"]
