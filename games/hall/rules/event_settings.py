"""The settings of an event that its organisers choose, checked before they are accepted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core import IllegalAction, clean_int, clean_name, name_key, say, system, systems
from games.core import gettext_noop as _
from games.hall.rules import pairing, standings
from games.hall.rules.event_state import (
    CUT,
    HOUSES,
    KINDS,
    KNOCKOUT,
    LADDER,
    MAIN,
    OVER,
    PLANNED,
    ROUND_ROBIN,
    SCALES,
    TABLES,
    WAYS,
    EventState,
)
from games.hall.rules.standings import CRITERIA

NUMBERS = {
    "length": (0, 40),
    "cut": (0, 64),
    "minutes": (0, 24 * 60),
    "overtime": (0, 24 * 60),
    "no_show": (0, 24 * 60),
    "days": (0, 365),
    "legs": (1, 2),
    "first_table": (1, 900),
    "reach": (1, 99),
    "size": (2, pairing.MOST),
    "least": (pairing.LEAST, pairing.MOST),
    "team_cap": (0, 9999),
    "team_margin": (0, 999),
}
TEAM_SIZES = (0, 3, 4, 5, 8)
"""How many play in a team; 0: everybody for themselves."""
FLAGS = ("apart", "annuls", "third", "is_open", "is_listed", "is_rated")
ANY_TIME = frozenset(
    {
        *("name", "mode", "length", "cut", "minutes", "overtime", "no_show", "days", "first_table", "tables"),
        *("zone", "is_open", "is_listed", "is_rated", "divisions", "reach"),
    }
)
"""What may change once the event has begun: none of it affects a result."""
AFTERWARDS = frozenset({"name", "is_open", "is_listed", "is_rated"})
"""What may change once it is over: none of it affects the standings, which are final."""
OF_THE_CUT = frozenset({"length", "cut", "third"})
"""When a knock-out begins and with how many: fixed once it has begun."""
MOST_BYE = 99
CHALLENGE_DAYS = 14
"""How many days a challenge of a ladder lasts unless somebody says otherwise."""
MOST_DIVISIONS = 8

USUALLY = ("kind", "size", "minutes", "overtime", "scoring")
"""What a new event takes over from its game's usual kind of event, unless somebody says otherwise."""

BY_PLAYERS = ((64, 6), (32, 5), (16, 4), (0, 3))
"""Rounds by number of players, as pairs: from so many players on, so many rounds."""


def rounds_for(players: int) -> int:
    """How many rounds single out one winner among so many players."""
    return next(rounds for least, rounds in BY_PLAYERS if players >= least)


def initial_state(values: Mapping[str, Any]) -> EventState:
    """The position of a new event with these settings; what is missing is as usual for its game.

    How many rounds it has then follows from who plays in it.
    """
    slug = values.get("system")
    if not isinstance(slug, str) or slug not in {game.slug for game in systems()}:
        raise IllegalAction(say(_("There is no such game.")))
    game = system(slug)
    g = EventState(system=slug, mode=game.modes[0].slug, length=0)
    stated = game.events[0].settings if game.events else {}
    for name in stated.keys() & set(USUALLY):
        setattr(g, name, stated[name])
    g.name = game.title
    low, high = game.seat_range
    g.size = min(max(g.size, low), high)
    if "points" in game.options and game.sizes:
        g.options = {"points": game.options["points"][0]}
    _set(g, {name: value for name, value in values.items() if name != "system"})
    return g


def change(g: EventState, values: Mapping[str, Any]) -> None:
    """Change settings by name."""
    refuse_fixed(g, values)
    _set(g, values)
    if "length" in values:
        refuse_fewer(g, g.length)
    g.say(_("The settings of the event are changed."))


def refuse_fewer(g: EventState, length: int) -> None:
    """Refuse fewer rounds before the knock-out than have been drawn up."""
    drawn = max(
        (event_round.number for event_round in g.rounds.values() if event_round.stage == MAIN), default=0
    )
    if 0 < length < drawn:
        raise IllegalAction(say(_("More rounds than that have already been paired.")))


