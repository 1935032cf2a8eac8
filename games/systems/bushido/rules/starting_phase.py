"""The Starting phase: the last turn's roll, Ki, counters, the Tactical Test, effects, pass tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from games.core import Line, Offer, Roll, Silent, Step, Together, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.bushido.pieces import DEATH_SENTENCE, STARTING, TABLE, Army, Table, Unit
from games.systems.bushido.rules import scenarios, victory_and_end, wounds_and_ki
from games.systems.bushido.rules.main_phase import BeginMain
from games.systems.bushido.rules.model_actions import COUNTERS, refill
from games.systems.bushido.rules.turn_sequence import TurnBegins, Window
from games.systems.bushido.rules.victory_and_end import decide_last

LAST_TURN_ON = 4
"""The lowest die that makes a variable turn the last one."""

MOST_DICE = 4
DEATH_PRICE = 3
AGAIN = "again"
"""Marks a Tactical Test that follows a tie."""
MORE_DICE = _("Tactician, or other dice")
NOMINATE = _("Nominate a model")


class VariableTurns(Roll[Table], TurnBegins):
    """BUSH-02: from the scenario's turn on, a die of 4 or more makes this the last turn. BUSH-01 begins here.

    The highest possible turn is the last without a roll; a fixed length never rolls.
    """

    rule = "BUSH-02"
    title = _("Is this the last turn?")
    help = _("One of you rolls a die: on 4 or more this turn is the last.")
    entered = _("We rolled")

    def asked(self, g: Table) -> Iterable[str]:
        scenario = scenarios.of(g)
        return (
            g.seats if scenario.variable_from and scenario.variable_from <= g.round < scenario.turns else ()
        )

    def tell(self, g: Table, seat: str, line: str, die: int) -> None:
        """Say nothing yet: the die is reported together with its consequence."""

    def shows(self, g: Table, seat: str, die: int) -> None:
        is_final = die >= LAST_TURN_ON
        line = (
            _("The die shows %(die)s: this is the last turn.")
            if is_final
            else _("The die shows %(die)s. The match continues after this turn.")
        )
        g.say(line, die=die)
        self._go_on(g, is_final)

    def run(self, g: Table) -> None:
        self._go_on(g, g.round >= scenarios.of(g).turns)

    def _go_on(self, g: Table, is_final: bool) -> None:
        decide_last(g, is_final)
        g.goto(KiGeneration)


class KiGeneration(Silent[Table]):
    """BUSH-03: every model gains the first number of its Ki, up to its cap, Elsewhere too.

    A Spirit Block marker takes the place of the gain and comes off; a cap "*" pays into the card
    that the warband shares; a Ki of "X" is left to its card.
    """

    rule = "BUSH-03"
    title = _("Ki")
    help = _("Every model gains its Ki.")

    def run(self, g: Table) -> None:
        g.say(_("Every model gains its Ki."))
        for unit in g.units.values():
            if unit.is_in_play:
                wounds_and_ki.gain_ki(g, unit)
        g.goto(ActivationCounters)


class ActivationCounters(Silent[Table]):
    """BUSH-04: every model has 2 activation counters; one that is Diseased has 1 and loses a marker.

    Models Elsewhere get none until they are deployed, unless the ruleset says so, and lose such a marker too.
    """

    rule = "BUSH-04"
    title = _("Activation counters")
    help = _("Two for every model.")

    def run(self, g: Table) -> None:
        left = sum(unit.counters for unit in g.units.values())
        if left:
            g.say_count("%(count)s counter was left over.", "%(count)s counters were left over.", left)
        g.say(_("Every model has 2 activation counters."))
        for unit in g.units.values():
            refill(g, unit)
        g.goto(TacticalTest)


class TacticalTest(Together[Table]):
    """BUSH-05: each nominates a model and rolls a die, more with Tactician. Natural 1s are removed.

    The best die counts, plus 1 for each other die, at most 2. The higher result wins; if level, the
    player with more dice left; if still level, both roll again. `tie` marks such a roll.
    """

    tie: str = ""

    rule = "BUSH-05"
    title = _("Tactical Test")
    help = _(
        "Each rolls a die, more with Tactician; 1s are removed. The higher result chooses who goes first."
    )

    def waiting(self, g: Table) -> tuple[str, ...]:
        return tuple(seat for seat in g.seats if len(g.armies[seat].rolled) < g.armies[seat].dice)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        side = g.armies[seat]
        left = side.dice - len(side.rolled)
        label = say(_("Roll a die")) if left == 1 else say(_("Roll %(count)s dice"), count=left)
        yield Offer("roll", label, style="main")
        yield Offer("rolled", say(_("Enter my roll")), 1, 6)
        if side.rolled:
            return
        yield Offer("dice", say(_("Dice in my test")), 1, MOST_DICE, group=MORE_DICE)
        for unit in g.on_table(seat):
            if unit.key != side.nominee:
                yield Offer(f"nominate:{unit.key}", Line(unit.name), group=NOMINATE)

    def asking(self, g: Table, seat: str | None) -> Line:
        return Line(_("Tactical Test, a tie: roll again") if self.tie else self.title)

    @answer
    def roll(self, g: Table, seat: str) -> None:
        side = g.armies[seat]
        while len(side.rolled) < side.dice:
            side.rolled = (*side.rolled, g.die())
        g.say(_("%(player)s rolls %(dice)s."), player=name_of(g, seat), dice=_shown(side.rolled))

    @answer
    def rolled(self, g: Table, seat: str, die: int) -> None:
        side = g.armies[seat]
        side.rolled = (*side.rolled, die)
        g.say(
            _("%(player)s rolled %(dice)s with real dice."),
            player=name_of(g, seat),
            dice=_shown(side.rolled),
        )

    @answer
    def dice(self, g: Table, seat: str, count: int) -> None:
        g.armies[seat].dice = count
        g.say_count(
            "%(player)s tests with %(count)s die.",
            "%(player)s tests with %(count)s dice.",
            count,
            player=name_of(g, seat),
        )

    @answer
    def nominate(self, g: Table, seat: str, unit: Unit) -> None:
        side = g.armies[seat]
        side.nominee, side.dice = unit.key, min(MOST_DICE, 1 + unit.tactician)
        g.say(_("%(player)s nominates %(model)s."), player=name_of(g, seat), model=unit.name)

    def go_on(self, g: Table) -> None:
        results = {seat: outcome(g.armies[seat].rolled) for seat in g.seats}
        best = max(results.values())
        winners = [seat for seat, reached in results.items() if reached == best]
        sentences = tuple(
            say(_("%(player)s %(result)s"), player=name_of(g, seat), result=reached[0])
            for seat, reached in results.items()
        )
        for army in g.armies.values():
            army.rolled = ()
        if len(winners) > 1:
            g.say(_("Tactical Test: %(results)s. Tied: both roll again."), results=sentences)
            g.goto(TacticalTest(AGAIN))
            return
        for army in g.armies.values():
            army.nominee, army.dice = None, 1
        line = _("Tactical Test: %(results)s. %(player)s wins.")
        if len({result for result, _dice in results.values()}) == 1:
            line = _("Tactical Test: %(results)s. %(player)s has more dice left and wins.")
        g.say(line, results=sentences, player=name_of(g, winners[0]))
        g.goto(ChooseFirst(winners[0]))


def outcome(dice: tuple[int, ...]) -> tuple[int, int]:
    """An opposed test's result and the dice left: 1s are removed, the best counts, up to two support it."""
    kept = [die for die in dice if die != 1]
    return (max(kept) + min(2, len(kept) - 1), len(kept)) if kept else (0, 0)


