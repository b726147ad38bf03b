"""Whatever a template says, it says the same with the shorter steps as with Django's own."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from django.http import QueryDict
from django.template import (
    Context,
    Engine,
    Template,
    TemplateDoesNotExist,
    TemplateSyntaxError,
    VariableDoesNotExist,
)
from django.template.loader import get_template
from django.test import override_settings
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import mark_safe

from tournament.server.quick_templates import Included, QuickTemplate


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    bids: dict[str, int | None]

    def dealer(self) -> str:
        return f"{self.name} deals"

    def of(self, hand: int) -> str:
        return f"{self.name} of {hand}"

    def leave(self) -> str:
        raise AssertionError("a template never changes anything")

    leave.alters_data = True  # type: ignore[attr-defined]


class Chosen(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return f"no {key}"


def known() -> dict[str, object]:
    return {
        "word": "<North & South>",
        "safe": mark_safe("<b>North</b>"),
        "none": None,
        "yes": True,
        "count": 12345,
        "points": 4.5,
        "when": datetime(2026, 11, 22, 19, 30, tzinfo=UTC),
        "hand": {"bids": {"N": 3, "E": None}, "0": "nought", "items": 7, "get": None},
        "seats": ["N", "E", "<S>"],
        "pairs": [("NS", 1), ("EW", 2)],
        "seat": Seat("N", {"N": 0}),
        "seat_class": Seat,
        "say": lambda: "called",
        "take": lambda card: card,
        "lazy": SimpleLazyObject(lambda: {"N": "lazy"}),
        "chosen": Chosen(by="winners"),
        "ordered": OrderedDict(N=1),
        "asked": QueryDict("by=cards&by=totals&card=EV"),
        "key": "N",
        "place": 1,
    }


SOURCES = """
{{ word }}|{{ safe }}|{{ none }}|{{ yes }}|{{ count }}|{{ points }}|{{ when }}

{% autoescape off %}{{ word }}{{ count }}{{ none }}{% endautoescape %}

{{ hand.bids.N }}{{ hand.bids.E }}{{ hand.bids.W }}{{ hand.melds.N }}{{ hand.bids.N.high }}

{{ hand.0 }}{{ hand.1 }}{{ hand.items }}{{ hand.get }}{{ hand.keys }}{{ hand.bids.values }}

{{ seats.0 }}{{ seats.2 }}{{ seats.3 }}{{ seats.N }}{{ seats.pop.x }}{{ word.0 }}
{{ word.upper }}

{{ pairs.1.0 }}{% for team, tricks in pairs %}{{ team }}{{ tricks }}{% endfor %}

{{ seat.name }}{{ seat.dealer }}{{ seat.of }}{{ seat.leave }}{{ seat.bids.N }}
{{ seat.nothing }}

{{ seat_class }}{{ seat_class.name }}{{ say }}{{ take }}{{ lazy.N }}{{ lazy.E }}

{{ chosen.by }}{{ chosen.else }}{{ ordered.N }}{{ ordered.E }}

{{ asked.by }}{{ asked.card }}{{ asked.meld }}{{ asked.urlencode }}{{ asked.dict.by }}

{{ missing }}{{ missing.too }}{{ missing|default:'none' }}
{{ hand.gone|default_if_none:'?' }}

{{ word|upper }}{{ safe|upper }}{{ safe|lower }}{{ word|add:key }}{{ word|add:'<' }}

{{ word|lower }}{{ word|capfirst }}{{ word|ljust:'20' }}{{ word|lower|capfirst }}{{ safe|capfirst }}

{{ safe|cut:'b' }}{{ count|add:4 }}{{ seats|join:', ' }}{{ seats|join:word }}
{{ seats|length }}

{{ when|date:'H:i' }}{{ when|date }}{{ none|default:hand.bids.N }}{{ word|linebreaks }}

{{ 'a <word>' }}{{ 12 }}{{ 1.5|floatformat:2 }}{{ True }}{{ None }}
{{ 'x'|default:hand.bids.N }}

{{ autoescape }}{{ template_name }}{{ push }}{{ dicts.0.True }}

{% if hand.bids.E is None %}a{% endif %}{% if missing %}b{% elif hand.bids.N > 2 %}c
{% endif %}{% if key in seats and not hand.melds %}d{% endif %}{% if hand.x.y == none %}e
{% endif %}

{% with bid=hand.bids.N gone=hand.bids.Q %}{{ bid }}{{ gone }}{% endwith %}{{ bid }}

{{ none.x }}{{ none.0 }}{{ none.get }}{% if none.x is None and not none.y.z %}none{% endif %}
{{ none.x|default:'-' }}{{ hand.bids.E.high|default_if_none:'?' }}

