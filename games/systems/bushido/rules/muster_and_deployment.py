"""From the open table to the first turn: warbands, the scenario, VIMs, deployment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from games.core import (
    Anybody,
    IllegalAction,
    Line,
    Listed,
    Lobby,
    Offer,
    Silent,
    Step,
    Term,
    Together,
    Unreadable,
    answer,
    file_names,
    key_of,
    name_of,
    name_with_mark,
    read_text,
    say,
    say_count,
    step_of,
)
from games.core import gettext_noop as _
from games.systems.bushido.lists.warband_cards import PACKAGE, catalogue
from games.systems.bushido.lists.warband_files import text_of
from games.systems.bushido.lists.warband_grammar import (
    MAX_MODELS,
    OVER,
    Model,
    Warband,
    over,
    read,
    read_each,
)
from games.systems.bushido.pieces import ELSEWHERE, TABLE, UNPLACED, Table, Unit
from games.systems.bushido.rules import scenarios, victory_and_end
from games.systems.bushido.rules.scenarios import COMPLEXITIES, HIDDEN, NOMINATED
from games.systems.bushido.rules.turn_sequence import begin_turn

FLANKS = _("Add a flank arrival")
EDGES = {"left": _("Left edge"), "right": _("Right edge")}
FLANK_TURNS = (2, 4)
MOMENTS = (
    *(
        Offer(f"note:{edge}", say(_("%(edge)s, in turn"), edge=Term(name)), *FLANK_TURNS)
        for edge, name in EDGES.items()
    ),
    Offer("back", say(_("Back")), style="quiet"),
)
"""When and where a model may arrive by a flank."""


class Open(Silent[Table]):
    """BUSH-25: a table copies the scenarios as they are when it opens, and keeps the one that is chosen.

    The event may have set it: then the table copies that one alone. If it is gone, the players choose.
    """

    rule = "BUSH-25"
    title = _("Starting the match")

    def run(self, g: Table) -> None:
        offered, rules = scenarios.known(g.entries), dict(g.rules)
        slug = rules.pop(scenarios.SCENARIO, "")
        if slug in offered:
            offered = {slug: offered[slug]}
            g.say(_("The event sets the scenario: %(scenario)s."), scenario=offered[slug]["name"])
        g.rules = {**rules, "scenarios": offered}
        g.goto(Muster)


class Muster(Lobby[Table]):
    """BUSH-26: each side brings a warband, counted in rice, and may bring another until it is ready."""

    rule = "BUSH-26"
    title = _("Choose your warband")
    help = _("Paste a list or use a sample warband. Then tap Ready.")
    another = _("Use another warband")
    samples = _("Use a sample warband")

    def has_army(self, g: Table, seat: str) -> bool:
        return any(True for _unit in g.units_of(seat))

    def sample_armies(self) -> Iterator[Offer]:
        for slug, title in demo_armies().items():
            label, detail = say(_("Use %(army)s"), army=title), demo_summary(slug)
            yield Offer(f"demo:{slug}", label, detail=detail, group=self.samples)

    @answer
    def demo(self, g: Table, seat: str, slug: str) -> None:
        bring(g, seat, demo_warband(slug), demo_text(slug))

    @answer("another")
    def send_home(self, g: Table, seat: str) -> None:
        dismiss(g, seat)
        side = g.armies[seat]
        side.faction = side.theme = side.roster = ""
        side.cards, side.warnings, side.rice = (), (), 0
        g.say(_("%(player)s uses another warband."), player=name_of(g, seat))

    def run(self, g: Table) -> None:
        tell_apart(g)
        if len(g.rules["scenarios"]) == 1:
            take(g, *g.rules["scenarios"])
        else:
            g.goto(ChooseScenario)


def bring_text(g: Table, seat: str, text: str) -> None:
    """Bring a pasted warband (BUSH-26); refuse only what is not a list at all."""
    refuse_late(g, seat)
    try:
        bring(g, seat, read(text, catalogue(g.entries)), text_of(text))
    except Unreadable as unreadable:
        raise IllegalAction(unreadable.line, "BUSH-26") from unreadable


def refuse_late(g: Table, seat: str) -> None:
    """Refuse a warband that comes after its player was ready."""
    if not isinstance(step_of(g), Muster) or g.armies[seat].ready:
        raise IllegalAction(Line(_("You can choose a warband only until you are ready.")), "BUSH-26")


def tell_apart(g: Table) -> None:
    """Add the owner to each name that both warbands have, so that the log can tell them apart."""
    named = [{unit.name for unit in g.units_of(seat)} for seat in g.seats]
    for unit in g.units.values():
        if all(unit.name in names for names in named):
            unit.name = numbered_apart(g, unit.army, name_with_mark(unit.name, _owner(g, unit)))


def tell_from_enemy(g: Table, unit: Unit) -> None:
    """Add the owner to the name of a model that joins, if the enemy has it too; the lobby waits for all."""
    if isinstance(step_of(g), Muster):
        return
    if unit.name in {other.name for other in g.units_of(g.rival(unit.army))}:
        unit.name = numbered_apart(g, unit.army, name_with_mark(unit.name, _owner(g, unit)))


def without_owner(g: Table, unit: Unit) -> str:
    """A model's name as its warband has it, without the owner that tells it from the enemy's namesake."""
    enemies = [other.name for other in g.units_of(g.rival(unit.army))]
    # The owner may be called otherwise by now, as may the enemy.
    for name in (unit.name.removesuffix(_owner(g, unit)), unit.name.rpartition(" (")[0]):
        if name != unit.name and any(enemy == name or enemy.startswith(f"{name} (") for enemy in enemies):
            return name
    return unit.name


def _owner(g: Table, unit: Unit) -> str:
    return f" ({name_of(g, unit.army)})"


class ChooseScenario(Anybody[Table]):
    """BUSH-25: the table agrees on a scenario, or lets the app draw one. It says what scores, and when."""

    rule = "BUSH-25"
    title = _("Which scenario?")
    help = _("Set by the event or agreed by both players. It says which turns give a Victory Point.")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("draw", say(_("Draw one")), style="main")
        for scenario in scenarios.offered(g):
            yield Offer(
                f"scenario:{scenario.slug}",
                Line(scenario.name),
                detail=scenarios.summary(scenario),
                group=COMPLEXITIES[scenario.complexity],
            )

    @answer
    def draw(self, g: Table, seat: str) -> None:
        choices = [each for each in scenarios.offered(g) if each.complexity != scenarios.OTHER]
        take(g, choices[g.chance(len(choices))].slug)

    @answer
    def scenario(self, g: Table, seat: str, slug: str) -> None:
        take(g, slug)


def take(g: Table, slug: str) -> None:
    """Play this scenario, one of those that the table has copied."""
    kept = {key: value for key, value in g.rules.items() if key != "scenarios"}
    g.rules = {**kept, "scenario": {"slug": slug, "facts": g.rules["scenarios"][slug]}}
    scenario = scenarios.of(g)
    g.say(_("The scenario is %(scenario)s."), scenario=scenario.name)
    scenarios.lay_out(g)
    for army in g.armies.values():
        army.prayers = scenario.prayer
    g.goto(NameVim)


class NameVim(Together[Table]):
    """BUSH-29: in scenarios with VIMs each player names one: their own, secretly or openly, or the rival's.

    It must be unique, neither Insignificant nor an animal; its card says so.
    """

    rule = "BUSH-29"
    title = _("Name your Very Important Model")
    help = _("Unique, not Insignificant, not an animal. Keep it alive and near its goal.")

    def waiting(self, g: Table) -> tuple[str, ...]:
        unnamed = (seat for seat in g.seats if not g.armies[victory_and_end.vim_owner(g, seat)].vim)
        return tuple(unnamed) if victory_and_end.kind_of_vim(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in g.units_of(victory_and_end.vim_owner(g, seat)):
            yield Offer(f"vim:{unit.key}", Line(unit.name))

    @answer
    def vim(self, g: Table, seat: str, unit: Unit) -> None:
        if victory_and_end.kind_of_vim(g) == HIDDEN:
            g.hide(seat, "vim", unit.key)
            g.armies[seat].vim = "?"
            g.say(_("%(player)s has named a VIM in secret."), player=name_of(g, seat))
            return
        g.armies[victory_and_end.vim_owner(g, seat)].vim = unit.key
        g.say(_("%(model)s is a VIM."), model=unit.name)

    def go_on(self, g: Table) -> None:
        g.goto(Deploy)

    def asking(self, g: Table, seat: str | None) -> Line:
        if victory_and_end.kind_of_vim(g) == NOMINATED:
            return Line(_("Name the opponent's Very Important Model"))
        return Line(self.title)

    def helping(self, g: Table, seat: str | None) -> Line:
        if victory_and_end.kind_of_vim(g) == HIDDEN:
            return Line(
                _("Only you see it until the last End Phase. Unique, not Insignificant, not an animal.")
            )
        if victory_and_end.kind_of_vim(g) == NOMINATED or scenarios.of(g).is_duel:
            return Line(_("Unique, not Insignificant, not an animal."))
        return Line(self.help)


class Deploy(Together[Table]):
    """BUSH-32: both deploy as the scenario's map says; models that arrive by a flank are noted in secret.

    BUSH-29: a VIM arrives by none.
    """

    rule = "BUSH-32"
    title = _("Deploy your warband")
    help = _("As the scenario's map shows. A model that will arrive by a flank is entered here, in secret.")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if noting(g, seat):
            yield from MOMENTS
            return
        yield Offer("deployed", say(_("All deployed")), style="main")
        for unit in g.units_of(seat):
            if _is_vim(g, unit):
                continue
            if unit.flanks:
                label = say(_("%(model)s deploys after all"), model=unit.name)
                yield Offer(f"stay:{unit.key}", label, style="quiet")
            else:
                yield Offer(f"flank:{unit.key}", Line(unit.name), group=FLANKS)

    @answer
    def deployed(self, g: Table, seat: str) -> None:
        for unit in g.units_of(seat):
            if unit.place == UNPLACED:
                unit.place = TABLE
        g.mark_answered(seat)
        g.say(_("%(player)s has deployed."), player=name_of(g, seat))

    @answer
    def flank(self, g: Table, seat: str, unit: Unit) -> None:
        g.armies[seat].noting = unit.key
        g.say(_("%(player)s enters a flank."), player=name_of(g, seat))

    @answer
    def note(self, g: Table, seat: str, edge: str, turn: int) -> None:
        """A flanking model stays Elsewhere; only its player knows its turn and its edge."""
        side = g.armies[seat]
        unit, side.noting = g.units[side.noting], ""
        g.hide(seat, flank_note(unit.key), [turn, edge])
        unit.flanks, unit.place = True, ELSEWHERE
        g.say(_("%(model)s will arrive by a flank."), model=unit.name)

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.armies[seat].noting = ""

    @answer
    def stay(self, g: Table, seat: str, unit: Unit) -> None:
        unit.flanks, unit.place = False, UNPLACED
        g.withdraw(seat, flank_note(unit.key))
        g.say(_("%(model)s deploys after all."), model=unit.name)

    def go_on(self, g: Table) -> None:
        """Models that joined a warband after it deployed are put on the battlefield too."""
        for unit in g.units.values():
            if unit.place == UNPLACED:
                unit.place = TABLE
        begin_turn(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat and (noted := noting(g, seat)):
            return say(_("When and where does %(model)s arrive?"), model=noted.name)
        return say(_("Deploy for %(scenario)s"), scenario=scenarios.of(g).name)

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat and noting(g, seat):
            return Line(_("Only you see this until it arrives, in the Starting Phase of that turn."))
        zones, places = scenarios.of(g).zones, scenarios.of(g).objectives
        if not zones and not places:
            return Line(self.help)
        laid = [say_count("%(count)s objective", "%(count)s objectives", len(places))] if places else []
        laid += [say_count("%(count)s zone", "%(count)s zones", len(zones))] if zones else []
        return say(_("Lay out %(laid)s as the scenario's map shows, then deploy."), laid=tuple(laid))


def _is_vim(g: Table, unit: Unit) -> bool:
    """Whether a model has to deploy because it is its warband's VIM, hidden or not."""
    side = g.armies[unit.army]
    return unit.key in (side.vim, side.hidden.get("vim"))


