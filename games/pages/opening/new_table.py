"""The form of a new table: what it sends, read and cleaned, and the page that shows it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from msgspec import field

from games import view_models
from games.core import (
    RequestRefused,
    System,
    ViewModel,
    clean_int,
    clean_name,
    clean_text,
    say,
    systems,
    usual,
)
from games.core import gettext_noop as noop
from games.history import commits
from games.match import play
from games.models import Match, Seat
from games.pages.common import claim_key, refusing, validated
from games.pages.opening import list_links, rematch, seating
from games.pages.opening.rematch import (
    SAME_ARMY,
    announce,
    armies_of,
    bring,
    form_values,
    kept_seat,
    table_of,
)
from games.people import seats
from games.translation import gettext as _
from games.translation import words
from games.web import OPENINGS, in_turn, limited, list_too_soon


class NewChoice(ViewModel):
    """One more choice for a new table; it posts `name`.

    Without `options` it is a number from `least` to `most`, now `value`.
    """

    name: str
    title: str
    options: tuple[view_models.Option, ...]
    help: str = ""
    error: str = ""
    value: str = ""
    least: int = 0
    most: int = 0


class BroughtList(ViewModel):
    """An army list that came with a link: its text and, if it was read, a summary and any warnings."""

    text: str
    summary: str = ""
    warnings: tuple[str, ...] = ()


class NewPage(ViewModel):
    """Opening a table.

    Posts `mode` (the game's slug, a slash, the mode's), `seats` (how many play), `points`, `target`, `name`,
    `rival`, `seat`, `army`, and as `like` the code of the table that it is a repeat of, if any. `games` lead
    to the same form for another game; `more_modes` and `more_choices` are folded. What a game does not ask
    is empty (`counts` if the number of players is fixed, `points`, `armies`; `most_target` is 0).
    `points_label` and `army_label` are what the game calls these. `has_rival` says whether a rival's name is
    asked. `errors` maps a field's name to its sentence, `sentences` are the errors of fields that are not
    shown; the other fields bring back what was typed. `brought` is the list that came with the link, posted
    as `list` in place of an army.
    """

    post_url: str
    back: view_models.Link
    games: tuple[view_models.Link, ...]
    modes: tuple[view_models.Option, ...]
    more_modes: tuple[view_models.Option, ...]
    counts: tuple[view_models.Option, ...]
    points: tuple[view_models.Option, ...]
    seats: tuple[view_models.Option, ...]
    armies: tuple[view_models.Option, ...]
    choices: tuple[NewChoice, ...] = ()
    more_choices: tuple[NewChoice, ...] = ()
    target: str = ""
    name: str = ""
    rival: str = ""
    like: str = ""
    most_target: int = 0
    has_rival: bool = True
    errors: dict[str, str] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    key: str = ""
    brought: BroughtList | None = None
    points_label: str = ""
    army_label: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(OPENINGS)
@refusing
def new(request: HttpRequest, game: str = "") -> HttpResponse:
    """Open a table: the game and its mode, the size, the names, this phone's seat and army.

    An address may say everything that the form says, and carry an army list (`list_links`).
    """
    like = table_of(request)
    if like and kept_seat(request, like):
        return HttpResponseRedirect(reverse("rematch", args=[like.code]))
    if request.method != "POST":
        return _empty_form(request, game, like)
    if refusal := list_too_soon(request):
        return refusal
    values = {name: request.POST.get(name, "").strip() for name in fields()}
    errors: dict[str, str] = {}
    opening = read(values, errors)
    if opening is None:
        return render(request, "opening/new.html", {"page": page(values, errors)}, status=422)
    key = claim_key(request)
    return _open(request, opening, f"{key} {json.dumps(values)}" if key else "")


def _empty_form(request: HttpRequest, game: str, like: Match | None) -> HttpResponse:
    """The form as its address fills it; nothing is written. Errors are shown beside their fields."""
    if like:
        return render(request, "opening/new.html", {"page": page(form_values(request, like), {})})
    said = {name: request.GET.get(name, "").strip() for name in fields() if name != "like"}
    values, errors = {**dict.fromkeys(fields(), ""), **said}, dict[str, str]()
    values["mode"] = full_mode(game or request.GET.get("game", ""), said["mode"])
    values["name"] = said["name"] or seating.remembered(request)
    try:
        values["list"] = list_links.list_of(request)
    except RequestRefused as refused:
        errors["list"] = words(refused.line)
    is_filled = game or any(said.values()) or list_links.carries(request)
    opening = read(values, errors) if is_filled else None
    return render(request, "opening/new.html", {"page": page(values, errors, opening)})


@transaction.atomic
def _open(request: HttpRequest, opening: Opening, key: str) -> HttpResponse:
    """Open the table; the same form sent again (by its `key`) leads to the table that it opened."""
    taken = seats.taken_by(key)
    for chair in taken:
        seats.sit_down(request, chair, key)
    like = None if taken else table_of(request)
    if like is not None:
        in_turn(f"rematch {like.code}")
        if kept_seat(request, like):  # Another player opened one at the same moment.
            return HttpResponseRedirect(reverse("rematch", args=[like.code]))
    match = taken[0].match if taken else _opened(request, opening, like, key)
    answer = HttpResponseRedirect(reverse("table", args=[match.code]))
    return seating.remember(answer, opening.names[opening.seat])


def _opened(request: HttpRequest, opening: Opening, like: Match | None, key: str) -> Match:
    """The new table, with this phone seated and its chosen army brought."""
    match = play.open_match(
        opening.game.slug,
        opening.mode,
        opening.names,
        opening.options,
        opened_from=seats.address_hash(request),
    )
    seat = Seat.objects.select_related("match").get(match=match, key=opening.seat)
    seats.sit_down(request, seat, key)
    if like and like.result is not None and like.system == match.system:
        announce(request, like, seat, key)
    if opening.text:
        play.bring(match.code, seat.key, opening.text, play.new_key())
    elif opening.army == SAME_ARMY:
        _bring_again(request, match, seat.key)
    elif opening.army:
        play.tap(match.code, seat.key, f"demo:{opening.army}", match.version, play.new_key())
    return match


def _bring_again(request: HttpRequest, match: Match, seat: str) -> None:
    """Bring last time's armies; one that cannot come again is left for its player to paste."""
    like = table_of(request)
    if like is None or like.system != match.system:
        return
    for key, army in armies_of(request, like, seat).items():
        with suppress(RequestRefused):
            bring(match, key, army)


