"""`manage.py makemessages`: as Django's, and the sentences of refusals are messages for
translators, too.
"""

from django.core.management.commands import makemessages

# What is refused by these, their second argument says.
REFUSALS = (
    *("Refusal", "RuleViolation", "refused", "_refused", "need_reason", "need_running"),
    *("round_refused", "table_refused", "entry_refused"),
)


class Command(makemessages.Command):
    """Django's command, which finds what refusals and `sentence(…)` say besides what it finds
    anyway.
    """

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        *(f"--keyword={name}:1" for name in ("sentence", "NotationError")),
        *(f"--keyword={name}:2" for name in REFUSALS),
    ]
