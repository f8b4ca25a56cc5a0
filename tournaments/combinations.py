"""What must fit together in a tournament's settings, judged when they are saved and not when a round is
paired."""

from rulebook import policies
from rulebook.errors import RuleBroken
from rulebook.modes import Mode
from rulebook.pairing.pod_sizes import Leftover, pod_policy_of
from rulebook.pairing.tables import Hall
from rulebook.policies import Scoring
from rulebook.schemes import scheme_of
from tournaments.drawing import hall_of, pod_policy_for
from tournaments.models import Tournament


def check_combinations(tournament: Tournament, mode: Mode) -> None:
    """The policy knows the pods, the hall has the tables, and cut and late entry lie within the field."""
    _check_policy(tournament, mode)
    _check_hall(tournament, mode)
    if tournament.capacity is not None and tournament.cut > tournament.capacity:
        raise RuleBroken(
            "wrong-cut",
            f"There is room for {tournament.capacity} teams, too few for a cut to {tournament.cut}.",
        )
    last = tournament.last_late_round
    if last is not None and tournament.format == Tournament.Format.SWISS and last > tournament.planned_rounds:
        raise RuleBroken(
            "wrong-late-round",
            f"There are {tournament.planned_rounds} Swiss rounds; nobody can enter in round {last}.",
        )


def pod_sizes_of(tournament: Tournament, mode: Mode) -> tuple[int, ...]:
    """The sizes of the pods in which the tournament is played; two sides make no pod."""
    if mode.sides == 2:
        return ()
    policy = pod_policy_of(pod_policy_for(tournament))
    shorter = policy.leftover in (Leftover.SHORT_LOW, Leftover.SHORT_HIGH)
    longer = policy.leftover is Leftover.LONG_LOW
    return tuple(range(policy.size - shorter, policy.size + longer + 1))


def _check_policy(tournament: Tournament, mode: Mode) -> None:
    policy = policies.policy_of(tournament.policy)
    sizes = pod_sizes_of(tournament, mode)
    if not sizes and (policy.scheme or policy.scoring is Scoring.VEKN):
        raise RuleBroken("wrong-policy", f"“{policy.name}” ranks pods; {mode.name} is played by two sides.")
    if not policy.scheme:
        return
    unknown = [size for size in sizes if size not in scheme_of(policy.scheme).places]
    if unknown:
        raise RuleBroken(
            "wrong-policy",
            f"“{policy.name}” has no points for a pod of {unknown[0]}; choose another policy or other pods.",
        )


def _check_hall(tournament: Tournament, mode: Mode) -> None:
    hall = hall_of(tournament.hall)
    if hall is None:
        return
    if tournament.feature_table is not None and not _has(hall, tournament.feature_table):
        raise RuleBroken("wrong-feature-table", f"The hall has no table {tournament.feature_table}.")
    if tournament.capacity is None:
        return
    tables = sum(last - first + 1 for first, last in hall.ranges)
    needed = tournament.capacity // max((2, *pod_sizes_of(tournament, mode)))
    if tables < needed:
        raise RuleBroken(
            "wrong-hall",
            f"The hall has {tables} tables; {tournament.capacity} teams need {needed}. Add tables.",
        )


def _has(hall: Hall, table: int) -> bool:
    return any(first <= table <= last for first, last in hall.ranges)
