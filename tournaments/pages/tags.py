"""The marks and figures every template may use."""

import secrets
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

from django import template
from django.conf import settings
from django.template import loader
from django.utils.dateformat import format as date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext

from journal.clock import now
from rulebook.tiebreakers import TIEBREAKERS
from teams.selectors import Member, TeamCard
from tournaments.announcements import shown_announcements
from tournaments.models import Tournament
from tournaments.pages.kept import Kept
from tournaments.pages.paper import size_on_card, size_on_slip
from tournaments.pages.said import said as in_language
from tournaments.pages.seating_plan import plan_of
from tournaments.pages.sheets import TableRow

register = template.Library()


@register.filter
def said(text: object) -> str:
    """A sentence of the rules or of a service in the language of the page."""
    return in_language(str(text)) if text else ""


@register.filter
def said_all(texts: Iterable[object]) -> list[str]:
    """Each of the sentences in the language of the page."""
    return [in_language(str(text)) for text in texts]


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """Code and own name of every language the pages speak."""
    return list(settings.LANGUAGES)


# One drawing for each thing, used everywhere.
DRAWINGS = {
    "bye": ("Bye", '<circle cx="12" cy="12" r="9" stroke-dasharray="4 3.4"/>'),
    "out": ("Out", '<path d="M4 4h9v16H4zM17 8l4 4-4 4M21 12H10"/>'),
    "dispute": ("Disputed", '<path d="M12 3 22 21H2zM12 10v5M12 18v.1"/>'),
    "starts": ("Starts", '<path class="flag" d="M6 3v18M6 4h12l-3 4 3 4H6"/>'),
    "incomplete": ("Incomplete", '<path d="M12 5v14M5 12h14" stroke-dasharray="3 3"/>'),
}
SHAPES = {"A": "a", "B": "b", "C": "c"}
STATE_WORDS = {
    "paired": "draft",
    "published": "published",
    "closed": "closed",
    "registration": "registration open",
    "checked-in": "checked in",
    "waitlisted": "waiting list",
    "confirmed": "in",
    "open": "playing",
}


@register.simple_tag
def seat(label: str, side: int | str | None = None) -> SafeString:
    """The mark of a seat: a letter in its own shape, with the side's number before it at a table."""
    kind = SHAPES.get(label, "a")
    if not side:
        return format_html('<span class="seat seat-{}">{}</span>', kind, label)
    return format_html('<span class="seat seat-{} seat-pair">{}{}</span>', kind, side, label)


@register.simple_tag
def deed_id() -> SafeString:
    """The field by which a form acts once, however often it is sent."""
    return format_html('<input type="hidden" name="deed" value="{}">', secrets.token_urlsafe(12))


@register.simple_tag
def mark(name: str, *, silent: bool = False) -> SafeString:
    """The drawing of a bye, a team that is out, a dispute or a start; silent when a word stands beside it."""
    title, drawing = DRAWINGS[name]
    label = (
        mark_safe('aria-hidden="true"')
        if silent
        else format_html('role="img" aria-label="{}"', in_language(title))
    )
    return format_html('<svg class="mark" viewBox="0 0 24 24" {}>{}</svg>', label, mark_safe(drawing))


_rows: Kept[tuple[object, ...], SafeString] = Kept(10_000)
_same_rows: Kept[tuple[object, ...], tuple[object, SafeString]] = Kept(10_000)


@register.simple_tag(takes_context=True)
def kept_row(context: template.Context, name: str, row: Hashable, **more: Hashable) -> SafeString:
    """The row of a list as the template of this name draws it, which knows `row`, the tournament, the labels
    of the scene and what else is told here; drawn once for rows that are equal."""
    tournament, scene = context["tournament"], context["scene"]
    told = (name, get_language(), tournament.slug, scene.labels, *sorted(more.items()))
    # The very row of a moment ago, which a sheet keeps: to hash all it holds would cost more than the rest.
    seen = _same_rows.get((id(row), *told))
    if seen is not None and seen[0] is row:
        return seen[1]
    found = _rows.get((row, *told))
    if found is None:
        own = {"row": row, "tournament": tournament, "scene": {"labels": scene.labels}, **more}
        found = _rows.put((row, *told), loader.render_to_string(name, own))
    return _same_rows.put((id(row), *told), (row, found))[1]


@register.simple_tag
def slip_size(card: TeamCard, sides: int) -> str:
    """The class of a team's part of a slip: how small its names are written."""
    names = [name for name in (card.name, *(member.name for member in card.members)) if name]
    return size_on_slip(names, sides)