FIELDS = ("mode", "name", "rival", "seats", "seat", "army", "list", "like")


def fields() -> tuple[str, ...]:
    """What the form may send: its own fields, and the options of whichever game is chosen."""
    return tuple(dict.fromkeys((*FIELDS, *(option for game in systems() for option in game.options))))


@dataclass(frozen=True)
class Opening:
    """What the form of a new table asks for, read and cleaned."""

    game: System
    mode: str
    seat: str
    names: dict[str, str]
    options: dict[str, int]
    army: str
    text: str = ""
    """An army list, as its builder wrote it."""


def read(values: dict[str, str], errors: dict[str, str]) -> Opening | None:
    """What the form asks for; None if anything is wrong, with a sentence for each field in `errors`."""
    game, mode = _mode(values["mode"], errors)
    keys = list(game.seat_names)[: _count(game, values["seats"], errors)]
    seat = values["seat"] or keys[0]
    if seat not in keys:
        errors["seat"] = _no_such_seat(game, seat, len(keys))
        seat = keys[0]
    if values["army"] not in ("", rematch.SAME_ARMY, *game.demo_armies()):
        errors["army"] = _("Choose one of the armies.")
    names = dict.fromkeys(keys, "")
    names[seat] = _clean(values, "name", errors, _name)
    names[next(key for key in keys if key != seat)] = _clean(values, "rival", errors, _name)
    options = {
        option: _clean(values, option, errors, partial(clean_int, minimum=low, maximum=high))
        for option, (_default, low, high) in game.options.items()
        if values.get(option)
    }
    for option in game.options:
        if option in options and option not in errors and not game.may_be(option, options[option]):
            errors[option] = _("This option has no such value.")
    text = _clean(values, "list", errors, lambda text: clean_text(text) if text else "")
    opening = Opening(game, mode, seat, names, options, values["army"], text)
    return None if errors or not _can_be_read(opening, errors) else opening


def _can_be_read(opening: Opening, errors: dict[str, str]) -> bool:
    try:
        preview(opening)
    except RequestRefused as refused:
        errors["list"] = words(refused.line)
    return "list" not in errors


def _count(game: System, typed: str, errors: dict[str, str]) -> int:
    """How many play: the number asked for, or else the fewest that can."""
    fewest, most = game.seat_range
    if not typed:
        return fewest
    try:
        return validated(clean_int, typed, fewest, most)
    except RequestRefused:
        line = _("This game is played by %(fewest)s to %(most)s players.")
        errors["seats"] = line % {"fewest": fewest, "most": most}
        return fewest


