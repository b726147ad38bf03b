"""Several words or names as one part of a sentence."""

from collections.abc import Sequence

from django.utils.translation import gettext as _


def list_words(parts: Sequence[str]) -> str:
    """Parts of a sentence: `a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return _("%(some)s and %(last)s") % {"some": ", ".join(parts[:-1]), "last": parts[-1]}
