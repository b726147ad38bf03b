"""The Celery app: it carries hints that there is something to do, never the thing itself."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")

app = Celery("accord", include=["tournament.tasks"])
app.config_from_object("django.conf:settings", namespace="CELERY")
