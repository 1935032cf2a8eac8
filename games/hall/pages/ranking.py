"""The standings as pages show them, and their criteria in words."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games.core.words import gettext_noop as noop
from games.hall.pages import rounds
from games.hall.rules import scoring, standings
from games.hall.rules.pieces import CUT, Gathering
from games.view_models import hall as parts

NO_COLUMN = ("head", "lot")
"""Criteria that are not sums: they separate players who are otherwise level."""

MEANINGS = {
    "points": noop("From each game: %(scoring)s."),
    "wins": noop("A draw counts as half a win."),
    "vp": noop("The sum over all games."),
    "difference": noop("Own victory points minus the opponent’s, over all games."),
    "destroyed": noop("Points of enemy units destroyed, over all games."),
    "strength": noop("The sum of all opponents’ tournament points."),
    "scenario": noop("The sum over all games."),
    "vim": noop("The turn in which the opponent’s VIM was removed, the earlier the better."),
    "head": noop("The games between the tied players, if each of them has met all the others."),
    "lot": noop("Drawn for each player at registration; it decides what nothing else does."),
}
SHORT = {
    "points": noop("TP"),
    "wins": noop("Won"),
    "vp": noop("VP"),
    "difference": noop("+/−"),
    "destroyed": noop("Destroyed"),
    "strength": noop("SoS"),
    "scenario": noop("Scenario"),
    "vim": noop("VIM"),
}
"""Column headings."""


def columns(g: Gathering) -> tuple[str, ...]:
    """The criteria that have a column."""
    return tuple(name for name in standings.criteria(g) if name not in NO_COLUMN)


def ranking(g: Gathering, most: int = 0, more_url: str = "") -> parts.Standings | None:
    """The standings, at most `most` lines (0: all); None before any round has begun."""
    found = rounds.shown(g)
    if found is None:
        return None
    lines = standings.standings(g)
    is_cut = 0 < most < len(lines)
    return parts.Standings(
        title_of(g),
        tuple(_(SHORT[name]) for name in columns(g)),
        tuple(_row(g, line) for line in lines[: most if is_cut else None]),
        more_url if is_cut else "",
    )


def title_of(g: Gathering) -> str:
    """The heading that says which standings these are."""
    if g.status == "over":
        return _("Final standings")
    closed = [one.number for one in g.rounds.values() if one.state == "closed"]
    if closed and (found := rounds.shown(g)) is not None and found.state == "closed":
        return _("Standings after round %(number)s") % {"number": max(closed)}
    return _("Standings at present")


def _row(g: Gathering, line: standings.Standing) -> parts.StandingRow:
    player = g.players[line.player]
    return parts.StandingRow(
        rank=line.rank,
        key=line.player,
        name=player.name,
        club=player.club,
        faction=player.faction,
        record=f"{line.won}–{line.drawn}–{line.lost}",
        values=tuple(parts.Figure(_(SHORT[name]), number(name, line.values[name])) for name in columns(g)),
        left=_("has left") if line.left else "",
    )


def number(name: str, value: float) -> str:
    """A criterion's value: halves as ½, no removal as a dash, and a minus as wide as a plus."""
    if name == "vim":
        return "–" if -value >= standings.NEVER else f"{-value:g}"
    whole, half = divmod(abs(value), 1)
    sign = "\N{MINUS SIGN}" if value < 0 else ""
    if half == 0.5:
        return f"{sign}{whole:g}½" if whole else f"{sign}½"
    return sign + (f"{whole:g}" if half == 0 else number_format(round(abs(value), 2), 2))


def criteria(g: Gathering) -> tuple[tuple[str, str], ...]:
    """The ranking criteria in order, each with its meaning."""
    values = {"scoring": _(scoring.ways(g.system)[g.scoring].summary)}
    return tuple((_(standings.CRITERIA[name]), _(MEANINGS[name]) % values) for name in standings.criteria(g))


def notes(g: Gathering) -> tuple[str, ...]:
    """What else readers of the standings must know: what a bye is worth, and what the knock-out decides."""
    worth = [
        f"{_(standings.CRITERIA[name])} {number(name, value)}"
        for name, value in scoring.bye_of(g).items()
        if name in standings.CRITERIA and name in columns(g)
    ]
    sentences = [_("A bye is worth: %(values)s.") % {"values": _(", ").join(worth)}] if worth else []
    if any(one.stage == CUT for one in g.rounds.values()):
        sentences.append(_("The knock-out decides the places of those who play in it."))
    return tuple(sentences)


def places(g: Gathering) -> dict[str, int]:
    """Ranks by player; empty before any round has begun."""
    if rounds.shown(g) is None:
        return {}
    return {line.player: line.rank for line in standings.standings(g)}
