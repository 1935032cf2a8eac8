"""The bracket of a knock-out as pages, televisions and paper show it, with the rounds still to come."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from games.core import ViewModel
from games.hall.pages import rounds_and_standings
from games.hall.pages.rounds_and_standings import PairingRow
from games.hall.rules import knockout, round_draw, team_rounds
from games.hall.rules.event_state import CUT, DRAFTED, EventState, Pairing
from games.translation import gettext as _
from games.translation import ngettext


class BracketRound(ViewModel):
    """A round of the bracket: its pairings from top to bottom; one without players is still to come."""

    title: str
    ties: tuple[PairingRow, ...]


class Bracket(ViewModel):
    """The rounds from left to right; `third` is the match for third place, if there is one."""

    rounds: tuple[BracketRound, ...]
    third: PairingRow | None = None


EMPTY = PairingRow("", 0, (), "", "")
ON_A_SCREEN = 4
"""Pairings in the first column of a sheet of a television, and so three rounds on one sheet."""


def bracket_of(g: EventState) -> Bracket | None:
    """The bracket of a knock-out that has begun; None for an event without one."""
    g = team_rounds.as_paired(g)
    begun = sorted(
        event_round.number
        for event_round in g.rounds.values()
        if event_round.stage == CUT and event_round.state != DRAFTED
    )
    if not begun:
        return None
    seeds = round_draw.seeds_of(g)
    rounds, left = [], len(knockout.ties(g, begun[0]))
    before: list[Pairing] = []
    for at in range(left.bit_length()):
        number = begun[at] if at < len(begun) else 0
        here = knockout.ties(g, number) if number else []
        rows = [_tie(g, pairing, seeds) for pairing in here] or list(_to_come(g, before, left, seeds))
        rounds.append(BracketRound(rounds_and_standings.of_knockout(left.bit_length()), tuple(rows)))
        before, left = here, left // 2
    thirds = (pairing for pairing in g.at(begun[-1]) if knockout.is_for_third(g, pairing))
    third = next(
        (_tie(g, pairing, seeds) for pairing in thirds), EMPTY if g.third and len(rounds) > 1 else None
    )
    return Bracket(tuple(rounds), third)


def on_screens(bracket: Bracket) -> list[Bracket]:
    """The bracket in parts of a few pairings and the two rounds after them, from the round played now."""
    now = max(at for at, bracket_round in enumerate(bracket.rounds) if bracket_round.ties[0].players)
    last = max(0, len(bracket.rounds) - 3)
    first = min(now, last)
    parts = max(1, len(bracket.rounds[first].ties) // ON_A_SCREEN)
    shown = bracket.rounds[first : first + 3]
    made = []
    for at in range(parts):
        rounds = [
            replace(
                bracket_round,
                ties=bracket_round.ties[
                    at * len(bracket_round.ties) // parts : (at + 1) * len(bracket_round.ties) // parts
                ],
            )
            for bracket_round in shown
        ]
        made.append(Bracket(tuple(rounds), bracket.third if first == last else None))
    return made


def _tie(g: EventState, pairing: Pairing, seeds: dict[str, int]) -> PairingRow:
    row = rounds_and_standings.row(g, pairing)
    players = (replace(player, seat=_seed(seeds, player.key), club="") for player in row.players)
    return replace(row, players=tuple(players))


def _to_come(g: EventState, before: list[Pairing], count: int, seeds: dict[str, int]) -> Iterator[PairingRow]:
    """A round that is not open yet, with those who have won their place in it."""
    through = [pairing.winner if pairing.is_decided else "" for pairing in before] or [""] * (2 * count)
    for at in range(count):
        pair = tuple(
            rounds_and_standings.Paired(key, g.called(key) if key else "", seat=_seed(seeds, key))
            for key in through[2 * at : 2 * at + 2]
        )
        yield replace(EMPTY, players=pair if any(player.key for player in pair) else ())


def _seed(seeds: dict[str, int], key: str) -> str:
    return _("(%(number)s)") % {"number": seeds[key]} if key in seeds else ""


def of_ladder(g: EventState) -> tuple[tuple[str, str], ...]:
    """What decides in a ladder."""
    line = ngettext(
        "A player may challenge whoever is at most %(count)d place above.",
        "A player may challenge whoever is at most %(count)d places above.",
        g.reach,
    )
    rest = _("Whoever wins against a player above takes that place, and those between move down by one.")
    return ((_("Ladder"), f"{line % {'count': g.reach}} {rest}"),)
