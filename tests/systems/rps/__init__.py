"""Rock, paper, scissors to two points: the smallest game with simultaneous secret answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import AnyState, Mode, Offer, Silent, Step, System, Term, answer, say

BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


class Throw(Step[AnyState]):
    """RPS-1: all choose at once and in secret; when all have chosen, all is revealed."""

    rule = "RPS-1"
    title = "Choose"
    help = "The other does not see it before both have chosen."

    def asked(self, g: AnyState) -> Iterable[str]:
        return tuple(seat for seat in g.seats if "throw" not in g.armies[seat].hidden)

    def offers(self, g: AnyState, seat: str) -> Iterator[Offer]:
        for thing in BEATS:
            yield Offer(f"throw:{thing}", say("Throw %(thing)s", thing=Term(thing)))

    @answer
    def throw(self, g: AnyState, seat: str, thing: str) -> None:
        g.hide(seat, "throw", thing)
        g.say("%(seat)s has chosen", seat=g.armies[seat].name)

    def run(self, g: AnyState) -> None:
        g.goto(Reveal)


class Reveal(Silent[AnyState]):
    """RPS-2: rock blunts scissors, scissors cut paper, paper wraps rock; two points win."""

    rule = "RPS-2"

    def run(self, g: AnyState) -> None:
        thrown = {seat: g.reveal(seat, "throw") for seat in g.seats}
        for seat, thing in thrown.items():
            g.say("%(seat)s throws %(thing)s", seat=g.armies[seat].name, thing=Term(thing))
        for seat in g.seats:
            if any(BEATS[thrown[seat]] == thrown[other] for other in g.rivals(seat)):
                g.score(seat, 1, "won the throw")
                if g.points(seat) == 2:
                    g.result = {"winner": seat, "how": "points"}
        g.begin_round(first=None)
        g.goto(Throw)


class RockPaperScissors(System[AnyState]):
    slug = "rps"
    title = "Rock, paper, scissors"
    steps = (Throw, Reveal)
    modes = (Mode("plain", "Plain", Throw),)
    checklist = ("RPS-1", "RPS-2")


SYSTEM = RockPaperScissors()
