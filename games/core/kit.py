"""The kit of rules: questions that rulebooks ask again and again, written once each.

| The rulebook says | The step is |
|---|---|
| what is mandatory happens by itself | `Silent` |
| the table says (the first to tap) | `Anybody` |
| all players choose, in any order | `Together` |
| all players say that they are done | `Acknowledged` |
| all players say that they are done, and may think again until all are | `Settled` |
| each player in turn, once | `InTurn` |
| players in turn, one thing each, until nobody has anything left | `ByTurns` |
| players with an effect here resolve it | `Window` |
| roll a die; each rolls a die, re-roll ties | `Roll`, `RollOff` |
| each player brings an army | `Lobby` |
| the match is over if all agree | `games.core.corrections.HandEnd` |

    class Lights(Together[Table]):
        \"\"\"LAN-7: both choose a colour, in any order.\"\"\"

        def offers(self, g: Table, seat: str) -> Iterator[Offer]:
            yield Offer("green", say(_("Green")))

        @answer
        def green(self, g: Table, seat: str) -> None:
            g.mark_answered(seat)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar

from games.core.state import RollingT, StateT, Unit
from games.core.steps import Offer, Step, answer, name_of
from games.core.words import Argument, Line, say
from games.core.words import gettext_noop as _

DONE = Offer("done", say(_("Done")), style="main")
NOT_YET = Offer("not-yet", say(_("Not yet")), style="quiet")


class Silent(Step[StateT]):
    """A step that asks nobody: what is mandatory happens by itself and is logged."""

    def asked(self, g: StateT) -> Iterable[str]:
        return ()


class Anybody(Step[StateT]):
    """One answer for the whole table: the first tap counts."""


class Together(Step[StateT]):
    """Every player who is concerned answers once, in any order; then the game goes on.

    An answer calls `g.mark_answered`.
    """

    def concerned(self, g: StateT) -> Iterable[str]:
        """The seats that are asked."""
        return tuple(g.seats)

    def called(self, g: StateT, seat: str) -> Argument:
        """What sentences call a seat."""
        return name_of(g, seat)

    def waiting(self, g: StateT) -> tuple[str, ...]:
        """The seats that have yet to answer."""
        return tuple(seat for seat in self.concerned(g) if not g.has_answered(seat))

    def asked(self, g: StateT) -> Iterable[str]:
        return self.waiting(g)

    def run(self, g: StateT) -> None:
        self.go_on(g)

    def go_on(self, g: StateT) -> None:
        """What follows when all have answered: another question, or the end of this one."""
        g.end()


class Acknowledged(Together[StateT]):
    """Each says once that it is done."""

    yes: ClassVar[Offer] = DONE

    def offers(self, g: StateT, seat: str) -> Iterator[Offer]:
        yield self.yes

    @answer
    def done(self, g: StateT, seat: str) -> None:
        """The seat has nothing to add."""
        g.mark_answered(seat)
        g.say(_("%(player)s is done."), player=self.called(g, seat))


class Settled(Acknowledged[StateT]):
    """Each says that it is done, and may think again until all are."""

    no: ClassVar[Offer] = NOT_YET
    answered: ClassVar[str] = ""
    """What a player who is done reads in place of the question; "" for the question itself."""

    def asked(self, g: StateT) -> Iterable[str]:
        return tuple(self.concerned(g)) if self.waiting(g) else ()

    def offers(self, g: StateT, seat: str) -> Iterator[Offer]:
        yield self.no if g.has_answered(seat) else self.yes

    @answer
    def not_yet(self, g: StateT, seat: str) -> None:
        """The seat thinks again."""
        g.ask_again(seat)
        g.say(_("%(player)s will choose again."), player=self.called(g, seat))

    def asking(self, g: StateT, seat: str | None) -> Line:
        if seat is None or not self.answered or not g.has_answered(seat):
            return super().asking(g, seat)
        return Line(self.answered)

    def helping(self, g: StateT, seat: str | None) -> Line:
        if seat is None or not g.has_answered(seat):
            return super().helping(g, seat)
        out = tuple(self.called(g, other) for other in self.waiting(g))
        return say(_("Still waiting for %(players)s."), players=out)


class InTurn(Step[StateT]):
    """Players are asked one after the other; `seats` are those left to ask."""

    seats: tuple[str, ...] = ()

    def asked(self, g: StateT) -> Iterable[str]:
        return self.seats[:1]

    def run(self, g: StateT) -> None:
        g.end()

    def next(self, g: StateT) -> None:
        """Ask the next player."""
        if len(self.seats) > 1:
            g.goto(replace(self, seats=self.seats[1:]))
        else:
            g.end()


class ByTurns(Step[StateT]):
    """Players do one thing each, round and round, until none has anything left to do.

    `seats` are those still in, the next one first; `OVER` once nobody is.
    """

    seats: tuple[str, ...] = ()

    def order(self, g: StateT) -> Iterable[str]:
        """The order in which players are first asked."""
        return tuple(g.seats)

    def left(self, g: StateT) -> tuple[str, ...]:
        """The seats that are still in, the next one first."""
        return () if self.seats == OVER else self.seats or tuple(self.order(g))

    def next(self, g: StateT, seat: str) -> tuple[str, ...]:
        """The seats in the order they are asked once this one has done something."""
        return (*self.left(g)[1:], seat)

    def asked(self, g: StateT) -> Iterable[str]:
        return self.left(g)[:1]

    def leave_out(self, g: StateT) -> None:
        """The player whose turn it is has nothing left to do."""
        g.goto(replace(self, seats=self.left(g)[1:] or OVER))


OVER = ("over",)
"""The value of `seats` once nobody is left."""


class Window(Step[StateT]):
    """A moment that costs a tap only if a player has an effect there: a piece whose note asks for a reminder.

    Each effect is one tap, in the order that its player likes. `moment` is what the notes name (`reminders`);
    an army's `resolved` keeps what it has dealt with.
    """

    moment: ClassVar[str]

    def order(self, g: StateT) -> Iterable[str]:
        """The seats in the order in which they resolve."""
        return tuple(g.seats)

    def effects(self, g: StateT, seat: str) -> Iterator[Unit]:
        """The units of this seat whose note is still to be resolved here."""
        raise NotImplementedError

    def waits_for(self, g: StateT, seat: str) -> bool:
        """Whether this seat has something to resolve here."""
        return any(True for _unit in self.effects(g, seat))

    def asked(self, g: StateT) -> Iterable[str]:
        return next(((seat,) for seat in self.order(g) if self.waits_for(g, seat)), ())

    def go_on(self, g: StateT) -> None:
        """What follows when everything is resolved."""
        raise NotImplementedError


class Roll(Step[StateT]):
    """A die that the app rolls, or that was rolled on the table and is entered."""

    sides: ClassVar[int] = 6
    entered: ClassVar[str] = _("Enter my roll")

    def offers(self, g: StateT, seat: str) -> Iterator[Offer]:
        yield Offer("roll", say(_("Roll a die")), style="main")
        yield Offer("rolled", say(self.entered), 1, self.sides)

    @answer
    def roll(self, g: StateT, seat: str) -> None:
        """The app rolls."""
        shown = g.die(self.sides)
        self.tell(g, seat, _("%(player)s rolls %(roll)s."), shown)
        self.shows(g, seat, shown)

    @answer
    def rolled(self, g: StateT, seat: str, die: int) -> None:
        """A die on the table shows this number."""
        self.tell(g, seat, _("%(player)s rolled %(roll)s with real dice."), die)
        self.shows(g, seat, die)

    def tell(self, g: StateT, seat: str, line: str, die: int) -> None:
        """Write the die into the log; override it where `shows` does that."""
        g.say(line, player=name_of(g, seat), roll=die)

    def shows(self, g: StateT, seat: str, die: int) -> None:
        """What follows from the die."""
        raise NotImplementedError


class RollOff(Roll[RollingT]):
    """Each side rolls a die, in any order; ties are rolled again. An army's `roll` keeps its die."""

    def asked(self, g: RollingT) -> Iterable[str]:
        return [seat for seat in g.seats if g.armies[seat].roll is None]

    def shows(self, g: RollingT, seat: str, die: int) -> None:
        g.armies[seat].roll = die

    def run(self, g: RollingT) -> None:
        rolls = {seat: g.armies[seat].roll or 0 for seat in g.seats}
        best = [seat for seat in g.seats if rolls[seat] == max(rolls.values())]
        for army in g.armies.values():
            army.roll = None
        if len(best) > 1:
            g.say(_("A tie. Both roll again."))
            g.goto(self)
        else:
            self.won(g, best[0])

    def won(self, g: RollingT, seat: str) -> None:
        """What the winner does."""
        raise NotImplementedError


