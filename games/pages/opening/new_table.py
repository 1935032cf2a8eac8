"""The form of a new table: what it sends, read and cleaned, and the page that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from games import view_models
from games.core import validation
from games.core.system import System, systems, usual
from games.history.verdict import RequestRefused
from games.pages.access import validated
from games.pages.opening import again, list_links
from games.people import seats
from games.translation import words

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
    if values["army"] not in ("", again.SAME_ARMY, *game.demo_armies()):
        errors["army"] = _("Choose one of the armies.")
    names = dict.fromkeys(keys, "")
    names[seat] = _clean(values, "name", errors, _name)
    names[next(key for key in keys if key != seat)] = _clean(values, "rival", errors, _name)
    options = {
        option: _clean(values, option, errors, partial(validation.clean_int, minimum=low, maximum=high))
        for option, (_default, low, high) in game.options.items()
        if values.get(option)
    }
    for option in game.options:
        if option in options and option not in errors and not game.may_be(option, options[option]):
            errors[option] = _("This option has no such value.")
    text = _clean(values, "list", errors, lambda text: validation.clean_text(text) if text else "")
    opening = Opening(game, mode, seat, names, options, values["army"], text)
    return None if errors or not _can_be_read(opening, errors) else opening


def _can_be_read(opening: Opening, errors: dict[str, str]) -> bool:
    try:
        list_links.preview(opening)
    except RequestRefused as refused:
        errors["list"] = words(refused.line)
    return "list" not in errors


def _count(game: System, typed: str, errors: dict[str, str]) -> int:
    """How many play: the number asked for, or else the fewest that can."""
    fewest, most = game.seat_range
    if not typed:
        return fewest
    try:
        return validated(validation.clean_int, typed, fewest, most)
    except RequestRefused:
        line = _("This game is played by %(fewest)s to %(most)s players.")
        errors["seats"] = line % {"fewest": fewest, "most": most}
        return fewest


def _no_such_seat(game: System, seat: str, count: int) -> str:
    """Why a seat cannot be taken: it does not exist, or only with more players."""
    keys = list(game.seat_names)
    if seat not in keys[: game.seat_range[1]]:
        return _("Choose one of the seats.")
    line = _("%(seat)s joins with %(count)s players. Choose more players or another seat.")
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
    return validation.clean_name(text) if text else ""


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


def page(
    values: dict[str, str], errors: dict[str, str], opening: Opening | None = None
) -> view_models.NewPage:
    """The form with what was typed, or what its address says; `opening` is how that was read."""
    game, chosen = _mode(values.get("mode", ""), {})
    points = values.get("points") or str(game.options.get("points", (0, 0, 0))[0])
    modes, more_modes = _modes(game, chosen)
    is_brought = game.brings_armies and ("list" in errors or bool(values.get("list")))
    choices = {option: _choice(game, option, values, errors) for option in _asked(game)}
    rare = [option for option in choices if game.asks(option).is_rare and not _is_set(game, option, values)]
    return view_models.NewPage(
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
        note = _("from %(count)s players") % {"count": number} if number > fewest else ""
        yield view_models.Option(key, _(game.seat_names[key]), key == (chosen or keys[0]), note)


def _armies(game: System, values: dict[str, str]) -> Iterator[view_models.Option]:
    """The armies to begin with: the player's own list, the same as last time, or one to try."""
    armies = {
        "": _("Paste or type my own list"),
        **({again.SAME_ARMY: _("The same lists as last time")} if values.get("like") else {}),
        **{slug: _demo(game, slug, title) for slug, title in game.demo_armies().items()},
    }
    for slug, title in armies.items():
        yield view_models.Option(slug, title, slug == values.get("army", ""))


def _brought(values: dict[str, str], opening: Opening | None) -> view_models.BroughtList:
    read_as = list_links.preview(opening) if opening else None
    return read_as or view_models.BroughtList(values.get("list", ""))


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


def _choice(
    game: System, option: str, values: dict[str, str], errors: dict[str, str]
) -> view_models.NewChoice:
    choices = game.asks(option)
    usual_value, least, most = game.options[option]
    chosen = values.get(option) or str(usual_value)
    return view_models.NewChoice(
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