@register.simple_tag
def card_size(card: TeamCard, member: Member) -> str:
    """The class of somebody's card: how small the names on it are written."""
    others = [other.name for other in card.members if other.label != member.label]
    return size_on_card([member.name, *([card.name] if card.name else others)])


@register.filter
def has(found: Container[object], one: object) -> bool:
    """Whether it is among them; there may be none."""
    return bool(found) and one in found


@register.filter
def nth(words: Sequence[object], index: int) -> object:
    """What stands at the index; nothing where there are none."""
    return words[index] if words else ""


@register.filter
def of(known: Mapping[int, object], key: int) -> object:
    """What the mapping has for the key, nothing where it has none."""
    return known.get(key, "") if known else ""


@register.inclusion_tag("_seating.html")
def seating(row: TableRow, boards: Sequence[str]) -> dict[str, object]:
    """The table seen from above: every chair with its side, its label and who sits there."""
    return {"plan": plan_of(row, boards)}


@register.filter
def state_word(state: str) -> str:
    """A state as it is said to people."""
    return in_language(STATE_WORDS.get(str(state), str(state).replace("-", " ")))


@register.filter
def out_word(state: str) -> str:
    """The state of a team as the public may know it: "out" for dropped and disqualified alike."""
    return in_language("out") if state in ("dropped", "disqualified", "withdrawn") else state_word(state)


@register.filter
def points(value: str | Fraction) -> str:
    """Match points as people write them: 9 or 4.5."""
    exact = Fraction(value)
    return str(exact.numerator) if exact.denominator == 1 else decimal(exact, 1)


@register.simple_tag
def figure(key: str, value: str | Fraction) -> str:
    """A tiebreaker as its column shows it: shares in percent, other figures as they are, two places."""
    exact = Fraction(value)
    if TIEBREAKERS[key].is_share:
        return decimal(exact * 100, 2)
    return str(exact.numerator) if exact.denominator == 1 else decimal(exact, 2)


def decimal(value: Fraction, places: int) -> str:
    """The exact value rounded half up, without passing through a float."""
    scale = 10**places
    scaled = (abs(value) * scale * 2 + 1) // 2
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{scaled // scale}.{scaled % scale:0{places}d}"


@register.filter
def at_venue(moment: datetime | None, zone: str) -> str:
    """The time of day in the zone of the venue."""
    return moment.astimezone(ZoneInfo(zone)).strftime("%H:%M") if moment else ""


@register.filter
def when_at_venue(moment: datetime | None, zone: str) -> str:
    """The time of day at the venue, with its day when that is not today."""
    if moment is None:
        return ""
    there = ZoneInfo(zone)
    is_today = moment.astimezone(there).date() == now().astimezone(there).date()
    return at_venue(moment, zone) if is_today else day_at_venue(moment, zone)


@register.simple_tag
def later(moment: datetime | None, seconds: object) -> datetime | None:
    """The moment so many seconds later; the moment itself where nothing is known."""
    return moment + timedelta(seconds=seconds) if moment and isinstance(seconds, int) else moment


@register.filter
def minutes_text(seconds: object) -> str:
    """A length of time as a clock shows it: 29:05."""
    whole = int(seconds) if isinstance(seconds, int) else 0
    return f"{whole // 60}:{whole % 60:02d}"


@register.filter
def since(moment: datetime | None) -> str:
    """How long ago, in whole minutes and in words."""
    minutes = int((now() - moment).total_seconds() // 60) if moment else 0
    return "just now" if minutes < 1 else f"{minutes} minute{'' if minutes == 1 else 's'} ago"


@register.inclusion_tag("_announcements.html")
def announcements(tournament: Tournament) -> dict[str, object]:
    """What the desk says to everybody now."""
    return {"announcements": shown_announcements(tournament.pk)}


@register.filter
def day_at_venue(moment: datetime | None, zone: str) -> str:
    """Day and time in the zone of the venue."""
    if moment is None:
        return ""
    local = moment.astimezone(ZoneInfo(zone))
    # Translators: how Django writes a day and its time, https://docs.djangoproject.com/en/stable/ref/templates/builtins/#date
    return date_format(local, pgettext("format of a day with its time", "D j M Y, H:i"))


@register.simple_tag
def venue_time(moment: datetime | None, zone: str) -> SafeString:
    """Day and time on the clock of the venue with its zone written out; a page adds the visitor's own."""
    if moment is None:
        return mark_safe("")
    local = moment.astimezone(ZoneInfo(zone))
    return format_html(
        '<time datetime="{}" data-zone="{}">{} <span class="zone">{}</span></time>',
        local.isoformat(timespec="minutes"),
        zone,
        day_at_venue(moment, zone),
        zone.replace("_", " "),
    )
