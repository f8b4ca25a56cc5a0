"""A team's page: who sits where, what it may do next; and how a team is registered."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.admin_base import (
    Records,
    admin_actor,
    chip,
    of_tournament,
    page_of,
    registering_in,
    seat_mark,
    serves,
    teams_in_words,
    user_of,
)
from config.admin_deeds import Asked, Deed, ThroughService, WithDeeds
from matches.models import Side
from rulebook import modes
from rulebook.lifecycle import TeamState, TournamentState
from teams.admin.forms import (
    ByeBackForm,
    ByeForm,
    DisqualifyForm,
    FillSeatForm,
    LeaveForm,
    TeamForm,
    form_with_seats,
)
from teams.admin.naming import player_named, suggestions
from teams.models import Decklist, Link, Seat, Team
from teams.names import folded
from teams.selectors import members_of
from tournaments.models import Tournament
from tournaments.registration import (
    check_in_team,
    fill_seat,
    grant_bye,
    readmit_team,
    revoke_bye,
    swap_seats,
    withdraw_team,
)
from tournaments.staff import Can, may
from tournaments.withdrawals import disqualify_player, drop_player, reinstate_team

BEFORE_PLAY = (TeamState.WAITLISTED, TeamState.REGISTERED, TeamState.CHECKED_IN)
OUT = (TeamState.WITHDRAWN, TeamState.DROPPED, TeamState.DISQUALIFIED)


@admin.register(Team)
class TeamAdmin(ThroughService, WithDeeds):
    tournament_path = "tournament"
    journal_subject = "team"
    form = TeamForm
    list_display = ("number", "who", "shown_state", "group", "fixed_table", "tournament")
    list_display_links = ("number", "who")
    list_select_related = ("tournament",)
    list_filter = (of_tournament("tournament"), "state")
    search_fields = ("name", "seats__player__folded")
    search_help_text = "Search by team name or member"
    ordering = ("-tournament_id", "number")

    # --- who may ---------------------------------------------------------------------------------

    def has_add_permission(self, request: HttpRequest) -> bool:
        if not self.has_module_permission(request):
            return False
        return request.user.is_superuser or registering_in(request.user).exists()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return request.user.is_superuser or serves(request)
        return may(user_of(request), obj.tournament_id, Can.REGISTER)

    # --- registering -----------------------------------------------------------------------------

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form of one tournament; without one the person first chooses where the team enters."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if self._tournament(request) is not None:
            return super().add_view(request, form_url, extra_context)
        open_now = list(registering_in(request.user)[:100])
        if len(open_now) == 1 and "tournament" not in request.GET:
            return HttpResponseRedirect(f"{request.path}?tournament={open_now[0].pk}")
        if "tournament" in request.GET:
            messages.warning(request, "That tournament takes no registrations now; choose another one.")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Register a team",
            "tournaments": open_now,
            "media": self.media,
        }
        return TemplateResponse(request, "admin/tandem/choose_tournament.html", context)

    def _tournament(self, request: HttpRequest) -> Tournament | None:
        said = request.GET.get("tournament", "")
        return registering_in(request.user).filter(pk=said).first() if said.isdecimal() else None

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        tournament = None if obj else self._tournament(request)
        if tournament is None:
            return super().get_form(request, obj, change=change, **kwargs)
        form = forms.modelform_factory(
            Team,
            form=form_with_seats(tournament, TeamForm),
            fields=["name", "group", "fixed_table"],
            formfield_callback=partial(self.formfield_for_dbfield, request=request),
        )
        form.base_fields["seat_A"].widget.attrs["autofocus"] = True
        return type("TeamForm", (form,), {"actor": admin_actor(request), "user_id": request.user.pk})

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Sequence[str]:
        if obj is not None:
            own = ("name", "group", "fixed_table", "seed")
            return (*own, "tournament", "number", "entered_round", "left_round")
        tournament = self._tournament(request)
        labels = modes.mode_of(tournament.mode).labels if tournament else ()
        return (*(f"seat_{label}" for label in labels), "name", "group", "fixed_table")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Sequence[str]:
        return ("tournament", "number", "entered_round", "left_round") if obj is not None else ()

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        if kwargs.get("add"):
            tournament = self._tournament(request)
            context["title"] = f"Register a team for {tournament}"
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(self, request: HttpRequest, obj: Team, post_url_continue: Any = None) -> HttpResponse:
        who = " & ".join(member.name for member in members_of([obj.pk]).get(obj.pk, ()))
        missing = set(modes.mode_of(obj.tournament.mode).labels) - set(
            obj.seats.filter(is_live=True).values_list("label", flat=True)
        )
        told = f"Team {obj.number} ({who}) is {obj.state}."
        if missing:
            messages.warning(
                request, f"{told} Seat {' and '.join(sorted(missing))} is empty; fill it before the start."
            )
        else:
            messages.success(request, told)
        if "_addanother" in request.POST:
            return HttpResponseRedirect(f"{request.path}?tournament={obj.tournament_id}")
        if "_continue" in request.POST:
            return HttpResponseRedirect(reverse("admin:teams_team_change", args=[obj.pk]))
        return HttpResponseRedirect(
            f"{reverse('admin:teams_team_changelist')}?tournament_id={obj.tournament_id}"
        )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.names_view)
        return [path("names/<int:tournament_id>/", view, name="teams_team_names"), *super().get_urls()]

    def names_view(self, request: HttpRequest, tournament_id: int) -> JsonResponse:
        """Known players of the tournament's store whose name contains ?q=."""
        tournament = registering_in(request.user).filter(pk=tournament_id).first()
        if tournament is None:
            raise Http404
        return JsonResponse({"names": suggestions(tournament.store_id, request.GET.get("q", "")[:140])})

    # --- the list --------------------------------------------------------------------------------

    def prepare(self, rows: list[Any]) -> None:
        words = teams_in_words(rows)
        for row in rows:
            row.in_words = words[row.pk]

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        return super().get_search_results(request, queryset, folded(search_term))

    @admin.display(description="team", ordering="name")
    def who(self, row: Any) -> SafeString:
        return row.in_words

    @admin.display(description="state", ordering="state")
    def shown_state(self, row: Team) -> SafeString:
        return chip(row.state)

    # --- now -------------------------------------------------------------------------------------

    def facts(self, request: HttpRequest, row: Team) -> list[tuple[str, Any]]:
        seated = {member.label: member for member in members_of([row.pk]).get(row.pk, ())}
        shown: list[tuple[str, Any]] = [("State", chip(row.state))]
        for label in modes.mode_of(row.tournament.mode).labels:
            member = seated.get(label)
            shown.append(
                (f"Seat {label}", format_html("{}{}", seat_mark(label), member.name if member else "empty"))
            )
        played = (
            Side.objects.filter(team=row, is_live=True).select_related("match", "round").order_by("round_id")
        )
        matches = format_html_join(
            ", ", "round {}: {}", ((side.round.number, page_of(side.match)) for side in played)
        )
        return [*shown, ("Tournament", page_of(row.tournament)), ("Matches", matches or "none yet")]

    def deeds(self, row: Team) -> list[Deed]:
        return team_deeds(row)


