"""Who is equal on the last place of the cut, before it is made."""

from rulebook.lifecycle import TeamState
from rulebook.standings import tied_across
from teams.models import Team
from teams.selectors import TeamCard, team_cards
from tournaments.pages.scenes import Scene
from tournaments.standings import standings_of


def tied_cards(scene: Scene) -> list[TeamCard]:
    """The teams that are equal in everything on the last place of the cut; empty where there are none."""
    stage, size = scene.swiss, scene.tournament.cut
    if stage is None or not size:
        return []
    playing = set(
        Team.objects.filter(tournament=scene.tournament, state=TeamState.PLAYING).values_list("pk", flat=True)
    )
    table = [row for row in standings_of(stage) if row.entrant in playing]
    tied = [row.entrant for row in tied_across(table, size)] if len(table) > size else []
    cards = team_cards(list(Team.objects.filter(pk__in=tied)), scene.labels)
    return [cards[team] for team in tied]
