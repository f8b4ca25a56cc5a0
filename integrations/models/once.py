"""Requests that were answered once and are not done again."""

from django.db import models


class Once(models.Model):
    """The answer a caller had for one Idempotency-Key, written in the deed's own transaction."""

    caller = models.CharField(max_length=40, help_text="key:PREFIX or user:ID")
    key = models.CharField(max_length=100)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=300)
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = "answered request"
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["caller", "key"], name="once_per_caller_and_key")]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"
