"""A draft that nobody has seen follows whoever enters or leaves."""

from random import Random

from journal.actors import Actor
from journal.kinds import DeedKind
from rulebook.lifecycle import RoundState, StageState
from tournaments.drawing import active_teams, draw
from tournaments.models import Round, Stage, Tournament
from tournaments.pairing import record_paired, save_drawn
from tournaments.repairing import mend
from tournaments.rounds import current_round, void_round


def repair_draft(tournament: Tournament, actor: Actor) -> Round | None:
    """A draft that nobody has seen is paired again for whoever plays now; returns the new draft, if there
    was one.

    The seed follows from the old one; a draft given by hand keeps its other tables. The tournament is locked.
    """
    stage = tournament.stages.filter(state=StageState.RUNNING).order_by("-number").first()
    draft = current_round(stage) if stage else None
    if stage is None or draft is None or draft.state != RoundState.PAIRED:
        return None
    stage.tournament = tournament
    draft.stage = stage
    if draft.engine == "given" and stage.method == Stage.Method.SWISS:
        return mend(draft, actor)
    seed = Random(f"again:{draft.seed}").getrandbits(62)
    void_round(draft)
    if len(active_teams(stage, draft.number)) < 2:
        return None
    rnd = save_drawn(stage, draft.number, draw(stage, draft.number, seed), seed)
    record_paired(rnd, DeedKind.ROUND_REPAIRED, actor, before={"round": draft.pk})
    return rnd
