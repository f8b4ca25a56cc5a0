"""The shape of rows that are not told to everybody, and of what the hall knows besides its matches."""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from integrations.api.operations import Answer
from integrations.api.operations import Call as Called
from integrations.scopes import Scope
from journal.models import Deed
from matches.models import Call
from teams.models import Player
from tournaments.api.serializers import TeamReferenceSerializer
from tournaments.models import Announcement, DeckCheck, Invitation, Penalty, Staff, Stage


class StageSerializer(serializers.ModelSerializer[Stage]):
    """A part of the tournament with one way to pair."""

    tournament = serializers.SlugField(source="tournament.slug")
    policy = serializers.CharField(allow_blank=True, help_text="empty: the tournament's")

    class Meta:
        model = Stage
        fields = ["id", "tournament", "number", "method", "policy", "planned_rounds", "state"]
        read_only_fields = fields


class AnnouncementSerializer(serializers.ModelSerializer[Announcement]):
    """What is said to everybody until it is taken down."""

    class Meta:
        model = Announcement
        fields = ["id", "text", "made_at", "taken_down_at"]
        read_only_fields = fields


class CallSerializer(serializers.ModelSerializer[Call]):
    """Somebody at the table asks for a judge."""

    table = serializers.IntegerField(source="match.table", allow_null=True)
    team = serializers.IntegerField(source="side.team_id", allow_null=True, default=None)
    taken_by = serializers.CharField(source="taken_by.username", allow_null=True, default=None)

    class Meta:
        model = Call
        fields = [
            "id", "match", "table", "kind", "team", "note", "opened_at", "taken_by", "taken_at", "ended_at",
        ]  # fmt: skip
        read_only_fields = fields


class PenaltySerializer(serializers.ModelSerializer[Penalty]):
    """A recorded ruling; `is_owed` until it is taken at a table."""

    is_owed = serializers.SerializerMethodField()

    class Meta:
        model = Penalty
        fields = [
            "id", "team", "player", "match", "infraction", "level", "note", "given_at", "taken_back_at",
            "is_owed",
        ]  # fmt: skip
        read_only_fields = fields

    def get_is_owed(self, penalty: Penalty) -> bool:
        """A loss that is not yet taken at a match."""
        is_loss = penalty.level in (Penalty.Level.GAME_LOSS, Penalty.Level.MATCH_LOSS)
        return is_loss and penalty.match_id is None and penalty.taken_back_at is None


class DeckCheckSerializer(serializers.ModelSerializer[DeckCheck]):
    """A table picked by lot for a deck check; players do not see it."""

    table = serializers.IntegerField(source="match.table", allow_null=True)

    class Meta:
        model = DeckCheck
        fields = ["id", "round", "match", "table", "picked_at", "ended_at", "given_back_s"]
        read_only_fields = fields


class StaffSerializer(serializers.ModelSerializer[Staff]):
    """Who serves in which role."""

    username = serializers.CharField(source="user.username")

    class Meta:
        model = Staff
        fields = ["id", "username", "role"]
        read_only_fields = fields


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """A link by which somebody takes a role once; `path` is told only in the first answer."""

    path = serializers.CharField(allow_blank=True)

    class Meta:
        model = Invitation
        fields = ["id", "role", "expires_at", "revoked_at", "path"]
        read_only_fields = fields


class LinkSerializer(serializers.Serializer[Any]):
    """A personal link; `path` is told only in the first answer."""

    seat = serializers.IntegerField()
    path = serializers.CharField(allow_blank=True)


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """A person the store knows, as only staff see him; `contact` is empty where none is known or told."""

    contact = serializers.CharField(allow_blank=True)

    class Meta:
        model = Player
        fields = ["id", "name", "display_name", "source", "external_id", "contact"]
        read_only_fields = fields


class EnteredSerializer(serializers.Serializer[Any]):
    """A person who entered the tournament, and where he sits."""

    player = PlayerSerializer()
    team = TeamReferenceSerializer()
    seat = serializers.CharField()
    seat_id = serializers.IntegerField()
    is_live = serializers.BooleanField(help_text="false: the team left, or somebody else sits there now")


