"""Sentences and addresses that are looked up once are those that Django looks up each time."""

import pytest
from django.template import Context, Engine, TemplateSyntaxError
from django.urls import NoReverseMatch, set_script_prefix
from django.utils import translation
from django.utils.safestring import mark_safe

OURS = Engine.get_default()
DJANGOS = Engine(
    libraries={"i18n": "django.templatetags.i18n"}, builtins=["django.template.defaulttags"]
)
SENTENCES = (
    "{% translate 'Yes' %}",
    "{% trans 'No' noop %}",
    "{% translate '100 % <sure>' %}",
    "{% translate 'Yes' as word %}[{{ word }}]",
    "{% translate name %}",
    "{% translate 'yes'|upper %}",
    "{% translate 'May' context 'alt. month' %}",
    "{% autoescape off %}{% translate 'a & b' %}{{ name }}{% endautoescape %}",
    "{% blocktranslate %}At least {{ count }}, {{ name }} & {{ safe }}.{% endblocktranslate %}",
    "{% blocktrans trimmed with name=count x=name %}\n {{ name }} of\n {{ x }}{% endblocktrans %}",
    "{% blocktranslate with name=name|upper %}{{ name }}{% endblocktranslate %}{{ name }}",
    "{% blocktranslate asvar said %}{{ name }} 5 %{% endblocktranslate %}[{{ said }}]",
    "{% blocktranslate %}nobody is called {{ nobody }}{% endblocktranslate %}",
    "{% blocktranslate count n=count %}{{ n }} day{% plural %}{{ n }} days{% endblocktranslate %}",
    "{% blocktranslate count n=1 with a=name %}{{ a }}{% plural %}{{ n }}{% endblocktranslate %}",
    "{% blocktranslate context 'alt. month' %}May{% endblocktranslate %}",
    "{% autoescape off %}{% blocktranslate %}{{ name }}{% endblocktranslate %}{% endautoescape %}",
)  # fmt: skip
ABOUT = {"name": "Ilse & <Cato>", "count": 1234, "safe": mark_safe("<b>x</b>")}
ADDRESSES = (
    "{% url 'home' %}",
    "{% url 'pad' 'the <window>' %}",
    "{% url 'board' game %}",
    "{% url 'checkpoint' 5 %}",
    "{% url 'nothing' as where %}[{{ where }}]",
    "{% url 'pad' label='4' %}",
    "{% url 'pad' safe as where %}[{{ where }}]",
    "{% autoescape off %}{% url 'pad' 'a&b' %}{% endautoescape %}",
    "{% url 'admin:index' %}",
)


def said(engine: Engine, source: str, **about: object) -> str:
    return engine.from_string("{% load i18n %}" + source).render(Context(about))


@pytest.mark.parametrize("source", SENTENCES)
def test_a_sentence_is_what_django_makes_of_it_in_every_language_and_again(source: str) -> None:
    for language in ("en-gb", "de", "fr", "de", None):
        with translation.override(language):
            expected = said(DJANGOS, source, **ABOUT)

            assert [said(OURS, source, **ABOUT) for _ in range(2)] == [expected] * 2


def test_words_are_those_of_the_language_that_is_spoken_now() -> None:
    page = OURS.from_string("{% load i18n %}{% translate 'Yes' %}")

    def spoken(language: str) -> str:
        with translation.override(language):
            return page.render(Context()).lower()

    assert [spoken(each) for each in ("en-gb", "de", "en-gb")] == ["yes", "ja", "yes"]


def test_a_count_that_is_no_number_is_refused_as_django_refuses_it() -> None:
    source = "{% blocktranslate count n=name %}{{ n }}{% plural %}{{ n }}s{% endblocktranslate %}"

    for engine in (DJANGOS, OURS):
        with pytest.raises(TemplateSyntaxError, match="must be a number"):
            said(engine, source, **ABOUT)


@pytest.mark.parametrize("source", ADDRESSES)
def test_an_address_is_what_django_makes_of_it_below_every_salon(source: str) -> None:
    try:
        for prefix in ("/", "/salons/other/", "/"):
            set_script_prefix(prefix)
            about = {**ABOUT, "game": "0" * 32}
            expected = said(DJANGOS, source, **about)

            assert [said(OURS, source, **about) for _ in range(2)] == [expected] * 2
    finally:
        set_script_prefix("/")


def test_an_address_that_there_is_not_is_refused() -> None:
    with pytest.raises(NoReverseMatch):
        said(OURS, "{% url 'pad' %}")
