"""What every page of one tournament knows about it: three queries."""

from dataclasses import dataclass

from django.http import Http404

from rulebook.lifecycle import RoundState, StageState, TournamentState
from rulebook.modes import MODES
from tournaments.bracket import wave_name
from tournaments.models import Round, Stage, Tournament
from tournaments.pages.said import said
from tournaments.rounds import current_among

SHOWN = (RoundState.PUBLISHED, RoundState.RUNNING, RoundState.CLOSED)


@dataclass(frozen=True, slots=True)
class Scene:
    """A tournament with its stages and all rounds that were not scrapped, oldest first."""

    tournament: Tournament
    stages: tuple[Stage, ...]
    rounds: tuple[Round, ...]

    @property
    def stage(self) -> Stage | None:
        """The stage that is played, or was played last."""
        begun = [stage for stage in self.stages if stage.state != StageState.WAITING]
        return begun[-1] if begun else None

    @property
    def bracket(self) -> Stage | None:
        """The elimination, once the cut is made."""
        begun = (s for s in self.stages if s.is_bracket)
        return next((stage for stage in begun if stage.state != StageState.WAITING), None)

    @property
    def swiss(self) -> Stage | None:
        return next((stage for stage in self.stages if stage.number == 1), None)

    @property
    def last_round(self) -> Round | None:
        """The newest round of the stage that is played, a draft included: for staff only."""
        return current_among(self.stage, self.rounds)

    @property
    def shown_rounds(self) -> tuple[Round, ...]:
        """What the public may see: no draft."""
        return tuple(rnd for rnd in self.rounds if rnd.state in SHOWN)

    @property
    def shown_round(self) -> Round | None:
        return self.shown_rounds[-1] if self.shown_rounds else None

    @property
    def labels(self) -> tuple[str, ...]:
        mode = MODES.get(self.tournament.mode)
        return mode.labels if mode else ("A",)

    @property
    def mode_name(self) -> str:
        mode = MODES.get(self.tournament.mode)
        return mode.name if mode else self.tournament.mode

    @property
    def is_over(self) -> bool:
        return self.tournament.state == TournamentState.FINISHED


def scene_of(tournament: Tournament) -> Scene:
    """The tournament's stages and rounds, without what only pairing them again needs."""
    stages = tuple(Stage.objects.filter(tournament=tournament).order_by("number"))
    for stage in stages:
        stage.tournament = tournament  # the same row for all: nobody asks for it again
    by_id = {stage.pk: stage for stage in stages}
    rounds = list(
        Round.objects.filter(stage__tournament=tournament)
        .exclude(state=RoundState.SCRAPPED)
        .defer("inputs", "output")
        .order_by("stage__number", "number", "id")
    )
    for rnd in rounds:
        rnd.stage = by_id[rnd.stage_id]
    return Scene(tournament, stages, tuple(rounds))


def name_of(rnd: Round) -> str:
    """What the round is called: round 3, or Semifinals in a bracket."""
    if rnd.stage.is_bracket:
        return said(wave_name(rnd.stage, rnd.number))
    return said(f"Round {rnd.number}")


def public_scene(slug: str) -> Scene:
    """The scene of a tournament that is not a draft; 404 for any other."""
    tournament = (
        Tournament.objects.filter(slug=slug).exclude(announced_at=None).select_related("store").first()
    )
    if tournament is None:
        raise Http404
    return scene_of(tournament)
