"""Every page by its name, but a pad's own: those lead to the practice."""

from django.urls import path

from tournament import urls
from tournament.pages.table.practice import practice_act, practice_pad, practice_tables

urlpatterns = [
    *urls.urlpatterns,
    path("practice/", practice_tables, name="start"),
    path("practice/<slug:label>/", practice_pad, name="pad"),
    path("practice/<slug:label>/<slug:collection>/", practice_act, name="acts"),
]