class DeedSerializer(serializers.ModelSerializer[Deed]):
    """A row of the journal; ids only, never names."""

    undoes = serializers.IntegerField(source="undoes.number", allow_null=True, default=None)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)

    class Meta:
        model = Deed
        fields = [
            "number", "kind", "at", "actor", "door", "subject", "before", "after", "reason", "undoes",
        ]  # fmt: skip
        read_only_fields = fields


class TeamSlotSerializer(serializers.Serializer[Any]):
    """A team stands in the place."""

    kind = serializers.ChoiceField(choices=["team"])
    team = TeamReferenceSerializer()
    seed = serializers.IntegerField(allow_null=True)


class ByeSlotSerializer(serializers.Serializer[Any]):
    """Nobody comes to this place."""

    kind = serializers.ChoiceField(choices=["bye"])


class UndecidedSlotSerializer(serializers.Serializer[Any]):
    """The team is not known yet; it is the `source` (seed, winner or loser) of `node`, or the seed `seed`."""

    kind = serializers.ChoiceField(choices=["undecided"])
    source: Any = serializers.ChoiceField(choices=["seed", "winner", "loser"])
    node = serializers.CharField(allow_blank=True)
    seed = serializers.IntegerField(allow_null=True)


SLOTS = PolymorphicProxySerializer(
    component_name="Slot",
    serializers={
        "team": TeamSlotSerializer,
        "bye": ByeSlotSerializer,
        "undecided": UndecidedSlotSerializer,
    },
    resource_type_field_name="kind",
    many=True,
)


@extend_schema_field(SLOTS)
class SlotsField(serializers.ListField):
    """Teams, byes and places to be decided, each an object of its own kind; never null."""

    child = serializers.DictField()


class NodeSerializer(serializers.Serializer[Any]):
    """One match of the bracket; `match` once it is paired."""

    key = serializers.CharField()
    round = serializers.IntegerField()
    match = serializers.IntegerField(allow_null=True)
    slots = SlotsField()


class BracketSerializer(serializers.Serializer[Any]):
    nodes = NodeSerializer(many=True)


class ChangedTableSerializer(serializers.Serializer[Any]):
    """A match that would be made; one team alone has a bye."""

    teams = serializers.ListField(child=serializers.IntegerField())
    table = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()


class RepairPlanSerializer(serializers.Serializer[Any]):
    """What a repair would change; apply it with this `version`."""

    version = serializers.IntegerField()
    is_empty = serializers.BooleanField()
    kept = serializers.ListField(child=serializers.IntegerField(), help_text="matches that stay")
    voided = serializers.ListField(child=serializers.IntegerField(), help_text="matches that are given up")
    made = ChangedTableSerializer(many=True)
    rematches = serializers.IntegerField()


def _told_player(player: Player, call: Called) -> Player:
    """The contact is for those who may read people."""
    if not call.caller.has(Scope.PEOPLE_READ):
        player.contact = ""
    return player


STAGE_TOLD = Answer(
    StageSerializer, lambda stage, call: Stage.objects.select_related("tournament").get(pk=stage.pk)
)
ANNOUNCEMENT_TOLD = Answer(AnnouncementSerializer, lambda made, call: made)
CALL_TOLD = Answer(
    CallSerializer,
    lambda made, call: Call.objects.select_related("match", "side", "taken_by").get(pk=made.pk),
)
PENALTY_TOLD = Answer(PenaltySerializer, lambda penalty, call: Penalty.objects.get(pk=penalty.pk))
PENALTIES_TOLD = Answer(PenaltySerializer, lambda given, call: list(given.penalties), many=True)
DECK_CHECK_TOLD = Answer(
    DeckCheckSerializer, lambda check, call: DeckCheck.objects.select_related("match").get(pk=check.pk)
)
DECK_CHECKS_TOLD = Answer(
    DeckCheckSerializer,
    lambda checks, call: list(
        DeckCheck.objects.filter(pk__in=[one.pk for one in checks]).select_related("match").order_by("id")
    ),
    many=True,
)
STAFF_TOLD = Answer(StaffSerializer, lambda staff, call: staff)
PLAYER_TOLD = Answer(PlayerSerializer, _told_player)
