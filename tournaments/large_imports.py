"""Files too large for one request: asked for by a person, entered by a worker, once, all of it or nothing.

What was asked for is a row. A worker asks for such rows every two seconds (`tournaments.imports`), locks one
and enters it in one transaction. If he dies all of it is gone, and the next one takes the row again. How far
it is stands in the cache: nobody sees into the transaction, and SQLite has one writer.
"""

import zlib
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.core.cache import cache
from django.db import transaction
from django.db.models import Q

from journal.actors import Actor, Door
from journal.clock import now
from journal.locks import lock_if_free, lock_one
from rulebook.errors import RuleBroken
from teams.models import User
from tournaments.file_import import import_tournament, read_file, rows_of
from tournaments.models import Upload
from tournaments.staff import Can, may
from tournaments.team_import import Told, check_plan, enter_upload, plan_of, refuse_asked

# So many rows are entered at once, in the request; a file with more of them by a worker. So is a tournament
# file of more bytes.
AT_ONCE = 200
BYTES_AT_ONCE = 1_000_000
# A worker who has not ended after that may be dead: another one tries to lock the row.
PATIENCE = timedelta(seconds=10)
MOST_TRIES = 5
GIVEN_UP = f"The import failed {MOST_TRIES} times. Send the list in smaller parts."
NOT_ANY_MORE = "Whoever asked for the import may not do it here any more."
PROGRESS_S = 600
# As `Upload.is_asked_for`, for the database.
ASKED_FOR = Q(asked_at__isnull=False, applied_at=None, error="")


def is_large(upload: Upload) -> bool:
    """A worker enters it."""
    return upload.rows > AT_ONCE


def ask_import(*, upload_id: int, actor: Actor, only_good: bool = False) -> Upload:
    """A worker enters the file, for whom he asks again whether he may; refused now if it could not be now."""
    looked_at = Upload.objects.select_related("tournament").filter(pk=upload_id).first()
    if looked_at is None:
        raise RuleBroken("not-found", "That file is gone; send it again.")
    refuse_asked(looked_at)
    plan = plan_of(looked_at)
    if looked_at.tournament is not None:
        check_plan(looked_at.tournament, plan, only_good=only_good)
    with transaction.atomic():
        upload = lock_one(Upload, upload_id)
        refuse_asked(upload)
        upload.asked_at, upload.claimed_at, upload.tries, upload.error = now(), None, 0, ""
        upload.asked_by, upload.asked_through, upload.only_good = actor.who, actor.door, only_good
        upload.save()
    return upload


def ask_tournament(*, store_id: int, user_id: int, name: str, text: str, actor: Actor) -> Upload:
    """A worker makes the tournament of the file for the store; the user is its organizer."""
    file = read_file(text)
    return Upload.objects.create(
        store_id=store_id,
        user_id=user_id,
        name=name[:200] or "file",
        body=zlib.compress(text.encode()),
        rows=rows_of(file),
        made_at=now(),
        asked_at=now(),
        asked_by=actor.who,
        asked_through=actor.door,
    )


@transaction.atomic
def take_back_import(*, upload_id: int) -> Upload:
    """No worker enters the file until somebody asks again; refused while one does."""
    upload = lock_if_free(Upload, upload_id)
    if upload is None:
        raise RuleBroken("import-under-way", "The file is being entered right now; wait until that is done.")
    if not upload.is_asked_for:
        raise RuleBroken("import-not-waiting", "That import does not wait any more; look what came of it.")
    upload.asked_at = upload.claimed_at = None
    upload.save(update_fields=["asked_at", "claimed_at"])
    return upload


def import_next() -> bool:
    """One file that waits, or whose worker may have died, is entered or refused; whether there was one. One
    query when idle."""
    at = now()
    free = Q(claimed_at=None) | Q(claimed_at__lte=at - PATIENCE) | Q(claimed_at__gte=at + PATIENCE)
    found = Upload.objects.filter(ASKED_FOR, free).order_by("asked_at").values_list("pk", flat=True).first()
    if found is None:
        return False
    do_import(upload_id=found)
    return True


