"""Every role tries every deed, page, admin address and API route: the table decides.

A foreign tournament is not there: each page is asked for one by the organizer, who has the most to say in his
own, and by the stranger, who serves in none, since a role elsewhere has no say there (`powers_of` tells each
role so). What is tried comes from the addresses and deeds themselves, so that a new one is tried too."""

from collections.abc import Iterator
from typing import Any
from unittest import mock

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.test import RequestFactory, TestCase
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

from config.admin_deeds import WithDeeds
from integrations.models import ApiKey, Endpoint, Once
from journal.clock import reset_clock
from journal.models import ClockSetting
from journal.recording import version_of
from teams.models import Player, Store, Team, User
from tests.admin.hall import Hall, full_hall
from tests.permissions.table import MAY, ROLES, WHO, client_of, everybody, is_allowed, row_named, rows_of
from tournaments.models import Tournament
from tournaments.pages import deeds
from tournaments.pages import urls as pages
from tournaments.pages.asked import DeskDeed
from tournaments.staff import Can, powers_of

# Values of an address that are no row of the hall.
VALUES = {
    "how": "drop",
    "deed": "pair",
    "after_round": 1,
    "stage": 1,
    "number": 1,
    "kind": "csv",
    "what": "pairings",
}
# Pages of the desk that are no page of one tournament: whoever is signed in has them.
FOR_EVERYBODY = {"desk-list", "desk-create", "desk-import-file", "desk-import-file-state"}
# Pages that ask for more than their decorator says.
ASKS_FOR_MORE = {"desk-leave": Can.DROP}
# Addresses that only take posts; they are tried with those below.
POSTED_ONLY = {"desk-codes"}
KEEPERS_ONLY = {"desk-clone"}
# What a page does when something is posted to it; any other page must take no post from a viewer.
POSTS = [
    ("desk", {"line": "1 2-0"}, Can.RESULTS),
    ("desk-teams", {"seat_A": "Anna"}, Can.REGISTER),
    ("desk-team", {"label": "A", "player": "Anna"}, Can.REGISTER),
    ("desk-leave", {}, Can.DROP),
    ("desk-settings", {}, Can.SETTINGS),
    ("desk-plan", {}, Can.SETTINGS),
]
# Rows that are changed in the admin through a form, and by whom; no other row is changed by anybody there.
CHANGES = {Tournament: Can.SETTINGS, Team: Can.REGISTER, Player: Can.REGISTER}
HOUSE = {Store, User, ClockSetting, ApiKey, Once, Endpoint}
# Addresses of the API whose rows are a store's: who serves in a tournament does not see them.
OF_A_STORE = ("/stores/", "/endpoints/")
# Who asks for what is another tournament's.
FOREIGN = ("stranger", "organizer")
WRITING = ("post", "put", "patch", "delete")


def desk_pages() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Name, the power it needs and the names in its address, of every page of one tournament's desk."""
    for pattern in pages.DESK:
        if pattern.name not in FOR_EVERYBODY and pattern.name != "deed":
            yield str(pattern.name), getattr(pattern.callback, "can", None), dict(pattern.pattern.converters)


