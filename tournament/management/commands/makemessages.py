"""`manage.py makemessages`: as Django's, and the sentences of refusals are messages for
translators, too.
"""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Django's command, which finds what stands in `sentence(…)` besides what it finds anyway."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=sentence"]
