"""A draft that nobody has seen follows whoever enters or leaves."""

from random import Random

from journal.actors import Actor
from journal.kinds import DeedKind
from rulebook.lifecycle import RoundState, StageState
from tournaments.drawing import active_teams
from tournaments.models import Round, Stage, Tournament
from tournaments.pairing import draw_and_save, record_paired
from tournaments.repairing import mend
from tournaments.rounds import current_round, void_round


def repair_draft(tournament: Tournament, actor: Actor) -> Round | None:
    """A draft that nobody has seen is paired again for whoever plays now; returns the new draft, if there
    was one.

    The seed follows from the old one; a draft given by hand keeps its other tables, and so does a round robin
    once it is played. The tournament is locked.
    """
    stage = tournament.stages.filter(state=StageState.RUNNING).order_by("-number").first()
    draft = current_round(stage) if stage else None
    if stage is None or draft is None or draft.state != RoundState.PAIRED:
        return None
    stage.tournament = tournament
    draft.stage = stage
    if draft.engine == "given" and stage.method == Stage.Method.SWISS:
        return mend(draft, actor)
    if stage.method == Stage.Method.ROUND_ROBIN and draft.number > 1:
        return draft
    seed = Random(f"again:{draft.seed}").getrandbits(62)
    for rnd in stage.rounds.filter(state=RoundState.PAIRED):
        rnd.stage = stage
        void_round(rnd)
    if len(active_teams(stage, draft.number)) < 2:
        return None
    rnd = draw_and_save(stage, draft.number, seed)
    record_paired(rnd, DeedKind.ROUND_REPAIRED, actor, before={"round": draft.pk})
    return rnd
