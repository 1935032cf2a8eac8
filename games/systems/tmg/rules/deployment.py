"""Set-up: from armies brought to the first turn of the first round.

Every roll and every draw can be made by the app or entered from the table, one
answer per tap, so that from here on a match needs nothing but offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, cast

from games.core import Anybody, Line, Lobby, Offer, RollOff, Silent, Step, Term, answer, name_of, say, system
from games.core import gettext_noop as _
from games.systems.tmg.lists.army_grammar import demo_roster, demo_rosters, demo_summary, demo_text
from games.systems.tmg.pieces import DEPLOYING, Place, Table, Unit
from games.systems.tmg.rules import army_muster, tactics_cards
from games.systems.tmg.rules.clean_up_phase import begin_round, hand_limit
from games.systems.tmg.rules.objective_tokens import CENTRE, add_token, laid, tokens


class Muster(Lobby[Table]):
    """TMG-01, TMG-05, TMG-09: each side brings an army, and may bring another until it is ready."""

    rule = "TMG-05"
    title = _("Choose your army")
    help = _("Paste a list or pick an army. Then tap Ready.")

    def has_army(self, g: Table, seat: str) -> bool:
        return any(unit.is_combat for unit in g.units_of(seat))

    def sample_armies(self) -> Iterator[Offer]:
        for slug, faction in demo_rosters().items():
            label = say(_("Use %(army)s"), army=Term(faction))
            yield Offer(f"demo:{slug}", label, detail=demo_summary(slug), group=self.samples)

    def leader(self, g: Table, seat: str) -> str:
        return g.armies[seat].commander

    @answer
    def demo(self, g: Table, seat: str, slug: str) -> None:
        army_muster.bring(g, seat, demo_roster(slug), demo_text(slug))

    @answer("another")
    def send_home(self, g: Table, seat: str) -> None:
        army_muster.send_home(g, seat)

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat is None or g.armies[seat].ready or not self.has_army(g, seat):
            return super().helping(g, seat)
        if tactics_cards.is_tracked(g) and not g.armies[seat].card_names:
            return Line(_("Its tactics cards may be named at the end of the list, under “Tactics Cards”."))
        return super().helping(g, seat)

    def run(self, g: Table) -> None:
        army_muster.tell_armies_apart(g)
        g.goto(JoinEnemy)


class JoinEnemy(Step[Table]):
    """TMG-10: an attachment that is played into an enemy unit joins one, and is shown there."""

    rule = "TMG-10"
    title = _("Which enemy unit does it join?")
    help = _("It stays with that unit and never acts on its own.")

    def asked(self, g: Table) -> Iterable[str]:
        return [seat for seat in g.seats if g.armies[seat].captives]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in g.combat_units(g.rival(seat)):
            yield Offer(f"join:{unit.key}", say(_("It joins %(unit)s"), unit=unit.name))

    @answer
    def join(self, g: Table, seat: str, unit: Unit) -> None:
        side = g.armies[seat]
        (called, title, cost, extra_vp), *rest = side.captives
        side.captives = tuple(rest)
        unit.attachments = (*unit.attachments, (called, title, cost, seat))
        unit.extra_vp += extra_vp
        g.say(_("%(attachment)s joins %(unit)s."), attachment=called, unit=unit.name)

    def run(self, g: Table) -> None:
        lay_tokens(g)
        _ask(g, order(g)[1])

    def asking(self, g: Table, seat: str | None) -> Line:
        waiting = [
            side.captives[0][0] for side in g.armies.values() if side.captives and seat in (None, side.key)
        ]
        return say(_("Which enemy unit does %(attachment)s join?"), attachment=tuple(waiting))


class SetUpRoll(RollOff[Table]):
    """A roll-off whose winner has the next say; `wins` is the sentence about it."""

    wins: ClassVar[str] = _("%(player)s wins the roll.")

    def won(self, g: Table, seat: str) -> None:
        g.say(self.wins, player=name_of(g, seat))
        g.turn = seat
        advance(g)


class TokenRoll(SetUpRoll):
    """TMG-61a: the higher roll places the second token. TMG-04: also in modes without cards."""

    rule = "TMG-61"
    title = _("Who places the second token?")
    help = _("The first token lies in the centre. Each player rolls a die; re-roll ties.")
    wins = _("%(player)s places the second token.")

    def resting_on(self, g: Table) -> str:
        return _rule_of_tokens(g)


class PlaceToken(Step[Table]):
    """TMG-61a: tokens are placed in turns until five lie on the table. TMG-04: also without cards.

    Each lies at least Short Range from every deployment zone and every other token.
    """

    rule = "TMG-61"
    title = _("Place an objective token")
    help = _("At least 6 inches from every deployment zone and every other token.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.turn,) if laid(g) < len(tokens(g)) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if laid(g) + 1 < len(tokens(g)):
            yield Offer("all-placed", say(_("All tokens placed")), style="main")
            yield Offer("placed", say(_("Only this token placed")), style="quiet")
        else:
            yield Offer("placed", say(_("Token placed")), style="main")

    @answer("all-placed")
    def place_all(self, g: Table, seat: str) -> None:
        while laid(g) < len(tokens(g)):
            self.placed(g, g.turn)

    @answer
    def placed(self, g: Table, seat: str) -> None:
        token = add_token(g)
        g.say(_("%(player)s places %(token)s."), player=name_of(g, seat), token=Term(token.name))
        g.turn = g.rival(seat)
        g.goto(PlaceToken)

    def run(self, g: Table) -> None:
        if has_cards(g):
            g.objectives[CENTRE].card = g.rules["centre_card"]["key"]
        advance(g)

    def resting_on(self, g: Table) -> str:
        return _rule_of_tokens(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        number = laid(g) + 1
        if seat == g.turn:
            return say(_("Place token %(number)s of 5"), number=number)
        return say(_("%(player)s places token %(number)s of 5"), player=name_of(g, g.turn), number=number)


class DealCards(Anybody[Table]):
    """TMG-61b: the centre has its own card; each other token gets a different card of the deck.

    The app draws them, or the players enter what they drew, token by token.
    """

    rule = "TMG-61"
    title = _("Draw the objective cards")
    help = _("One card face up next to each token. Draw them in the app, or tap the one that you drew.")

    def asked(self, g: Table) -> Iterable[str]:
        return g.seats if _bare(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        token, *others = _bare(g)
        yield Offer("draw", say(_("Draw all in the app") if others else _("Draw in the app")), style="main")
        for card in _cards(g):
            # The stand-in for any other card comes after the named ones.
            style = "quiet" if card is g.rules["other_card"] else "plain"
            yield Offer(f"card:{token.key}:{card['key']}", say(card["name"]), style=style)

    @answer
    def draw(self, g: Table, seat: str) -> None:
        cards = []
        for token in _bare(g):
            deck = _deck(g)
            drawn = deck[g.chance(len(deck))]
            token.card = drawn["key"]
            cards.append(say(_("%(token)s: %(card)s"), token=Term(token.name), card=Term(drawn["name"])))
        g.say(_("Objective cards: %(cards)s."), cards=tuple(cards))

    @answer
    def card(self, g: Table, seat: str, token: Place, card: str) -> None:
        chosen = next(each for each in _cards(g) if each["key"] == card)
        token.card = chosen["key"]
        g.say(_("%(token)s: %(card)s."), token=Term(token.name), card=Term(chosen["name"]))
        g.goto(DealCards)

    def run(self, g: Table) -> None:
        advance(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Which card lies at %(token)s?"), token=Term(_bare(g)[0].name))

    def helping(self, g: Table, seat: str | None) -> Line:
        return where_first(g, self.name, Line(self.help))


# --- zones and deployment -------------------------------------------------------------------------------

CHOSEN = "chosen"
"""The value of `first_player` in rulesets where the player who did not pick a zone says who is First."""

DEPLOYS = "deploys"
"""The fact of a match that says who deploys first, if that was chosen."""


def is_chosen(g: Table) -> bool:
    """Whether the First Player is chosen instead of following from who picks a zone."""
    return g.rules.get("first_player") == CHOSEN


def _deploys_first(g: Table) -> str:
    return g.facts.get(DEPLOYS) or g.rival(g.first)


class TerrainRoll(SetUpRoll):
    """TMG-101: where the ruleset says so, the higher roll places the first piece of terrain."""

    rule = "TMG-101"
    title = _("Who places the first piece of terrain?")
    help = _("Each player rolls a die; re-roll ties.")
    wins = _("%(player)s places the first piece of terrain.")

    def helping(self, g: Table, seat: str | None) -> Line:
        return where_first(g, self.name, Line(self.help))


class ZoneRoll(SetUpRoll):
    """TMG-03: the higher roll picks a deployment zone, or lets the other pick."""

    rule = "TMG-03"
    title = _("Who picks a deployment zone?")
    help = _("Each player rolls a die; re-roll ties. The player who does not pick a zone is First Player.")

    def helping(self, g: Table, seat: str | None) -> Line:
        words = Line(_("The winner chooses who picks a zone.") if is_chosen(g) else self.help)
        return where_first(g, self.name, words)


class PickZone(Step[Table]):
    """TMG-03, TMG-04: the winner picks a zone or passes the pick; the other is First Player."""

    rule = "TMG-03"
    title = _("Pick a deployment zone?")
    help = _("The player who picks deploys first; the opponent is First Player.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.turn,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("pick-zone", say(_("Pick a zone")), style="main")
        yield Offer("pass-pick", say(_("Let the other pick")))

    @answer
    def pick_zone(self, g: Table, seat: str) -> None:
        self._picks(g, seat)

    @answer
    def pass_pick(self, g: Table, seat: str) -> None:
        self._picks(g, g.rival(seat))

    def _picks(self, g: Table, seat: str) -> None:
        g.turn = seat
        if is_chosen(g):
            g.say(_("%(player)s picks a zone."), player=name_of(g, seat))
        else:
            g.first = g.rival(seat)
            g.say(_("%(player)s picks a zone and deploys first."), player=name_of(g, seat))
            g.say(_("%(player)s is First Player."), player=name_of(g, g.first))
        advance(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        return (
            Line(self.title)
            if seat == g.turn
            else say(_("%(player)s may pick a zone"), player=name_of(g, g.turn))
        )

    def helping(self, g: Table, seat: str | None) -> Line:
        if is_chosen(g):
            return Line(
                _(
                    "The player who picks chooses who deploys first; the opponent chooses who has the "
                    "first turn."
                )
            )
        return Line(self.help)


class DeployOrder(Step[Table]):
    """TMG-03: where the ruleset says so, the player who picked a zone says who deploys first."""

    rule = "TMG-03"
    title = _("Who deploys first?")
    help = _("The player who picked a zone decides it.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.turn,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for player in g.seats:
            yield Offer(f"deploys:{player}", say(_("%(player)s deploys first"), player=name_of(g, player)))

    @answer
    def deploys(self, g: Table, seat: str, player: str) -> None:
        g.facts = {**g.facts, DEPLOYS: player}
        g.say(_("%(player)s deploys first."), player=name_of(g, player))
        advance(g)


class FirstTurn(Step[Table]):
    """TMG-03: where the ruleset says so, the player who did not pick a zone says who begins round 1."""

    rule = "TMG-03"
    title = _("Who has the first turn?")
    help = _("The player who did not pick a zone decides it.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.rival(g.turn),)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for player in g.seats:
            yield Offer(f"begins:{player}", say(_("%(player)s is First Player"), player=name_of(g, player)))

    @answer
    def begins(self, g: Table, seat: str, player: str) -> None:
        g.first, g.turn = player, _deploys_first(g)
        g.say(_("%(player)s is First Player."), player=name_of(g, player))
        advance(g)


class Deploy(Step[Table]):
    """TMG-04: both sides deploy within the mode's depth, the one who picked the zone first."""

    rule = "TMG-04"
    title = _("Deploy your army")
    help = _("All your units, within the deployment zone.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.turn,) if g.turn else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("deployed", say(_("All deployed")), style="main")

    @answer
    def deployed(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s has deployed."), player=name_of(g, seat))
        self.place(g, seat)
        g.turn = g.rival(seat) if seat == _deploys_first(g) else ""
        g.goto(Deploy)

    def place(self, g: Table, seat: str) -> None:
        """Put a side's units on the table once it has deployed; modes may hold some back."""
        for unit in g.units_of(seat):
            if unit.place == "unplaced":
                unit.place = "table"

    def run(self, g: Table) -> None:
        advance(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == g.turn or not g.turn:
            return Line(self.title)
        return say(_("%(player)s deploys"), player=name_of(g, g.turn))

    def helping(self, g: Table, seat: str | None) -> Line:
        inches = g.rules["deployment"]
        if not inches:
            return Line(_("All your units, where your mode's map says."))
        if g.rules["strict"] and tokens(g):
            line = _(
                "All your units, within %(inches)s inches of your battlefield edge. Strict overlap is played."
            )
            return say(line, inches=inches)
        return say(_("All your units, within %(inches)s inches of your battlefield edge."), inches=inches)


class Begin(Silent[Table]):
    """TMG-12: hands are drawn, the tactics board is empty, nobody has points, and round 1 starts."""

    rule = "TMG-12"
    title = _("The match begins")
    help = _("Hands are drawn and the tactics board is laid out.")

    def run(self, g: Table) -> None:
        tactics_cards.set_up(g)
        # Units that were added once their side had deployed come along (TMG-25).
        deploy = cast("type[Deploy]", system(g.system).step_named(g, "deploy"))()
        for seat in g.seats:
            deploy.place(g, seat)
            g.armies[seat].deck = g.rules["deck"]
            if tactics_cards.is_tracked(g):
                tactics_cards.build(g, seat)
            tactics_cards.draw(g, seat, hand_limit(g, seat))
        begin_round(g)


# --- the order of the steps -----------------------------------------------------------------------------

IN_TURNS = [TokenRoll.name, PlaceToken.name]
"""The part of a set-up in which the players place the tokens."""

WITH_CARDS = [Muster.name, *IN_TURNS, DealCards.name, DEPLOYING]
"""The set-up of a mode whose tokens are placed by the players and have cards (TMG-61)."""

AS_DRAWN = [Muster.name, DEPLOYING]
"""The set-up of a mode whose tokens lie where its map says."""


def order(g: Table) -> list[str]:
    """The steps that this match's mode walks through in its set-up, by name."""
    names: list[str] = g.rules["set_up"]
    return names


def advance(g: Table) -> None:
    """Go on to the next step of the mode's set-up; after the last one the match begins."""
    following = order(g)[order(g).index(g.question.step) + 1 :]
    if following:
        _ask(g, following[0])
    else:
        g.goto(Begin)


def set_up_at(g: Table) -> int | None:
    """Which step of set-up the match stands at, from 0; None once it has begun."""
    names = (question.step for question in g.flow)
    return next((order(g).index(name) for name in names if name in order(g)), None)


def where_first(g: Table, step: str, words: Line) -> Line:
    """The help of a step of the set-up; the first says where tokens lie that nobody places (TMG-04)."""
    where, names = g.rules.get("lying"), (DealCards.name, TerrainRoll.name, ZoneRoll.name)
    if not where or step != next((name for name in order(g) if name in names), ""):
        return words
    return say(_("%(first)s %(then)s"), first=Line(where), then=words)


def has_cards(g: Table) -> bool:
    """Whether a card lies beside each token in this mode (TMG-61b)."""
    return DealCards.name in order(g)


def lay_tokens(g: Table) -> None:
    """Lay out the tokens that nobody has to place: all but those that a step asks about."""
    if PlaceToken.name in order(g):
        add_token(g)
        g.say(_("One objective token lies in the centre of the battlefield."))
    elif g.rules.get("lies_ready", True) and tokens(g):
        ready = tokens(g)[: g.rules.get("first_piles")]
        lying = tuple(Term(add_token(g).name) for _token in ready)
        g.say(_("Objective tokens lie on the battlefield: %(tokens)s."), tokens=lying)


def _rule_of_tokens(g: Table) -> str:
    return "TMG-61" if has_cards(g) else "TMG-04"


def _ask(g: Table, name: str) -> None:
    g.goto(system(g.system).step_named(g, name))


def _bare(g: Table) -> list[Place]:
    return [token for token in g.tokens() if token.card is None]


def _cards(g: Table) -> list[dict[str, Any]]:
    """What may lie beside the next token: a card that is still in the deck, or one of another printing."""
    return [*_deck(g), g.rules["other_card"]]


def _deck(g: Table) -> list[dict[str, Any]]:
    laid = {token.card for token in g.tokens()}
    return [card for card in g.rules["cards"] if card["key"] not in laid]


STEPS: tuple[type[Step[Table]], ...] = (
    Muster,
    TokenRoll,
    PlaceToken,
    DealCards,
    TerrainRoll,
    ZoneRoll,
    PickZone,
    DeployOrder,
    FirstTurn,
    Deploy,
    JoinEnemy,
    Begin,
)
"""The steps of set-up; a mode takes those that its facts name."""
