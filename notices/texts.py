"""What a notice says: tournament, round and table, nobody's name."""

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from notices.models import Notice, NoticeKind


@dataclass(frozen=True)
class Told:
    """One notice in words. `address` is the public page: a personal link is known by its hash alone."""

    title: str
    body: str
    address: str
    tag: str
    why: str

    def as_push(self) -> dict[str, str]:
        return {"title": self.title, "body": self.body, "url": self.address, "tag": self.tag}


def told_by(notice: Notice) -> Told:
    """The notice in the language that is switched on."""
    names = {"round": notice.round.number if notice.round else None, "table": notice.table}
    lines = {
        NoticeKind.TABLE: _("Round %(round)s: table %(table)s")
        if notice.table
        else _("Round %(round)s: you have a bye"),
        NoticeKind.START: _("Round %(round)s starts now, table %(table)s")
        if notice.table
        else _("Round %(round)s starts now"),
        NoticeKind.TIME: _("Round %(round)s: time is called"),
        NoticeKind.JUDGE: _("A judge comes to table %(table)s"),
        NoticeKind.PLACE: _("You have a place now"),
    }
    name = notice.tournament.name
    why = _("You asked for these messages on your page of this tournament, where you can end them.")
    if notice.kind == NoticeKind.PLACE:
        why = _("Your team was on the waiting list. If you cannot come, tell the store: others wait.")
    return Told(
        title=lines[NoticeKind(notice.kind)] % names,
        body=name,
        address=settings.SITE_URL + reverse("tournament", args=[notice.tournament.slug]),
        tag=f"{notice.tournament_id}-{notice.round_id}-{notice.kind}",
        why=why,
    )