def team_deeds(team: Team) -> list[Deed]:
    """Every deed that makes sense for the team now."""
    runs = team.tournament.state in (TournamentState.REGISTRATION, TournamentState.RUNNING)
    if not runs:
        return []
    found = _seat_deeds(team) if team.state in BEFORE_PLAY else []
    if team.state in BEFORE_PLAY:
        found.append(
            Deed(
                "withdraw",
                "Withdraw",
                Can.REGISTER,
                _team_deed(withdraw_team, "{} is withdrawn."),
                "The team is out before it played and its members are free for another team.",
                is_grave=True,
            )
        )
    if team.state in (*BEFORE_PLAY, TeamState.PLAYING):
        says = "The team has a bye in that round, also when the round is paired again."
        found.append(Deed("grant-bye", "Grant a bye", Can.PAIR, _grant, says, form=ByeForm))
        if team.granted_byes.exists():
            says = "The team plays in that round after all; a draft of it is paired again."
            found.append(Deed("revoke-bye", "Take back a bye", Can.PAIR, _revoke, says, form=ByeBackForm))
    if team.state == TeamState.WITHDRAWN:
        says = "The same people are registered again, on the waiting list when the tournament is full."
        found.append(
            Deed("readmit", "Register again", Can.REGISTER, _team_deed(readmit_team, "{} is back."), says)
        )
    if team.state in (TeamState.DROPPED, TeamState.DISQUALIFIED):
        says = "The team plays on with its history; rounds it missed count by the tournament's policy."
        can = Can.DISQUALIFY if team.state == TeamState.DISQUALIFIED else Can.DROP
        found.append(Deed("reinstate", "Reinstate", can, _team_deed(reinstate_team, "{} plays again."), says))
    return [*found, *_leaving_deeds(team)]


