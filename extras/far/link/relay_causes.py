"""The reasons for which a relay can't be used, in words for people that follow "the relay at HOST can't be used:"."""

import errno

from quadrille.extras.far.relay.frames import VERSION, RefusalReason


def cause(code: int) -> str:
    """The reason for which a call failed, in words for people."""
    name = errno.errorcode.get(code, str(code)).removeprefix("WSA")
    match name:
        case "ECONNREFUSED":
            return "no program listens there"
        case "EHOSTUNREACH" | "ENETUNREACH" | "EADDRNOTAVAIL" | "EAFNOSUPPORT":
            return "no way leads there"
        case "ETIMEDOUT":
            return "it does not answer"
    return name


def refusal(body: bytes) -> str:
    """The reason that a relay gives, in words for people."""
    version = body[1]
    match body[0]:
        case RefusalReason.VERSION:
            older = "it is older" if version < VERSION else "this program is older"
            return f"it speaks version {version}, and this program version {VERSION}: {older}"
        case RefusalReason.FULL:
            return "it is full"
        case RefusalReason.MEETING_FULL:
            return "nobody else fits into this meeting"
        case RefusalReason.ADDRESS_FULL:
            return "it takes no more connections from your address"
        case RefusalReason.ENDING:
            return "it has been ended"
    return "it refuses this program"