def noting(g: Table, seat: str) -> Unit | None:
    return g.units.get(g.armies[seat].noting)


def flank_note(key: str) -> str:
    return f"flank-{key}"


ORDER: tuple[type[Step[Table]], ...] = (Muster, ChooseScenario, NameVim, Deploy)
"""The set-up as a newcomer sees it."""


# --- how a warband takes its seat --------------------------------------------------------------------

MOST_MODELS = MAX_MODELS
"""More models than any table holds."""


def listed(g: Table, text: str) -> tuple[Listed, ...]:
    """The warbands of a pasted text, each by its own name, its theme or its first model."""
    try:
        warbands = read_each(text, catalogue(g.entries))
    except Unreadable:
        return ()
    return tuple(
        Listed(
            part,
            warband.name or warband.theme or warband.models[0].name,
            summary(warband.faction, warband.rice, warband.size),
        )
        for part, warband in warbands
    )


def bring(g: Table, seat: str, warband: Warband, text: str = "") -> None:
    """Replace whatever this seat has brought before with a warband, and keep the remarks on it."""
    dismiss(g, seat)
    cards = [tuple(enlist(g, seat, single).key for single in _each(model)) for model in warband.models]
    g.shared = (*g.shared, *(keys for keys in cards if len(keys) > 1))
    side = g.armies[seat]
    side.faction, side.theme, side.roster = warband.faction, warband.theme, text
    side.cards = tuple((card.name, card.kind, card.rice, card.bearer) for card in warband.held)
    side.rice, side.limit = warband.rice, g.rules["points"]
    unused = ((line.arguments["line"], line) for line in warband.unused)
    remarks = (*warband.warnings, *over(side.rice, side.limit), *unused)
    side.warnings = tuple((number, line.to_json()) for number, line in remarks)
    g.say_count(
        "%(player)s uses %(count)s model: %(rice)s rice.",
        "%(player)s uses %(count)s models: %(rice)s rice.",
        sum(1 for _unit in g.units_of(seat)),
        player=name_of(g, seat),
        rice=side.rice,
    )


