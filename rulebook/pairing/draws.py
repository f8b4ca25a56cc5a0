"""The order of a field by score and chance: the same from the same generator, for few or for many."""

from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any

# From here on numpy draws and sorts, three times as fast.
MANY = 1000


def by_score_and_chance(scores: Sequence[int], rng: Random, places: Sequence[int] | None = None) -> list[int]:
    """The places, or else all, the highest score first and equal ones by a number that `rng` drew for each
    score in turn; those of equal numbers, which hardly ever are, as they were given."""
    if len(scores) < MANY:
        keys = [rng.random() - score for score in scores]
        return sorted(range(len(keys)) if places is None else places, key=keys.__getitem__)
    return _by_numpy(scores, rng, places)


def _by_numpy(scores: Sequence[int], rng: Random, places: Sequence[int] | None) -> list[int]:
    np: Any = import_module("numpy")  # nothing but a large field is worth its 16 MB in every process
    # What `rng.random()` does, for all at once: 53 bits of two words each.
    words = np.frombuffer(rng.randbytes(8 * len(scores)), dtype="<u4").reshape(len(scores), 2)
    chances = ((words[:, 0] >> 5) * 67108864.0 + (words[:, 1] >> 6)) / 9007199254740992.0
    keys = chances - np.array(scores, dtype=np.float64)
    chosen = np.arange(len(scores)) if places is None else np.array(places, dtype=np.int64)
    order: list[int] = chosen[keys[chosen].argsort(kind="stable")].tolist()
    return order
