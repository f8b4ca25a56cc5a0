"""Who wants to be told, and what was told to whom: once per person and round."""

from django.db import models


class Channel(models.TextChoices):
    MAIL = "mail", "e-mail"
    PUSH = "push", "push message"


class NoticeKind(models.TextChoices):
    TABLE = "table", "pairings and your table"
    START = "start", "round starts"
    TIME = "time", "time is called"
    JUDGE = "judge", "a judge is on the way"
    PLACE = "place", "a place came free"


class Agreement(models.Model):
    """The player of a seat has asked for e-mails of this tournament."""

    seat = models.OneToOneField("teams.Seat", models.PROTECT, related_name="mail_agreement")
    agreed_at = models.DateTimeField()
    language = models.CharField(max_length=12, default="en")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"e-mails for seat {self.seat_id}"


class Subscription(models.Model):
    """A browser that wants push messages for a seat; what it is reached by is told to nobody."""

    seat = models.ForeignKey("teams.Seat", models.PROTECT, related_name="subscriptions")
    endpoint = models.CharField(max_length=600)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    language = models.CharField(max_length=12, default="en")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["seat", "endpoint"], name="browser_once_per_seat"),
        ]

    def __str__(self) -> str:
        return f"a browser of seat {self.seat_id}"


class Notice(models.Model):
    """Something one person is told by one channel, at most once in a round, or once before the first one;
    worthless after `expires_at`."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENDING = "sending"
        SENT = "sent"
        EXPIRED = "expired"

    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="notices")
    round = models.ForeignKey(
        "tournaments.Round", models.PROTECT, null=True, blank=True, related_name="notices"
    )
    seat = models.ForeignKey("teams.Seat", models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=8, choices=NoticeKind.choices)
    channel = models.CharField(max_length=4, choices=Channel.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    table = models.PositiveIntegerField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(help_text="the next try")
    expires_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    why = models.CharField(max_length=200, blank=True, help_text="what the last try failed with")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "seat", "kind", "channel"], name="told_once_per_round"
            ),
            models.UniqueConstraint(
                fields=["tournament", "seat", "kind", "channel"],
                condition=models.Q(round=None),
                name="told_once_before_the_rounds",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="notice_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} by {self.channel} to seat {self.seat_id}"


class Reader(models.Model):
    """How far the journal of a tournament was read for notices."""

    tournament = models.OneToOneField("tournaments.Tournament", models.PROTECT, related_name="+")
    last = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.last}"
