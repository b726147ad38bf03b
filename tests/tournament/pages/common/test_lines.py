"""Line breaks that only the source of a template has, and includes that know nothing but what they
are given.
"""

import pytest
from django.template import Context, Template

LIBRARY = "{% load lines %}"


def rendered(source: str, **context: object) -> str:
    return Template(LIBRARY + source).render(Context(context))


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


def test_nothing_else_is_known_where_only_some_values_are_given() -> None:
    assert (
        rendered(
            (
                "{% only name=one size=3 %}{{ name }}{{ one }}{{ size }}{{ two }}{% endonly "
                "%}{{ two }}"
            ),
            one="a",
            two="b",
        )
        == "a3b"
    )