a{% comment %}b{% endcomment %}c{% load i18n %} d{# e #}{% if yes %}
{% comment %}{% endcomment %}{% endif %}{% load lines %}{% joined %}
<p class="a"{% comment %}b{% endcomment %}
 id="c">d{% load accord %}
 e</p>{% endjoined %}

{% with word=key %}{% with key=word %}{{ key }}{{ word }}{% endwith %}{{ key }}{% endwith %}
{{ word }}

{% for seat in seats reversed %}{{ forloop.counter }}{{ forloop.last }}{{ seat }}
{% endfor %}{% for each in missing %}{% empty %}nobody{% endfor %}

{% for seat in seats %}{% cycle 'a' 'b' %}{% ifchanged seat %}{{ seat }}{% endifchanged %}
{% endfor %}

{% load i18n %}{% translate 'Hand' %}{% blocktranslate with n=count %}{{ n }} hands
{% endblocktranslate %}{% blocktranslate count n=place %}{{ n }} hand{% plural %}{{ n }}
 hands{% endblocktranslate %}

{% load accord %}{{ hand.bids|at:key }}{{ seats|at:place }}{{ key|seat_name:'precedence' }}

{% include 'components/moment.html' %}
{% include 'components/error.html' with error=missing only %}

{% include 'pad_notes.html' with problem=word tried=key %}{% include 'pad_notes.html' %}

{% load accord %}{% include 'precedence'|part:'suit' with code='V' %}{{ code }}

{% for each in seats %}{% include 'precedence/suit.html' with code=each label=word only %}
{% endfor %}

{% partialdef one inline %}{{ word }}{% endpartialdef %}{% partial one %}
""".strip().split("\n\n")


@pytest.mark.parametrize("source", SOURCES)
def test_a_template_says_the_same_as_with_djangos_own_steps(source: str) -> None:
    engine = Engine.get_default()

    quick = QuickTemplate(source, engine=engine)

    for _twice in range(2):
        assert quick.render(Context(known())) == Template(source).render(Context(known()))


@override_settings(USE_THOUSAND_SEPARATOR=True)
def test_numbers_are_grouped_where_the_settings_say_so() -> None:
    quick = QuickTemplate("{{ count }}", engine=Engine.get_default())

    assert quick.render(Context(known())) == Template("{{ count }}").render(Context(known()))
    assert quick.render(Context(known())) != "12345"


def test_the_templates_of_pages_are_the_quick_ones() -> None:
    page = get_template("pad_sends.html").template  # type: ignore[attr-defined]

    assert isinstance(page, QuickTemplate)
    assert get_template("pad.html").template.nodelist.get_nodes_by_type(Included)  # type: ignore[attr-defined]


def test_what_puts_nothing_on_a_page_is_no_step_of_its_writing() -> None:
    source = "a{% load i18n %}b{% comment %}c{% endcomment %}d"

    page = QuickTemplate(source, engine=Engine.get_default())

    assert [getattr(node, "s", node) for node in page.nodelist] == ["abd"]


def test_a_template_that_is_not_there_is_said_to_be_missing() -> None:
    gone = QuickTemplate("{% include name %}", engine=Engine.get_default())

    with pytest.raises(TemplateDoesNotExist, match=r"gone\.html"):
        get_template("gone.html")
    with pytest.raises(TemplateDoesNotExist, match=r"gone\.html"):
        gone.render(Context({"name": "gone.html"}))


def test_what_cannot_be_read_is_said_as_django_says_it() -> None:
    with pytest.raises(TemplateSyntaxError, match="Unclosed tag on line 1: 'if'"):
        QuickTemplate("{% if word %}", engine=Engine.get_default())


@pytest.mark.parametrize("source", ["{{ 'x'|default:gone.too }}", "{{ word|add:hand.bids.Q }}"])
def test_an_argument_that_is_not_there_fails_as_with_djangos_own_steps(source: str) -> None:
    engine = Engine.get_default()

    for template in (Template(source), QuickTemplate(source, engine=engine)):
        with pytest.raises(VariableDoesNotExist):
            template.render(Context(known()))


def test_after_a_failing_include_the_template_around_is_the_one_before() -> None:
    page = QuickTemplate("{% include 'pad_sends.html' %}", engine=Engine.get_default())
    context = Context()

    with context.bind_template(page), pytest.raises(VariableDoesNotExist):
        page.nodelist.render(context)  # it says which hand, and there is none

    assert len(context.dicts) == 1
    assert len(context.render_context.dicts) == 1
    assert context.render_context.template is None
