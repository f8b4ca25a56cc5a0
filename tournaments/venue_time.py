"""Times as the clock on the venue's wall shows them, on nights when that clock is changed too."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from rulebook.errors import RuleBroken

QUARTER = timedelta(minutes=15)
FIRST_YEAR, LAST_YEAR = 2000, 2199


def moment_at(wall: datetime, zone: str) -> datetime:
    """The moment at which the venue's clock shows `wall`; of an hour that comes twice, the first.

    `RuleBroken("no-such-time")` for a time that the clock skips, with the next one that it shows, and for a
    year in which nothing is played."""
    if not FIRST_YEAR <= wall.year <= LAST_YEAR:
        raise RuleBroken(
            "no-such-time", f"{wall.year} is no year to play in; take one from {FIRST_YEAR} to {LAST_YEAR}."
        )
    moment = wall.replace(tzinfo=ZoneInfo(zone), fold=0)
    if _exists(moment):
        return moment
    later = wall
    while not _exists(later.replace(tzinfo=ZoneInfo(zone), fold=0)):
        later += QUARTER
    raise RuleBroken(
        "no-such-time",
        f"There is no {wall:%H:%M} on {wall.day} {wall:%B %Y} in {zone}: the clocks go forward that night. "
        f"Take {later:%H:%M}.",
        zone=zone,
    )


def comes_twice(moment: datetime) -> bool:
    """The clock of the moment's zone shows its time of day two times, since it is set back that night."""
    return moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset() and _exists(moment)


def _exists(moment: datetime) -> bool:
    there_and_back = moment.astimezone(UTC).astimezone(moment.tzinfo)
    return there_and_back.replace(tzinfo=None) == moment.replace(tzinfo=None)
