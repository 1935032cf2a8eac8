"""The clean-up once a round is scored. What is mandatory happens by itself and is logged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.kit import Silent
from games.core.steps import Offer, answer
from games.core.system import name_of
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import control, decks, ending, reserve, zones
from games.systems.tmg.rules.moments import Moment, MomentOfAll
from games.systems.tmg.rules.round import StartOfRound


class CheckVictory(Moment):
    """TMG-74, step 3, and TMG-76: victory is checked only when all effects of scoring are resolved."""

    rule = "TMG-76"
    title = _("Check for victory")
    help = _("Whoever has reached the target and is ahead wins.")

    def go_on(self, g: Table) -> None:
        ending.check_victory(g)
        if g.result is None and g.round >= g.rules["rounds"]:
            ending.after_last_round(g)
        if g.result is None:
            g.goto(RemoveActivations)


class RemoveActivations(Silent[Table]):
    """TMG-74, step 4, and TMG-77: Activation tokens come off, spent orders too (TMG-43).

    Units that were barred from activating may activate again (TMG-26).
    """

    rule = "TMG-77"
    title = _("Remove Activation tokens")
    help = _("Every unit may activate again next round.")

    def run(self, g: Table) -> None:
        g.acting = None
        for side in g.armies.values():
            side.acted = None
        for unit in g.units.values():
            unit.activated = unit.order_used = unit.barred = False
        g.say(_("Activation tokens are removed."))
        g.goto(ClearTacticsBoard)


class ClearTacticsBoard(Silent[Table]):
    """TMG-74, step 5: NCUs leave the tactics board; borrowed ones go home (TMG-38).

    TMG-36: one that stays on its zone does not activate next round.
    """

    rule = "TMG-77"
    title = _("Empty the tactics board")
    help = _("NCUs come back and zones are free again.")

    def run(self, g: Table) -> None:
        for zone in g.zones():
            zone.counts_for = None
            unit = g.units.get(zone.claimed_by or "")
            if unit is not None and unit.kept and unit.is_on_table:
                self._keep(g, unit)
            else:
                zone.claimed_by = None
        for unit in g.units.values():
            unit.lent_to, unit.kept = None, False
        zones.forget_swapped(g)
        g.say(_("The tactics board is emptied."))
        g.goto(RemoveInfluence)

    def _keep(self, g: Table, unit: Unit) -> None:
        unit.barred = True
        g.say(_("%(unit)s stays on the tactics board and does not activate next round."), unit=unit.name)


class RemoveInfluence(Silent[Table]):
    """TMG-74, step 6, and TMG-35: every Influence ends."""

    rule = "TMG-35"
    title = _("Remove Influence")
    help = _("Influence lasts until the end of its round.")

    def run(self, g: Table) -> None:
        ended = [unit for unit in g.units.values() if unit.influences is not None]
        for unit in ended:
            unit.influences = None
        if ended:
            g.say(_("Influence ends."))
        g.goto(Discard)


class Discard(MomentOfAll, ending.AfterCheck):
    """TMG-74, step 7, and TMG-78: each player may discard any tactics cards, before the draw."""

    rule = "TMG-78"
    title = _("Discard tactics cards?")
    help = _("You may discard any number; then you draw up to your limit.")

    def concerned(self, g: Table) -> Iterable[str]:
        return [seat for seat in g.seats if g.armies[seat].hand] if g.tracks("cards") else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if not decks.is_tracked(g):
            yield _KEEP
            yield Offer("discard", say(_("Discard")), 1, g.armies[seat].hand)
            return
        yield _KEEP_THESE
        for key in sorted(set(decks.hand(g, seat))):
            label = say(_("Discard %(card)s"), card=decks.called(g, seat, key))
            yield Offer(f"discard-card:{key}", label, is_secret=True)

    @answer
    def keep(self, g: Table, seat: str) -> None:
        g.mark_answered(seat)
        if decks.is_tracked(g):
            g.say(_("%(player)s discards no more cards."), player=name_of(g, seat))
        else:
            g.say(_("%(player)s keeps all cards."), player=name_of(g, seat))

    @answer
    def discard(self, g: Table, seat: str, cards: int) -> None:
        g.armies[seat].hand -= cards
        g.mark_answered(seat)
        g.say_count(
            "%(player)s discards %(count)s card.",
            "%(player)s discards %(count)s cards.",
            cards,
            player=name_of(g, seat),
        )

    @answer
    def discard_card(self, g: Table, seat: str, key: str) -> None:
        """TMG-89: the pile lies face up."""
        decks.leave_hand(g, seat, key)
        decks.discard(g, seat, key)
        g.say(_("%(player)s discards %(card)s."), player=name_of(g, seat), card=decks.called(g, seat, key))

    def go_on(self, g: Table) -> None:
        g.goto(DrawCards)

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat is None:
            return super().helping(g, seat)
        line = _("You may discard any number; then you draw until you hold %(count)s.")
        return say(line, count=hand_limit(g, seat))


_KEEP_THESE = Offer("keep", say(_("Discard no more cards")), style="main")
_KEEP = Offer("keep", say(_("Keep all")), style="main")


class DrawCards(Silent[Table]):
    """TMG-74, step 8, and TMG-79: draw up to the limit, at most what the deck still holds.

    A player with that many or more draws none and keeps all; the deck is never refilled.
    """

    rule = "TMG-79"
    title = _("Draw tactics cards")
    help = _("Up to the hand limit, as long as the deck lasts.")

    def run(self, g: Table) -> None:
        for seat in g.seats:
            short = hand_limit(g, seat) - g.armies[seat].hand
            if short > 0:
                zones.draw(g, seat, short)
        g.goto(PassFirstPlayer)


def hand_limit(g: Table, seat: str) -> int:
    """The limit that a seat draws up to: the ruleset's, plus what units and objectives add (TMG-79)."""
    units = sum(
        unit.hand_bonus
        for unit in g.units.values()
        if unit.hand_bonus and unit.player == seat and unit.is_on_table
    )
    cards = (ruleset.card(g, token.card) for token in control.controlled(g, seat))
    usual: int = g.rules["hand"]
    objectives: int = sum(card.get("hand", 0) for card in cards if card)
    return usual + g.armies[seat].hand_bonus + units + objectives


class PassFirstPlayer(Silent[Table]):
    """TMG-74, step 9, and TMG-80: the First Player token goes to the opponent of whoever holds it.

    An effect that makes somebody First Player of the next round is honoured here.
    """

    rule = "TMG-80"
    title = _("Pass the First Player token")
    help = _("It goes to the opponent of the player who has it.")

    def run(self, g: Table) -> None:
        g.first = g.next_first or g.rival(g.first)
        g.next_first = None
        g.say(_("%(player)s is First Player."), player=name_of(g, g.first))
        g.goto(AdvanceRound)


class AdvanceRound(Silent[Table]):
    """TMG-74, step 10, and TMG-81: the Round Track advances by 1; the last round never gets here.

    TMG-90: cards that stayed for the round end with it, as do those for a turn played after its last.
    """

    rule = "TMG-81"
    title = _("Advance the Round Track")
    help = _("The next round begins.")

    def run(self, g: Table) -> None:
        for over in (decks.TURN, decks.ROUND):
            decks.expire(g, over)
        begin_round(g)


def begin_round(g: Table) -> None:
    """Start the next round with the seat that holds the First Player token."""
    reserve.reopen(g)
    g.begin_round(g.first)
    g.say(_("Round %(round)s."), round=g.round)
    g.goto(StartOfRound)
