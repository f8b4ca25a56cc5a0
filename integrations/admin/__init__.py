"""The admin pages of store software: keys, webhooks, orders and prizes."""

from integrations.admin import keys, orders, prizes, webhooks

__all__ = ["keys", "orders", "prizes", "webhooks"]