class Lobby(Step[StateT]):
    """Each side brings an army, a list or a sample, and may bring another until all are ready."""

    another: ClassVar[str] = _("Use another army")
    samples: ClassVar[str] = _("Use a sample army")

    def has_army(self, g: StateT, seat: str) -> bool:
        """Whether this seat has brought an army."""
        raise NotImplementedError

    def sample_armies(self) -> Iterable[Offer]:
        """The armies that are ready to use, as offers "demo:…"."""
        return ()

    def leader(self, g: StateT, seat: str) -> str:
        """What an army is called in "Ready with …?"; "" for its player's name."""
        return str(g.armies[seat].faction)

    def asked(self, g: StateT) -> Iterable[str]:
        return () if all(army.ready for army in g.armies.values()) else tuple(g.seats)

    def offers(self, g: StateT, seat: str) -> Iterator[Offer]:
        if g.armies[seat].ready:
            yield Offer("unready", say(_("Not ready yet")), style="quiet")
        elif self.has_army(g, seat):
            yield Offer("ready", say(_("Ready")), style="main")
            yield Offer("another", say(self.another), style="quiet")
        else:
            yield from self.sample_armies()

    @answer
    def demo(self, g: StateT, seat: str, slug: str) -> None:
        """Bring one of the samples."""
        raise NotImplementedError

    @answer("another")
    def send_home(self, g: StateT, seat: str) -> None:
        """Take the army off the table for another one."""
        raise NotImplementedError

    @answer
    def ready(self, g: StateT, seat: str) -> None:
        """This side has its army."""
        g.armies[seat].ready = True
        g.say(_("%(player)s is ready."), player=name_of(g, seat))

    @answer
    def unready(self, g: StateT, seat: str) -> None:
        """This side thinks again."""
        g.armies[seat].ready = False
        g.say(_("%(player)s is not ready yet."), player=name_of(g, seat))

    def asking(self, g: StateT, seat: str | None) -> Line:
        if seat is None or not self.has_army(g, seat):
            return Line(self.title)
        if not g.armies[seat].ready:
            return say(_("Ready with %(army)s?"), army=self.leader(g, seat) or name_of(g, seat))
        unready = tuple(name_of(g, other) for other in g.rivals(seat) if not g.armies[other].ready)
        return say(_("You are ready. Waiting for %(player)s"), player=unready)

    def helping(self, g: StateT, seat: str | None) -> Line:
        if seat is None or not self.has_army(g, seat):
            return Line(self.help)
        if not g.armies[seat].ready:
            return Line(_("You can change or replace your list until you tap Ready."))
        return Line(_("Set-up continues once both players are ready."))
