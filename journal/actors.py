"""Who does a deed, and through which door."""

from dataclasses import dataclass
from enum import StrEnum


class Door(StrEnum):
    DESK = "desk"
    ADMIN = "admin"
    PHONE = "phone"
    API = "api"
    PUBLIC = "public"
    CLOCK = "clock"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Actor:
    """`who` is written into the journal: user:ID, seat:ID, key:PREFIX, clock, command or anybody."""

    who: str
    door: Door


CLOCK = Actor("clock", Door.CLOCK)
COMMAND = Actor("command", Door.COMMAND)
ANYBODY = Actor("anybody", Door.PUBLIC)


def user_actor(user_id: int, door: Door = Door.DESK) -> Actor:
    """The staff member `user_id`, acting through `door`."""
    return Actor(f"user:{user_id}", door)


def seat_actor(seat_id: int) -> Actor:
    """The player on seat `seat_id`, acting from a phone."""
    return Actor(f"seat:{seat_id}", Door.PHONE)


def key_actor(prefix: str) -> Actor:
    """The store software that calls with the key `prefix`."""
    return Actor(f"key:{prefix}", Door.API)