def _no_such_seat(game: System, seat: str, count: int) -> str:
    """Why a seat cannot be taken: it does not exist, or only with more players."""
    keys = list(game.seat_names)
    if seat not in keys[: game.seat_range[1]]:
        return _("Choose one of the seats.")
    line = _("%(seat)s is only used with %(count)s or more players. Add players or choose another seat.")
    return line % {"seat": _(game.seat_names[seat]), "count": max(keys.index(seat) + 1, count + 1)}


def _mode(wanted: str, errors: dict[str, str]) -> tuple[System, str]:
    for game in systems():
        for mode in game.modes:
            if wanted == f"{game.slug}/{mode.slug}":
                return game, mode.slug
    game = usual()
    if wanted:
        errors["mode"] = _("Choose one of the games.")
    return game, game.modes[0].slug


def _name(text: str) -> str:
    return clean_name(text) if text else ""


def _clean(values: dict[str, str], name: str, errors: dict[str, str], gate: Callable[[str], Any]) -> Any:
    try:
        return validated(gate, values[name])
    except RequestRefused as refused:
        errors[name] = words(refused.line)
        return ""


def full_mode(game: str, mode: str) -> str:
    """A mode as the form names it; a game without one means its first mode."""
    if "/" in mode or not game:
        return mode
    return f"{game}/{mode}" if mode else _first_mode(game) or f"{game}/"


def page(values: dict[str, str], errors: dict[str, str], opening: Opening | None = None) -> NewPage:
    """The form with what was typed, or what its address says; `opening` is how that was read."""
    game, chosen = _mode(values.get("mode", ""), {})
    points = values.get("points") or str(game.options.get("points", (0, 0, 0))[0])
    modes, more_modes = _modes(game, chosen)
    is_brought = game.brings_armies and ("list" in errors or bool(values.get("list")))
    choices = {option: _choice(game, option, values, errors) for option in _asked(game)}
    rare = [option for option in choices if game.asks(option).is_rare and not _is_set(game, option, values)]
    return NewPage(
        post_url=reverse("new"),
        back=view_models.Link(reverse("home"), _("Home")),
        games=tuple(_games(game, list_links.list_query(values.get("list", "")))),
        modes=modes,
        more_modes=more_modes,
        counts=tuple(_counts(game, values.get("seats", ""))),
        points=tuple(view_models.Option(size, size, size == points) for size in game.sizes),
        points_label=_(game.size_words[0]),
        seats=tuple(_seats(game, values.get("seat", ""))),
        armies=tuple(_armies(game, values)) if game.brings_armies and not is_brought else (),
        army_label=_(game.army_word),
        brought=_brought(values, opening) if is_brought else None,
        choices=tuple(choices[option] for option in choices if option not in rare),
        more_choices=tuple(choices[option] for option in rare),
        most_target=game.options.get("target", (0, 0, 0))[2],
        has_rival=game.seat_range[1] == MOST_RIVALS,
        target=values.get("target", ""),
        like=values.get("like", ""),
        name=values.get("name", ""),
        rival=values.get("rival", ""),
        errors=errors,
        sentences=tuple(errors[name] for name in errors if name not in _shown(game)),
        key=seats.new_key(),
    )


def _games(chosen: System, along: dict[str, str]) -> Iterator[view_models.Link]:
    """Links to the form of every game, each carrying along what came with this address."""
    for game in systems():
        address = urlencode({"game": game.slug, **along})
        yield view_models.Link(f"{reverse('new')}?{address}", _(game.title), current=game is chosen)


def _modes(
    game: System, chosen: str
) -> tuple[tuple[view_models.Option, ...], tuple[view_models.Option, ...]]:
    """The modes shown at once (the first few and the chosen one), and those folded away below them.

    A single mode is never folded: the fold would take as much room.
    """
    modes = tuple(
        view_models.Option(
            f"{game.slug}/{mode.slug}", _(mode.title), mode.slug == chosen, _(mode.summary or game.title)
        )
        for mode in game.modes
    )
    folded = tuple(mode for mode in modes[AT_HAND:] if not mode.selected)
    if len(folded) == 1:
        return modes, ()
    return tuple(mode for mode in modes if mode not in folded), folded


