"""Screens on the wall in templates."""

from django import template

from tournament.queries import screens

register = template.Library()
register.simple_tag(screens.part_words)
