"""Keys of store software: made, replaced, revoked, and recognised again."""

import re
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from integrations.models import ApiKey
from integrations.scopes import Scope
from journal.clock import now
from journal.locks import lock_one
from rulebook.errors import RuleBroken
from teams.models import Store
from teams.names import clean_name
from teams.tokens import hash_of
from tournaments.models import Tournament

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
# A secret as it stands in a header: the prefix names the key, the rest is random.
SECRET = re.compile(r"tdm_[a-z0-9]{8}_[A-Za-z0-9_-]{43}")
USED_AGAIN_AFTER = timedelta(minutes=1)


@transaction.atomic
def issue_key(
    *,
    store_id: int,
    name: str,
    scopes: Iterable[str],
    created_by: int | None = None,
    tournament_id: int | None = None,
    expires_at: datetime | None = None,
    replaces: ApiKey | None = None,
) -> tuple[ApiKey, str]:
    """There is one more key, and its secret, which nobody can show again."""
    store = lock_one(Store, store_id)
    asked = set(scopes)
    unknown = asked - set(Scope)
    if unknown:
        raise RuleBroken(
            "unknown-scope", f"There is no scope {sorted(unknown)[0]}. Choose from: {', '.join(Scope)}."
        )
    if not asked:
        raise RuleBroken("scope-missing", "Choose at least one thing the key may do.")
    if expires_at is not None and expires_at <= now():
        raise RuleBroken("expired-already", "Choose a moment in the future at which the key expires.")
    if tournament_id is not None and not Tournament.objects.filter(pk=tournament_id, store=store).exists():
        raise RuleBroken("unknown-tournament", f"{store.name} runs no such tournament.")
    prefix = "".join(secrets.choice(ALPHABET) for _ in range(8))
    secret = f"tdm_{prefix}_{secrets.token_urlsafe(32)}"
    key = ApiKey.objects.create(
        store=store,
        tournament_id=tournament_id,
        name=clean_name(name, "key name")[:80],
        prefix=prefix,
        hash=hash_of(secret),
        scopes=[scope.value for scope in Scope if scope in asked],
        created_by_id=created_by,
        created_at=now(),
        expires_at=expires_at,
        replaces=replaces,
    )
    return key, secret


@transaction.atomic
def rotate_key(*, key_id: int, overlap_hours: int = 24, created_by: int | None = None) -> tuple[ApiKey, str]:
    """A new key with the same powers; the old one works for `overlap_hours` more, then no longer."""
    old = lock_one(ApiKey, key_id)
    if not is_alive(old):
        raise RuleBroken("key-dead", "This key works no more; make a new one.")
    if ApiKey.objects.filter(replaces=old).exists():
        raise RuleBroken("key-replaced", "This key was replaced already; rotate the new one.")
    if not 0 <= overlap_hours <= 24 * 30:
        raise RuleBroken("wrong-overlap", "The old key may live on for 0 to 720 hours.")
    made = issue_key(
        store_id=old.store_id,
        name=old.name,
        scopes=old.scopes,
        created_by=created_by,
        tournament_id=old.tournament_id,
        expires_at=old.expires_at,
        replaces=old,
    )
    end = now() + timedelta(hours=overlap_hours)
    old.expires_at = min(end, old.expires_at) if old.expires_at else end
    old.save(update_fields=["expires_at"])
    return made


@transaction.atomic
def revoke_key(*, key_id: int) -> ApiKey:
    """The key opens nothing any more; revoking it twice changes nothing."""
    key = lock_one(ApiKey, key_id)
    if key.revoked_at is None:
        key.revoked_at = now()
        key.save(update_fields=["revoked_at"])
    return key


def key_behind(secret: str) -> ApiKey | None:
    """The living key of the secret; None for any other word."""
    if not SECRET.fullmatch(secret):
        return None
    key = ApiKey.objects.select_related("store").filter(prefix=secret[4:12]).first()
    if key is None or not secrets.compare_digest(key.hash, hash_of(secret)):
        return None
    return key if is_alive(key) else None


def mark_used(key: ApiKey) -> None:
    """The key's last use is known to the minute, with at most one write a minute."""
    at = now()
    stale = at - USED_AGAIN_AFTER
    if key.last_used_at is None or key.last_used_at <= stale:
        used_before = Q(last_used_at=None) | Q(last_used_at__lte=stale)
        ApiKey.objects.filter(used_before, pk=key.pk).update(last_used_at=at)


def is_alive(key: ApiKey) -> bool:
    """The key is neither revoked nor past its end."""
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > now())


def may_enter_teams(prefix: str, tournament_id: int) -> bool:
    """The key of that prefix lives, opens the tournament, and may enter teams there."""
    key = ApiKey.objects.filter(prefix=prefix).first()
    if key is None or not is_alive(key) or Scope.TEAMS_WRITE not in key.scopes:
        return False
    return tournaments_of_key(key).filter(pk=tournament_id).exists()


def tournaments_of_key(key: ApiKey) -> QuerySet[Tournament]:
    """The tournaments the key opens: those of its store, or the one it is bound to."""
    own = Tournament.objects.filter(store_id=key.store_id)
    return own.filter(pk=key.tournament_id) if key.tournament_id else own
