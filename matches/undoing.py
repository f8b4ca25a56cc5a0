"""A confirmed match is what it was before: its result does not count any more, an earlier one does again."""

from matches.models import Call, Chair, Match, Report, Result, Side
from matches.results import set_state
from rulebook.lifecycle import MatchState, check_move


def take_result_away(match: Match, *, back_to: MatchState, earlier: int | None = None) -> None:
    """The current result stays on record and counts no more; the result `earlier` counts again where there
    was one. The match is locked."""
    check_move(str(match).capitalize(), MatchState(match.state), back_to)
    Result.objects.filter(match=match, board_label="", is_current=True).update(is_current=False)
    if earlier is not None:
        Result.objects.filter(pk=earlier, match=match).update(is_current=True)
    set_state(match, back_to)
    if back_to is MatchState.DISPUTED:
        _dispute_again(match)


def take_report_away(match: Match, team_id: int) -> None:
    """The team's newest report counts no more; the one it had replaced does again."""
    own = list(Report.objects.filter(match=match, side__team_id=team_id, board_label="").order_by("-id")[:2])
    for report, is_current in zip(own, (False, True), strict=False):
        Report.objects.filter(pk=report.pk).update(is_current=is_current)


def copy_result(result: Result, match: Match) -> Result:
    """The match is confirmed with the same lines, side by side."""
    sides = {side.index: side for side in Side.objects.filter(match=match)}
    copy = Result.objects.create(
        match=match, kind=result.kind, source=result.source, confirmed_at=result.confirmed_at
    )
    for line in result.lines.select_related("side"):
        index, line.pk, line.result = line.side.index, None, copy
        line.side = sides[index]
        line.save(force_insert=True)
    set_state(match, MatchState.CONFIRMED)
    return copy


def copy_chairs(old: Match, match: Match) -> None:
    """The line-up of the old match is that of the match, also of those who left since."""
    sides = {side.index: side for side in Side.objects.filter(match=match)}
    chairs = list(Chair.objects.filter(match=old).select_related("side"))
    if not chairs:
        return
    Chair.objects.filter(match=match).delete()
    Chair.objects.bulk_create(
        Chair(
            match=match,
            side=sides[chair.side.index],
            player_id=chair.player_id,
            label=chair.label,
            position=chair.position,
            declared=chair.declared,
        )
        for chair in chairs
    )


def _dispute_again(match: Match) -> None:
    """The last dispute is open again."""
    disputes = Call.objects.filter(match=match, kind=Call.Kind.DISPUTE)
    if disputes.filter(ended_at=None).exists():
        return
    last = disputes.order_by("-id").first()
    if last is not None:
        Call.objects.filter(pk=last.pk).update(ended_at=None)
