"""Works out what to tell: what a webhook knows about a table or an event, compared with how it stands now.

A webhook is told only what a spectator may know by now: a result as `games.results` makes it, and nothing
about a match that is shown late until it is over. Changes between two looks are told once, as of the second.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import translation

from games import confirming
from games.core import State, systems
from games.hall.models import Event, Pairing, Player, Round
from games.history.commits import UnreadableRow, reading
from games.match import delay, storage
from games.models import Match, Score
from games.results import result_of
from games.web import clock, one_moment
from games.webhooks.models import AGREED, FINISHED, ROUND, SCORE, TEST, Delivery, Knowledge, Webhook

MARGIN = timedelta(seconds=60)
"""How far each look reaches back before the last one: a tap may have been on its way, clocks may differ."""
DECIDED = (Pairing.State.AGREED, Pairing.State.ENTERED)

Message = tuple[str, dict[str, Any]]


def gather(webhook: Webhook, now: datetime) -> int:
    """Write down what has happened since the last look; how many messages that made."""
    # A look of the future was of a clock that has been set right since.
    since = min(webhook.looked_at, now) - MARGIN
    count = 0
    for match in _changed(webhook, since):
        with suppress(UnreadableRow), reading(match):
            count += _of_table(webhook, match)
    for event in _events(webhook).filter(changed_at__gte=since):
        with suppress(UnreadableRow), reading(event):
            count += _of_event(webhook, event)
    if count or abs(now - webhook.looked_at) > MARGIN / 2:
        Webhook.objects.filter(pk=webhook.pk).update(looked_at=now)
    return count


def test_message(webhook: Webhook, now: datetime) -> Delivery:
    """A message without content, to see whether it arrives."""
    return Delivery.objects.create(
        webhook=webhook, kind=TEST, body=body_of(TEST, {}, now), created_at=now, due_at=now
    )


def body_of(kind: str, data: dict[str, Any], now: datetime) -> str:
    """A message as it is sent: what happened, when it was noticed, and everything told about it."""
    message = {"type": kind, "timestamp": f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", "data": data}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def _keep(
    webhook: Webhook, knowledge: Knowledge, version: int, state: dict[str, Any], news: list[Message]
) -> int:
    """Record what is known now, with the messages about it; nothing if another process was first."""
    now = clock.now()
    with transaction.atomic():
        unchanged = Knowledge.objects.filter(pk=knowledge.pk, version=knowledge.version)
        if not unchanged.update(version=version, state=state):
            return 0
        made = [
            Delivery(
                webhook=webhook, kind=kind, code=knowledge.code, body=body_of(kind, data, now), due_at=now
            )
            for kind, data in news
            if webhook.wants(kind)
        ]
        Delivery.objects.bulk_create(made)
    return len(made)


def _known(webhook: Webhook, code: str, *, is_new: bool, stands: dict[str, Any]) -> Knowledge:
    """What is known so far: at first nothing, or how it stands now if it is older than the webhook."""
    nothing = {name: type(value)() for name, value in stands.items()}
    defaults = {"version": 0, "state": nothing if is_new else stands}
    knowledge, _made = Knowledge.objects.get_or_create(webhook=webhook, code=code, defaults=defaults)
    return knowledge


# --- tables ---------------------------------------------------------------------------------------


def _changed(webhook: Webhook, since: datetime) -> Iterator[Match]:
    """The tables about which a webhook may have to be told something: most taps give no points."""
    matches = list(_tables(webhook).filter(changed_at__gte=since))
    codes = [match.code for match in matches]
    by_code = {
        knowledge.code: knowledge for knowledge in Knowledge.objects.filter(webhook=webhook, code__in=codes)
    }
    points: dict[str, dict[str, int]] = {code: {} for code in codes}
    sums = Score.objects.filter(match__in=matches).values_list("match__code", "army__key")
    for code, seat, total in sums.annotate(total=Sum("points")):
        points[code] |= {seat: total} if total else {}
    for match in matches:
        before = by_code.get(match.code)
        is_same = before is not None and before.version == match.version
        if before is None or (not is_same and _may_be_news(match, before, points[match.code])):
            yield match


def _may_be_news(match: Match, knowledge: Knowledge, points: dict[str, int]) -> bool:
    return match.finished_at is not None or knowledge.state["finished"] or points != knowledge.state["points"]


def _tables(webhook: Webhook) -> QuerySet[Match]:
    installed = [game.slug for game in systems()]
    tables = Match.objects.filter(system__in=installed, is_demo=False, is_practice=False)
    if webhook.event is not None:
        return tables.filter(pairings__event=webhook.event).distinct()
    return tables.filter(is_listed=True)


def _of_table(webhook: Webhook, match: Match) -> int:
    with one_moment(), translation.override(settings.LANGUAGE_CODE):
        match = Match.objects.get(pk=match.pk)
        if Match.objects.filter(delay.LATE, pk=match.pk).exists():
            return 0
        position = storage.load(match).state
        result, pairing = result_of(match, position), _pairing_of(match)
        stands = _standing(match, result, position, is_paired=pairing is not None)
        data = {"result": result, **_event_data(pairing)}
    is_new = match.created_at >= webhook.created_at
    knowledge = _known(webhook, match.code, is_new=is_new, stands=stands)
    news = [(kind, data) for kind in _news(knowledge.state, stands)]
    return _keep(webhook, knowledge, match.version, stands, news)


def _standing(match: Match, result: dict[str, Any], position: State, *, is_paired: bool) -> dict[str, Any]:
    return {
        "points": {side["seat"]: side["points"] for side in result["sides"] if side["points"]},
        "finished": result["status"] == "finished",
        "agreed": result["status"] == "finished" and not is_paired and _is_agreed(match, position),
    }


def _is_agreed(match: Match, position: State) -> bool:
    """Whether everybody has confirmed every round that needs it."""
    rounds, seats = confirming.confirmable(position), frozenset(position.seats)
    confirmed = confirming.confirmed(match, position)
    return bool(rounds) and all(confirmed.get(number, frozenset()) >= seats for number in rounds)


def _news(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """What happened between two standings, in the order in which it is told."""
    scored = before["points"] != now["points"]
    if scored or (before["finished"] and not now["finished"]):
        yield SCORE
    if now["finished"] and (scored or not before["finished"]):
        yield FINISHED
    if now["agreed"] and (scored or not before["agreed"]):
        yield AGREED


# --- events ---------------------------------------------------------------------------------------


def _events(webhook: Webhook) -> QuerySet[Event]:
    if webhook.event is not None:
        return Event.objects.filter(pk=webhook.event.pk)
    return Event.objects.filter(is_listed=True, is_demo=False)


def _of_event(webhook: Webhook, event: Event) -> int:
    knowledge = Knowledge.objects.filter(webhook=webhook, code=event.code).first()
    if knowledge is not None and knowledge.version == event.version:
        return 0
    with one_moment():
        event = Event.objects.get(pk=event.pk)
        pairings = list(Pairing.objects.filter(event=event).order_by("pk").select_related("event"))
        opened = list(Round.objects.filter(event=event).exclude(state=Round.State.DRAFTED))
        names = dict(Player.objects.filter(event=event).values_list("key", "name"))
    decided = {row.key: row for row in pairings if row.state in DECIDED}
    results: dict[str, list[Any]] = {key: [row.results, row.winner] for key, row in decided.items()}
    stands = {"rounds": sorted(row.number for row in opened), "results": results}
    is_new = event.created_at >= webhook.created_at
    knowledge = knowledge or _known(webhook, event.code, is_new=is_new, stands=stands)
    before = knowledge.state
    news: list[Message] = [
        (ROUND, {"event": about(event), "round": _round(row, pairings, names), "result": None})
        for row in opened
        if row.number not in before["rounds"]
    ]
    news += [
        (AGREED, {"event": about(event), "pairing": _pairing(row, names), "result": None})
        for key, row in decided.items()
        if before["results"].get(key) != results[key]
    ]
    return _keep(webhook, knowledge, event.version, stands, news)


def about(event: Event) -> dict[str, Any]:
    return {"code": event.code, "name": event.name, "game": event.system}


def _pairing_of(match: Match) -> Pairing | None:
    return Pairing.objects.filter(match=match).select_related("event").first()


def _event_data(pairing: Pairing | None) -> dict[str, Any]:
    """The event of a table, and which of its pairings is played there."""
    if pairing is None:
        return {"event": None, "pairing": None}
    names = dict(Player.objects.filter(event=pairing.event).values_list("key", "name"))
    return {"event": about(pairing.event), "pairing": _pairing(pairing, names)}


def _round(event_round: Round, pairings: Iterable[Pairing], names: dict[str, str]) -> dict[str, Any]:
    own = [_pairing(pairing, names) for pairing in pairings if pairing.round == event_round.number]
    return {"number": event_round.number, "mode": event_round.mode, "pairings": own}


def _pairing(pairing: Pairing, names: dict[str, str]) -> dict[str, Any]:
    return {
        "key": pairing.key,
        "round": pairing.round,
        "table": pairing.table,
        "match": pairing.match_id,
        "state": pairing.state,
        "players": [
            {"key": key, "name": names.get(key, ""), "result": pairing.results.get(key)}
            for key in pairing.players
        ],
        "winner": pairing.winner or None,
    }
