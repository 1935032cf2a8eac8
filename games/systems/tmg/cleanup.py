"""The clean-up: ten steps in the rulebook's order. What is mandatory happens by itself and is logged.

Both players agree to the round's score, and each says what it discards: four taps
in all when nobody has anything else to resolve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.state import Question
from games.core.system import Offer, Step
from games.core.words import Line, Term, say, say_count
from games.core.words import gettext_noop as _
from games.systems.tmg import control, ending, reserve, ruleset, wounds, zones
from games.systems.tmg.moments import END_OF_ROUND, Moment, Window, name, reopen
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.round import StartOfRound

FIRST_SCORING_ROUND = 2

Tally = list[tuple[Place, str, int]]
"""What a round scores: each token with the seat that scores it and its points."""


class EndOfRound(Window):
    """TMG-74, step 1: effects of the end of the round come first, before anything scores."""

    rule = "TMG-74"
    title = _("End of the round")
    help = _("Resolve what happens at the end of the round.")
    moment = END_OF_ROUND

    def go_on(self, g: Table) -> None:
        reopen(g)
        g.goto(ScorePoints)


class ScorePoints(Moment):
    """TMG-74, step 2: score Victory Points, both sides at the same time.

    Both players agree to the tally before it is written; a correction asks them anew.
    """

    rule = "TMG-74"
    title = _("Agree on the score")
    help = _("Correct who controls a token if the table says otherwise.")

    def tally(self, g: Table) -> Tally:
        """The points of this round; modes say how."""
        return []

    def waits_for(self, g: Table) -> Iterable[str]:
        tally = self.tally(g)
        if not tally:
            return ()
        written = _written(tally)
        return [seat for seat in g.seats if g.armies[seat].agreed != written]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield _AGREE

    def agree(self, g: Table, seat: str) -> None:
        g.armies[seat].agreed = _written(self.tally(g))
        g.say(_("%(player)s agrees to the score."), player=name(g, seat))

    def go_on(self, g: Table) -> None:
        for army in g.armies.values():
            army.agreed = ""
        for token, seat, points in self.tally(g):
            self.score(g, token, seat, points)
        g.turn = g.first
        g.goto(ScoringEffects)

    def score(self, g: Table, token: Place, seat: str, points: int) -> None:
        """Write the points of one token, and remember that its card may ask for something."""
        g.score(seat, points, _("controls an objective"), token.name, name(g, seat))
        line = say_count(
            "%(player)s scores %(count)s Victory Point: %(token)s.",
            "%(player)s scores %(count)s Victory Points: %(token)s.",
            points,
            player=name(g, seat),
            token=Term(token.name),
        )
        g.lines.append(line)
        if ruleset.says_when_scoring(g, token):
            token.scored = seat

    def asking(self, g: Table, seat: str | None) -> Line:
        points = dict.fromkeys(g.seats, 0)
        for _token, player, scored in self.tally(g):
            points[player] += scored
        score = tuple(f"{name(g, player)} {scored}" for player, scored in points.items())
        return say(_("This round scores: %(score)s"), score=score)


class ScoreTokens(ScorePoints):
    """TMG-62: from round 2 each controlled token scores, both sides at the same time."""

    name = ScorePoints.name
    rule = "TMG-62"

    def tally(self, g: Table) -> Tally:
        if g.round < FIRST_SCORING_ROUND:
            return []
        held = ((token, control.controller(g, token)) for token in g.tokens())
        return [(token, seat, self.worth(g, token, seat)) for token, seat in held if seat is not None]

    def worth(self, g: Table, token: Place, seat: str) -> int:
        """The points of one token for the seat that controls it."""
        return 1

    def go_on(self, g: Table) -> None:
        if g.round < FIRST_SCORING_ROUND:
            g.lines.append(Line(_("Objectives score from round 2.")))
        super().go_on(g)


def _written(tally: Tally) -> str:
    return " ".join(f"{token.key}={seat}:{points}" for token, seat, points in tally)


_AGREE = Offer("agree", say(_("Agree")), style="main")


class ScoringEffects(Moment):
    """TMG-64: effects of tokens that scored, in turns: the First Player picks one of his, then the rival.

    A side without any left is skipped. TMG-66: what they destroy scores before the victory check.
    """

    rule = "TMG-64"
    title = _("Resolve an objective's effect")
    help = _("Players take turns, beginning with the First Player.")

    def waits_for(self, g: Table) -> Iterable[str]:
        return next(((seat,) for seat in (g.turn, *g.rivals(g.turn)) if self.left(g, seat)), ())

    def left(self, g: Table, seat: str) -> list[Place]:
        """The tokens of a seat whose effects are not resolved yet."""
        return [token for token in g.tokens() if token.scored == seat]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for token in self.left(g, seat):
            yield from self.ways(g, token)

    def ways(self, g: Table, token: Place) -> Iterator[Offer]:
        """How the effect of one token may turn out."""
        card, unit = ruleset.card(g, token.card), g.units.get(token.claimed_by or "")
        words = Term(token.name)
        if not card or "panic" not in card or unit is None or unit.player != token.scored:
            yield Offer(f"resolve:{token.key}", say(_("%(token)s: resolved"), token=words), style="main")
            return
        yield Offer(f"passed:{token.key}", say(_("%(token)s: panic test passed"), token=words), style="main")
        yield Offer(f"failed:{token.key}", say(_("%(token)s: failed, roll the wounds"), token=words))
        yield Offer(f"hurt:{token.key}", say(_("%(token)s: failed, wounds"), token=words), 1, unit.wounds)

    def resolve(self, g: Table, seat: str, key: str) -> None:
        g.lines.append(self._effect(g, g.objectives[key]))
        self._next(g, seat, key)

    def passed(self, g: Table, seat: str, key: str) -> None:
        g.say(_("%(unit)s passes its panic test."), unit=self._unit(g, key).name)
        self._next(g, seat, key)

    def failed(self, g: Table, seat: str, key: str) -> None:
        self.hurt(g, seat, key, panic_wounds(g))

    def hurt(self, g: Table, seat: str, key: str, amount: int) -> None:
        unit = self._unit(g, key)
        g.say(_("%(unit)s fails its panic test."), unit=unit.name)
        self._next(g, seat, key)
        wounds.wound(g, unit, amount, None)

    def go_on(self, g: Table) -> None:
        g.goto(CheckVictory)

    def helping(self, g: Table, seat: str | None) -> Line:
        left = [token for asked in self.waits_for(g) for token in self.left(g, asked)]
        return self._effect(g, left[0]) if len(left) == 1 else Line(self.help)

    def _effect(self, g: Table, token: Place) -> Line:
        card = ruleset.card(g, token.card)
        effect = Term(card["effect"]) if card else ""
        return say(_("%(token)s: %(effect)s"), token=Term(token.name), effect=effect)

    def _unit(self, g: Table, key: str) -> Unit:
        return g.units[g.objectives[key].claimed_by]

    def _next(self, g: Table, seat: str, key: str) -> None:
        g.objectives[key].scored = None
        g.turn = g.rival(seat)
        g.goto(ScoringEffects)


def panic_wounds(g: Table) -> int:
    """The wounds of a failed panic test, rolled by the app (TMG-45)."""
    return g.rules["panic_wounds"] + g.die(g.rules["panic_die"])


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


class Upkeep(Step):
    """A step of the clean-up that nobody is asked about."""

    def asked(self, g: Table) -> Iterable[str]:
        return ()


class RemoveActivations(Upkeep):
    """TMG-74, step 4, and TMG-77: Activation tokens come off, spent orders too (TMG-43).

    What was barred from activating may activate again (TMG-26).
    """

    rule = "TMG-77"
    title = _("Remove Activation tokens")
    help = _("Every unit may activate again next round.")

    def run(self, g: Table) -> None:
        g.acting = None
        for unit in g.units.values():
            unit.activated = unit.order_used = unit.barred = False
        g.say(_("Activation tokens are removed."))
        g.goto(ClearTacticsBoard)


class ClearTacticsBoard(Upkeep):
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
        g.say(_("The tactics board is emptied."))
        g.goto(RemoveInfluence)

    def _keep(self, g: Table, unit: Unit) -> None:
        unit.barred = True
        g.say(_("%(unit)s stays on the tactics board and does not activate next round."), unit=unit.name)


class RemoveInfluence(Upkeep):
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


class Discard(Moment):
    """TMG-74, step 7, and TMG-78: each player may discard any tactics cards, before the draw."""

    rule = "TMG-78"
    title = _("Discard tactics cards?")
    help = _("You may discard any number; then you draw up to your limit.")

    def waits_for(self, g: Table) -> Iterable[str]:
        return [seat for seat in g.seats if g.armies[seat].hand and not g.armies[seat].closed]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield _KEEP
        yield Offer("discard", say(_("Discard")), 1, g.armies[seat].hand)

    def keep(self, g: Table, seat: str) -> None:
        g.armies[seat].closed = True
        g.say(_("%(player)s keeps all cards."), player=name(g, seat))

    def discard(self, g: Table, seat: str, cards: int) -> None:
        side = g.armies[seat]
        side.hand -= cards
        side.closed = True
        line = say_count(
            "%(player)s discards %(count)s card.",
            "%(player)s discards %(count)s cards.",
            cards,
            player=name(g, seat),
        )
        g.lines.append(line)

    def go_on(self, g: Table) -> None:
        reopen(g)
        g.goto(DrawCards)


_KEEP = Offer("keep", say(_("Keep all")), style="main")


class DrawCards(Upkeep):
    """TMG-74, step 8, and TMG-79: draw up to the limit, at most what the deck still holds.

    Who has as many or more draws none and keeps all; the deck is never refilled.
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
    """How many cards a seat draws up to: the ruleset's, and what its units and objectives add (TMG-79)."""
    units = sum(
        unit.hand_bonus
        for unit in g.units.values()
        if unit.hand_bonus and unit.player == seat and unit.is_on_table
    )
    cards = (ruleset.card(g, token.card) for token in control.controlled(g, seat))
    return (
        g.rules["hand"]
        + g.armies[seat].hand_bonus
        + units
        + sum(card.get("hand", 0) for card in cards if card)
    )