def _counts(game: System, chosen: str) -> Iterator[view_models.Option]:
    """How many may play, if that is a choice."""
    fewest, most = game.seat_range
    for number in range(fewest, most + 1) if fewest < most else ():
        yield view_models.Option(str(number), str(number), str(number) == (chosen or str(fewest)))


def _seats(game: System, chosen: str) -> Iterator[view_models.Option]:
    """The seats; one that only larger tables have says so."""
    fewest, most = game.seat_range
    keys = list(game.seat_names)[:most]
    for number, key in enumerate(keys, 1):
        note = _("%(count)s or more players") % {"count": number} if number > fewest else ""
        yield view_models.Option(key, _(game.seat_names[key]), key == (chosen or keys[0]), note)


def _armies(game: System, values: dict[str, str]) -> Iterator[view_models.Option]:
    """The armies to begin with: the player's own list, the same as last time, or one to try."""
    armies = {
        "": _("Paste or type my own list"),
        **({rematch.SAME_ARMY: _("The same lists as last time")} if values.get("like") else {}),
        **{slug: _demo(game, slug, title) for slug, title in game.demo_armies().items()},
    }
    for slug, title in armies.items():
        yield view_models.Option(slug, title, slug == values.get("army", ""))


def _brought(values: dict[str, str], opening: Opening | None) -> BroughtList:
    read_as = preview(opening) if opening else None
    return read_as or BroughtList(values.get("list", ""))


def _shown(game: System) -> set[str]:
    """The fields that a game's form has."""
    fewest, most = game.seat_range
    sometimes = {
        "seats": fewest < most,
        "rival": most == MOST_RIVALS,
        "points": bool(game.sizes),
        "target": "target" in game.options,
        "army": game.brings_armies,
        "list": game.brings_armies,
    }
    return {
        "mode",
        "name",
        "seat",
        *_asked(game),
        *(name for name, is_shown in sometimes.items() if is_shown),
    }


def _choice(game: System, option: str, values: dict[str, str], errors: dict[str, str]) -> NewChoice:
    choices = game.asks(option)
    usual_value, least, most = game.options[option]
    chosen = values.get(option) or str(usual_value)
    return NewChoice(
        name=option,
        title=_(choices.title),
        options=tuple(
            view_models.Option(str(value), _(title), str(value) == chosen)
            for value, title in choices.values.items()
        ),
        help=_(choices.help) if choices.help else "",
        error=errors.get(option, ""),
        value=chosen,
        least=least,
        most=most,
    )


def _asked(game: System) -> list[str]:
    """The options without a field of their own on the form: each game asks for them in its own words."""
    apart = {"target", *(("points",) if game.sizes else ())}
    return [option for option in game.options if option not in apart]


def _is_set(game: System, option: str, values: dict[str, str]) -> bool:
    """Whether an option was given an unusual value, so that it has to be shown."""
    return values.get(option, "") not in ("", str(game.options[option][0]))


AT_HAND = 2
"""How many of a game's modes the form shows at once, besides the chosen one."""
MOST_RIVALS = 2
"""With more players than this, their names come as they sit down."""


def _first_mode(slug: str) -> str:
    """The mode that a game's form begins with; "" for no game of that name."""
    return next((f"{game.slug}/{game.modes[0].slug}" for game in systems() if game.slug == slug), "")


def _demo(game: System, slug: str, title: str) -> str:
    return " · ".join(part for part in (_(title), words(game.demo_summary(slug))) if part)


def preview(opening: Opening) -> BroughtList | None:
    """How a list would be read at the table that is asked for; None without a list.

    Raises `RequestRefused` for a list that cannot be brought.
    """
    game, seat = opening.game, opening.seat
    if not opening.text:
        return None
    if not game.brings_armies:
        raise RequestRefused(say(noop("This game needs no army list.")), 422, "not_offered")
    state = play.initial_state(game.slug, opening.mode, opening.names, opening.options)
    if len(game.lists(state, opening.text)) > 1:
        raise RequestRefused(say(noop("This text contains several lists. Keep only one.")), 422, "several")
    roster = game.roster(
        commits.apply_rules(lambda: play.with_army(state, seat, "bring", opening.text)), seat
    )
    if roster is None:
        raise RequestRefused(
            say(noop("There is nothing to read here. Please paste an army list.")), 422, "unread"
        )
    return BroughtList(
        opening.text,
        words(roster.summary),
        tuple(words(line) for _number, line in roster.warnings),
    )
