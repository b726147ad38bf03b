"""Wrong tries of what a secret guards: whoever tries waits, and nobody is kept out by what others
try elsewhere.

They are counted by what is tried together with where from: the fifth within a minute closes it to
that address for a minute, the fiftieth within a day (the tenth, of a PIN that is asked without its
link) till tomorrow. Five wrong passwords or second steps of any accounts close all accounts to an
address for a minute, and WRONG_CODES_OF_ONE_ADDRESS wrong codes and PINs all codes and PINs: the
guests of a hall type theirs behind one address. Over all addresses there is a back-off alone,
against one who comes from many: from the fiftieth wrong try of a day on, of which an address makes
five at most, everyone waits after a wrong one, a second first and twice as long after each. A
browser that opened it before (accounts/trusted_devices.py) is counted by itself and waits for
no one else.
"""

import hashlib
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.accounts import access_log
from tournament.accounts.client_ip import find_client_address, group_address

WRONG_TRIES = 5
SECONDS_TO_WAIT = 60
WRONG_TRIES_A_DAY = 50  # from one address or browser
WITHOUT_LINK_A_DAY = 10  # of a PIN that nothing else guards
WRONG_TRIES_OF_ALL = 50  # in a day; then all wait after a wrong one
COUNTED_OF_AN_ADDRESS = 5  # among those of all
LONGEST_WAIT_OF_ALL = 60
LONGEST_WAIT_WITHOUT_LINK = 1800
# The kinds of doors that wait by themselves for an address.
ACCOUNTS, CODES = "accounts", "codes"
OF_ACCOUNTS = frozenset({"account", "second-step"})
HOUR, DAY = 60 * 60, 24 * 60 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginAttempt:
    """An attempt: its target ("account:<address>", "table:<id>" …) and its source: an
    address, or a `device` that opened it before.

    `without_link` is a PIN asked of visitors without a secret address: four digits
    alone guard it.
    """

    target: str
    address: str
    device: str = ""
    without_link: bool = False

    @property
    def own(self) -> str:
        """The key of what is tried from here."""
        return f"{self.target} from {self.device or self.address}"

    @property
    def whence(self) -> str:
        """The key of the address for this kind of door."""
        return _address_key(self.address, ACCOUNTS if self.is_of_account else CODES)

    @property
    def is_of_account(self) -> bool:
        """Whether an account's password or second step is tried, not a code or a PIN."""
        return self.target.partition(":")[0] in OF_ACCOUNTS

    @property
    def most_of_an_address(self) -> int:
        """The number of wrong attempts in a minute after which this kind of door is closed to
        an address.
        """
        return WRONG_TRIES if self.is_of_account else settings.WRONG_CODES_OF_ONE_ADDRESS


def address_of(request: HttpRequest) -> str:
    """The address a request comes from. Behind PROXIES trusted proxies it is what the first of them
    saw.
    """
    peer = str(request.META.get("REMOTE_ADDR", ""))
    return find_client_address(peer, request.headers.get("X-Forwarded-For", ""), settings.PROXIES)


def caller_of(request: HttpRequest) -> str:
    """Return the key under which a request is counted: its address, for IPv6 the network
    that belongs to one visitor.
    """
    return group_address(address_of(request))


def seconds_to_wait(tried: LoginAttempt) -> int:
    """Return the seconds until this can be tried again from there; 0 for now."""
    keys = [tried.own] if tried.device else [tried.own, tried.whence, tried.target]
    until = cache.get_many([_make_closed_key(key) for key in keys]).values()
    return max((int(each - time.time()) + 1 for each in until if each > time.time()), default=0)


