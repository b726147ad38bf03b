"""The Celery app: it carries hints that there is something to do, never the thing itself."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")

ELSEWHERE = "ACCORD_BACKGROUND"  # set where another process works in the background, brokerless

app = Celery("accord", include=["tournament.tasks"])
app.config_from_object("django.conf:settings", namespace="CELERY")


def carries_hints() -> bool:
    """Whether a hint reaches a worker: not where the worker is another process and there is no
    broker server between. That one looks by itself.
    """
    return ELSEWHERE not in os.environ
