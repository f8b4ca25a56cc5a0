"""Who calls the API: a key, somebody signed in, or anybody."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from integrations.keys import tournaments_of_key
from integrations.models import ApiKey
from integrations.scopes import Scope
from journal.actors import Actor, Door, key_actor, user_actor
from teams.models import Store
from tournaments.models import Tournament
from tournaments.staff import Can, may, powers_of, served_by


class KeyUser(AnonymousUser):
    """What stands in for a person when a key calls: known, but no account."""

    def __init__(self, key: ApiKey) -> None:
        super().__init__()
        self.key = key

    @property
    def is_authenticated(self) -> Any:
        return True

    @property
    def is_anonymous(self) -> Any:
        return False

    def get_username(self) -> str:
        return f"key:{self.key.prefix}"


@dataclass(frozen=True, slots=True)
class Caller:
    """`user` is what DRF calls the user: an account, a `KeyUser`, or nobody."""

    user: Any

    @property
    def key(self) -> ApiKey | None:
        return self.user.key if isinstance(self.user, KeyUser) else None

    @property
    def is_known(self) -> bool:
        return bool(self.user.is_authenticated)

    @property
    def name(self) -> str:
        """As the journal writes it."""
        return f"key:{self.key.prefix}" if self.key else f"user:{self.user.pk}"

    @property
    def actor(self) -> Actor:
        return key_actor(self.key.prefix) if self.key else user_actor(self.user.pk, Door.API)

    def has(self, scope: Scope) -> bool:
        """The key has the scope; a person is asked for a `Can` instead."""
        return self.key is None or scope in self.key.scopes

    def may(self, tournament_id: int, scope: Scope, can: Can) -> bool:
        """The key has the scope and opens the tournament, or the person serves there and can."""
        if self.key is not None:
            return scope in self.key.scopes and self.own_tournaments().filter(pk=tournament_id).exists()
        return self.is_known and may(self.user, tournament_id, can)

    def own_tournaments(self) -> QuerySet[Tournament]:
        """Those the key opens or the person serves in."""
        return tournaments_of_key(self.key) if self.key else served_by(self.user)

    def own_stores(self) -> QuerySet[Store]:
        """The store of the key (none for a key of one tournament), or those the person keeps."""
        if self.key is not None:
            own = Store.objects.filter(pk=self.key.store_id)
            return own if self.key.tournament_id is None else own.none()
        if not self.is_known:
            return Store.objects.none()
        return Store.objects.all() if self.user.is_superuser else Store.objects.filter(keepers=self.user.pk)

    def powers(self, tournament_id: int) -> frozenset[Can]:
        """What a person may do in the tournament; nothing for a key, whose scopes are asked."""
        return frozenset() if self.key or not self.is_known else powers_of(self.user, tournament_id)
