"""Who may act at an event: opening it, helpers, new links. Commands like those of `commands`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core import validation
from games.core.steps import IllegalAction
from games.core.words import Term, say
from games.core.words import gettext_noop as _
from games.hall import access, event_actions
from games.hall.event_actions import Actor, act
from games.hall.models import Event, Helper, Player
from games.hall.rules import entering
from games.hall.rules.pieces import Gathering
from games.history.verdict import Verdict


def open_event(
    values: Mapping[str, Any], name: str = "", opened_from: str = "", key: str = "", payload: str = ""
) -> tuple[Event, Helper]:
    """Open an event; returns it and the helper row of the organiser who opens it."""
    event = event_actions.open_event(values, Actor("", name), opened_from, key=key, payload=payload)
    return event, Helper.objects.create(event=event, role=Helper.Role.ORGANISER, name=name)


def appoint(code: str, actor: Actor, role: str, name: str, key: str = "") -> Verdict:
    """Add a helper with a link of their own; `made` is their number."""

    def change(g: Gathering) -> int:
        if role not in Helper.Role.values:
            raise IllegalAction(say(_("There is no such role.")))
        called = validation.clean_name(name)
        helper = Helper.objects.create(event=event_actions.event_of(code), role=role, name=called)
        g.say(_("%(name)s helps: %(role)s."), name=called, role=Term(role))
        return helper.pk

    return act(code, "appoint", change, actor, key=key, payload=f"{role} {name}")


def dismiss(code: str, actor: Actor, number: int, key: str = "") -> Verdict:
    """Revoke a helper's link, tokens and phones."""

    def change(g: Gathering) -> None:
        helper = Helper.objects.select_related("event").filter(event__code=code.upper(), pk=number).first()
        if helper is None:
            raise IllegalAction(say(_("There is no such helper.")))
        organisers = Helper.objects.filter(event=helper.event, role=Helper.Role.ORGANISER)
        if helper.role == Helper.Role.ORGANISER and organisers.count() < 2:
            raise IllegalAction(say(_("An event keeps at least one organiser.")))
        access.revoke(helper)
        helper.delete()
        g.say(_("%(name)s helps no longer."), name=helper.name)

    return act(code, "dismiss", change, actor, key=key, payload=str(number))


def new_link(code: str, actor: Actor, player: str, key: str = "") -> Verdict:
    """Give a player who lost their link or phone a new link, and revoke the old one."""

    def change(g: Gathering) -> None:
        name = entering.player_of(g, player).name
        access.revoke(Player.objects.select_related("event").get(event__code=code.upper(), key=player))
        g.say(_("%(name)s gets a new link."), name=name)

    return act(code, "new_link", change, actor, key=key, payload=player)
