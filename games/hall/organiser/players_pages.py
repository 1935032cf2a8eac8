"""Players and teams on the organisers' pages: lists of them, one of them, removing, slips."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import get_language

from games.core import ViewModel, isolated, name_key
from games.hall import event_links
from games.hall.event_actions import position_of
from games.hall.models import ArmyList
from games.hall.models import Player as PlayerModel
from games.hall.organiser.organiser_page import AT_ONCE, Field, FieldForm, Made, Visit, known, page_url
from games.hall.organiser.overview import here_in_words
from games.hall.pages import team_matches
from games.hall.pages.name_order import by_surname
from games.hall.pages.rounds_and_standings import penalties_of
from games.hall.rules import challenges, registration, team_rounds
from games.hall.rules.event_state import (
    KNOCKOUT,
    LAST_TABLE,
    MOST_SEEDS,
    OVER,
    PLANNED,
    EventState,
    Player,
    Team,
)
from games.pages import filled
from games.translation import gettext as _
from games.view_models import Button, Link, Option
from games.web import picture_of


class ListRow(ViewModel):
    """One player or team in a list; `state` is a player's: "here", "away" or "left"."""

    key: str
    name: str
    detail: str
    url: str
    state: str = ""
    state_label: str = ""
    button: Button | None = None


class PickRow(ViewModel):
    """A player who can be picked to be taken off the list."""

    key: str
    name: str
    detail: str
    is_picked: bool = False


class PickGroup(ViewModel):
    """Players who registered from one address, with the link that picks them all; or the others."""

    title: str
    rows: tuple[PickRow, ...]
    all_of_them: Link | None = None


class SlipRow(ViewModel):
    """A paper slip for a player: their name and the QR code of their personal link."""

    name: str
    detail: str
    qr: str


