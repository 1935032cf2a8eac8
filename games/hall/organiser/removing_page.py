"""Taking several players off an event's list at once, such as all who registered from one address."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from games import view_models
from games.core.validation import name_key
from games.hall.kept import gathering
from games.hall.models import Player as PlayerRow
from games.hall.organiser.access import Visit
from games.hall.organiser.pages import Made, page_url
from games.hall.rules.pieces import Gathering, Player
from games.view_models import organiser as parts


def removing(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The players who can be taken off, to be picked; those who were picked, to be looked at once more."""
    g = gathering(visit.event)
    free = _free(g)
    picked = set(sent.getlist("pick")) if isinstance(sent, QueryDict) else set()
    found = [one for one in free if one.key in picked]
    if request.method == "POST" and found:
        return _("Take them off the list?"), {"page": _looked_at(found)}
    page = parts.RemovingPage(
        hint=_(
            "A whole club, and everybody in the hall’s Wi-Fi, may have one address. Look at the names before"
            " you take anybody off."
        ),
        groups=tuple(_groups(visit, free, sent.get("with", ""))),
        picked=reverse("organise-picked", args=[visit.code]),
    )
    return _("Take several off the list"), {"page": page}


def _free(g: Gathering) -> list[Player]:
    """Those who have not been paired, by name."""
    paired = {key for pairing in g.pairings.values() for key in pairing.players}
    return sorted((one for one in g.players.values() if one.key not in paired), key=_name)


def _name(one: Player) -> str:
    return name_key(one.name)


def _looked_at(found: list[Player]) -> parts.RemovingPage:
    title = f"{_('Players')} · {len(found)}"
    return parts.RemovingPage(
        hint=_("Their places, their links and the lists that they handed in go. The history can undo it."),
        groups=(parts.PickGroup(title, tuple(_row(one, is_picked=True) for one in found)),),
        button=parts.Button("remove_picked", _("Take them off the list"), "danger"),
    )


def _groups(visit: Visit, free: list[Player], wanted: str) -> list[parts.PickGroup]:
    """The players by the address that they registered from, most first; picked if `wanted` is among them."""
    from_where = dict(PlayerRow.objects.filter(event=visit.event).values_list("key", "registered_from"))
    groups = defaultdict[str, list[Player]](list)
    for one in free:
        groups[from_where.get(one.key, "")].append(one)
    together = [found for address, found in groups.items() if address and len(found) > 1]
    made = [_of_one_address(visit, found, wanted) for found in sorted(together, key=len, reverse=True)]
    told = {one.key for found in together for one in found}
    rest = tuple(_row(one, is_picked=one.key == wanted) for one in free if one.key not in told)
    title = _("The others") if made else _("Players")
    return [*made, *([parts.PickGroup(title, rest)] if rest else [])]


def _of_one_address(visit: Visit, found: list[Player], wanted: str) -> parts.PickGroup:
    is_picked = wanted in {one.key for one in found}
    title = _("%(count)s registered from one address") % {"count": len(found)}
    url = f"{page_url(visit, 'removing')}?with={found[0].key}"
    link = None if is_picked else view_models.Link(url, _("Pick them all"), "check")
    return parts.PickGroup(title, tuple(_row(one, is_picked=is_picked) for one in found), link)


def _row(one: Player, *, is_picked: bool) -> parts.PickRow:
    detail = " · ".join(part for part in (one.club, one.faction) if part)
    return parts.PickRow(one.key, one.name, detail, is_picked)
