"""A published round paired again from its stored inputs, to show that nobody touched it."""

from dataclasses import dataclass

from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState
from rulebook.pairing.check import check_pairing
from rulebook.pairing.drafting import DRAFT_ENGINE, check_drafts, pair_drafts
from rulebook.pairing.pod_values import POD_ENGINE, PodsInput
from rulebook.pairing.pods import pair_pods
from rulebook.pairing.round_robin import round_robin
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import ENGINE, Pairing, SwissInput, canonical
from tournaments.models import Round, Tournament
from tournaments.robin import ROBIN_ENGINE, output_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """What pairing the round again showed: the same bytes or not, and what the checker found wrong."""

    engine: str
    is_replayed: bool
    is_same: bool
    problems: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        return self.is_same and not self.problems


def round_of(tournament: Tournament, number: int) -> Round:
    """The first stage's round of that number that was not scrapped."""
    found = Round.objects.filter(stage__tournament=tournament, stage__number=1, number=number)
    rnd = found.exclude(state=RoundState.SCRAPPED).first()
    if rnd is None:
        raise RuleBroken("unknown-round", f"{tournament.name} has no round {number}.")
    return rnd


def verify(rnd: Round) -> Verdict:
    """The round from its inputs and seed: under the same engine byte for byte, else by the checker alone."""
    if rnd.engine == POD_ENGINE:
        again = pair_pods(PodsInput.from_dict(_without_version(rnd)))
        same = canonical(again.as_dict()) == canonical(rnd.output)
        return Verdict(rnd.engine, True, same, ())
    if rnd.engine == ROBIN_ENGINE:
        rounds = round_robin(rnd.inputs["entrants"], rnd.inputs["seed"])
        same = canonical(output_of(rounds, rnd.number)) == canonical(rnd.output)
        return Verdict(rnd.engine, True, same, ())
    if rnd.engine.startswith("draft"):
        return _draft_again(rnd)
    if not rnd.engine.startswith("swiss"):
        raise RuleBroken("nothing-to-verify", f"Round {rnd.number} was made by {rnd.engine}, not drawn.")
    given = SwissInput.from_dict(rnd.inputs)
    stored = Pairing.from_dict(rnd.output)
    problems = check_pairing(given, stored)
    if rnd.engine != ENGINE:
        return Verdict(rnd.engine, False, True, problems)
    same = canonical(pair_swiss(given).as_dict()) == canonical(rnd.output)
    return Verdict(rnd.engine, True, same, problems)


def _draft_again(rnd: Round) -> Verdict:
    given, groups = SwissInput.from_dict(rnd.inputs), rnd.inputs["groups"]
    problems = check_drafts(given, groups, Pairing.from_dict(rnd.output))
    if rnd.engine != DRAFT_ENGINE:
        return Verdict(rnd.engine, False, True, problems)
    same = canonical(pair_drafts(given, groups).as_dict()) == canonical(rnd.output)
    return Verdict(rnd.engine, True, same, problems)


def _without_version(rnd: Round) -> dict[str, object]:
    return {key: value for key, value in rnd.inputs.items() if key != "standings"}