def recount(g: Table, seat: str) -> None:
    """Count again what a warband costs once its models have been corrected; summoned ones cost nothing."""
    side, limit = g.armies[seat], g.rules["points"]
    side.rice = sum(unit.cost for unit in g.units_of(seat) if not unit.summoned)
    side.rice += sum(rice for _name, _kind, rice, _bearer in side.cards)
    kept = ((number, line) for number, line in side.warnings if Line.from_json(line).message != OVER)
    remarks = ((number, line.to_json()) for number, line in over(side.rice, limit))
    side.warnings = (*kept, *remarks)


def _each(model: Model) -> Iterable[Model]:
    share, rest = divmod(model.rice, model.count)
    return (replace(model, rice=share + (number < rest), count=1) for number in range(model.count))


def dismiss(g: Table, seat: str) -> None:
    g.units = {key: unit for key, unit in g.units.items() if unit.army != seat}
    g.shared = tuple(keys for keys in g.shared if g.units.keys() >= set(keys))


def enlist(g: Table, seat: str, model: Model) -> Unit:
    """Add one model to a warband; it has yet to come to the table."""
    wounds = int(model.wounds) if model.wounds.isdecimal() else 0
    unit = Unit(
        key_of(model.name, g.units),
        seat,
        numbered_apart(g, seat, model.name),
        kind="model",
        order=sum(1 for _unit in g.units_of(seat)),
        cost=model.rice,
        place=UNPLACED,
        wounds=wounds,
        wounds_total=wounds,
        wounds_stat=model.wounds,
        ki_stat=model.ki,
        ki_cap=model.cap,
    )
    if unit.is_kami:
        unit.ki = unit.cap or 0
    g.units[unit.key] = unit
    return unit


