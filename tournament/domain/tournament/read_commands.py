"""The collections that a director's acts are sent to, and how each is read: from the body of a
request or the values of a form, and the time. Each raises NotationError.
"""

from tournament.domain.tournament.subjects import SUBJECTS

ACTS = {collection: read for subject in SUBJECTS for collection, read in subject.readers.items()}
