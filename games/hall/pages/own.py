"""An event as one player sees it: where they play, and what waits for them there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from django.urls import reverse

from games.hall.rules.pieces import CONTESTED, OPEN, Call, Gathering, Pairing, Player, Round


@dataclass
class Own:
    """An event as one player sees it; `places` are everybody's ranks, by player.

    `asked` is the key of the pairing that a page is about, if it is not the one to be played now.
    """

    code: str
    g: Gathering
    player: Player
    places: Mapping[str, int] = field(default_factory=dict)
    asked: str = ""

    @cached_property
    def opened(self) -> list[Pairing]:
        """Their pairings of the open rounds (of a league): by round, first those that wait for them."""
        found = [
            one
            for one in self.g.pairings.values()
            if self.player.key in one.players and self.g.rounds[str(one.round)].state == OPEN
        ]
        return sorted(found, key=lambda one: (one.is_decided, self._waits_for_others(one), one.round))

    def _waits_for_others(self, here: Pairing) -> bool:
        """Whether a judge or the opponent has to say something first."""
        return here.state == CONTESTED or self.player.key in here.claims

    @cached_property
    def pairing(self) -> Pairing | None:
        """Where they play now: the first of these, or the one that was asked for."""
        return next((one for one in self.opened if self.asked in ("", one.key)), None)

    @property
    def round(self) -> Round | None:
        """The round of that pairing."""
        return self.g.rounds[str(self.pairing.round)] if self.pairing else None

    @cached_property
    def call(self) -> Call | None:
        """Their table's call for a judge that is still open."""
        key = self.pairing.key if self.pairing else ""
        return next((one for one in self.g.calls.values() if one.pairing == key and not one.closed_at), None)

    @property
    def has_to_choose(self) -> bool:
        """Whether they have two lists and have not said which one they play."""
        return self.pairing is not None and self._has_to_choose(self.pairing)

    def _has_to_choose(self, here: Pairing) -> bool:
        is_played = not here.is_bye and not here.is_decided
        return is_played and len(self.player.lists) > 1 and self.player.key not in here.chosen

    @property
    def goes(self) -> str:
        """The pairing whose table waits for them; "" for none. Choosing a list comes first."""
        here = self.pairing
        return here.key if here is not None and self.may_sit(here) else ""

    def may_sit(self, here: Pairing) -> bool:
        """Whether a table waits for them."""
        return here.match is not None and here.state == OPEN and not self._has_to_choose(here)

    def seat(self) -> str:
        """Their seat at that table."""
        assert self.pairing is not None
        return self.pairing.seats[self.pairing.players.index(self.player.key)]

    def url(self, name: str, *arguments: str) -> str:
        """An address of this event."""
        return reverse(name, args=[self.code, *arguments])

    def url_about(self, name: str, here: Pairing) -> str:
        """The address of a form about one of their pairings."""
        return f"{self.url(name)}?table={here.key}"
