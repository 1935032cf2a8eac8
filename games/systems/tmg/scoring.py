"""What a round scores: the tally that both players agree to, and the effects of what scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.system import Offer, name_of
from games.core.words import Line, Term, say, say_count
from games.core.words import gettext_noop as _
from games.systems.tmg import control, ruleset, wounds
from games.systems.tmg.moments import Moment
from games.systems.tmg.pieces import Place, Table, Unit

FIRST_SCORING_ROUND = 2

Tally = list[tuple[Place, str, int]]
"""What a round scores: each token with the seat that scores it and its points."""


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
        g.say(_("%(player)s agrees to the score."), player=name_of(g, seat))

    def go_on(self, g: Table) -> None:
        for army in g.armies.values():
            army.agreed = ""
        for token, seat, points in self.tally(g):
            self.score(g, token, seat, points)
        g.turn = g.first
        g.goto(ScoringEffects)

    def score(self, g: Table, token: Place, seat: str, points: int) -> None:
        """Write the points of one token, and remember that its card may ask for something."""
        g.score(seat, points, _("controls an objective"), token.name, str(name_of(g, seat)))
        line = say_count(
            "%(player)s scores %(count)s Victory Point: %(token)s.",
            "%(player)s scores %(count)s Victory Points: %(token)s.",
            points,
            player=name_of(g, seat),
            token=Term(token.name),
        )
        g.lines.append(line)
        if g.tracks("effects") and ruleset.says_when_scoring(g, token):
            token.scored = seat

    def asking(self, g: Table, seat: str | None) -> Line:
        points = dict.fromkeys(g.seats, 0)
        for _token, player, scored in self.tally(g):
            points[player] += scored
        score = tuple(
            say(_("%(player)s %(points)s"), player=name_of(g, player), points=scored)
            for player, scored in points.items()
        )
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
        is_test = "panic" in (card or {}) and g.tracks("wounds")
        if not is_test or unit is None or unit.player != token.scored:
            yield Offer(f"resolve:{token.key}", say(_("%(token)s: resolved"), token=words), style="main")
            return
        yield Offer(f"passed:{token.key}", say(_("%(token)s: panic test passed"), token=words), style="main")
        yield Offer(f"failed:{token.key}", say(_("%(token)s: failed, roll the wounds"), token=words))
        yield Offer(f"hurt:{token.key}", say(_("%(token)s: failed, wounds"), token=words), 1, unit.wounds)

    def resolve(self, g: Table, seat: str, key: str) -> None:
        g.lines.append(self._effect(g, g.objectives[key]))
        self.resolved(g, seat, key)

    def passed(self, g: Table, seat: str, key: str) -> None:
        g.say(_("%(unit)s passes its panic test."), unit=self._unit(g, key).name)
        self.resolved(g, seat, key)

    def failed(self, g: Table, seat: str, key: str) -> None:
        self.hurt(g, seat, key, panic_wounds(g))

    def hurt(self, g: Table, seat: str, key: str, amount: int) -> None:
        unit = self._unit(g, key)
        g.say(_("%(unit)s fails its panic test."), unit=unit.name)
        self.resolved(g, seat, key)
        wounds.wound(g, unit, amount, None)

    def go_on(self, g: Table) -> None:
        g.goto("check-victory")

    def helping(self, g: Table, seat: str | None) -> Line:
        left = [token for asked in self.waits_for(g) for token in self.left(g, asked)]
        return self._effect(g, left[0]) if len(left) == 1 else Line(self.help)

    def _effect(self, g: Table, token: Place) -> Line:
        card = ruleset.card(g, token.card)
        effect = Term(card["effect"]) if card else ""
        return say(_("%(token)s: %(effect)s"), token=Term(token.name), effect=effect)

    def _unit(self, g: Table, key: str) -> Unit:
        return g.units[g.objectives[key].claimed_by]

    def resolved(self, g: Table, seat: str, key: str) -> None:
        """This effect is done with; the other side is next if it has any."""
        g.objectives[key].scored = None
        g.turn = g.rival(seat)
        g.goto(ScoringEffects)


def panic_wounds(g: Table) -> int:
    """The wounds of a failed panic test, rolled by the app (TMG-45)."""
    return g.rules["panic_wounds"] + g.die(g.rules["panic_die"])
