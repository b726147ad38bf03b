"""The fields of a form as the templates' field component takes them."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.forms import BoundField, Form, PasswordInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldError:
    """An error of a field: the problem and its correction."""

    message: str
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownField:
    """One field with what was typed, so that nothing is lost; a password is never sent back."""

    id: str
    name: str
    label: str
    value: str
    hint: str
    error: FieldError | None
    type: str
    inputmode: str
    autocomplete: str
    maxlength: int | None
    required: bool


def list_shown_fields(form: Form) -> Iterator[ShownField]:
    """Yield the visible fields of `form`, in order."""
    return map(_build_shown_field, form.visible_fields())


def form_page(request: HttpRequest, template: str, form: Form, **about: object) -> HttpResponse:
    """The page that asks for `form`, with what it is `about`: 422 where what was sent is wrong."""
    context = {"fields": list_shown_fields(form), **about}
    return render(request, template, context, status=422 if form.is_bound else 200)


def _build_shown_field(bound: BoundField) -> ShownField:
    widget = bound.field.widget
    secret = isinstance(widget, PasswordInput)
    return ShownField(
        id=bound.auto_id,
        name=bound.html_name,
        label=str(bound.label),
        value="" if secret else str(bound.value() or ""),
        hint=str(bound.help_text),
        error=FieldError(message=" ".join(map(str, bound.errors))) if bound.errors else None,
        type=str(widget.input_type),
        inputmode=widget.attrs.get("inputmode", ""),
        autocomplete=widget.attrs.get("autocomplete", "off"),
        maxlength=getattr(bound.field, "max_length", None),
        required=bound.field.required,
    )
