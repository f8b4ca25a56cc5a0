"""The shape of what the API tells."""

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from rulebook.lifecycle import MatchKind, MatchState, RoundState
from rulebook.scoring import Outcome, ResultKind
from tournaments.api.facts import STATUSES
from tournaments.models import Round, Stage, Tournament
from tournaments.setting_up import EDITABLE

OPEN = "open"
# A scrapped one is told by the deed that scraps it alone.
ROUND_STATES = [state.value for state in RoundState]
MATCH_STATES = [state.value for state in MatchState if state is not MatchState.VOID]


TOLD_FIRST = (
    "slug",
    "name",
    "store",
    "mode",
    "edition",
    "level",
    "state",
    "policy",
    "best_of",
    "planned_rounds",
    "cut",
    "round_minutes",
    "capacity",
    "zone",
    "starts_at",
    "version",
    "places_taken",
    "waiting",
)


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament and its settings; `version` is the number of its newest deed, growing with each."""

    store = serializers.SlugField(source="store.slug")
    version = serializers.IntegerField()
    places_taken = serializers.IntegerField(help_text="teams with a place, of `capacity` (null: no limit)")
    waiting = serializers.IntegerField(help_text="teams on the waiting list")
    options = serializers.ListField(child=serializers.CharField())
    cut_policy = serializers.CharField(help_text="empty: by seed")
    cut_method = serializers.CharField(help_text="empty: as the mode says")
    pod_policy = serializers.CharField(help_text="empty: as the mode says")

    class Meta:
        model = Tournament
        fields = [*TOLD_FIRST, *sorted(EDITABLE.difference(TOLD_FIRST))]
        read_only_fields = fields


class RoundSerializer(serializers.ModelSerializer[Round]):
    """A round; times are UTC, the venue's zone is the tournament's."""

    tournament = serializers.SlugField(source="stage.tournament.slug")
    stage = serializers.IntegerField(source="stage.number")
    method = serializers.ChoiceField(source="stage.method", choices=Stage.Method.choices)
    state = serializers.ChoiceField(choices=ROUND_STATES)

    class Meta:
        model = Round
        fields = [
            "id",
            "tournament",
            "stage",
            "method",
            "number",
            "state",
            "published_at",
            "started_at",
            "ends_at",
            "time_called_at",
            "closed_at",
        ]
        read_only_fields = fields


class MemberSerializer(serializers.Serializer[object]):
    seat = serializers.CharField()
    player = serializers.IntegerField()
    name = serializers.CharField()


class TeamSerializer(serializers.Serializer[object]):
    """A team and who sits on which seat, by public names."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    is_complete = serializers.BooleanField()
    members = MemberSerializer(many=True)


class TeamReferenceSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()


class TeamSideSerializer(serializers.Serializer[object]):
    """A team at the table."""

    kind = serializers.ChoiceField(choices=["team"])
    team = TeamReferenceSerializer()
    wins = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=[*(o.value for o in Outcome), OPEN])


class ByeSideSerializer(serializers.Serializer[object]):
    """The other team plays nobody and scores by rule."""

    kind = serializers.ChoiceField(choices=["bye"])


class AssignedLossSideSerializer(serializers.Serializer[object]):
    """The other team missed the round and loses it by rule."""

    kind = serializers.ChoiceField(choices=["assigned-loss"])


SIDES = PolymorphicProxySerializer(
    component_name="Side",
    serializers={
        "team": TeamSideSerializer,
        "bye": ByeSideSerializer,
        "assigned-loss": AssignedLossSideSerializer,
    },
    resource_type_field_name="kind",
    many=True,
)


@extend_schema_field(SIDES)
class SidesField(serializers.ListField):
    """Teams, or one team and the explicit reason why it has no opponent; never null."""

    child = serializers.DictField()


class PairingSerializer(serializers.Serializer[object]):
    """A match of the round: who meets whom at which table, and the confirmed result."""

    id = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(choices=[kind.value for kind in MatchKind])
    state = serializers.ChoiceField(choices=MATCH_STATES)
    sides = SidesField()
    why = serializers.CharField(help_text="why these teams meet, or why this one has no opponent")
    draws = serializers.IntegerField(help_text="drawn games")
    result = serializers.ChoiceField(choices=[*(kind.value for kind in ResultKind), OPEN])


class TiebreakerSerializer(serializers.Serializer[object]):
    key = serializers.CharField()
    name = serializers.CharField()
    explanation = serializers.CharField()


class ExactSerializer(serializers.Serializer[object]):
    exact = serializers.CharField(help_text="a fraction such as 7/12")
    decimal = serializers.CharField(help_text="the same, to four places")


class FigureSerializer(ExactSerializer):
    key = serializers.CharField(help_text="the tiebreaker")


class RecordSerializer(serializers.Serializer[object]):
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    draws = serializers.IntegerField()
    played = serializers.IntegerField()
    byes = serializers.IntegerField()


class StandingSerializer(serializers.Serializer[object]):
    """One row; `rank` is shared by equals, `position` is the order, by lot among them."""

    rank = serializers.IntegerField()
    position = serializers.IntegerField()
    team = TeamReferenceSerializer()
    points = ExactSerializer()
    record = RecordSerializer()
    figures = FigureSerializer(many=True)


class StandingsSerializer(serializers.Serializer[object]):
    """The standings after a closed round; a correction makes a new version of them."""

    after_round = serializers.IntegerField()
    version = serializers.IntegerField()
    policy = serializers.CharField()
    policy_is_verified = serializers.BooleanField(help_text="false: a part of it is known at second hand")
    is_published = serializers.BooleanField(help_text="false: only staff see them")
    is_provisional = serializers.BooleanField(help_text="the next round is being played")
    tiebreakers = TiebreakerSerializer(many=True)
    rows = StandingSerializer(many=True)


class RoleSerializer(serializers.Serializer[object]):
    tournament = serializers.SlugField()
    role = serializers.CharField()


class KeySerializer(serializers.Serializer[object]):
    """The key that asks."""

    name = serializers.CharField()
    store = serializers.SlugField()
    tournament = serializers.SlugField(
        allow_null=True, help_text="the only one it opens; null: all of the store"
    )
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField(allow_null=True)


class MeSerializer(serializers.Serializer[object]):
    """Who asks: a person and where he serves, or a key and what it may do."""

    username = serializers.CharField()
    roles = RoleSerializer(many=True)
    key = KeySerializer(allow_null=True)
