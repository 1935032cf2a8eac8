"""Very Important Models: how a match names them, and how those named in secret are revealed."""

from __future__ import annotations

from games.core.system import name_of
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Table
from games.systems.bushido.rules import scenarios, wounds
from games.systems.bushido.rules.scenarios import NOMINATED


def kind_of_vim(g: Table) -> str:
    """How this match names its VIMs; "" if there are none."""
    return g.rules.get("vim") or scenarios.of(g).vim


def known(g: Table, seat: str) -> str:
    """The key of a side's VIM, "?" while that is hidden, "" for none, as after it has left and returned."""
    key = g.armies[seat].vim
    return "" if key in g.units and wounds.has_returned(g, g.units[key]) else key


def owner(g: Table, seat: str) -> str:
    """Whose VIM this seat names."""
    return g.rival(seat) if kind_of_vim(g) == NOMINATED else seat


def reveal_vims(g: Table) -> None:
    """Reveal the VIMs that were named in secret."""
    for seat in g.seats:
        if "vim" in g.armies[seat].hidden:
            reveal_vim(g, seat)


def reveal_vim(g: Table, seat: str) -> None:
    """Reveal the VIM that a seat named in secret."""
    key = g.reveal(seat, "vim")
    g.armies[seat].vim = key
    called = g.units[key].name if key in g.units else key
    g.say(_("%(model)s is the VIM of %(player)s."), model=called, player=name_of(g, seat))
