"""The live region of an event's page: what everybody sees, and above it a player's own card.

The common part is built once for each version and language, however many phones show it.
"""

from __future__ import annotations

from datetime import UTC, datetime

from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games import translation, view_models
from games.core.system import system
from games.hall import play
from games.hall.kept import Kept, gathering, mark_of
from games.hall.models import Event, Player
from games.hall.pages import ranking, rounds
from games.hall.pages.card import card_of
from games.hall.pages.own import Own
from games.hall.rules import drawing
from games.hall.rules.pieces import CLOSED, DRAFTED, OVER, PLANNED, Announcement, Gathering, Round
from games.live.hub import Audience
from games.pages.watching import watched
from games.templating import part
from games.view_models import hall as parts

LINES = 12
"""Lines of the standings below the pairings; the whole standings have a page of their own."""
ANNOUNCED = 3
"""How many announcements are shown."""
SHOWN: Kept[parts.HallNow] = Kept(64)
PLACES: Kept[dict[str, int]] = Kept(64)


def html(code: str, audience: Audience) -> str:
    """The live region of an event for an audience: that of one player ("p12") or of a spectator."""
    event = play.event_of(code)
    with translation.override_game(event.system, audience.language):
        player = (
            Player.objects.filter(event=event, pk=int(audience.seats[0][1:])).first()
            if audience.seats
            else None
        )
        return part("hall/region.html", region=region(event, player))


def region(event: Event, player: Player | None) -> parts.HallRegion:
    """The live region; words in the active language."""
    g, key, mark = gathering(event), (event.pk, get_language()), mark_of(event)
    shown = SHOWN.get(key, mark, lambda: happening(event))
    said = g.news()
    news = said.text if said is not None else shown.heading
    if player is None or player.key not in g.players:
        return parts.HallRegion(event.version, news, shown)
    places = PLACES.get(key, mark, lambda: ranking.places(g))
    own = Own(event.code, g, g.players[player.key], places)
    return parts.HallRegion(
        version=event.version, news=news, shown=shown, card=card_of(own), me=player.key, goes=own.goes
    )


def happening(event: Event) -> parts.HallNow:
    """What everybody sees."""
    g = gathering(event)
    found = rounds.shown(g)
    url = reverse("event-standings", args=[event.code])
    players = () if found else tuple(registered(g))
    return parts.HallNow(
        heading=heading(g),
        mode=rounds.mode_of(g, found.mode if found else g.mode),
        clock=rounds.clock_of(g, found),
        announcements=announcements(g),
        pairings_title=pairings_title(g, found) if found else "",
        pairings=rounds.rows(g, found.number) if found else (),
        standings=ranking.ranking(g, LINES, url),
        earlier=tuple(_earlier(event, g, found)),
        about=about(g),
        players=players,
        players_title=players_title(g),
    )


def heading(g: Gathering) -> str:
    """How far the event has got."""
    found = rounds.shown(g)
    if g.status == OVER:
        return _("The event is over")
    if g.last is not None and g.last.state == DRAFTED:
        return _("Round %(number)s is being prepared") % {"number": g.last.number}
    if found is None:
        return _("The event has not begun yet")
    name = rounds.name_of(g, found)
    return _("%(round)s is over") % {"round": name} if found.state == CLOSED else name


def pairings_title(g: Gathering, found: Round) -> str:
    """The heading of a round's pairings: its name, unless the whole page already has that as its heading."""
    name = rounds.name_of(g, found)
    return _("Pairings") if name == heading(g) else name


def about(g: Gathering) -> tuple[str, ...]:
    """The event in a few words."""
    game, most = system(g.system), drawing.rounds_in_all(g)
    facts = [_(game.title)]
    if most:
        facts.append(ngettext("%(count)d round", "%(count)d rounds", most) % {"count": most})
    if points := g.options.get("points"):
        facts.append(_(game.size_words[1]) % {"points": points})
    if g.is_league:
        facts.append(ngettext("%(count)d day a round", "%(count)d days a round", g.days) % {"count": g.days})
    elif g.minutes:
        lasting = {"minutes": g.minutes, "overtime": g.overtime}
        timed = (
            _("%(minutes)s minutes and %(overtime)s of overtime") if g.overtime else _("%(minutes)s minutes")
        )
        facts.append(timed % lasting)
    return tuple(facts)


def announcements(g: Gathering) -> tuple[parts.Announcement, ...]:
    """The newest announcements, newest first."""
    return tuple(map(_announced, g.announced()[:ANNOUNCED]))


def latest(g: Gathering) -> parts.Announcement | None:
    """The newest announcement; None once it is taken down."""
    found = g.news()
    return _announced(found) if found is not None else None


def _announced(one: Announcement) -> parts.Announcement:
    at = watched.instant(datetime.fromtimestamp(one.said_at, UTC))
    return parts.Announcement(one.text, one.author, at)


def players_title(g: Gathering) -> str:
    """How many players have registered, in words."""
    return ngettext("%(count)d player", "%(count)d players", len(g.players)) % {"count": len(g.players)}


def registered(g: Gathering) -> list[parts.Paired]:
    """Everybody who has registered and not left, and whether they are here."""
    ordered = sorted(g.players.values(), key=lambda one: one.order)
    here = {True: _("checked in"), False: ""}
    return [
        parts.Paired(one.key, one.name, one.club, here[one.checked_in and g.status == PLANNED])
        for one in ordered
        if one.dropped is None
    ]


def _earlier(event: Event, g: Gathering, found: Round | None) -> list[view_models.Link]:
    """Links to the results of the earlier rounds."""
    numbers = sorted(one.number for one in g.rounds.values() if one.state != DRAFTED)
    return [
        view_models.Link(
            reverse("event-round", args=[event.code, number]), rounds.name_of(g, g.rounds[str(number)])
        )
        for number in numbers
        if found is None or number != found.number
    ]
