"""Rows about software outside: one file for each topic."""

from integrations.models.keys import ApiKey
from integrations.models.once import Once
from integrations.models.orders import Order
from integrations.models.prizes import Payout, Prize
from integrations.models.webhooks import Delivery, Endpoint, Stream

__all__ = ["ApiKey", "Delivery", "Endpoint", "Once", "Order", "Payout", "Prize", "Stream"]