def refuse_fixed(g: EventState, values: Mapping[str, Any]) -> None:
    """Refuse to change what is fixed by the event's beginning, its knock-out or its end."""
    fixed = {name for name in values if not may_change(g, name) and _is_other(g, name, values[name])}
    if not fixed:
        return
    if g.status == OVER:
        raise IllegalAction(say(_("This cannot change once the event is over.")))
    if fixed <= OF_THE_CUT:
        raise IllegalAction(say(_("This cannot change once the knockout has begun.")))
    raise IllegalAction(say(_("This cannot change once the event has begun.")))


def may_change(g: EventState, name: str) -> bool:
    """Whether a setting may still change."""
    if g.status == OVER:
        return name in AFTERWARDS
    if name in OF_THE_CUT and _has_cut(g):
        return False
    if name == "team_size" and g.players and not g.team_size:
        return False  # Players are entered already, each for themselves.
    return g.status == PLANNED or name in ANY_TIME


def kinds(g: EventState) -> dict[str, str]:
    """The kinds of pairing that an event of this size may have, with their titles."""
    fixed = (ROUND_ROBIN, KNOCKOUT, LADDER) if g.size > 2 else ()
    return {slug: title for slug, title in KINDS.items() if slug not in fixed}


def may_cut(g: EventState) -> bool:
    """Whether a knock-out may follow the rounds: there is one at tables of two, where it is not all."""
    return g.size == 2 and g.kind not in (KNOCKOUT, LADDER)


def _has_cut(g: EventState) -> bool:
    return any(event_round.stage == CUT for event_round in g.rounds.values())


