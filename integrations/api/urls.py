"""Addresses below /api/v1/ at which something is done, with the reads that stand at the same ones."""

from rest_framework.views import APIView

from integrations.api import lists
from integrations.api.base import addresses
from integrations.api.clock import CLOCK_READS, CLOCKWORK
from integrations.api.files import FILE_READS, FILES
from integrations.api.imports import IMPORT_READS, IMPORTS
from integrations.api.looking import LOOKING, LOOKING_READS
from integrations.api.matches import MATCHES
from integrations.api.orders import ORDER_READS, ORDERS
from integrations.api.penalties import PENALTIES, STAFF
from integrations.api.prizes import PRIZE_READS, PRIZES
from integrations.api.rounds import ROUNDS
from integrations.api.teams import TEAMS
from integrations.api.tournaments import TOURNAMENTS
from integrations.api.webhooks import WEBHOOK_READS, WEBHOOKS
from tournaments.api import rules, views

OPERATIONS = (
    *(*TOURNAMENTS, *TEAMS, *ROUNDS, *MATCHES, *PENALTIES, *STAFF, *ORDERS, *PRIZES, *WEBHOOKS),
    *(*CLOCKWORK, *LOOKING, *FILES, *IMPORTS),
)
AT = "tournaments/<slug:slug>"
READS: dict[str, type[APIView]] = {
    "tournaments/": views.TournamentList,
    f"{AT}/": views.TournamentDetail,
    f"{AT}/teams/": views.TeamList,
    f"{AT}/rounds/": views.RoundList,
    f"{AT}/stages/": lists.StageList,
    f"{AT}/matches/": lists.MatchList,
    f"{AT}/players/": lists.EnteredList,
    f"{AT}/penalties/": lists.PenaltyList,
    f"{AT}/calls/": lists.CallList,
    f"{AT}/announcements/": lists.AnnouncementList,
    f"{AT}/staff/": lists.StaffList,
    f"{AT}/journal/": lists.JournalList,
    "stores/<slug:slug>/players/": lists.PlayerList,
    "stages/<int:pk>/bracket/": lists.Bracket,
    "teams/<int:pk>/": lists.TeamDetail,
    "matches/<int:pk>/": lists.MatchDetail,
    "matches/<int:pk>/games/": rules.GamesOfMatch,
    "rounds/<int:pk>/repair/": lists.RepairPlan,
    "rounds/<int:pk>/deck-checks/": lists.DeckCheckList,
    **ORDER_READS,
    **PRIZE_READS,
    **WEBHOOK_READS,
    **CLOCK_READS,
    **LOOKING_READS,
    **FILE_READS,
    **IMPORT_READS,
}
urlpatterns = addresses(OPERATIONS, reads=READS)