def _shown(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice))


class ChooseFirst(Step[Table]):
    """BUSH-05, BUSH-08: the winner of the Tactical Test chooses who is active first."""

    winner: str

    rule = "BUSH-08"
    title = _("Who goes first?")
    help = _("The winner of the test chooses.")

    def asked(self, g: Table) -> Iterable[str]:
        return (self.winner,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer(f"first:{seat}", say(_("I go first")), style="main")
        rival = g.rival(seat)
        yield Offer(f"first:{rival}", say(_("%(player)s goes first"), player=name_of(g, rival)))

    @answer
    def first(self, g: Table, seat: str, side: Army) -> None:
        g.starter = g.active = side.key
        key = str(g.round)
        g.rounds = {**g.rounds, key: replace(g.rounds[key], first=side.key)}
        g.say(_("%(player)s goes first."), player=name_of(g, side.key))
        g.goto(Resets)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == self.winner:
            return Line(_("You won the test: who goes first?"))
        return say(_("%(player)s decides who goes first"), player=name_of(g, self.winner))


class Resets(Silent[Table]):
    """BUSH-31: in the turns that the scenario names, Scenario Points or alignments start over."""

    rule = "BUSH-31"
    title = _("Resets")

    def run(self, g: Table) -> None:
        scenario = scenarios.of(g)
        if g.round in scenario.reset_points:
            victory_and_end.reset_points(g)
            g.say(_("Scenario Points are reset."))
        if g.round in scenario.reset_alignment:
            scenarios.reset_alignment(g)
        g.goto(StartingEffects)


class StartingEffects(Window):
    """BUSH-06: effects of the Starting phase, the Active Player's first, in the order each player likes.

    Models whose note names this turn arrive by their flank; 3 Ki may remove a Death Sentence.
    """

    rule = "BUSH-06"
    title = _("Effects of the Starting Phase")
    help = _("Tap each when you have resolved it, in the order you like.")
    moment = STARTING

    def waits_for(self, g: Table, seat: str) -> bool:
        return super().waits_for(g, seat) or bool(arrivals(g, seat) or _sentenced(g, seat))

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from super().offers(g, seat)
        for unit in arrivals(g, seat):
            yield Offer(f"arrive:{unit.key}", say(_("%(model)s arrives"), model=unit.name), style="main")
        for unit in _sentenced(g, seat):
            if wounds_and_ki.spendable_ki(g, unit) >= DEATH_PRICE:
                label = say(_("%(model)s pays 3 Ki: remove 1 Death Sentence"), model=unit.name)
                yield Offer(f"pay:{unit.key}", label)
            label = say(_("%(model)s keeps its Death Sentence"), model=unit.name)
            yield Offer(f"endure:{unit.key}", label, style="quiet")

    @answer
    def arrive(self, g: Table, seat: str, unit: Unit) -> None:
        _turn, edge = g.reveal(seat, f"flank-{unit.key}")
        unit.place, unit.flanks = TABLE, False
        unit.counters, unit.activated = COUNTERS, False
        line = (
            _("%(model)s arrives by the left flank.")
            if edge == "left"
            else _("%(model)s arrives by the right flank.")
        )
        g.say(line, model=unit.name)

    @answer
    def pay(self, g: Table, seat: str, unit: Unit) -> None:
        wounds_and_ki.change_ki(g, unit, -DEATH_PRICE)
        unit.remove_marker(DEATH_SENTENCE)
        g.armies[seat].resolved |= {_sentence(unit)}
        g.say(_("%(model)s pays 3 Ki to remove 1 Death Sentence."), model=unit.name)

    @answer
    def endure(self, g: Table, seat: str, unit: Unit) -> None:
        g.armies[seat].resolved |= {_sentence(unit)}
        g.say(_("%(model)s keeps its Death Sentence."), model=unit.name)

    def go_on(self, g: Table) -> None:
        g.goto(PassTokens)


def arrivals(g: Table, seat: str) -> list[Unit]:
    """The models of a seat whose note brings them in by a flank, this turn or earlier."""
    hidden = g.armies[seat].hidden
    flanking = (unit for unit in g.units_of(seat) if unit.is_flanking)
    return [unit for unit in flanking if (note := hidden.get(f"flank-{unit.key}")) and note[0] <= g.round]


def _sentence(unit: Unit) -> str:
    return f"death-{unit.key}"


def _sentenced(g: Table, seat: str) -> list[Unit]:
    resolved = g.armies[seat].resolved
    condemned = (unit for unit in g.warband(seat) if unit.has(DEATH_SENTENCE))
    return [unit for unit in condemned if _sentence(unit) not in resolved]


def strength(g: Table, seat: str) -> int:
    return len(g.warband(seat))


class PassTokens(Silent[Table]):
    """BUSH-07: the player with fewer models in the warband gains the difference in pass tokens.

    Recruited, summoned and controlled models count, Elsewhere too; killed ones do not.
    """

    rule = "BUSH-07"
    title = _("Pass tokens")
    help = _("The smaller warband gains the difference.")

    def run(self, g: Table) -> None:
        count = {seat: strength(g, seat) for seat in g.seats}
        fewer = min(g.seats, key=lambda seat: count[seat])
        difference = count[g.rival(fewer)] - count[fewer]
        if difference:
            g.armies[fewer].passes += difference
            g.say_count(
                "%(player)s gains %(count)s pass token.",
                "%(player)s gains %(count)s pass tokens.",
                difference,
                player=name_of(g, fewer),
            )
        g.goto(BeginMain)


STEPS: tuple[type[Step[Table]], ...] = (
    VariableTurns,
    KiGeneration,
    ActivationCounters,
    TacticalTest,
    ChooseFirst,
    Resets,
    StartingEffects,
    PassTokens,
)
ORDER: tuple[type[Step[Table]], ...] = (
    VariableTurns,
    KiGeneration,
    ActivationCounters,
    TacticalTest,
    StartingEffects,
    PassTokens,
)
"""The six steps of the Starting phase."""
