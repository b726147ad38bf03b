"""Line breaks that only the source of a template has."""

import re

import pytest
from django.template import Context, Engine, Template, TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template

from tournament.server.template_files import join_lines


def rendered(source: str, **context: object) -> str:
    return Template(join_lines(source)).render(Context(context))


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("{% joined %}\n  one\n  two, three\n{% endjoined %}\n", "onetwo, three\n"),
        (
            (
                "<b>{% joined %}\n  {% if yes %}\n    is\n  {% else %}\n    is not\n  {% endif "
                "%}\n{% endjoined %}</b>."
            ),
            "<b>is</b>.",
        ),
        ('<a title="{% joined %}\n  one\n  {{ yes }}\n{% endjoined %}">', '<a title="oneTrue">'),
        (
            (
                "{% for each in 'ab' %}{% joined %}\n  {{ each }}{{ ' ' }}\n{% endjoined %}{% "
                "endfor %}"
            ),
            "a b ",
        ),
    ],
)
def test_a_line_break_of_the_source_puts_nothing_on_the_page(source: str, page: str) -> None:
    assert rendered(source, yes=True) == page


def test_between_two_attributes_one_space_stays_and_none_within_one() -> None:
    source = """{% joined %}
        <i
          class="one
            two"
          {% if yes %}
            hidden
          {% endif %}
          id='a
            "b'>
          it
          is
        </i>
      {% endjoined %}"""

    assert rendered(source, yes=True) == '<i class="onetwo"  hidden  id=\'a"b\'>itis</i>'


def test_a_file_of_words_may_end_with_a_line_break_and_stand_in_a_sentence() -> None:
    assert (
        rendered("{% joined_to_the_end %}\n{% if yes %}\n  North\n{% endif %}\n", yes=True)
        == "North"
    )


def test_what_a_value_says_keeps_its_line_breaks() -> None:
    assert rendered("{% joined %}\n  {{ text }}\n{% endjoined %}", text="one\n two") == "one\n two"


def test_a_sentence_is_looked_up_as_it_stands_and_a_comment_is_no_text() -> None:
    source = """{% joined %}
      <i {% comment %}
      a <b
      {% endcomment %}>{% blocktranslate %}
        two
      {% endblocktranslate %}
      </i>
    {% endjoined %}"""

    assert rendered("{% load i18n %}" + source) == "<i >\n        two\n      </i>"


@pytest.mark.parametrize(
    "source",
    [
        "{% joined %}",
        "{% endjoined %}",
        "{% joined %}{% joined %}{% endjoined %}",
        "{% joined_to_the_end %}{% endjoined %}",
    ],
)
def test_a_mark_without_its_partner_is_refused(source: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="without its partner"):
        join_lines(source)


def test_the_files_of_the_salon_are_read_so() -> None:
    moment = get_template("components/sits.html").render({"tables": ["4"]})

    assert moment == "at table 4 now"


@pytest.mark.parametrize("name", ["gone.html", "../manage.py", "/etc/hostname"])
def test_a_file_that_is_not_there_or_outside_is_no_template(name: str) -> None:
    with pytest.raises(TemplateDoesNotExist, match=re.escape(name)):
        Engine.get_default().get_template(name)