def _set(g: EventState, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        if name not in _READ:
            raise IllegalAction(say(_("Unknown setting: %(name)s"), name=name))
        setattr(g, name, _READ[name](g, name, value))
    low, high = system(g.system).seat_range
    if not low <= g.size <= high:
        line = _("A table of this game has %(low)s to %(high)s players.")
        raise IllegalAction(say(line, low=low, high=high))
    if 2 < g.size < g.least:
        raise IllegalAction(say(_("The fewest players at a table cannot be more than the usual number.")))
    if g.kind not in kinds(g):
        raise IllegalAction(say(_("Tables of three to six are paired by points, not as a round robin.")))
    if g.size > 2 and g.cut:
        raise IllegalAction(say(_("Tables of three to six have no knockout.")))
    _check_ladder(g)
    if g.is_rated and g.size > 2:
        raise IllegalAction(say(_("Ratings count only games of two.")))
    if g.team_size and g.size > 2:
        raise IllegalAction(say(_("Teams play at tables of two.")))


def _check_ladder(g: EventState) -> None:
    """Refuse what a ladder cannot have; its challenges last some days."""
    if g.is_ladder and (g.team_size or g.cut):
        raise IllegalAction(say(_("A ladder has no teams and no knockout.")))
    if g.is_ladder and not g.days:
        g.days = CHALLENGE_DAYS


def _is_other(g: EventState, name: str, value: Any) -> bool:
    kept = getattr(g, name, None)
    return (list(value) if isinstance(value, list | tuple) else value) != (
        list(kept) if isinstance(kept, tuple) else kept
    )


def _name(g: EventState, name: str, value: Any) -> str:
    return clean_name(value, 60)


def _mode(g: EventState, name: str, value: Any) -> str:
    if not isinstance(value, str) or value not in {mode.slug for mode in system(g.system).modes}:
        raise IllegalAction(say(_("This game has no such mode.")))
    return value


def _options(g: EventState, name: str, value: Any) -> dict[str, int]:
    game = system(g.system)
    if not isinstance(value, Mapping):
        raise IllegalAction(say(_("These are not options.")))
    for option, number in value.items():
        if option not in game.options or type(number) is not int or not game.may_be(option, number):
            raise IllegalAction(say(_("This game does not take this option: %(name)s"), name=str(option)))
    return dict(value)


def _scoring(g: EventState, name: str, value: Any) -> str:
    read: str = _among(standings.ways(g.system))(g, name, value)
    return read


def _among(choices: Any) -> Any:
    def read(g: EventState, name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise IllegalAction(say(_("This is not one of the choices for %(name)s."), name=name))
        return value

    return read


NO_ZONE = _("“%(zone)s” is not a time zone. Write one such as Europe/Berlin or Asia/Shanghai.")


def _zone(g: EventState, name: str, value: Any) -> str:
    """The name of a time zone; the caller knows which there are."""
    if not isinstance(value, str) or len(value) > 40:
        raise IllegalAction(say(NO_ZONE, zone=str(value)[:40]))
    return value


def _number(g: EventState, name: str, value: Any) -> int:
    return clean_int(value, *NUMBERS[name])


def _flag(g: EventState, name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise IllegalAction(say(_("Must be true or false: %(name)s"), name=name))
    return value


def _criteria(g: EventState, name: str, value: Any) -> tuple[str, ...]:
    chosen = tuple(value) if isinstance(value, list | tuple) else ()
    is_known = all(isinstance(criterion, str) and criterion in CRITERIA for criterion in chosen)
    if not chosen or not is_known or len(set(chosen)) != len(chosen):
        raise IllegalAction(say(_("Choose each tiebreak only once.")))
    return chosen


def _places(g: EventState, name: str, value: Any) -> tuple[int, ...]:
    points = tuple(value) if isinstance(value, list | tuple) else ()
    if len(points) > pairing.MOST or any(
        type(number) is not int or not 0 <= number <= MOST_BYE for number in points
    ):
        raise IllegalAction(say(_("Points by place are at most six whole numbers.")))
    return points


def _team_size(g: EventState, name: str, value: Any) -> int:
    if type(value) is not int or value not in TEAM_SIZES:
        raise IllegalAction(say(_("A team has 3, 4, 5 or 8 players.")))
    if value and not g.team_size and g.players:
        raise IllegalAction(say(_("Say that teams play before players are entered.")))
    return value


def _divisions(g: EventState, name: str, value: Any) -> tuple[str, ...]:
    names = value if isinstance(value, list | tuple) else ("", "")
    cleaned = [clean_name(division) for division in names if division]
    if len(names) > MOST_DIVISIONS or len({name_key(division) for division in cleaned}) < len(names):
        raise IllegalAction(say(_("Divisions are at most eight different names.")))
    return tuple(cleaned)


def _bye(g: EventState, name: str, value: Any) -> dict[str, float]:
    scores = dict(value) if isinstance(value, Mapping) else {"": 0}
    sound = set(scores) <= set(standings.SUMMED) and all(
        isinstance(worth, int | float) and not isinstance(worth, bool) and 0 <= worth <= MOST_BYE
        for worth in scores.values()
    )
    if not sound:
        raise IllegalAction(
            say(_("A bye is worth a number from 0 to 99 in each score that the standings add up."))
        )
    return scores


_READ: dict[str, Any] = {
    "name": _name,
    "mode": _mode,
    "options": _options,
    "kind": _among(KINDS),
    "scoring": _scoring,
    "tables": _among(TABLES),
    "mix": _among((pairing.TOGETHER, pairing.SPREAD)),
    "houses": _among(HOUSES),
    "criteria": _criteria,
    "places": _places,
    "bye": _bye,
    "zone": _zone,
    "team_size": _team_size,
    "team_tables": _among(WAYS),
    "team_scale": _among(SCALES),
    "divisions": _divisions,
    **dict.fromkeys(NUMBERS, _number),
    **dict.fromkeys(FLAGS, _flag),
}
"""How each setting is read."""
