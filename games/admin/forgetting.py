"""Forgets what the admin's log says of rows that are gone: it repeats their names, and the reasons typed."""

from __future__ import annotations

from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

from games.hall.models import Announcement, Call, Event, Helper, Pairing, Player
from games.models import Army, Match, Objective, Score, Unit

PIECES: tuple[type[Model], ...] = (Army, Unit, Objective, Score, Player, Helper, Pairing, Call, Announcement)


def forget_the_gone() -> None:
    """Delete the lines about rows that no longer exist, except those that a table or an event was deleted."""
    models: tuple[type[Model], ...] = (Match, Event, *PIECES)
    for model in models:
        told = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        if model not in PIECES:
            told = told.exclude(action_flag=DELETION)
        named = {number for number in told.values_list("object_id", flat=True) if number}
        here = model._default_manager.filter(pk__in=named).values_list("pk", flat=True)
        told.filter(object_id__in=named - set(map(str, here))).delete()
