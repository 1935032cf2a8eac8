"""The webhooks as an application of their own: their tables refer to events, and nothing refers to them."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    name = "games.webhooks"
    label = "webhooks"
    verbose_name = _("Webhooks")
