"""Choices of fields as callables, so that a new mode or policy needs no migration."""

from rulebook import modes, policies
from rulebook.pairing.pod_sizes import POD_POLICIES


def mode_choices() -> list[tuple[str, str]]:
    return modes.choices()


def pod_policy_choices() -> list[tuple[str, str]]:
    return [(policy.key, policy.name) for policy in POD_POLICIES.values()]


def policy_choices() -> list[tuple[str, str]]:
    return policies.choices()