def note_wrong_try(tried: LoginAttempt) -> None:
    """Count a wrong try, and close to whom it must be."""
    said = {"tried": _format_target_for_log(tried), "address": tried.address}
    access_log.note("wrong_try", **said, known=bool(tried.device))
    of_the_day = _count_try(f"{tried.own} today", DAY)
    if of_the_day >= (WITHOUT_LINK_A_DAY if tried.without_link else WRONG_TRIES_A_DAY):
        _close(tried.own, DAY, tried)
    elif _count_try(tried.own, SECONDS_TO_WAIT) >= WRONG_TRIES:
        _close(tried.own, SECONDS_TO_WAIT, tried)
    if not tried.device:
        _note_address(tried.whence, tried.most_of_an_address)
        _note_among_all(tried, of_the_day)


def note_wrong_link(address: str) -> None:
    """Count against an address alone that it asked for something by a link that there isn't."""
    _note_address(_address_key(address, CODES), settings.WRONG_CODES_OF_ONE_ADDRESS)


def _address_key(address: str, doors: str) -> str:
    return f"{doors} from address:{address}"


def _note_address(key: str, most: int) -> None:
    if _count_try(key, SECONDS_TO_WAIT) >= most:
        cache.set(_make_closed_key(key), time.time() + SECONDS_TO_WAIT, SECONDS_TO_WAIT)
        cache.delete(_tries(key))


def forget(tried: LoginAttempt) -> None:
    """A right answer came: the minute starts again; the counts of the day go on, or one who knows a
    secret could guess others'.
    """
    cache.delete_many([_tries(tried.own), _make_closed_key(tried.own)])


def too_many_tries(seconds: int) -> str:
    """Return the message shown during the wait."""
    if seconds > 2 * HOUR:
        return _("Too many wrong tries from here. Try again tomorrow.")
    if seconds > 2 * SECONDS_TO_WAIT:
        minutes = -(-seconds // 60)
        return ngettext(
            "Too many wrong tries. Wait %(minutes)s minute, then try again.",
            "Too many wrong tries. Wait %(minutes)s minutes, then try again.",
            minutes,
        ) % {"minutes": minutes}
    return ngettext(
        "Too many wrong tries. Wait %(seconds)s second, then try again.",
        "Too many wrong tries. Wait %(seconds)s seconds, then try again.",
        seconds,
    ) % {"seconds": seconds}


def _note_among_all(tried: LoginAttempt, of_the_day: int) -> None:
    """Count it among those of all addresses; once they are too many, everybody waits, longer after
    each.
    """
    key = f"{tried.target} by all"
    counts = of_the_day <= COUNTED_OF_AN_ADDRESS
    count = _count_try(key, DAY) if counts else int(cache.get(_tries(key)) or 0)
    if count >= WRONG_TRIES_OF_ALL:
        longest = LONGEST_WAIT_WITHOUT_LINK if tried.without_link else LONGEST_WAIT_OF_ALL
        _close(tried.target, min(2 ** min(count - WRONG_TRIES_OF_ALL, 20), longest), tried)


def _close(key: str, seconds: int, tried: LoginAttempt) -> None:
    said = {"tried": _format_target_for_log(tried), "address": tried.address}
    access_log.note("locked", **said, seconds=seconds, to_all=key == tried.target)
    cache.set(_make_closed_key(key), time.time() + seconds, seconds)
    cache.delete(_tries(key))


def _count_try(key: str, seconds: int) -> int:
    """One more under this key, which forgets so many seconds after the first."""
    cache.add(_tries(key), 0, seconds)
    try:
        return cache.incr(_tries(key))
    except ValueError:  # It expired between the two calls.
        cache.set(_tries(key), 1, seconds)
        return 1


def _format_target_for_log(tried: LoginAttempt) -> str:
    """Return the target as the log has it: for an account only its kind, because its name
    is typed text.
    """
    kind, _colon, name = tried.target.partition(":")
    return tried.target if name.isdecimal() else kind


def _tries(key: str) -> str:
    return f"wrong-tries:{_safe(key)}"


def _make_closed_key(key: str) -> str:
    return f"closed:{_safe(key)}"


def _safe(key: str) -> str:
    """Keys hold addresses and what people typed: the cache sees neither, and no key is too long for
    it.
    """
    return hashlib.sha256(key.encode()).hexdigest()
