"""What a round scores: the tally that both players agree to, and the effects of what scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.core.steps import Offer, answer
from games.core.system import name_of
from games.core.words import Argument, Line, Term, say, say_count
from games.core.words import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules import control, ending, wounds
from games.systems.tmg.rules.activation import somebody_can_act
from games.systems.tmg.rules.cleanup import CheckVictory
from games.systems.tmg.rules.moments import Moment
from games.systems.tmg.rules.round import resume

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
        if somebody_can_act(g) and not ending.pending(g):
            resume(g)
        else:
            super().run(g)


class ScorePoints(BeforeScore):
    """TMG-74, step 2: score Victory Points, both sides at the same time.

    Both players agree to the tally before it is written, even to an empty one; a correction asks
    them again. Until both have agreed the last activation of the round may still be noted (TMG-14).
    """

    rule = "TMG-74"
    title = _("Confirm the score")
    help = _("Tap a line to correct it. What the last activation did can still be noted.")
    help_if_nothing = _("If that is wrong, note the claim first.")
    nothing = _("No objective is controlled: 0 to 0?")
    settles_score = True

    def is_due(self, g: Table) -> bool:
        """Whether this round scores what is on the table; modes say so."""
        return False

    def is_confirmed(self, g: Table) -> bool:
        """Whether all players are asked to confirm points here, which is their last opportunity (TMG-14)."""
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
        if self.is_due(g) and not tally:
            g.say(_("Nobody scores in this round."))
        g.turn = g.first
        g.goto(ScoringEffects)

    def score(self, g: Table, source: Source) -> None:
        """Write the points of one source, and remember that its card may ask for something."""
        token, seat = source.place, source.seat
        g.score(seat, source.points, source.reason, token.name, str(name_of(g, seat)))
        g.lines.append(_told(g, source))
        if g.tracks("effects") and ruleset.says_when_scoring(g, token):
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

    def is_due(self, g: Table) -> bool:
        return g.round >= FIRST_SCORING_ROUND

    def tally(self, g: Table) -> Tally:
        if not self.is_due(g):
            return []
        found: Tally = []
        holders = control.controllers(g)
        for token in g.tokens():
            seat = holders[token.key]
            if seat is not None:
                found += [Source(token, seat, 1), *self.more(g, token, seat)]
        return found

    def more(self, g: Table, token: Place, seat: str) -> Iterator[Source]:
        """What a token grants beyond its point to its controller: in some modes more for the Commander."""
        unit, bonus = g.units.get(token.claimed_by or ""), g.rules.get("commander_bonus", 0)
        if bonus and unit is not None and unit.commander and unit.player == seat:
            yield Source(token, seat, bonus, _("controlled by the Commander"), is_extra=True)

    def go_on(self, g: Table) -> None:
        if not self.is_due(g):
            g.lines.append(Line(_("Objectives score from round 2.")))
        super().go_on(g)


def _written(g: Table, step: ScorePoints) -> str:
    """A round's tally in the form in which a side keeps the one that it agreed to."""
    return " ".join(f"{source.place.key}={source.seat}:{source.points}" for source in step.tally(g)) or "0"


def _told(g: Table, source: Source) -> Line:
    """A source's points as the log states them, with the reason for extra ones."""
    words: dict[str, Argument] = {"player": name_of(g, source.seat), "token": Term(source.place.name)}
    if source.is_extra:
        return say_count(
            "%(player)s scores %(count)s Victory Point: %(token)s, %(reason)s.",
            "%(player)s scores %(count)s Victory Points: %(token)s, %(reason)s.",
            source.points,
            reason=Term(source.reason),
            **words,
        )
    return say_count(
        "%(player)s scores %(count)s Victory Point: %(token)s.",
        "%(player)s scores %(count)s Victory Points: %(token)s.",
        source.points,
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
        """The tokens of a seat whose effects are not resolved yet."""
        return [token for token in g.tokens() if token.scored == seat]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for token in self.left(g, seat):
            yield from self.ways(g, token)

    def ways(self, g: Table, token: Place) -> Iterator[Offer]:
        """How the effect of one token may turn out; its first button says what it does."""
        card, unit = ruleset.card(g, token.card), g.units.get(token.claimed_by or "")
        words, effect = Term(token.name), Line(card["effect"]) if card else None
        is_test = "panic" in (card or {}) and g.tracks("wounds")
        if not is_test or unit is None or unit.player != token.scored:
            label = say(_("%(token)s: resolved"), token=words)
            yield Offer(f"resolve:{token.key}", label, style="main", detail=effect)
            return
        label = say(_("%(token)s: panic test passed"), token=words)
        yield Offer(f"passed:{token.key}", label, style="main", detail=effect)
        yield Offer(f"failed:{token.key}", say(_("%(token)s: failed, roll the wounds"), token=words))
        yield Offer(f"hurt:{token.key}", say(_("%(token)s: failed, wounds"), token=words), 1, unit.wounds)

    @answer
    def resolve(self, g: Table, seat: str, token: Place) -> None:
        g.lines.append(self._effect(g, token))
        self.resolved(g, seat, token)

    @answer
    def passed(self, g: Table, seat: str, token: Place) -> None:
        g.say(_("%(unit)s passes its panic test."), unit=self._unit(g, token).name)
        self.resolved(g, seat, token)

    @answer
    def failed(self, g: Table, seat: str, token: Place) -> None:
        self.hurt(g, seat, token, panic_wounds(g))

    @answer
    def hurt(self, g: Table, seat: str, token: Place, amount: int) -> None:
        unit = self._unit(g, token)
        g.say(_("%(unit)s fails its panic test."), unit=unit.name)
        self.resolved(g, seat, token)
        wounds.wound(g, unit, amount, None)

    def go_on(self, g: Table) -> None:
        g.goto(CheckVictory)

    def _effect(self, g: Table, token: Place) -> Line:
        card = ruleset.card(g, token.card)
        effect = Term(card["effect"]) if card else ""
        return say(_("%(token)s: %(effect)s"), token=Term(token.name), effect=effect)

    def _unit(self, g: Table, token: Place) -> Unit:
        return g.units[token.claimed_by or ""]

    def resolved(self, g: Table, seat: str, token: Place) -> None:
        """This effect is resolved; the other side is next if it has any left."""
        token.scored = None
        g.turn = g.rival(seat)
        g.goto(ScoringEffects)


def panic_wounds(g: Table) -> int:
    """The wounds of a failed panic test, rolled by the app (TMG-45)."""
    fixed: int = g.rules["panic_wounds"]
    return fixed + g.die(g.rules["panic_die"])
