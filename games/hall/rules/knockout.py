"""The knock-out: seeds, brackets, who goes on, and the ranking that follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import IllegalAction, say
from games.core import gettext_noop as _
from games.hall.rules.event_state import CUT, DRAFTED, EventState, Pairing


def slots(seeds: Sequence[str]) -> list[str | None]:
    """The seeds in the order of the bracket, so that the first two can meet only in the final.

    If their number is no power of two, the best have nobody opposite (None) in the first round.
    """
    size = 1
    while size < len(seeds):
        size *= 2
    order = [0]
    while len(order) < size:
        order = [place for higher in order for place in (higher, 2 * len(order) - 1 - higher)]
    return [seeds[place] if place < len(seeds) else None for place in order]


def next_pairs(g: EventState, seeds: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """The pairs of a knock-out round in the order of the bracket; a player alone goes on unplayed."""
    through = went_on(g, number)
    if not through:
        places = slots(seeds)
        return [_present(places[at : at + 2]) for at in range(0, len(places), 2)]
    pairs = [tuple(through[at : at + 2]) for at in range(0, len(through), 2)]
    return [*pairs, *filter(None, [for_third(g, number)])]


def went_on(g: EventState, number: int) -> list[str]:
    """Who plays in a round of the knock-out, in the order of the bracket; [] for its first round."""
    return [pairing.winner or pairing.players[0] for pairing in _before(g, number)]


def for_third(g: EventState, number: int) -> tuple[str, ...]:
    """Who plays for third place in this round, the final: the losers of the semi-finals, if it is wanted."""
    semi = _before(g, number)
    if not g.third or len(semi) != 2:
        return ()
    lost = [
        player
        for pairing in semi
        for player in pairing.players
        if player != (pairing.winner or pairing.players[0])
    ]
    return tuple(lost) if len(lost) == 2 else ()


def is_for_third(g: EventState, pairing: Pairing) -> bool:
    """Whether a pairing is the match for third place: the second one after two semi-finals."""
    return place_in(pairing) == 2 and len(_before(g, pairing.round)) == 2


def ties(g: EventState, number: int) -> list[Pairing]:
    """The pairings of a knock-out round in the order of the bracket, without the match for third place."""
    return [pairing for pairing in sorted(g.at(number), key=place_in) if not is_for_third(g, pairing)]


def _before(g: EventState, number: int) -> list[Pairing]:
    """The pairings of the knock-out round before this one, in the order of the bracket."""
    earlier = [
        event_round.number
        for event_round in g.rounds.values()
        if event_round.stage == CUT and event_round.number < number
    ]
    return sorted(g.at(max(earlier)), key=place_in) if earlier else []


def rounds_of(players: int) -> int:
    """How many rounds a knock-out of so many players takes."""
    return max(0, players - 1).bit_length()


def rounds_left(g: EventState, number: int) -> int:
    """How many rounds of the knock-out are left, including this one: 1 is the final."""
    return rounds_of(sum(len(pairing.players) for pairing in ties(g, number)))


def reached(g: EventState, through: int | None) -> dict[str, int]:
    """By player, how far they got in the knock-out: the further, the higher the number."""
    levels: dict[str, int] = {}
    rounds = {event_round.number for event_round in g.rounds.values() if g.in_cut(event_round.number)}
    for pairing in g.pairings.values():
        if pairing.round not in rounds or (through is not None and pairing.round > through):
            continue
        for player in pairing.players:
            won = pairing.is_decided and pairing.winner == player
            # Who plays for third place has got no further than the semi-finals.
            level = pairing.round - is_for_third(g, pairing)
            levels[player] = max(levels.get(player, 0), 2 * level + won)
    return levels


def refused_draw(table: Pairing) -> IllegalAction:
    """The refusal of a draw: somebody has to go on."""
    return IllegalAction(say(_("Table %(table)s was a draw. Choose who advances."), table=table.table or 0))


def refuse_gone_on(g: EventState, table: Pairing) -> None:
    """Refuse to name another winner where the next round of the knock-out is open: somebody has gone on."""
    later = [
        event_round.number
        for event_round in g.rounds.values()
        if event_round.number > table.round and event_round.state != DRAFTED
    ]
    if later and g.in_cut(table.round):
        raise IllegalAction(say(_("Cancel round %(number)s first."), number=max(later)))


def is_out(g: EventState, player: str) -> bool:
    """Whether a player is no longer in the knock-out, or never was, now that it has begun."""
    begun = [
        event_round.number
        for event_round in g.rounds.values()
        if g.in_cut(event_round.number) and event_round.state != DRAFTED
    ]
    here = g.pairing_of(player, max(begun)) if begun else None
    has_lost = here is None or (here.is_decided and here.winner != player)
    return bool(begun) and has_lost and player not in for_third(g, max(begun) + 1)


def _present(pair: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(player for player in pair if player is not None)


def place_in(pairing: Pairing) -> int:
    """A pairing's place in the bracket: the number after the round in its key."""
    return int(pairing.key.partition("-")[2])
