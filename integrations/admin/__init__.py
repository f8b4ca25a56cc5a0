"""The admin pages of store software: webhooks, orders and prizes."""

from integrations.admin import orders, prizes, webhooks

__all__ = ["orders", "prizes", "webhooks"]
