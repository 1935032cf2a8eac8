"""The Clean-Up Phase, from the last turn to the next round: ten steps in the rulebook's order.

Both players agree to the round's score, or say that they are done where there is none, and each says what
it discards: four taps in all when nobody has anything else to resolve. What is mandatory happens by itself
and is logged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from games.core import Argument, Line, Offer, Silent, Step, Term, answer, name_of, say, say_count, system
from games.core import gettext_noop as _
from games.systems.tmg.pieces import END_OF_ROUND, Place, Table, Unit
from games.systems.tmg.rules import (
    activation_phase,
    attacks,
    destruction,
    end_of_match,
    objective_tokens,
    tactics_cards,
)
from games.systems.tmg.rules.activation_phase import StartOfRound, resume, somebody_can_act
from games.systems.tmg.rules.moments_of_play import Moment, MomentOfAll, Window

FIRST_SCORING_ROUND = 2
CONTROLS = _("controls an objective")


@dataclass(frozen=True, slots=True)
class Source:
    """What gives points in a round: a token or sector, the seat that scores it, how many, and why.

    `is_extra` marks points beyond those for controlling the place.
    """

    place: Place
    seat: str
    points: int
    reason: str = CONTROLS
    is_extra: bool = False


Tally = list[Source]
"""What a round scores; a token that grants more than its point has a source for that too."""


class BeforeScore(Moment):
    """TMG-19: until the round has scored, a unit that can activate after all reopens the Activation Phase."""

    def asked(self, g: Table) -> Iterable[str]:
        return () if somebody_can_act(g) else super().asked(g)

    def run(self, g: Table) -> None:
        if somebody_can_act(g) and not end_of_match.pending(g):
            resume(g)
        else:
            super().run(g)


class EndOfRound(BeforeScore, Window):
    """TMG-74, step 1: effects of the end of the round come first, before anything scores."""

    rule = "TMG-74"
    title = _("End of the round")
    help = _("Resolve what happens at the end of the round.")
    moment = END_OF_ROUND

    def go_on(self, g: Table) -> None:
        g.goto(ScorePoints)


class ScorePoints(BeforeScore):
    """TMG-74, step 2: score Victory Points, both sides at the same time.

    Both players agree to the tally before it is written, even to an empty one; a correction asks
    them again. Until both have agreed the last activation of the round may still be noted (TMG-14).
    """

    rule = "TMG-74"
    title = _("Confirm the score")
    help = _("Tap a line to correct it. You can still enter what the last activation did.")
    help_if_nothing = _("If that is wrong, enter the claim first.")
    nothing = _("No objective is controlled: 0 to 0?")
    not_due: ClassVar[str] = ""
    """What the log says of a round in which nothing scores yet."""
    settles_score = True

    def is_due(self, g: Table) -> bool:
        """Whether this round scores what is on the table; modes say so."""
        return False

    def is_confirmed(self, g: Table) -> bool:
        return self.is_due(g)

    def tally(self, g: Table) -> Tally:
        """The points of this round; modes say how."""
        return []

    def waits_for(self, g: Table) -> Iterable[str]:
        if not self.is_due(g):
            return ()
        written = _written(g, self)
        return [seat for seat in g.seats if g.armies[seat].agreed != written]

    def at_stake(self, g: Table) -> str:
        return _written(g, self)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield _AGREE

    @answer
    def agree(self, g: Table, seat: str) -> None:
        g.armies[seat].agreed = _written(g, self)
        g.say(_("%(player)s agrees to the score."), player=name_of(g, seat))

    def go_on(self, g: Table) -> None:
        for army in g.armies.values():
            army.agreed = ""
        tally = self.tally(g)
        for source in tally:
            self.score(g, source)
        g.lines += _scored(g, tally)
        if not self.is_due(g):
            g.lines += [Line(self.not_due)] if self.not_due else []
        elif not tally:
            g.say(_("No one scores in this round."))
        g.turn = g.first
        g.goto(ScoringEffects)

    def score(self, g: Table, source: Source) -> None:
        """Write the points of one source, and remember that its card may ask for something."""
        token, seat = source.place, source.seat
        g.score(seat, source.points, source.reason, token.name, str(name_of(g, seat)))
        if g.tracks("effects") and says_when_scoring(g, token):
            token.scored = seat

    def asking(self, g: Table, seat: str | None) -> Line:
        tally = self.tally(g)
        if not tally:
            return Line(self.nothing)
        points = dict.fromkeys(g.seats, 0)
        for source in tally:
            points[source.seat] += source.points
        score = tuple(
            say(_("%(player)s %(points)s"), player=name_of(g, player), points=scored)
            for player, scored in points.items()
        )
        return say(_("This round scores: %(score)s"), score=score)

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line(self.help if self.tally(g) else self.help_if_nothing)


class ScoreTokens(ScorePoints):
    """TMG-62: from round 2 each controlled token scores, both sides at the same time."""

    name = ScorePoints.name
    rule = "TMG-62"
    not_due = _("Objectives score from round 2.")

    def is_due(self, g: Table) -> bool:
        return g.round >= FIRST_SCORING_ROUND

    def tally(self, g: Table) -> Tally:
        if not self.is_due(g):
            return []
        tally: Tally = []
        holders = objective_tokens.controllers(g)
        for token in g.tokens():
            seat = holders[token.key]
            if seat is not None:
                tally += [Source(token, seat, 1), *self.more(g, token, seat)]
        return tally

    def more(self, g: Table, token: Place, seat: str) -> Iterator[Source]:
        """What a token grants beyond its point to its controller: in some modes more for the Commander."""
        unit, bonus = g.units.get(token.claimed_by or ""), g.rules.get("commander_bonus", 0)
        if bonus and unit is not None and unit.commander and unit.player == seat:
            yield Source(token, seat, bonus, _("controlled by the Commander"), is_extra=True)


def _written(g: Table, step: ScorePoints) -> str:
    """A round's tally in the form in which a side keeps the one that it agreed to."""
    return " ".join(f"{source.place.key}={source.seat}:{source.points}" for source in step.tally(g)) or "0"


