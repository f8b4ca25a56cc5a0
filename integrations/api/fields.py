"""Fields that take exactly what the document says: no text for a number, no unknown name."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

LARGEST = 2**31 - 1
FIRST_YEAR, LAST_YEAR = 1970, 2200  # beyond, the clock of some venue cannot show it
LARGEST_ID = 2**53 - 1  # what every JSON reader holds exactly


class Words(serializers.CharField):
    """A string of at most `max_length` characters (300 unless told); never a number."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"max_length": 300, **more})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Number(serializers.IntegerField):
    """A whole number from 0 (unless told) to what a database holds; never a string or a truth value."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST, **more})

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Id(Number):
    """The id of a row."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": LARGEST_ID, **more})


class Flag(serializers.BooleanField):
    """True or false, no word for it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class One(serializers.ChoiceField):
    """One of the words; never a number that looks like one."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or (data == "" and not self.allow_blank):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class Moment(serializers.DateTimeField):
    """A moment with its offset, such as 2026-05-01T10:00:00Z."""

    default_error_messages = {
        "naive": "Say the offset too, for example 2026-05-01T10:00:00Z.",
        "far": f"Say a moment between the years {FIRST_YEAR} and {LAST_YEAR}.",
    }

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str):
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ssZ")
        if not (value.endswith(("Z", "z")) or "+" in value[10:] or "-" in value[10:]):
            self.fail("naive")
        try:
            moment = super().to_internal_value(value)
        except OverflowError:
            self.fail("overflow")
        if not FIRST_YEAR <= moment.year <= LAST_YEAR:
            self.fail("far")
        return moment


class Many(serializers.ListField):
    """A list, never a lone value; at most 5,000 entries unless told."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"max_length": 5000, **more})


class Body(serializers.Serializer[Any]):
    """What a deed is told. A name that is not in the document is refused."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                known = ", ".join(self.fields) or "none"
                raise serializers.ValidationError(
                    {
                        _readable(name): [serializers.ErrorDetail(f"Unknown; known are: {known}.", "unknown")]
                        for name in unknown[:20]
                    }
                )
        return super().to_internal_value(data)


def _readable(name: object) -> str:
    """The name as an answer can hold it."""
    return str(name)[:80].encode("utf-8", "backslashreplace").decode()


class Nothing(Body):
    """The address says it all."""


class Because(Body):
    """Why, for the journal."""

    reason = Words(required=False, allow_blank=True, default="", help_text="why, for the journal")


def ids(**more: Any) -> Many:
    """A list of ids."""
    return Many(child=Id(), **more)


def several(body: type[Body], **more: Any) -> Any:
    """A list of objects, each a body of that kind."""
    return body(many=True, **more)


def counts(what: str, **more: Any) -> Many:
    """A list of small numbers."""
    return Many(child=Number(max_value=99), max_length=12, help_text=what, **more)
