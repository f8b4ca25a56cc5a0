"""Staff come by invitation, sign in with a second factor if they like, and lock out nobody but themselves."""

import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.test import Client

from journal.actors import COMMAND
from journal.clock import now
from journal.models import Deed
from rulebook.errors import RuleBroken
from teams.models import User
from tests.pages import halls
from tests.pages.test_public import text_of
from tournaments.invitations import accept_invitation, invite_staff, revoke_invitation, token_of
from tournaments.models import Invitation, Staff

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough secret"


def roles_of(user: User) -> list[str]:
    return list(Staff.objects.filter(user=user).values_list("role", flat=True))


def test_an_invitation_makes_an_account_and_gives_its_role_once() -> None:
    tournament = halls.registering(2)
    invitation = invite_staff(tournament_id=tournament.pk, role="judge", actor=COMMAND)
    token = token_of(invitation)
    visitor = Client()
    assert visitor.get("/accounts/signup/").status_code == 200
    assert not visitor.get("/accounts/signup/").context.get("form"), "sign-up is closed without an invitation"
    assert visitor.get(f"/join/{token}/").url == "/join/"
    page = visitor.get("/join/")
    assert "serve as judge" in text_of(page)
    assert token not in page.content.decode()
    assert visitor.post("/join/").status_code == 200, "without an account nothing is accepted"
    person = {"username": "newcomer", "email": "new@example.org"}
    person |= {"password1": PASSWORD, "password2": PASSWORD}
    assert visitor.post("/accounts/signup/", {**person, "next": "/join/"}).url == "/join/"
    user = User.objects.get(username="newcomer")
    assert (user.is_staff, roles_of(user)) == (False, [])
    assert visitor.post("/join/").url == f"/desk/{tournament.slug}/"
    user.refresh_from_db()
    assert (user.is_staff, user.is_superuser, roles_of(user)) == (True, False, ["judge"])
    deeds = Deed.objects.filter(tournament=tournament).order_by("-number")[:2]
    assert [(deed.kind, deed.actor) for deed in deeds] == [
        ("StaffAppointed", f"user:{user.pk}"),
        ("StaffInvited", "command"),
    ]
    assert token not in str(list(Deed.objects.values()))
    second = Client()
    second.get(f"/join/{token}/")
    assert "was used already" in text_of(second.get("/join/"))
    assert not second.get("/accounts/signup/").context.get("form")


def test_a_link_that_was_taken_back_or_has_expired_or_is_made_up_opens_nothing(signed_in: Any) -> None:
    tournament = halls.registering(2)
    taken, old = (invite_staff(tournament_id=tournament.pk, role="judge", actor=COMMAND) for _ in range(2))
    revoke_invitation(invitation_id=taken.pk, actor=COMMAND)
    Invitation.objects.filter(pk=old.pk).update(expires_at=now() - timedelta(minutes=1))
    client, user = signed_in(halls.person("anna")), halls.person("anna")
    for token, words in ((token_of(taken), "taken back"), (token_of(old), "expired"), ("x" * 40, "opens no")):
        client.get(f"/join/{token}/")
        answer = client.post("/join/")
        assert answer.status_code == 404
        assert words in text_of(answer)
    assert roles_of(user) == []


def test_who_has_the_role_already_leaves_the_link_to_somebody_else() -> None:
    tournament = halls.registering(2)
    judge = halls.person("judy", "judge", tournament)
    invitation = invite_staff(tournament_id=tournament.pk, role="judge", actor=COMMAND)
    with pytest.raises(RuleBroken, match="already"):
        accept_invitation(token=token_of(invitation), user_id=judge.pk, actor=COMMAND)
    invitation.refresh_from_db()
    assert invitation.used_at is None