def api_routes(*methods: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The path of every route below /api/ that takes one of the methods, with the names in it."""

    def takes(one: URLPattern) -> bool:
        return any(hasattr(getattr(one.callback, "view_class", None), method) for method in methods)

    def walk(found: Any, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for one in found.url_patterns:
            path = prefix + str(one.pattern)
            if isinstance(one, URLResolver):
                yield from walk(one, path)
            elif isinstance(one, URLPattern) and path.startswith("api/v") and takes(one):
                yield path, dict(one.pattern.converters)

    yield from walk(get_resolver(), "")


class TestEveryDoor(TestCase):
    north: Hall
    south: Hall
    people: dict[str, User | None]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.north, cls.south = full_hall("North"), full_hall("South")
        cls.people = everybody(cls.north)
        reset_clock()

    def setUp(self) -> None:
        self.clients = {who: client_of(user) for who, user in self.people.items()}

    def tearDown(self) -> None:
        reset_clock()

    def address(self, name: str, names: dict[str, Any], *, slug: str = "", of: Hall | None = None) -> str:
        hall = of or self.north
        given = {
            word: (slug or hall.tournament.slug)
            if word == "slug"
            else VALUES[word]
            if word in VALUES
            else row_named(word, hall)
            for word in names
        }
        if "team_id" in given and "player_id" in given:
            seat = Team.objects.get(pk=given["team_id"]).seats.order_by("-is_live", "-pk").first()
            assert seat is not None
            given["player_id"] = seat.player_id
        return reverse(name, kwargs=given)

    # --- the table -------------------------------------------------------------------------------

    def test_the_roles_have_what_the_table_says(self) -> None:
        assert set(MAY) == set(Can), "write a line into the table for what is new"
        for who, user in self.people.items():
            if user is not None:
                expected = {can for can in Can if is_allowed(who, can)}
                assert powers_of(user, self.north.tournament.pk) == expected, who
                if who != "superuser":
                    assert powers_of(user, self.south.tournament.pk) == set(), who

    # --- the desk --------------------------------------------------------------------------------

    def test_every_deed_of_the_desk_is_done_by_whom_the_table_allows_and_by_nobody_else(self) -> None:
        done: list[str] = []

        def stub(can: Can) -> DeskDeed:
            return DeskDeed(can, lambda desk, asked: done.append(desk.user.username) or "")  # type: ignore[func-returns-value]

        stubs = {key: stub(deed.can) for key, deed in deeds.DEEDS.items()}
        assert not [key for key, deed in stubs.items() if deed.can is Can.VIEW], "who only looks does nothing"
        with mock.patch.object(deeds, "DEEDS", stubs):
            for who in WHO:
                client = self.clients[who]
                unknown = client.post(reverse("deed", args=[self.north.tournament.slug, "no-deed"]))
                assert unknown.status_code == (302 if who == "anonymous" else 404)
                for key, deed in stubs.items():
                    done.clear()
                    status = self._post_to_view(who, reverse("deed", args=[self.north.tournament.slug, key]))
                    allowed = is_allowed(who, deed.can)
                    expected = 302 if allowed or who == "anonymous" else 404 if who == "stranger" else 403
                    assert status == expected, (who, key)
                    assert bool(done) == allowed, (who, key)
                if who not in ("anonymous", "superuser"):
                    foreign = reverse("deed", args=[self.south.tournament.slug, "pair"])
                    assert client.post(foreign).status_code == 404, who
                    assert not done or who in ROLES

    def _post_to_view(self, who: str, address: str, data: dict[str, str] | None = None) -> int:
        """What the view behind the address answers to a post of this person; no session is asked for."""
        request = RequestFactory().post(address, data)
        request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
        request.user = self.people[who] or AnonymousUser()
        request._messages = CookieStorage(request)  # type: ignore[attr-defined]
        view, args, names = resolve(address)
        try:
            return int(view(request, *args, **names).status_code)
        except Http404:
            return 404
        except PermissionDenied:
            return 403

    def test_every_page_of_the_desk_opens_for_whom_the_table_allows(self) -> None:
        for name, can, names in desk_pages():
            assert can is not None, f"{name} has no `staff_page`: nobody is asked who he is"
            if name in POSTED_ONLY:
                continue
            needed = ASKS_FOR_MORE.get(name, can)
            address = self.address(name, names)
            foreign = self.address(name, names, of=self.south)
            for who in WHO:
                client = self.clients[who]
                status = client.get(address).status_code
                allowed = is_allowed(who, needed) and (who == "superuser" or name not in KEEPERS_ONLY)
                if who == "anonymous":
                    assert status == 302, name
                elif who == "stranger":
                    assert status == 404, name
                elif allowed:
                    # A page about a row may have nothing to say about it in its state.
                    assert status in (200, 302, 405, *([404] if len(names) > 1 else [])), (name, who, status)
                else:
                    assert status == 403, (name, who, status)
                if who in FOREIGN:
                    assert client.get(foreign).status_code == 404, (name, who)

    def test_a_foreign_row_in_an_address_of_the_own_tournament_is_not_there(self) -> None:
        client = self.clients["organizer"]
        for name, _, names in desk_pages():
            if set(names) <= {"slug", *VALUES}:
                continue
            address = self.address(name, names, slug=self.north.tournament.slug, of=self.south)
            assert client.get(address).status_code in (404, 405), name
            assert client.post(address).status_code in (404, 405), name

    def test_what_is_posted_to_a_page_is_taken_from_whom_the_table_allows(self) -> None:
        known = {name: names for name, _, names in desk_pages()}
        for name, data, can in POSTS:
            address = self.address(name, known[name])
            for who in ROLES:
                if not is_allowed(who, can):
                    assert self.clients[who].post(address, data).status_code == 403, (name, who)
        before = version_of(self.north.tournament.pk)
        for who in ("anonymous", "stranger", "viewer"):
            client = self.clients[who]
            for name, names in known.items():
                status = client.post(self.address(name, names)).status_code
                expected = {"anonymous": (302, 405), "stranger": (404, 405)}.get(who, (403, 405))
                assert status in expected, (who, name, status)
        assert version_of(self.north.tournament.pk) == before

    def test_pages_for_the_public_are_there_once_the_tournament_is_announced(self) -> None:
        addresses = [
            self.address(str(pattern.name), dict(pattern.pattern.converters))
            for pattern in pages.PUBLIC
            if "slug" in pattern.pattern.converters
        ]
        seen = [self.clients["anonymous"].get(address).status_code for address in addresses]
        assert seen.count(200) > 6
        assert set(seen) <= {200, 302, 404}, "a page may have nothing to show in this state"
        Tournament.objects.update(announced_at=None)
        for address in addresses:
            assert self.clients["organizer"].get(address).status_code == 404, address

    # --- the admin -------------------------------------------------------------------------------

    def test_every_deed_of_the_admin_is_offered_to_whom_the_table_allows(self) -> None:
        tried = 0
        with mock.patch.object(WithDeeds, "_answer", return_value=HttpResponse()):
            for model, page in admin.site._registry.items():
                if not isinstance(page, WithDeeds) or model in HOUSE:
                    continue
                name = f"admin:{model._meta.app_label}_{model._meta.model_name}_deed"
                for row in rows_of(model, self.north).order_by("-pk")[:4]:
                    for deed in page.deeds(row):
                        tried += 1
                        for who in WHO:
                            self._try_deed(who, deed.can, reverse(name, args=[row.pk, deed.key]))
        assert tried > 20

    def _try_deed(self, who: str, can: Can, address: str) -> None:
        status = self.clients[who].get(address).status_code
        if who == "anonymous":
            assert status == 302, address
        elif who == "stranger":
            assert status in (403, 404), address
        elif is_allowed(who, can):
            assert status in (200, 302, 405), (who, address)
        else:
            assert status == 403, (who, address)

    def test_every_record_of_the_admin_is_scoped_to_the_tournaments_one_serves_in(self) -> None:
        for model, page in admin.site._registry.items():
            name = model._meta.label_lower.replace(".", "_")
            own, foreign = rows_of(model, self.north).first(), rows_of(model, self.south).first()
            for who in ("stranger", *ROLES):
                user = self.people[who]
                assert user is not None
                request = RequestFactory().get("/admin/")
                request.user = user
                client = self.clients[who]
                if model in HOUSE or own is None or who == "stranger":
                    listed = client.get(reverse(f"admin:{name}_changelist"))
                    assert listed.status_code == 403, (who, name)
                    continue
                shown = page.get_queryset(request)
                assert shown.filter(pk=own.pk).exists(), (who, name)
                assert not shown.filter(pk=foreign.pk).exists(), (who, name)
                if who in FOREIGN:
                    status = client.get(reverse(f"admin:{name}_change", args=[foreign.pk])).status_code
                    assert status == 404, (who, name)

    def test_records_are_changed_in_the_admin_by_whom_the_table_allows(self) -> None:
        for model in admin.site._registry:
            row = rows_of(model, self.north).order_by("-pk").first()
            if row is None:
                continue
            name = model._meta.label_lower.replace(".", "_")
            change, delete = (reverse(f"admin:{name}_{part}", args=[row.pk]) for part in ("change", "delete"))
            for who in ROLES:
                if model in CHANGES and is_allowed(who, CHANGES[model]):
                    assert self.clients[who].post(change, {}).status_code in (200, 302), (who, name)
                else:
                    assert self._post_to_view(who, change) == 403, (who, name)
                assert self._post_to_view(who, delete, {"post": "yes"}) == 403, (who, name)

    # --- the API ---------------------------------------------------------------------------------

    def test_a_tournament_that_is_not_announced_is_read_through_the_api_by_its_staff_alone(self) -> None:
        Tournament.objects.update(announced_at=None)
        tried = 0
        for path, names in api_routes("get"):
            if not names or "/rules/" in path:
                continue
            tried += 1
            own, foreign = (self._api_address(path, names, hall) for hall in (self.north, self.south))
            for who in WHO:
                client = self.clients[who]
                status = client.get(own).status_code
                if who in (*ROLES, "superuser") and not any(word in path for word in OF_A_STORE):
                    assert status in (200, 403, 405, 409), (who, own, status)
                elif who == "superuser":
                    assert status == 200, own
                else:
                    assert status in (401, 403, 404, 405), (who, own, status)
                if who in FOREIGN:
                    assert client.get(foreign).status_code in (401, 403, 404, 405), (who, foreign)
        assert tried >= 7

    def test_nothing_is_written_through_the_api_without_a_right_to_it(self) -> None:
        before = [version_of(hall.tournament.pk) for hall in (self.north, self.south)]
        tried = 0
        for method in WRITING:
            for path, names in api_routes(method):
                tried += 1
                address = self._api_address(path, names, self.north)
                for who in ("anonymous", "stranger", "viewer"):
                    answer = getattr(self.clients[who], method)(address, {}, content_type="application/json")
                    assert 400 <= answer.status_code < 500, (who, method, address)
        assert tried > 90
        assert before == [version_of(hall.tournament.pk) for hall in (self.north, self.south)]

    def _api_address(self, path: str, names: dict[str, Any], hall: Hall) -> str:
        """The route with the hall's rows; `rounds/<int:pk>` is one of its rounds."""
        parts: list[str] = []
        for part in path.split("/"):
            if "<" not in part:
                parts.append(part)
                continue
            word = part.strip("<>").rpartition(":")[2]
            if word == "slug" or word == "tournament":
                parts.append(hall.store.slug if parts[-1] == "stores" else hall.tournament.slug)
            elif word in ("pk", "id"):
                name = {"matches": "match", "penalties": "penalty"}.get(parts[-1], parts[-1].rstrip("s"))
                parts.append(str(row_named(name.replace("-", "_"), hall)))
            elif word in names and not word.endswith("_id"):
                parts.append("1")
            else:
                parts.append(str(row_named(word, hall)))
        return "/" + "/".join(parts)
