"""Who wants to be told: a player asks, and takes it back."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from journal.clock import now
from notices.channels import is_push_service
from notices.models import Agreement, Subscription
from rulebook.errors import RuleBroken
from teams.models import Player, Seat

MOST_BROWSERS = 5


@transaction.atomic
def agree_to_mail(*, seat_id: int, language: str = "en") -> Agreement:
    """The player of the seat gets e-mails of this tournament."""
    contact = Player.objects.filter(seats=seat_id).values_list("contact", flat=True).first()
    if not is_mail_address(contact or ""):
        raise RuleBroken("no-mail-address", "The store has no e-mail address of yours; tell it to the desk.")
    made, _ = Agreement.objects.get_or_create(
        seat_id=seat_id, defaults={"agreed_at": now(), "language": language}
    )
    return made


def refuse_mail(*, seat_id: int) -> None:
    """The player of the seat gets no e-mails of this tournament."""
    Agreement.objects.filter(seat_id=seat_id).delete()


@transaction.atomic
def subscribe(*, seat_id: int, endpoint: str, p256dh: str, auth: str, language: str = "en") -> Subscription:
    """The browser gets push messages for the seat; the oldest of too many browsers gets them no more."""
    if not is_push_service(endpoint) or len(endpoint) > 600:
        raise RuleBroken("unknown-push-service", "This browser's push service is not known here.")
    if not (0 < len(p256dh) <= 120 and 0 < len(auth) <= 60):
        raise RuleBroken("bad-subscription", "The browser's keys could not be read; try again.")
    made, _ = Subscription.objects.update_or_create(
        seat_id=seat_id,
        endpoint=endpoint,
        defaults={"p256dh": p256dh, "auth": auth, "language": language, "made_at": now()},
    )
    kept = Subscription.objects.filter(seat_id=seat_id).order_by("-made_at", "-id")[:MOST_BROWSERS]
    Subscription.objects.filter(seat_id=seat_id).exclude(pk__in=[one.pk for one in kept]).delete()
    return made


def unsubscribe(*, seat_id: int, endpoint: str) -> None:
    """The browser gets no push messages for the seat."""
    Subscription.objects.filter(seat_id=seat_id, endpoint=endpoint).delete()


def is_mail_address(contact: str) -> bool:
    try:
        validate_email(contact)
    except ValidationError:
        return False
    return True


def wants_mail(seat: Seat) -> bool:
    return Agreement.objects.filter(seat=seat).exists()