def players(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The players, searched by name or club; adding one; checking everybody in."""
    g = position_of(visit.event)
    wanted = request.GET.get("q", "").strip()[:60]
    listed = _found(g, wanted)
    shown = listed if "all" in request.GET else listed[:AT_ONCE]
    staying = [player for player in g.players.values() if player.dropped is None]
    here = sum(map(g.is_here, staying))
    url = page_url(visit, "players")
    more = Link(f"{url}?all=1", _("Show all %(count)s") % {"count": len(listed)})
    is_planned = g.status == PLANNED
    may_add = visit.may("register") and registration.may_enter(g)
    club = _("Team") if g.team_size else _("Club")
    may_check_in = visit.may("check_in_all") and is_planned and here < len(staying)
    values = {
        "rows": tuple(
            _player_row(visit, g, player, "" if wanted or after is None else after.key)
            for player, after in zip_longest(shown, shown[1:])
        ),
        "counted": here_in_words(g, here, len(staying)),
        "search_url": url,
        "wanted": wanted,
        "more": more if len(shown) < len(listed) else None,
        "nobody": _("No one yet."),
        "adding": _adding(g, sent, club, is_late=not is_planned) if may_add else None,
        "all_here": Button("check_in_all", _("Check everyone in"), "", "check") if may_check_in else None,
        "ways": tuple(_ways(visit, is_planned=is_planned)),
    }
    return _("Player list"), values


def _found(g: EventState, wanted: str) -> list[Player]:
    """Those whose name or club holds what is wanted: who is not here yet first, who has left last."""
    key = name_key(wanted)
    players = (player for player in g.players.values() if key in name_key(player.name + player.club))
    return sorted(
        players, key=lambda player: (player.dropped is not None, player.checked_in, _in_order(player))
    )


def _ways(visit: Visit, *, is_planned: bool) -> Iterator[Link]:
    if visit.may("import"):
        if is_planned:
            yield Link(page_url(visit, "import"), _("Paste a list"), "list")
        yield Link(page_url(visit, "removing"), _("Take several off the list"), "close")
        yield Link(page_url(visit, "slips"), _("Print QR codes"), "share")


def _adding(g: EventState, sent: Mapping[str, Any], club: str, *, is_late: bool) -> FieldForm:
    fields = [
        Field("name", _("Player’s name"), value=sent.get("name", ""), most=40),
        Field("club", club, value=sent.get("club", ""), most=40),
        Field("faction", _("Faction"), value=sent.get("faction", ""), most=40),
        *division_field(g, sent.get("division", "")),
    ]
    if is_late:
        hows = {"loss": _("a loss"), "bye": _("losses, then one bye")}
        options = tuple(Option(value, label, value == sent.get("how")) for value, label in hows.items())
        fields.append(Field("how", _("Missed rounds count as"), "select", options=options))
    title = _("Add a late arrival") if is_late else _("Enter a player")
    button = Button("register", _("Enter player"), "", "plus")
    return FieldForm(tuple(fields), (button,), title, anchor="add")


def _player_row(visit: Visit, g: EventState, player: Player, following: str) -> ListRow:
    state = _state_of(g, player)
    button = None
    if state == "away" and visit.may("check_in") and registration.may_enter(g, player.key):
        button = Button(f"check_in {player.key} {following}".strip(), _("Check in"), "", "check")
    detail = " · ".join(part for part in (player.club, player.faction) if part)
    url = reverse("organise-player", args=[visit.code, player.key])
    return ListRow(
        key=player.key,
        name=player.name,
        detail=detail,
        url=url,
        state=state,
        state_label=_state_label(g, state),
        button=button,
    )


def _state_of(g: EventState, player: Player) -> str:
    """Where a player is: "left" (the event), "here" or "away"."""
    if player.dropped is not None:
        return "left"
    return "here" if g.is_here(player) else "away"


def _state_label(g: EventState, state: str) -> str:
    """Where a player is, in words; nobody is asked to be anywhere for a league."""
    if g.is_league and state == "here":
        return ""
    return {"left": _("dropped out"), "here": _("here"), "away": _("not here yet")}[state]


def player(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One player: correct, check in, drop; for organisers also the personal link."""
    g = position_of(visit.event)
    this_player = known(g.players, about)
    state = _state_of(g, this_player)
    link = _personal(request, visit, this_player) if visit.may("new_link") else ""
    may_hand_in = visit.may("hand_in") and registration.may_hand_in(g, this_player)
    values = {
        "name": this_player.name,
        "detail": " · ".join(
            part for part in (_state_label(g, state), this_player.club, this_player.faction) if part
        ),
        "forms": tuple(_forms(visit, g, this_player, sent)),
        "buttons": tuple(
            button
            for button in _player_buttons(g, this_player, state)
            if visit.may(ACTION_RIGHTS[button.do.split()[0]])
        ),
        "link": link,
        "qr": picture_of(link) if link else "",
        "history": tuple(_played_by(g, this_player)),
        "lists": _lists(visit, this_player) if visit.may("change") else (),
        "handing_in": Button(f"hand_in {about}", _("Hand in these lists")) if may_hand_in else None,
    }
    return this_player.name, values


def _lists(visit: Visit, player: Player) -> tuple[str, ...]:
    """The lists that a player has handed in: organisers may read them while others still wait."""
    texts = ArmyList.texts(visit.event, player.lists)
    return tuple(texts[fingerprint] for fingerprint in player.lists if fingerprint in texts)


def _forms(visit: Visit, g: EventState, player: Player, sent: Mapping[str, Any]) -> Iterator[FieldForm]:
    """What can be corrected of a player: who they are, their division, a table of their own, their seed."""
    if visit.may("amend"):
        labels = {
            "name": _("Player’s name"),
            "club": _("Team") if g.team_size else _("Club"),
            "faction": _("Faction"),
        }
        stands = {name: getattr(player, name) for name in labels}
        fields = (
            Field(name, label, value=sent.get(name, stands[name]), most=40) for name, label in labels.items()
        )
        yield _amending(f"amend {player.key}", fields, stands, sent)
    if visit.may("set_division") and g.divisions and not g.team_size:
        button = Button(f"set_division {player.key}", _("Set this division"))
        yield FieldForm(division_field(g, player.division), (button,))
    if visit.may("fix_table"):
        value, help = sent.get("table", str(player.table or "")), _("Empty: at any table")
        table = Field("table", _("Always at table"), "number", value, low=1, high=LAST_TABLE, help=help)
        yield FieldForm((table,), (Button(f"fix_table {player.key}", _("Keep this table")),))
    if visit.may("seed") and (g.kind == KNOCKOUT or g.is_ladder) and g.status == PLANNED:
        title = _("Starting place") if g.is_ladder else _("Knockout seed")
        value, help = (
            sent.get("seed", str(player.seed or "")),
            _("1 is the best. Leave empty for a random place."),
        )
        seed = Field("seed", title, "number", value, low=1, high=MOST_SEEDS, help=help)
        yield FieldForm((seed,), (Button(f"seed {player.key}", _("Seed")),))
    yield from _penalty(visit, g, player, sent)


def _penalty(
    visit: Visit, g: EventState, competitor: Player | Team, sent: Mapping[str, Any]
) -> Iterator[FieldForm]:
    """The form that gives a player or a team penalty points, with those that they have."""
    if visit.may("penalise") and g.status != OVER:
        stands = " · ".join(penalties_of(competitor))
        points = Field(
            "penalty", _("Points"), "number", sent.get("penalty", ""), low=1, high=registration.MOST_PENALTY
        )
        reason = Field("reason", _("Reason"), value=sent.get("reason", ""), most=80, help=stands)
        button = Button(f"penalise {competitor.key}", _("Give penalty points"))
        yield FieldForm((points, reason), (button,), _("Penalty points"), is_pair=True)


def _amending(
    do: str, fields: Iterable[Field], stands: Mapping[str, str], sent: Mapping[str, Any]
) -> FieldForm:
    """The form that corrects a player or a team, and says how it was filled at first."""
    shown = sent.get(filled.SHOWN) or filled.as_text(stands)
    return FieldForm(tuple(fields), (Button(do, _("Save"), "main"),), shown=shown)


def division_field(g: EventState, chosen: str) -> tuple[Field, ...]:
    """A choice of the event's divisions; nothing where it has none."""
    options = tuple(Option(division, division or "–", division == chosen) for division in ("", *g.divisions))
    return (Field("division", _("Division"), "select", options=options),) if g.divisions else ()


ACTION_RIGHTS = {
    "check_in": "check_in",
    "check_out": "check_in",
    "drop": "drop",
    "come_back": "come_back",
    "remove": "remove",
    "new_link": "new_link",
    "withdraw": "consent",
    "challenge": "challenge",
}


def _player_buttons(g: EventState, player: Player, state: str) -> Iterator[Button]:
    for other in challenges.may_challenge(g, player.key):
        label = _("Challenges %(name)s") % {"name": isolated(g.called(other))}
        yield Button(f"challenge {player.key} {other}", label)
    if g.status != OVER:
        yield from _coming_and_going(g, player, state)
    if not any(player.key in pairing.players for pairing in g.pairings.values()):
        yield Button(f"remove {player.key}", _("Take off the list"), "danger")
    if player.agrees or (g.is_rated and player.withdrew_at is None):
        yield Button(f"withdraw {player.key}", _("Take out of the ratings"), "quiet")
    yield Button(f"new_link {player.key}", _("New link (disables the old one)"), "quiet")


def _coming_and_going(g: EventState, player: Player, state: str) -> Iterator[Button]:
    may_enter = registration.may_enter(g, player.key)
    if state == "away" and may_enter:
        yield Button(f"check_in {player.key}", _("Check in"), "main", "check")
    if state == "here" and g.status == PLANNED and not g.is_league and registration.may_go(g, player):
        yield Button(f"check_out {player.key}", _("Cancel check-in"))
    if state == "left" and may_enter:
        yield Button(f"come_back {player.key}", _("Reinstate player"))
    elif state != "left" and registration.may_go(g, player):
        yield Button(f"drop {player.key}", _("Drop player"), "danger")


def _played_by(g: EventState, player: Player) -> Iterator[str]:
    for pairing in sorted(g.pairings.values(), key=lambda p: p.round):
        if player.key not in pairing.players:
            continue
        rivals = _(", ").join(g.called(key) for key in pairing.rivals(player.key) if key in g.players)
        score = ":".join(str(pairing.results.get(key, {}).get("vp", "–")) for key in pairing.players)
        values = {"number": pairing.round, "table": pairing.table or 0, "rivals": rivals}
        if pairing.is_bye:
            yield _("Round %(number)s: no opponent") % values
        else:
            line = _("Round %(number)s, table %(table)s: against %(rivals)s") % values
            yield f"{line} ({score})" if pairing.results else line


def _personal(request: HttpRequest, visit: Visit, player: Player) -> str:
    """A player's own link, as another device can open it."""
    row = PlayerModel.objects.filter(event=visit.event, key=player.key).first()
    return event_links.address_of(request, visit.event, row) if row is not None else ""


# --- teams -------------------------------------------------------------------------------------------


def teams(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The teams, and the form that registers another one."""
    g = position_of(visit.event)
    fields = (
        Field("name", _("Team name"), value=sent.get("name", ""), most=40),
        Field(
            "players",
            _("Players"),
            "area",
            value=sent.get("players", ""),
            help=_("One name per line, the captain first."),
        ),
        *division_field(g, sent.get("division", "")),
    )
    button = Button("register_team", _("Register this team"), "", "plus")
    may_add = visit.may("register_team") and g.status == PLANNED
    values = {
        "rows": tuple(
            _team_row(visit, g, team) for team in sorted(g.teams.values(), key=lambda team: team.order)
        ),
        "nobody": _("No teams yet."),
        "adding": FieldForm(fields, (button,), _("Register a team"), anchor="add") if may_add else None,
        "matches": tuple(_matches(visit, g)),
        "more": None,
        "ways": (),
    }
    return _("Teams"), values


def _matches(visit: Visit, g: EventState) -> Iterator[Link]:
    """The team matches of the newest round."""
    for match in g.matches_at(g.last.number) if g.last is not None else ():
        url = reverse("organise-match", args=[visit.code, match.key])
        parts = (team_rounds.in_words(g, match), team_matches.row(g, match).label)
        yield Link(url, " · ".join(filter(None, parts)), "people")


def _team_row(visit: Visit, g: EventState, team: Team) -> ListRow:
    people = [member for member in g.members(team.key) if member.dropped is None]
    here = sum(map(g.is_here, people))
    captain = g.players.get(g.captain_of(team.key))
    parts = (
        team.division,
        _("Captain: %(name)s") % {"name": captain.name} if captain else "",
        _("%(here)s of %(all)s checked in") % {"here": here, "all": len(people)},
    )
    may_check_in = g.status == PLANNED and here < len(people) and visit.may("check_in_team")
    return ListRow(
        team.key,
        team.name,
        " · ".join(filter(None, parts)),
        reverse("organise-team", args=[visit.code, team.key]),
        button=Button(f"check_in_team {team.key}", _("Check in"), "", "check") if may_check_in else None,
    )


def team(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One team: its name, captain and division; its players."""
    g = position_of(visit.event)
    this_team = known(g.teams, about)
    people = g.members(about)
    stands = {"name": this_team.name, "captain": this_team.captain, "division": this_team.division}
    chosen = {name: sent.get(name, value) for name, value in stands.items()}
    captains = tuple(Option(p.key, p.name, p.key == chosen["captain"]) for p in people)
    fields = (
        Field("name", _("Team name"), value=chosen["name"], most=40),
        Field("captain", _("Captain"), "select", options=captains),
        *division_field(g, chosen["division"]),
    )
    may_amend = visit.may("amend_team") and g.status != OVER
    values = {
        "forms": (
            *([_amending(f"amend_team {about}", fields, stands, sent)] if may_amend else []),
            *_penalty(visit, g, this_team, sent),
        ),
        "players": tuple(
            Link(reverse("organise-player", args=[visit.code, p.key]), p.name, "people") for p in people
        ),
    }
    return this_team.name, values


# --- taking several off the list ---------------------------------------------------------------------


def removing(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The players who can be taken off, to be picked; those who were picked, to be looked at once more."""
    g = position_of(visit.event)
    free = _free(g)
    picked = set(sent.getlist("pick")) if isinstance(sent, QueryDict) else set()
    chosen = [player for player in free if player.key in picked]
    if request.method == "POST" and chosen:
        return _("Take them off the list?"), _looked_at(chosen)
    values = {
        "hint": _(
            "A whole club, and everyone on the venue’s Wi-Fi, may share one address. Check the names "
            "before you remove anyone."
        ),
        "groups": tuple(_groups(visit, free, sent.get("with", ""))),
        "picked": reverse("organise-picked", args=[visit.code]),
        "button": None,
    }
    return _("Take several off the list"), values


def _free(g: EventState) -> list[Player]:
    """Those who have not been paired, by name."""
    paired = {key for pairing in g.pairings.values() for key in pairing.players}
    return sorted((player for player in g.players.values() if player.key not in paired), key=_in_order)


def _in_order(person: Player | SlipRow) -> Any:
    """What sorts people by surname, as readers of the active language look them up."""
    return by_surname(person.name, get_language() or "en")


def _looked_at(players: list[Player]) -> dict[str, Any]:
    title = f"{_('Players')} · {len(players)}"
    return {
        "hint": _("Their places, their links and the lists that they handed in go. The history can undo it."),
        "groups": (PickGroup(title, tuple(_row(player, is_picked=True) for player in players)),),
        "picked": "",
        "button": Button("remove_picked", _("Take them off the list"), "danger"),
    }


def _groups(visit: Visit, free: list[Player], wanted: str) -> list[PickGroup]:
    """The players by the address that they registered from, most first; picked if `wanted` is among them."""
    from_where = dict(PlayerModel.objects.filter(event=visit.event).values_list("key", "registered_from"))
    groups = defaultdict[str, list[Player]](list)
    for player in free:
        groups[from_where.get(player.key, "")].append(player)
    together = [group for address, group in groups.items() if address and len(group) > 1]
    made = [_of_one_address(visit, group, wanted) for group in sorted(together, key=len, reverse=True)]
    grouped = {player.key for group in together for player in group}
    rest = tuple(_row(player, is_picked=player.key == wanted) for player in free if player.key not in grouped)
    title = _("The others") if made else _("Players")
    return [*made, *([PickGroup(title, rest)] if rest else [])]


def _of_one_address(visit: Visit, players: list[Player], wanted: str) -> PickGroup:
    is_picked = wanted in {player.key for player in players}
    title = _("%(count)s registered from one address") % {"count": len(players)}
    url = f"{page_url(visit, 'removing')}?with={players[0].key}"
    link = None if is_picked else Link(url, _("Pick them all"), "check")
    return PickGroup(title, tuple(_row(player, is_picked=is_picked) for player in players), link)


def _row(player: Player, *, is_picked: bool) -> PickRow:
    detail = " · ".join(part for part in (player.club, player.faction) if part)
    return PickRow(player.key, player.name, detail, is_picked)


def slips(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """A paper slip for every player, with the QR code of their own link."""
    links = event_links.addresses_of(request, visit.event, PlayerModel.objects.filter(event=visit.event))
    rows = sorted((SlipRow(row.name, row.club, picture_of(link)) for row, link in links), key=_in_order)
    back = Link(reverse("organise-players", args=[visit.code]), _("Player list"))
    return _("QR codes of the players"), {"rows": tuple(rows), "back": back, "event": visit.event.name}
