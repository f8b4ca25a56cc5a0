"""What a process has read or rendered and may use again: the newest few, in its own memory.

Unlike the cache, which all processes share, nothing is packed or sent. Whoever keeps something here says by
its key, or by a version beside it, when it is the same. What a transaction has read is not kept: it may never
have happened.
"""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

from django.db import connection

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_all: list["Kept[object, object]"] = []


class Kept(Generic[K, V]):
    """At most so many values by key; the one used longest ago goes first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()
        _all.append(self)  # type: ignore[arg-type]

    def get(self, key: K) -> V | None:
        """The value of the key, if it is still here."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        """The value, which is here from now on."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()


def may_keep() -> bool:
    """Whether what is read now was committed."""
    return not connection.in_atomic_block


def forget_all() -> None:
    """Nothing is kept in this process."""
    for kept in _all:
        kept.clear()
