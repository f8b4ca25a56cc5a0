"""Who is meant by a body: a player by id, by an id of another system, or a new one by name."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from integrations.api.fields import Body, Id, Words
from teams.models import Player, Team
from teams.people import add_player
from tournaments.models import Tournament

MEMBER = {"seat": "A", "name": "Anna Berg", "source": "shop", "external_id": "4711"}


class Address(serializers.EmailField):
    """An e-mail address; never a number."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"max_length": 254, **more})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class PersonBody(Body):
    """Either `player`, an id you know; or a name. With `source` and `external_id` the store's player of that
    id is found again and not doubled; without them the name is a new player."""

    player = Id(required=False, help_text="a player of the store")
    name = Words(max_length=120, required=False)
    display_name = Words(max_length=120, required=False, allow_blank=True, default="")
    source: Any = Words(
        max_length=40, required=False, allow_blank=True, default="", help_text="which system the id is of"
    )
    external_id = Words(max_length=80, required=False, allow_blank=True, default="")
    contact = Address(required=False, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("player" in attrs) == ("name" in attrs):
            raise ValidationError({"player": "Give the id of a player or a name, one of the two."})
        return attrs


class MemberBody(PersonBody):
    """Who sits on the seat."""

    seat = Words(max_length=1)


def person(store_id: int, said: Mapping[str, Any]) -> int:
    """The id of the store's player that is meant, made if need be; 400 for one of another store."""
    if "player" in said:
        if not Player.objects.filter(pk=said["player"], store_id=store_id, erased_at=None).exists():
            raise ValidationError({"player": "The store has no such player."})
        return int(said["player"])
    given = {key: said[key] for key in ("display_name", "source", "external_id", "contact")}
    return int(add_player(store_id=store_id, name=said["name"], **given).pk)


def own_teams(tournament: Tournament, ids: list[int], field: str = "teams") -> list[int]:
    """The ids, if they are teams of the tournament; 400 otherwise."""
    found = set(Team.objects.filter(tournament=tournament, pk__in=ids).values_list("pk", flat=True))
    strange = [pk for pk in ids if pk not in found]
    if strange:
        raise ValidationError({field: f"Team {strange[0]} is not in this tournament."})
    return ids