def _scored(g: Table, tally: Tally) -> Iterator[Line]:
    """What each place scores for a seat, with the reason for extra points."""
    for (_place, seat), group in groupby(tally, lambda source: (source.place.key, source.seat)):
        sources = list(group)
        points, extra = sum(source.points for source in sources), [each for each in sources if each.is_extra]
        words: dict[str, Argument] = {"player": name_of(g, seat), "token": Term(sources[0].place.name)}
        if extra:
            line = _("%(player)s scores %(count)s Victory Points: %(token)s (%(reason)s: %(extra)s).")
            reason, more = Term(extra[0].reason), sum(each.points for each in extra)
            yield say(line, count=points, reason=reason, extra=more, **words)
        else:
            yield say_count(
                "%(player)s scores %(count)s Victory Point: %(token)s.",
                "%(player)s scores %(count)s Victory Points: %(token)s.",
                points,
                **words,
            )


_AGREE = Offer("agree", say(_("Confirm score")), style="main")


class ScoringEffects(Moment):
    """TMG-64: effects of tokens that scored, in turns: the First Player picks one, then the rival.

    A side with none left is skipped. TMG-66: units that they destroy score before the victory check.
    """

    rule = "TMG-64"
    title = _("Resolve an objective's effect")
    help = _("Players take turns, beginning with the First Player.")
    part_of = ScorePoints

    def waits_for(self, g: Table) -> Iterable[str]:
        return next(((seat,) for seat in (g.turn, *g.rivals(g.turn)) if self.left(g, seat)), ())

    def left(self, g: Table, seat: str) -> list[Place]:
        return [token for token in g.tokens() if token.scored == seat]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for token in self.left(g, seat):
            yield from self.ways(g, token)

    def ways(self, g: Table, token: Place) -> Iterator[Offer]:
        """How the effect of one token may turn out; its first button says what it does."""
        card, unit = g.objective_card(token.card), g.units.get(token.claimed_by or "")
        words, effect = Term(token.name), Line(card["effect"]) if card else None
        is_test = "panic" in (card or {}) and g.tracks("wounds")
        if not is_test or unit is None or unit.player != token.scored:
            label = say(_("%(token)s: resolved"), token=words)
            yield Offer(f"resolve:{token.key}", label, style="main", detail=effect)
            return
        label = say(_("%(token)s: panic test passed"), token=words)
        yield Offer(f"passed:{token.key}", label, style="main", detail=effect)
        if attacks.test_of(g, unit).morale:
            yield Offer(f"roll-test:{token.key}", say(_("%(token)s: roll the panic test"), token=words))
        yield Offer(f"failed:{token.key}", say(_("%(token)s: failed, roll the wounds"), token=words))
        yield Offer(f"hurt:{token.key}", say(_("%(token)s: failed, wounds"), token=words), 1, unit.wounds)

    @answer
    def resolve(self, g: Table, seat: str, token: Place) -> None:
        card = g.objective_card(token.card)
        effect = Term(card["effect"]) if card else ""
        g.say(_("%(token)s: %(effect)s"), token=Term(token.name), effect=effect)
        self.resolved(g, seat, token)

    @answer
    def passed(self, g: Table, seat: str, token: Place) -> None:
        g.say(_("%(unit)s passes its panic test."), unit=self._unit(g, token).name)
        self.resolved(g, seat, token)

    @answer("roll-test")
    def roll_test(self, g: Table, seat: str, token: Place) -> None:
        card, first, second = g.objective_card(token.card), g.die(), g.die()
        g.say(attacks.PANIC_DICE, dice=f"{first} {second}")
        least = attacks.test_of(g, self._unit(g, token)).morale - (card or {}).get("panic", 0)
        (self.passed if first + second >= least else self.failed)(g, seat, token)

    @answer
    def failed(self, g: Table, seat: str, token: Place) -> None:
        self.hurt(g, seat, token, attacks.failed(g, self._unit(g, token)))

    @answer
    def hurt(self, g: Table, seat: str, token: Place, amount: int) -> None:
        unit = self._unit(g, token)
        g.say(_("%(unit)s fails its panic test."), unit=unit.name)
        self.resolved(g, seat, token)
        destruction.wound(g, unit, amount, None)

    def go_on(self, g: Table) -> None:
        g.goto(CheckVictory)

    def _unit(self, g: Table, token: Place) -> Unit:
        return g.units[token.claimed_by or ""]

    def resolved(self, g: Table, seat: str, token: Place) -> None:
        """This effect is resolved; the other side is next if it has any left."""
        token.scored = None
        g.turn = g.rival(seat)
        g.goto(ScoringEffects)


