"""People, and who sits where in a team."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from rulebook.lifecycle import TeamState


class User(AbstractUser):
    """A staff account; players need none."""


class Store(models.Model):
    """Who runs tournaments and knows players."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(unique=True)
    zone = models.CharField(max_length=64, default="UTC", help_text="time zone, e.g. Europe/Berlin")
    keepers = models.ManyToManyField(
        User, blank=True, related_name="stores", help_text="may run tournaments here"
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """A person known to one store; `folded` is the name as search and comparison see it."""

    store = models.ForeignKey(Store, models.PROTECT, related_name="players")
    name = models.CharField(max_length=120)
    display_name = models.CharField(max_length=120, blank=True, help_text="replaces the name in public")
    folded = models.CharField(max_length=120, editable=False, db_index=True)
    source = models.CharField(max_length=40, blank=True, help_text="which system the external id comes from")
    external_id = models.CharField(max_length=80, blank=True)
    contact = models.EmailField(blank=True)
    mark = models.CharField(
        max_length=40, blank=True, help_text="a town or club that tells this person from a namesake"
    )
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["folded", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["store", "source", "external_id"],
                condition=~Q(external_id=""),
                name="player_external_id_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_name(self) -> str:
        return self.display_name or self.name


class Team(models.Model):
    """Those who enter together: two players who sit as A and B, or a lone player."""

    State = TeamState

    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="teams")
    name = models.CharField(max_length=120, blank=True)
    number = models.PositiveIntegerField()
    lot = models.BigIntegerField(help_text="the last tiebreaker, drawn once from the tournament's seed")
    state = models.CharField(
        max_length=12, choices=[(s.value, s.value) for s in TeamState], default=TeamState.REGISTERED
    )
    entered_round = models.PositiveIntegerField(default=1)
    left_round = models.PositiveIntegerField(null=True, blank=True, help_text="the last round before it left")
    sits_out = models.PositiveIntegerField(null=True, blank=True, help_text="the round it announced to miss")
    group = models.CharField(
        max_length=60, blank=True, help_text="club or family whose teams should not meet"
    )
    seed = models.PositiveIntegerField(
        null=True, blank=True, help_text="rank before the start, 1 is best; for elimination without Swiss"
    )
    is_solo = models.BooleanField(
        default=False, help_text="a player who looks for a partner; joined with another solo into one team"
    )
    fixed_table = models.PositiveIntegerField(null=True, blank=True)
    registered_at = models.DateTimeField()

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="team_number_once"),
            models.UniqueConstraint(
                fields=["tournament", "fixed_table"],
                condition=Q(fixed_table__isnull=False)
                & ~Q(state__in=[TeamState.WITHDRAWN, TeamState.DROPPED, TeamState.DISQUALIFIED]),
                name="fixed_table_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"Team {self.number}"


class Seat(models.Model):
    """A labelled place of a team and who sits on it; a row that was replaced stays, not live."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="seats")
    tournament = models.ForeignKey("tournaments.Tournament", models.PROTECT, related_name="+")
    label = models.CharField(max_length=1)
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    is_live = models.BooleanField(default=True)
    is_reserve = models.BooleanField(default=False)

    class Meta:
        ordering = ["team_id", "label", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "label"], condition=Q(is_live=True, is_reserve=False), name="seat_label_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "player"], condition=Q(is_live=True), name="player_in_one_live_team"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_id}{self.label}"


class Decklist(models.Model):
    """What one seat plays: only its player and staff who may read lists see it."""

    seat = models.OneToOneField(Seat, models.PROTECT, related_name="decklist")
    body = models.TextField()
    submitted_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["seat_id"]

    def __str__(self) -> str:
        return f"deck list of seat {self.seat_id}"


class Link(models.Model):
    """A personal link to one seat: only the token's hash is kept, and it can be revoked."""

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"link of seat {self.seat_id}"
