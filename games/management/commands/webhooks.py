"""`manage.py webhooks`: gather and send now, as the server's own worker would."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.webhooks import worker
from games.webhooks.models import Delivery, Webhook


class Command(BaseCommand):
    help = "Tell webhooks what has happened: gather, send what is due, and forget what is old."

    def handle(self, *args: Any, **options: Any) -> None:
        worker.work()
        worker.purge(timezone.now())
        count = {state: Delivery.objects.filter(state=state).count() for state in Delivery.State.values}
        active = Webhook.objects.filter(is_active=True).count()
        self.stdout.write(
            f"{active} webhooks; messages: {count['sent']} sent, {count['waiting']} waiting, "
            f"{count['dead']} given up."
        )