# --- once the round is scored ---------------------------------------------------------------------------


class CheckVictory(Moment):
    """TMG-74, step 3, and TMG-76: victory is checked only when all effects of scoring are resolved."""

    rule = "TMG-76"
    title = _("Check for victory")
    help = _("A player who has reached the target and leads wins.")

    def go_on(self, g: Table) -> None:
        end_of_match.check_victory(g)
        if g.result is None and g.round >= g.rules["rounds"]:
            end_of_match.after_last_round(g)
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
        g.acting, g.attack = None, ()
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
        tactics_cards.forget_swapped(g)
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


class Discard(MomentOfAll, end_of_match.AfterCheck):
    """TMG-74, step 7, and TMG-78: each player may discard any tactics cards, before the draw."""

    rule = "TMG-78"
    title = _("Discard tactics cards?")
    help = _("You may discard any number; then you draw up to your limit.")

    def concerned(self, g: Table) -> Iterable[str]:
        return [seat for seat in g.seats if g.armies[seat].hand] if g.tracks("cards") else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if not tactics_cards.is_tracked(g):
            yield _KEEP
            yield Offer("discard", say(_("Discard")), 1, g.armies[seat].hand)
            return
        yield _KEEP_THESE
        for key in sorted(set(tactics_cards.hand(g, seat))):
            label = say(_("Discard %(card)s"), card=tactics_cards.called(g, seat, key))
            yield Offer(f"discard-card:{key}", label, is_secret=True)

    @answer
    def keep(self, g: Table, seat: str) -> None:
        g.mark_answered(seat)
        if tactics_cards.is_tracked(g):
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
        tactics_cards.leave_hand(g, seat, key)
        tactics_cards.discard(g, seat, key)
        g.say(
            _("%(player)s discards %(card)s."),
            player=name_of(g, seat),
            card=tactics_cards.called(g, seat, key),
        )

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
                tactics_cards.draw(g, seat, short)
        g.goto(PassFirstPlayer)


def hand_limit(g: Table, seat: str) -> int:
    """The limit that a seat draws up to: the ruleset's, plus what units and objectives add (TMG-79)."""
    units = sum(
        unit.hand_bonus
        for unit in g.units.values()
        if unit.hand_bonus and unit.player == seat and unit.is_on_table
    )
    cards = (g.objective_card(token.card) for token in objective_tokens.controlled(g, seat))
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
        for over in (tactics_cards.TURN, tactics_cards.ROUND):
            tactics_cards.expire(g, over)
        begin_round(g)


def begin_round(g: Table) -> None:
    """Start the next round with the seat that holds the First Player token."""
    activation_phase.reopen_reserve(g)
    g.begin_round(g.first)
    g.say(_("Round %(round)s."), round=g.round)
    g.goto(StartOfRound)


# --- all ten --------------------------------------------------------------------------------------------


ORDER: tuple[type[Step[Table]], ...] = (
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

_PLACES = {step.name: place for place, step in enumerate(ORDER)}


def clean_up_at(g: Table) -> int | None:
    """Which of the ten steps the match stands at, from 0; None outside the clean-up."""
    steps = (system(g.system).step_named(g, question.step) for question in g.flow)
    names = (step.part_of.name if issubclass(step, Moment) and step.part_of else step.name for step in steps)
    return next((_PLACES[name] for name in names if name in _PLACES), None)


def is_cleared(g: Table) -> bool:
    """Whether Activation tokens, zones and Influence are off: after a round (TMG-77), before any (TMG-12).

    What is noted of them now would last into the next round.
    """
    return not g.round or (clean_up_at(g) or 0) >= _PLACES[Discard.name]


def says_when_scoring(g: Table, token: Place) -> bool:
    """Whether the card beside a token asks for something when the token scores."""
    return (g.objective_card(token.card) or {}).get("when") == "scoring"