def _seat_deeds(team: Team) -> list[Deed]:
    labels = modes.mode_of(team.tournament.mode).labels
    taken = set(team.seats.filter(is_live=True, is_reserve=False).values_list("label", flat=True))
    found = []
    if team.state == TeamState.REGISTERED:
        says = "The team is here."
        do = _team_deed(check_in_team, "{} is checked in.")
        found.append(Deed("check-in", "Check in", Can.REGISTER, do, says, is_next=taken == set(labels)))
    if taken != set(labels):
        says = "An incomplete team is never paired."
        found.append(
            Deed(
                "fill-seat", "Fill the empty seat", Can.REGISTER, _fill, says, form=FillSeatForm, is_next=True
            )
        )
    if taken == {"A", "B"} and not Side.objects.filter(team=team, is_live=True).exists():
        says = "A and B change places; from the first pairing on the seats are fixed."
        do = _team_deed(swap_seats, "{}: A and B have changed places.")
        found.append(Deed("swap-seats", "Swap A and B", Can.REGISTER, do, says))
    return found


def _leaving_deeds(team: Team) -> list[Deed]:
    found = []
    if team.state == TeamState.PLAYING:
        says = (
            "The whole team leaves and keeps its row in the standings. In a running match the opponent wins; "
            "games already won are kept."
        )
        found.append(Deed("drop", "Drop a player", Can.DROP, _drop, says, form=LeaveForm, is_grave=True))
    if team.state in (TeamState.PLAYING, TeamState.DROPPED, TeamState.REGISTERED, TeamState.CHECKED_IN):
        says = "The whole team is out of the ranking and has lost the match it is in; the others move up."
        found.append(
            Deed(
                "disqualify",
                "Disqualify a player",
                Can.DISQUALIFY,
                _disqualify,
                says,
                form=DisqualifyForm,
                is_grave=True,
            )
        )
    return found


def _team_deed(service: Any, done: str) -> Any:
    def do(asked: Asked) -> str:
        return done.format(service(team_id=asked.row.pk, actor=asked.actor))

    return do


@transaction.atomic
def _fill(asked: Asked) -> str:
    """A player typed as new exists only if he also sits."""
    player = player_named(asked.row.tournament.store_id, asked.answers["player"])
    label = asked.answers["label"]
    team = fill_seat(team_id=asked.row.pk, label=label, player_id=player.pk, actor=asked.actor)
    return f"{player.shown_name} sits on {label} of {team}."


def _grant(asked: Asked) -> str:
    team = grant_bye(team_id=asked.row.pk, actor=asked.actor, **asked.answers)
    return f"{team} has a bye in round {asked.answers['round_number']}."


def _revoke(asked: Asked) -> str:
    team = revoke_bye(team_id=asked.row.pk, actor=asked.actor, **asked.answers)
    return f"{team} has no bye in round {asked.answers['round_number']} any more."


def _drop(asked: Asked) -> str:
    return f"{_leave(drop_player, asked)} has dropped."


def _disqualify(asked: Asked) -> str:
    return f"{_leave(disqualify_player, asked)} is disqualified."


def _leave(service: Any, asked: Asked) -> Team:
    score, draws = asked.answers.get("score", ((), 0))
    left: Team = service(
        tournament_id=asked.row.tournament_id,
        player_id=asked.answers["player"],
        reason=asked.answers["reason"],
        score=score,
        draws=draws,
        actor=asked.actor,
    )
    return left


@admin.register(Seat)
class SeatAdmin(Records):
    tournament_path = "tournament"
    list_display = ("player", "label", "team", "tournament", "is_live")
    list_select_related = ("player", "team", "tournament")
    list_filter = (of_tournament("tournament"), "is_live", "label")
    search_fields = ("player__folded", "team__name")
    ordering = ("-tournament_id", "team__number", "label", "id")

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        return super().get_search_results(request, queryset, folded(search_term))


@admin.register(Decklist)
class DecklistAdmin(Records):
    """Deck lists: who handed one in and when. What is in it is read on the team's page at the desk."""

    tournament_path = "seat__tournament"
    list_display = ("__str__", "seat", "submitted_at", "locked_at")
    list_select_related = ("seat",)
    list_filter = (of_tournament("seat__tournament"),)
    readonly_fields = ("seat", "submitted_at", "locked_at")
    fields = readonly_fields
    ordering = ("-id",)


@admin.register(Link)
class LinkAdmin(Records):
    """Personal links: when made and revoked. The address itself, and even its hash, is shown to nobody."""

    tournament_path = "seat__tournament"
    list_display = ("player", "team", "made_at", "expires_at", "revoked_at")
    list_select_related = ("seat__player", "seat__team")
    list_filter = (of_tournament("seat__tournament"),)
    readonly_fields = ("seat", "player", "team", "made_at", "expires_at", "revoked_at")
    fields = readonly_fields
    ordering = ("-id",)

    @admin.display(description="player")
    def player(self, row: Link) -> str:
        return row.seat.player.shown_name

    @admin.display(description="team")
    def team(self, row: Link) -> str:
        return str(row.seat.team)
