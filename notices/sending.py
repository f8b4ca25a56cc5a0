"""Notices leave: claimed one by one, tried with growing pauses until they are worthless, never sent twice."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import translation

from journal.clock import now
from notices import channels
from notices.channels import IsGone, NotSent
from notices.models import Agreement, Channel, Notice, NoticeKind, Subscription
from notices.outbox import LIVE_ROUNDS, mail_languages
from notices.texts import Told, told_by
from rulebook.lifecycle import OVER
from tournaments.registration import TAKES_A_PLACE

log = logging.getLogger(__name__)

BATCH = 100
AT_ONCE = 8
FIRST_PAUSE_S = 5
LONGEST_PAUSE_S = 300
KEPT_DAYS = 30
State = Notice.State


@dataclass(frozen=True)
class Letter:
    """One call to the outside: a mail, or a message to one browser."""

    notice: Notice
    told: Told
    within_s: int
    address: str = ""
    browser: Subscription | None = None

    def sent(self) -> Exception | None:
        """What it failed with; it asks no database, so that many can leave at once."""
        try:
            if self.browser:
                channels.send_push(self.browser, self.told.as_push(), self.within_s)
            else:
                text = f"{self.told.body}\n\n{self.told.address}\n\n{self.told.why}\n"
                channels.send_mail(self.address, self.told.title, text)
        except Exception as error:
            return error
        return None


def send_due() -> int:
    """Every notice that is due has had a try; returns how many were sent. One query when none is due."""
    sent = 0
    while batch := _claimed():
        letters = _letters(batch)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            errors = list(pool.map(Letter.sent, letters))
        outcomes: dict[int, list[Exception | None]] = defaultdict(list)
        for letter, error in zip(letters, errors, strict=True):
            outcomes[letter.notice.pk].append(error)
            if letter.browser and isinstance(error, IsGone):
                letter.browser.delete()
        sent += sum(_settled(notice, outcomes[notice.pk]) for notice in batch)
    return sent


def _claimed() -> list[Notice]:
    """Notices to send, each of them by this worker alone.

    A worker that dies now leaves them unsent: better not told than told twice.
    """
    moment = now()
    waiting = Notice.objects.filter(state=State.WAITING, due_at__lte=moment).order_by("due_at", "id")
    rows = list(waiting.select_related("round", "tournament", "seat__player", "seat__team")[:BATCH])
    mine = []
    for notice in rows:
        is_worthless = notice.expires_at <= moment or not _still_says_something(notice)
        state = State.EXPIRED if is_worthless else State.SENDING
        if Notice.objects.filter(pk=notice.pk, state=State.WAITING).update(state=state) and not is_worthless:
            mine.append(notice)
    return mine if mine or not rows else _claimed()


def _still_says_something(notice: Notice) -> bool:
    """Its round goes on, or the team that got a place has it still."""
    if notice.round is None:
        return notice.seat.team.state in TAKES_A_PLACE
    return notice.round.state in LIVE_ROUNDS


def _letters(batch: Sequence[Notice]) -> list[Letter]:
    """The calls that the notices take: one for each mail, one for each browser of a person."""
    seats = {notice.seat_id for notice in batch}
    browsers: dict[int, list[Subscription]] = defaultdict(list)
    for browser in Subscription.objects.filter(seat__in=seats):
        browsers[browser.seat_id].append(browser)
    mails = [notice for notice in batch if notice.channel == Channel.MAIL]
    languages = {
        kind: mail_languages([notice.seat_id for notice in mails if notice.kind == kind], NoticeKind(kind))
        for kind in {notice.kind for notice in mails}
    }
    letters = []
    for notice in batch:
        within_s = int((notice.expires_at - now()).total_seconds())
        if notice.channel == Channel.PUSH:
            letters += [
                Letter(notice, _in(browser.language, notice), within_s, browser=browser)
                for browser in browsers[notice.seat_id]
            ]
        elif language := languages[notice.kind].get(notice.seat_id):
            letters.append(Letter(notice, _in(language, notice), within_s, notice.seat.player.contact))
    return letters


def _in(language: str, notice: Notice) -> Told:
    with translation.override(language):
        return told_by(notice)


def _settled(notice: Notice, errors: list[Exception | None]) -> bool:
    """Whether the person was reached, for which one browser is enough; if not, it is tried again while it is
    worth it."""
    notice.tries += 1
    failed = [error for error in errors if error is not None]
    if len(failed) < len(errors):
        notice.state, notice.why, notice.sent_at = State.SENT, "", now()
    elif again := [error for error in failed if not isinstance(error, IsGone)]:
        pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (notice.tries - 1))
        notice.due_at = now() + timedelta(seconds=pause)
        notice.state = State.WAITING if notice.due_at < notice.expires_at else State.EXPIRED
        notice.why = str(again[0])[:200] if isinstance(again[0], NotSent) else type(again[0]).__name__
        log.info("notice %s failed: %s", notice.pk, notice.why)
    else:
        notice.state, notice.why = State.EXPIRED, "not wanted any more"
    notice.save(update_fields=["tries", "state", "why", "due_at", "sent_at"])
    return notice.state == State.SENT


def forget_old() -> int:
    """Who wanted to be told in a tournament that is over, and what was told a month ago, is gone; returns how
    many rows."""
    over = Q(seat__tournament__state__in=OVER) | Q(seat__player__erased_at__isnull=False)
    rows = (
        Subscription.objects.filter(over),
        Agreement.objects.filter(over),
        Notice.objects.filter(expires_at__lt=now() - timedelta(days=KEPT_DAYS)),
    )
    return sum(found.delete()[0] for found in rows)