class PassFirstPlayer(Upkeep):
    """TMG-74, step 9, and TMG-80: the First Player token goes to the opponent of whoever holds it.

    An effect that makes somebody First Player of the next round is honoured here.
    """

    rule = "TMG-80"
    title = _("Pass the First Player token")
    help = _("It goes to the opponent of whoever holds it.")

    def run(self, g: Table) -> None:
        g.first = g.next_first or g.rival(g.first)
        g.next_first = None
        g.say(_("%(player)s is First Player."), player=name(g, g.first))
        g.goto(AdvanceRound)


class AdvanceRound(Upkeep):
    """TMG-74, step 10, and TMG-81: the Round Track advances by 1; the last round never gets here."""

    rule = "TMG-81"
    title = _("Advance the Round Track")
    help = _("The next round begins.")

    def run(self, g: Table) -> None:
        begin_round(g)


def begin_round(g: Table) -> None:
    """Start the next round with the seat that holds the First Player token."""
    reserve.reopen(g)
    g.begin_round(g.first)
    g.say(_("Round %(round)s."), round=g.round)
    g.goto(StartOfRound)


ORDER: tuple[type[Step], ...] = (
    EndOfRound,
    ScorePoints,
    CheckVictory,
    RemoveActivations,
    ClearTacticsBoard,
    RemoveInfluence,
    Discard,
    DrawCards,
    PassFirstPlayer,
    AdvanceRound,
)
"""The ten steps of the clean-up (TMG-74); the effects of scoring belong to the second."""


def position(question: Question) -> int | None:
    """Which of the ten steps a question stands at, from 0; None outside the clean-up."""
    if question.step == ScoringEffects.name:
        return ORDER.index(ScorePoints)
    return next((at for at, step in enumerate(ORDER) if step.name == question.step), None)