def numbered_apart(g: Table, seat: str, name: str) -> str:
    """A model's name, numbered if its warband has a namesake, so that the log can tell them apart."""
    names = {unit.name for unit in g.units_of(seat)}
    numbered = (name_with_mark(name, f" {number}") for number in range(2, len(names) + 2))
    return next(called for called in (name, *numbered) if called not in names)


def summoned(g: Table, name: str) -> Model:
    """The catalogue's model of this name; a plain one with one wound if it has none."""
    match = catalogue(g.entries).find(name)
    if match is None or match.guessed:
        return Model(name, 0, "0", "0", "1", 1, 0)
    card = match.profile
    return Model(name, card.rice, card.ki, card.cap, card.wounds, 1, 0)


def summary(faction: str, rice: int, models: int) -> Line:
    return say_count(
        "%(faction)s, %(rice)s rice, %(count)s model",
        "%(faction)s, %(rice)s rice, %(count)s models",
        models,
        faction=Term(faction or _("No faction")),
        rice=rice,
    )


# --- warbands to start with --------------------------------------------------------------------------


@cache
def demo_armies() -> dict[str, str]:
    return {slug: demo_warband(slug).faction for slug in file_names(PACKAGE, "seeds/armies", ".txt")}


def demo_text(slug: str) -> str:
    return read_text(PACKAGE, f"seeds/armies/{slug}.txt")


@cache
def demo_warband(slug: str) -> Warband:
    return read(demo_text(slug), catalogue())


def demo_summary(slug: str) -> Line:
    warband = demo_warband(slug)
    return say_count(
        "%(count)s model, %(rice)s rice", "%(count)s models, %(rice)s rice", warband.size, rice=warband.rice
    )


STEPS: tuple[type[Step[Table]], ...] = (Open, Muster, ChooseScenario, NameVim, Deploy)
