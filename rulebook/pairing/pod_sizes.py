"""How a field is cut into pods: named policies for what does not fit into full ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rulebook.errors import RuleBroken


class Leftover(StrEnum):
    """What happens to those who do not fill a full pod."""

    BYES = "byes"
    SHORT_LOW = "short-low"
    SHORT_HIGH = "short-high"
    LONG_LOW = "long-low"


@dataclass(frozen=True, slots=True)
class PodPolicy:
    """Full pods and what becomes of the rest; `size` is the full pod, pods differ from it by one at most."""

    key: str
    name: str
    size: int
    leftover: Leftover
    citation: str = ""


POD_POLICIES: Mapping[str, PodPolicy] = {
    policy.key: policy
    for policy in (
        PodPolicy("short-low", "Short pods at the last tables", 4, Leftover.SHORT_LOW, "TopDeck guide"),
        PodPolicy("short-high", "Short pods at the first tables", 4, Leftover.SHORT_HIGH, "TopDeck guide"),
        PodPolicy("byes", "Byes instead of short pods", 4, Leftover.BYES, "TopDeck guide"),
        PodPolicy("five-low", "Pods of five at the last tables", 4, Leftover.LONG_LOW, "TopDeck guide"),
        PodPolicy("threes", "Pods of three, byes for the rest", 3, Leftover.BYES),
        PodPolicy("vekn", "Pods of five, the rest four", 5, Leftover.SHORT_LOW, "VEKN 3.1"),
    )
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """Pod sizes from the first table to the last, and the number of byes."""

    pods: tuple[int, ...]
    byes: int = 0


def pod_policy_of(key: str) -> PodPolicy:
    """The policy of that key."""
    if key not in POD_POLICIES:
        known = ", ".join(POD_POLICIES)
        raise RuleBroken(
            "unknown-pod-policy", f"There is no pod policy {key!r}; choose one of {known}.", key=key
        )
    return POD_POLICIES[key]


def pod_sizes(entrants: int, policy: PodPolicy | str = "short-low") -> Sizes:
    """The pods for a field: whoever fits into none gets a bye, as few as the policy can."""
    chosen = pod_policy_of(policy) if isinstance(policy, str) else policy
    if chosen.leftover is Leftover.BYES:
        full, rest = divmod(entrants, chosen.size)
        return Sizes((chosen.size,) * full, rest)
    for byes in range(entrants + 1):
        pods = _exactly(entrants - byes, chosen)
        if pods is not None:
            return Sizes(pods, byes)
    return Sizes((), entrants)


def _exactly(entrants: int, policy: PodPolicy) -> tuple[int, ...] | None:
    """Pods that hold exactly so many, or None."""
    size = policy.size
    if policy.leftover is Leftover.LONG_LOW:
        long = entrants % size
        if long * (size + 1) <= entrants:
            return (size,) * ((entrants - long * (size + 1)) // size) + (size + 1,) * long
    short = -entrants % size
    full, rest = divmod(entrants - short * (size - 1), size)
    if full < 0 or rest:
        return None
    pods = (size,) * full + (size - 1,) * short
    return pods[::-1] if policy.leftover is Leftover.SHORT_HIGH else pods
