"""The first stage of a tournament by its format: Swiss rounds, a round robin, or an elimination at once."""

from collections.abc import Sequence
from random import Random

from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import StageState, TeamState
from rulebook.pairing.drafting import FULL
from teams.models import Team
from tournaments.bracket_plan import check_kind, open_bracket
from tournaments.models import Slot, Stage, StageEntry, Tournament
from tournaments.robin import robin_rounds

Format = Tournament.Format


def check_format(tournament: Tournament) -> None:
    """The mode and the cut go with the format."""
    mode = modes.mode_of(tournament.mode)
    if tournament.format == Format.ROUND_ROBIN and mode.sides != 2:
        raise RuleBroken("wrong-format", f"{mode.name} is played in pods; a round robin needs two sides.")
    _check_draft(tournament, mode)
    if tournament.format == Format.ELIMINATION:
        check_kind(tournament)
        if tournament.cut:
            raise RuleBroken("wrong-cut", "Everybody plays the elimination; set the cut to 0.")


def _check_draft(tournament: Tournament, mode: modes.Mode) -> None:
    """Drafting groups are for the Swiss rounds of two sides, and short enough that nobody meets twice."""
    rounds = tournament.draft_rounds
    if not rounds:
        return
    if tournament.format != Format.SWISS or mode.sides != 2:
        raise RuleBroken("wrong-draft", "Drafting groups are played in Swiss rounds of two sides.")
    if not 1 <= rounds < FULL or rounds > tournament.planned_rounds:
        most = min(FULL - 1, tournament.planned_rounds)
        raise RuleBroken("wrong-draft", f"A group of {FULL} plays between 1 and {most} rounds of its own.")


def open_first_stage(tournament: Tournament, seeds: Sequence[int] = ()) -> Stage:
    """The first stage is running. In an elimination everybody is seeded as given, else by the teams' own
    seeds and the rest by lot from the tournament's seed; the top seeds have the byes."""
    if seeds and tournament.format != Format.ELIMINATION:
        raise RuleBroken("no-seeds", "Only an elimination is seeded at the start.")
    if tournament.format == Format.ELIMINATION:
        return open_bracket(
            tournament, 1, _seeded(tournament, seeds), is_drawn=not seeds and not has_seeds(tournament)
        )
    method, rounds = Stage.Method.SWISS, tournament.planned_rounds
    if tournament.format == Format.ROUND_ROBIN:
        method, rounds = Stage.Method.ROUND_ROBIN, robin_rounds(len(_playing(tournament)))
    stage, _ = Stage.objects.update_or_create(
        tournament=tournament,
        number=1,
        defaults={"method": method, "planned_rounds": rounds, "state": StageState.RUNNING, "settings": {}},
    )
    Slot.objects.filter(stage=stage).delete()
    StageEntry.objects.filter(stage=stage).delete()
    return stage


def has_seeds(tournament: Tournament) -> bool:
    """Somebody who plays was given a start seed."""
    return Team.objects.filter(tournament=tournament, state=TeamState.PLAYING, seed__isnull=False).exists()


def _playing(tournament: Tournament) -> list[int]:
    playing = Team.objects.filter(tournament=tournament, state=TeamState.PLAYING)
    return list(playing.order_by("number").values_list("pk", flat=True))


def _seeded(tournament: Tournament, seeds: Sequence[int]) -> list[int]:
    playing = _playing(tournament)
    if not seeds:
        known = dict(
            Team.objects.filter(pk__in=playing, seed__isnull=False).order_by("seed").values_list("pk", "seed")
        )
        Random(f"seeds:{tournament.seed}").shuffle(playing)
        return [*known, *(team for team in playing if team not in known)]
    if sorted(seeds) != sorted(playing):
        raise RuleBroken(
            "wrong-seeds",
            f"Name each of the {len(playing)} teams that play exactly once, the best one first.",
            teams=sorted(set(playing) ^ set(seeds)),
        )
    return list(seeds)
