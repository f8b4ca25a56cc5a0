"""What every page of the desk knows: the tournament, and what this person may do in it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from journal.actors import Actor, Door, user_actor
from journal.models import Head
from journal.recording import version_of
from teams.models import User
from tournaments.models import Staff, Tournament
from tournaments.pages.scenes import Scene, scene_of
from tournaments.staff import Can, powers_in, powers_of, served_by


@dataclass(frozen=True, slots=True)
class Desk:
    """A tournament as one of its staff sees it."""

    user: User
    tournament: Tournament
    powers: frozenset[Can]
    version: int | None = None

    @property
    def actor(self) -> Actor:
        return user_actor(self.user.pk, Door.DESK)

    def require(self, can: Can) -> None:
        """The person may do it; otherwise 403."""
        if can not in self.powers:
            raise PermissionDenied

    def scene(self) -> Scene:
        return scene_of(self.tournament)


DeskView = Callable[..., HttpResponse]


def staff_page(can: Can = Can.VIEW) -> Callable[[DeskView], DeskView]:
    """`view(request, desk, ...)` for staff of the tournament who may; a foreign tournament is 404."""

    def wrap(view: DeskView) -> DeskView:
        @login_required
        @wraps(view)
        def answer(request: HttpRequest, slug: str, **more: Any) -> HttpResponse:
            desk = desk_of(request, slug)
            desk.require(can)
            return view(request, desk, **more)

        answer.can = can  # type: ignore[attr-defined]
        return answer

    return wrap


def desk_of(request: HttpRequest, slug: str) -> Desk:
    """The desk of a tournament the signed-in person serves in; 404 for any other."""
    user = cast(User, request.user)
    served = served_by(user)
    if user.is_superuser:
        tournament = get_object_or_404(served.select_related("store"), slug=slug)
        return Desk(user, tournament, powers_of(user, tournament.pk))
    # The roles bring the tournament along: one query for what every page of the desk begins with.
    rows = Staff.objects.filter(user=user, tournament__in=served, tournament__slug=slug)
    newest = Head.objects.filter(tournament=OuterRef("tournament")).values("last")
    roles = list(rows.select_related("tournament__store").annotate(version=Subquery(newest)))
    if not roles:
        raise Http404
    return Desk(user, roles[0].tournament, powers_in(roles), roles[0].version)


def desk_page(
    request: HttpRequest, template: str, desk: Desk, *, tab: str, status: int = 200, **more: Any
) -> HttpResponse:
    """The page with what the frame of the desk needs."""
    context = {
        "desk": desk,
        "tournament": desk.tournament,
        "powers": {can.value.replace("-", "_"): True for can in desk.powers},
        "version": desk.version or version_of(desk.tournament.pk),
        "tab": tab,
        **more,
    }
    if "scene" not in context:
        context["scene"] = desk.scene()
    return render(request, template, context, status=status)
