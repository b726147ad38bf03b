"""What a test client answers, and what of it a reader of pages looks at."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse

# The class is in the stubs only. What stands right of `type` is looked up when somebody asks for
# it, and no run does.
type Answer = _MonkeyPatchedWSGIResponse


class Shown(Protocol):
    """A page, or a piece cut out of one."""

    @property
    def content(self) -> bytes:
        """The words and marks that were sent."""
