"""Addresses of the pages."""

from django.urls import URLPattern, path

from tournaments.pages import (
    checkin,
    deeds,
    desk,
    desk_match,
    desk_round,
    desk_settings,
    desk_standings,
    desk_teams,downloads,
    hall_map,
    history,
    imports,
    penalties,
    phone,
    printing,
    public,
    repairs,
    resolving,
    screen,
    staff_page,
    team_page,
)

PUBLIC = [
    path("", public.front, name="tournament-list"),
    path("now", public.now_page, name="now"),
    path("t/<slug:slug>/", public.overview, name="tournament"),
    path("t/<slug:slug>/pairings/", public.pairings, name="pairings"),
    path("t/<slug:slug>/standings/", public.standings, name="standings"),
    path("t/<slug:slug>/standings/<int:team_id>/", team_page.team_page, name="team"),
    path("t/<slug:slug>/bracket/", public.bracket, name="bracket"),
    path("t/<slug:slug>/rounds/", public.rounds_page, name="rounds"),
    path("t/<slug:slug>/rounds/<int:stage>/<int:number>/", public.round_page, name="round"),
    path("t/<slug:slug>/map/", hall_map.map_page, name="table-map"),
    path("t/<slug:slug>/draft/", hall_map.draft_page, name="draft"),
    path("t/<slug:slug>/deeds/", public.deeds, name="deeds"),
    path("t/<slug:slug>/screen/", screen.screen, name="screen"),
    path("t/<slug:slug>/files/<slug:what>.csv", downloads.public_csv, name="public-csv"),
]
DESK = [
    path("desk/", desk.desk_list, name="desk-list"),
    path("desk/new", desk_settings.create, name="desk-create"),
    path("desk/import", downloads.import_page, name="desk-import-file"),
    path("desk/<slug:slug>/", desk.desk, name="desk"),
    path("desk/<slug:slug>/line", desk.line_preview, name="desk-line"),
    path("desk/<slug:slug>/resolve/", resolving.resolve_page, name="desk-resolve"),
    path("desk/<slug:slug>/penalties/", penalties.penalties_page, name="desk-penalties"),
    path(
        "desk/<slug:slug>/tables/<int:match_id>/penalty", penalties.table_penalty, name="desk-table-penalty"
    ),
    path("desk/<slug:slug>/teams/<int:team_id>/penalty", penalties.team_penalty, name="desk-team-penalty"),
    path("desk/<slug:slug>/do/<slug:deed>/", deeds.deed, name="deed"),
    path("desk/<slug:slug>/rounds/<int:round_id>/", desk_round.round_page, name="desk-round"),
    path("desk/<slug:slug>/rounds/<int:round_id>/repair/", repairs.repair_page, name="desk-repair"),
    path("desk/<slug:slug>/tables/<int:match_id>/", desk_match.match_page, name="desk-match"),
    path("desk/<slug:slug>/map/", hall_map.desk_map, name="desk-map"),
    path("desk/<slug:slug>/standings/", desk_standings.standings_page, name="desk-standings"),
    path("desk/<slug:slug>/teams/", desk_teams.teams_page, name="desk-teams"),
    path("desk/<slug:slug>/teams/file.<slug:kind>", imports.export, name="desk-teams-file"),
    path("desk/<slug:slug>/teams/import/", imports.send, name="desk-import"),
    path("desk/<slug:slug>/teams/import/<int:upload_id>/", imports.look, name="desk-import-look"),
    path("desk/<slug:slug>/check-in/", checkin.check_in_page, name="desk-check-in"),
    path("desk/<slug:slug>/players/", desk_teams.players, name="desk-players"),
    path("desk/<slug:slug>/teams/<int:team_id>/", desk_teams.team_page, name="desk-team"),
    path(
        "desk/<slug:slug>/teams/<int:team_id>/<slug:how>/<int:player_id>/",
        desk_teams.leave,
        name="desk-leave",
    ),
    path("desk/<slug:slug>/journal/", history.journal, name="desk-journal"),
    path("desk/<slug:slug>/settings/", desk_settings.settings_page, name="desk-settings"),
    path("desk/<slug:slug>/copy/", desk_settings.clone_page, name="desk-clone"),
    path("desk/<slug:slug>/print/", printing.print_page, name="desk-print"),
    path("desk/<slug:slug>/print/codes/", printing.codes_page, name="desk-codes"),
    path("desk/<slug:slug>/print/<slug:what>/", printing.sheet_page, name="desk-sheet"),
    path("desk/<slug:slug>/files/<slug:what>.csv", downloads.desk_csv, name="desk-csv"),
    path("desk/<slug:slug>/files/tournament.json", downloads.tournament_file, name="desk-file"),
    path("desk/<slug:slug>/files/bundle/<int:round_id>.zip", downloads.bundle, name="desk-bundle"),
    path("desk/<slug:slug>/staff/", staff_page.people, name="desk-staff"),
    path("desk/<slug:slug>/players/<int:player_id>/", staff_page.person_page, name="desk-person"),
    path("desk/<slug:slug>/players/<int:player_id>/erase/", staff_page.erase_page, name="desk-erase"),
]
INVITED = [
    path("join/", staff_page.join, name="join"),
    path("join/<str:token>/", staff_page.join_link, name="join-link"),
]
PHONE = [
    path("me/<str:token>", phone.me, name="me"),
    path("me/<str:token>/report", phone.report, name="me-report"),
    path("me/<str:token>/confirm", phone.confirm, name="me-confirm"),
    path("me/<str:token>/dispute", phone.dispute, name="me-dispute"),
    path("me/<str:token>/call", phone.call, name="me-call"),
    path("me/<str:token>/choose", phone.choose, name="me-choose"),
]
urlpatterns: list[URLPattern] = [*PUBLIC, *DESK, *INVITED, *PHONE]