def do_import(*, upload_id: int) -> None:
    """The file is entered in one deed of whoever asked, or refused with a sentence; nothing is done where
    somebody else does it. What fails otherwise is tried again after `PATIENCE`."""
    if not _claim(upload_id):
        return
    try:
        with transaction.atomic():
            upload = lock_one(Upload, upload_id)
            if not upload.is_asked_for:
                return
            _enter(upload)
    except RuleBroken as broken:
        if broken.code != "entered-meanwhile":
            _refuse(upload_id, broken.sentence)


def progress_of(upload: Upload) -> tuple[str, int, int] | None:
    """What is done to how many of the rows, and of how many; None where nothing is known of it."""
    found: tuple[str, int, int] | None = cache.get(_key(upload.pk))
    return found


def _enter(upload: Upload) -> None:
    if not _may_still(upload):
        raise RuleBroken("not-allowed", NOT_ANY_MORE)
    actor, told = Actor(upload.asked_by, Door(upload.asked_through)), partial(tell, upload.pk)
    try:
        if upload.store_id is None:
            enter_upload(upload, actor=actor, only_good=upload.only_good, told=told)
        else:
            _make_tournament(upload, upload.store_id, actor, told)
    finally:
        cache.delete(_key(upload.pk))


def _make_tournament(upload: Upload, store_id: int, actor: Actor, told: Told) -> None:
    upload.tournament = import_tournament(
        text=zlib.decompress(upload.body).decode(),
        store_id=store_id,
        organizer_id=upload.user_id,
        actor=actor,
        told=told,
    )
    upload.applied_at, upload.body = now(), b""
    upload.save(update_fields=["tournament", "applied_at", "body"])


@transaction.atomic
def _claim(upload_id: int) -> bool:
    """Nobody else begins with it for a while; whether it was free. After too many tries it is refused."""
    upload = lock_if_free(Upload, upload_id)
    at = now()
    if upload is None or not upload.is_asked_for:
        return False
    # A claim of long ago or of a time to come is nobody's: the clock was set back, or its worker is gone.
    if upload.claimed_at is not None and abs(at - upload.claimed_at) < PATIENCE:
        return False
    if upload.tries >= MOST_TRIES:
        upload.error = GIVEN_UP
        upload.save(update_fields=["error"])
        return False
    upload.claimed_at, upload.tries = at, upload.tries + 1
    upload.save(update_fields=["claimed_at", "tries"])
    return True


@transaction.atomic
def _refuse(upload_id: int, sentence: str) -> None:
    upload = lock_one(Upload, upload_id)
    if upload.is_asked_for:
        upload.error = sentence
        upload.save(update_fields=["error"])


def tell(upload_id: int, step: str, done: int, of: int) -> None:
    """Whoever asks is told so from now on."""
    cache.set(_key(upload_id), (step, done, of), PROGRESS_S)


def _key(upload_id: int) -> str:
    return f"tandem:import:{upload_id}"


def _may_still(upload: Upload) -> bool:
    """Whoever asked may enter teams now, or keeps the store for which he asked."""
    word, _, who = upload.asked_by.partition(":")
    if upload.tournament_id is None:
        user, store = upload.user, upload.store
        if user is None or store is None or not user.is_active:
            return False
        return user.is_superuser or user.stores.contains(store)
    return word in MAY_STILL and MAY_STILL[word](who, upload.tournament_id)


def _person_may(who: str, tournament_id: int) -> bool:
    user = User.objects.filter(pk=int(who)).first()
    return user is not None and may(user, tournament_id, Can.REGISTER)


# By the word with which the journal names them; other rooms add whom they let in.
MAY_STILL: dict[str, Callable[[str, int], bool]] = {"user": _person_may}