def test_the_staff_page_shows_links_to_who_may_invite_and_roles_to_everybody(at_desk: Any) -> None:
    tournament = halls.registering(2)
    organizer, address = at_desk(tournament), f"/desk/{tournament.slug}/staff/"
    organizer.post(f"/desk/{tournament.slug}/do/invite/", {"role": "scorekeeper"})
    token = token_of(Invitation.objects.get())
    assert f"/join/{token}/" in organizer.get(address).content.decode()
    page = at_desk(tournament, "judge").get(address)
    assert token not in page.content.decode()
    assert "enter and confirm results" in text_of(page)
    organizer.post(
        f"/desk/{tournament.slug}/do/revoke-invitation/", {"invitation": Invitation.objects.get().pk}
    )
    assert token not in organizer.get(address).content.decode()
    told = organizer.post(
        f"/desk/{tournament.slug}/do/appoint/", {"login": "nobody", "role": "judge"}, follow=True
    )
    assert "send an invitation instead" in text_of(told)
    halls.person("otto")
    organizer.post(f"/desk/{tournament.slug}/do/appoint/", {"login": "OTTO", "role": "viewer"})
    assert roles_of(halls.person("otto")) == ["viewer"]
    row = Staff.objects.get(user__username="otto")
    organizer.post(f"/desk/{tournament.slug}/do/dismiss/", {"staff": row.pk})
    assert roles_of(halls.person("otto")) == []
    last = Staff.objects.get(tournament=tournament, role="organizer")
    told = organizer.post(f"/desk/{tournament.slug}/do/dismiss/", {"staff": last.pk}, follow=True)
    assert "Appoint another organizer" in text_of(told)


def sign_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post("/accounts/login/", {"login": name, "password": password})


def code_of(secret: str) -> str:
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))


def test_a_second_factor_is_asked_for_once_it_is_set_up_and_a_recovery_code_opens_too() -> None:
    user = User.objects.create_user("anna", "anna@example.org", PASSWORD)
    client = Client()
    assert sign_in(client, "anna").url == "/desk/"
    assert "/accounts/reauthenticate/" in client.get("/accounts/2fa/totp/activate/").url
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    form = client.get("/accounts/2fa/totp/activate/")
    assert form.status_code == 200
    secret = client.session["mfa.totp.secret"]
    assert client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)}).status_code == 302
    codes = client.get("/accounts/2fa/recovery-codes/")
    assert codes.status_code == 200
    recovery = user.authenticator_set.get(type="recovery_codes").wrap().get_unused_codes()
    assert len(recovery) == 10
    assert recovery[0] in codes.content.decode()

    other = Client()
    assert sign_in(other, "anna").url == "/accounts/2fa/authenticate/"
    assert other.get("/desk/").status_code == 302, "the password alone does not open the desk"
    wrong = other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert wrong.status_code == 200
    assert other.get("/desk/").status_code == 302
    assert other.post("/accounts/2fa/authenticate/", {"code": recovery[0]}).url == "/desk/"
    assert other.get("/desk/").status_code == 200


def test_second_factors_cannot_be_guessed_for_long() -> None:
    user = User.objects.create_user("anna", "anna@example.org", PASSWORD)
    totp.TOTP.activate(user, totp.generate_totp_secret())
    client = Client()
    sign_in(client, "anna")
    for guess in range(10):
        client.post("/accounts/2fa/authenticate/", {"code": f"{guess:06}"})
    told = client.post("/accounts/2fa/authenticate/", {"code": "123456"})
    assert "Too many" in text_of(told)


def test_a_typist_who_is_locked_out_is_told_so_and_the_hall_behind_his_address_works_on() -> None:
    """Many people sign in from one address within a minute, after one of them mistyped nine times."""
    for name in ("typist", *(f"judge{number}" for number in range(35))):
        User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    for _ in range(9):
        last = sign_in(Client(), "typist", "wrong")
    assert last.status_code == 429
    assert "Nobody else is locked out" in text_of(last)
    answers = {sign_in(Client(), f"judge{number}").status_code for number in range(35)}
    assert answers == {302}
