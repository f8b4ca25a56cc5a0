"""/metrics: how the site does, for Prometheus. Counted per request, or read at the moment of asking."""

import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from secrets import compare_digest
from time import perf_counter

import redis
from django.conf import settings
from django.db.models import Count, F, Q
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily

from config.backups import backups
from config.streams import live_streams
from integrations.models import Delivery
from journal.actors import CLOCK
from journal.clock import now
from notices.models import Notice
from tournaments.heartbeat import last_tick
from tournaments.models import Step
from tournaments.schedule import open_at

log = logging.getLogger(__name__)

# A step is done by the next tick; what is older than this waits for somebody.
LATE = timedelta(seconds=5)
LATELY = timedelta(minutes=5)
# These wait for results and for the end of check-in, whatever their time.
WAIT_FOR_PEOPLE = (Step.Kind.CLOSE, Step.Kind.START_TOURNAMENT)
# Requests have a registry of their own, so that several processes are summed up and nothing else is.
own = CollectorRegistry()
REQUESTS = Histogram(
    "tandem_request_seconds",
    "Requests by method and status, and how long they took",
    ["method", "status"],
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
    registry=own,
)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Measured:
    """Every request is counted with its time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = self.get_response(request)
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, response.status_code).observe(perf_counter() - began)
        return response


@dataclass(frozen=True)
class Gauge:
    """A number, or one for each value of a label, that is read when somebody asks."""

    name: str
    help: str
    read: Callable[[], dict[str, float]]
    label: str = ""


def steps() -> dict[str, float]:
    """By state; of those that wait the ones that the clock should have done by now are told apart."""
    found = Step.objects.aggregate(
        waiting=Count("pk", filter=Q(state=Step.State.WAITING)),
        blocked=Count("pk", filter=Q(state=Step.State.BLOCKED)),
        missed=Count("pk", filter=Q(state=Step.State.MISSED)),
        done=Count("pk", filter=Q(state=Step.State.DONE, deed__actor=CLOCK.who)),
    )
    late = open_at(now() - LATE).filter(state=Step.State.WAITING).count()
    return {name: float(count) for name, count in {**found, "overdue": late}.items()}


def lateness() -> dict[str, float]:
    """Of what the clock did lately: how long after its time."""
    done = Step.objects.filter(state=Step.State.DONE, mode=Step.Mode.AUTOMATIC, deed__actor=CLOCK.who)
    timely = done.filter(due_at__gte=now() - 2 * LATELY, deed__at__gte=now() - LATELY, blocked_version=None)
    waits = timely.exclude(kind__in=WAIT_FOR_PEOPLE).annotate(at=F("deed__at"))
    seconds = [(at - due_at).total_seconds() for at, due_at in waits.values_list("at", "due_at")]
    return {"mean": sum(seconds) / len(seconds), "longest": max(seconds)} if seconds else {}


def queues() -> dict[str, float]:
    """Messages that no worker has taken yet."""
    broker = settings.CELERY_BROKER_URL
    if not broker.startswith("redis"):
        return {}
    with redis.Redis.from_url(broker, socket_timeout=1, socket_connect_timeout=1, retry=None) as client:
        return {queue.name: float(client.llen(queue.name)) for queue in settings.CELERY_TASK_QUEUES}


def tick_age() -> dict[str, float]:
    at = last_tick()
    return {"": (now() - at).total_seconds()} if at else {}


def waiting_to_be_sent() -> dict[str, float]:
    waiting = Delivery.objects.filter(state=Delivery.State.PENDING)
    notices = Notice.objects.filter(state=Notice.State.WAITING)
    return {"webhook": float(waiting.count()), "notice": float(notices.count())}


def failures() -> dict[str, float]:
    """What could not be sent: tried in vain and tried again, or given up."""
    webhooks = Delivery.objects.aggregate(
        retried=Count("pk", filter=Q(state=Delivery.State.PENDING, attempts__gt=0)),
        dead=Count("pk", filter=Q(state=Delivery.State.DEAD)),
    )
    return {"webhook-retried": float(webhooks["retried"]), "webhook-given-up": float(webhooks["dead"])}


def last_backup_age() -> dict[str, float]:
    made = backups()
    return {"": (now() - made[-1].at).total_seconds()} if made else {}


def streams() -> dict[str, float]:
    return {"": float(live_streams())}


# Whoever has something to say about itself adds a line.
GAUGES: list[Gauge] = [
    Gauge("tandem_live_streams", "Open event streams of all processes", streams),
    Gauge("tandem_steps", "Steps: done by the clock, waiting, overdue, blocked, missed", steps, "state"),
    Gauge("tandem_step_late_seconds", "How late the clock was in the last five minutes", lateness, "which"),
    Gauge("tandem_queue", "Messages of Celery that no worker has taken yet", queues, "queue"),
    Gauge("tandem_last_tick_age_seconds", "Since the clock last ticked; missing when it stands", tick_age),
    Gauge("tandem_waiting", "Webhooks and notices that wait to be sent", waiting_to_be_sent, "what"),
    Gauge("tandem_failed", "Webhooks that are tried again and that were given up", failures, "what"),
    Gauge("tandem_last_backup_age_seconds", "Since the newest backup was made", last_backup_age),
]


class Readings:
    """The gauges as a collector; one that cannot be read is left out, the others are told."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for gauge in GAUGES:
            family = GaugeMetricFamily(gauge.name, gauge.help, labels=[gauge.label] if gauge.label else None)
            try:
                for value, number in gauge.read().items():
                    family.add_metric([value] if gauge.label else [], number)
            except Exception:
                log.exception("%s cannot be read", gauge.name)
                continue
            yield family


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Everything that is measured, to whoever may ask."""
    if not may_ask(request):
        return HttpResponseForbidden(
            "Ask from this machine, or with the token of METRICS_TOKEN.\n", "text/plain"
        )
    counted = own
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        counted = CollectorRegistry()
        multiprocess.MultiProcessCollector(counted)
    read = CollectorRegistry()
    read.register(Readings())
    return HttpResponse(generate_latest(counted) + generate_latest(read), content_type=CONTENT_TYPE_LATEST)


def may_ask(request: HttpRequest) -> bool:
    """By the token where one is set; else only from this machine, past no proxy."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    if request.headers.get("X-Forwarded-For"):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


urlpatterns = [path("metrics", metrics, name="metrics")]
