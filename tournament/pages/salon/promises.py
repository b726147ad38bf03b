"""The threat model in a salon's words: what is promised against whom, and what is not."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_noop


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """Against whom, what holds, and what doesn't; each a sentence or two, to be translated."""

    against: str
    holds: str
    does_not: str


PROMISES: Sequence[Promise] = (
    Promise(
        against=gettext_noop("Anybody who can reach the server"),
        holds=gettext_noop(
            "Sees boards, published seats and standings, and changes nothing. Of a silent round "
            "only the seats, of a draw nothing before it is published. One machine alone can "
            "neither stop the salon with slow or dear requests nor lock a table or an account of "
            "somebody else."
        ),
        does_not=gettext_noop(
            "Many machines at once can make it slow: on the internet put a proxy with "
            "limits in front."
        ),
    ),
    Promise(
        against=gettext_noop("Who listens to the network"),
        holds=gettext_noop("With HTTPS nothing can be read or changed on the way."),
        does_not=gettext_noop(
            "Without it, as on a laptop in the salon's own Wi-Fi, who is in the same network can "
            "read along and take over a phone's session, its PIN too. Use a Wi-Fi with a password "
            "of its own for the evening."
        ),
    ),
    Promise(
        against=gettext_noop("Who has a table's slip or phone"),
        holds=gettext_noop(
            "Records at that table alone, and only with its PIN; every line says that it came from "
            "there. A seat's PIN can't be read on it, and a confirmation says on which phone and "
            "how it was given."
        ),
        does_not=gettext_noop(
            "Whose hand held the phone. Whoever doubts what a table recorded asks both sides to "
            "confirm on their own phones."
        ),
    ),
    Promise(
        against=gettext_noop("A scorer or director who errs or cheats"),
        holds=gettext_noop(
            "Nothing recorded is ever changed or deleted: a correction or ruling is a new "
            "line with name, time and reason, the other side is asked again, and what was before "
            "can be looked up. Standings can be computed anew from the lines."
        ),
        does_not=gettext_noop("A false record that both sides confirm looks like a true one."),
    ),
    Promise(
        against=gettext_noop("The owner of a salon"),
        holds=gettext_noop(
            "Invites and removes people of this salon; never becomes somebody else, nor takes over "
            "an account that is of use in another salon."
        ),
        does_not=gettext_noop(
            "Sees the e-mail addresses of the salon's people, and can end their membership."
        ),
    ),
    Promise(
        against=gettext_noop("Another salon on the same server"),
        holds=gettext_noop(
            "Sees and changes nothing of this one, by no page, program, file, message or "
            "guessed address."
        ),
        does_not=gettext_noop("Shares the machine: its full disk is everybody's full disk."),
    ),
    Promise(
        against=gettext_noop("A program with a token, or one that is sent messages"),
        holds=gettext_noop(
            "Does what its token allows, until it ends: at the latest with the token it "
            "came from, or with a new password. Messages are "
            "signed, go to public addresses alone, and a slow receiver holds up nobody else."
        ),
        does_not=gettext_noop("What a receiver does with what it was sent."),
    ),
    Promise(
        against=gettext_noop("Who runs the server, or broke into it"),
        holds=gettext_noop(
            "A changed, swapped or missing line, name, key or checkpoint is named by the audit; a "
            "database older than what was signed is refused; a file for auditors is checked "
            "without this server, against the key that you kept."
        ),
        does_not=gettext_noop(
            "Whoever holds database and signing key together can write another history and sign "
            "it. Only a checkpoint kept elsewhere, "
            "on printed results, in a mail or countersigned by another salon, tells: up to itself."
        ),
    ),
    Promise(
        against=gettext_noop("Who carries away the laptop or a backup"),
        holds=gettext_noop(
            "Passwords can't be read, codes of the second step and secrets of messages only "
            "with the secret key. A backup can be encrypted."
        ),
        does_not=gettext_noop(
            "The salon's folder holds names, PINs, the secret and the signing key: encrypt the "
            "disk, and keep backups where only you get at them."
        ),
    ),
    Promise(
        against=gettext_noop("Time, and what breaks"),
        holds=gettext_noop(
            "What was acknowledged is stored: a crash, a lost answer or a second tap neither loses "
            "nor doubles it. A backup made by the program is whole, and a drill proves it."
        ),
        does_not=gettext_noop("What happened after the last backup when the disk dies."),
    ),
    Promise(
        against=gettext_noop("Anybody curious about a person"),
        holds=gettext_noop(
            "Where the salon shows pseudonyms, names are for those who run it. Erasure takes name, "
            "account and texts; results stay under a pseudonym, and the proofs stay whole."
        ),
        does_not=gettext_noop(
            "Backups, printed lists and files that were given away before keep the name."
        ),
    ),
)
