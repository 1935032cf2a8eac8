"""What a game is to the engine: pieces, steps, modes, set-up, corrections.

A `Step` is one point of the rulebook where the game waits or goes on by itself:
the question (`offers`) and its answers (methods named like the verbs) stand side
by side. Everything has a boring default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from games.core.catalogue import EntryKind
from games.core.clocks import Clock
from games.core.columns import COLUMNS, Column
from games.core.notation import Action
from games.core.rosters import Listed, Roster, RosterRow
from games.core.state import State
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Offer:
    """Something a seat may tap now.

    `action` is its notation (the stem where a number follows), `label` what the
    button says, `minimum … maximum` the numbers it takes (both None: no number).
    `about` is the path of the piece whose card carries the control ("unit/wolves"),
    `style` how it is set: "main", "plain", "quiet" for ways out, or "apart" for what is
    destructive. `detail` is a second, smaller sentence. A correction tells the present
    `value` of its quantity or whether its switch is `on`, and under which heading
    (`group`, a message id) it stands. `is_secret` says that its words tell what only its
    seat may know: a device that several share shows it to whoever said which seat it is.
    """

    action: str
    label: Line
    minimum: int | None = None
    maximum: int | None = None
    about: str | None = None
    style: str = "plain"
    detail: Line | None = None
    value: int | str | None = None
    on: bool | None = None
    group: str = ""
    is_secret: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether a number belongs to the action."""
        return self.minimum is not None


class IllegalAction(Exception):
    """An action that cannot be done: one sentence for the player, and the rule that says so."""

    def __init__(self, line: Line, rule: str = "") -> None:
        super().__init__(str(line))
        self.line = line
        self.rule = rule


class Step:
    """One point of the rulebook. The docstring is the rule in our words, with its id.

    The game waits here while `asked` names a seat that has an offer; otherwise
    `run` carries it on. A step that never waits only has `run`.
    """

    name: ClassVar[str] = "step"
    rule: ClassVar[str] = ""
    title: ClassVar[str] = ""
    help: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()

    def asked(self, g: Any) -> Iterable[str]:
        """The seats that this question is put to: all that it offers something, unless a step says else."""
        return g.seats

    def offers(self, g: Any, seat: str) -> Iterator[Offer]:
        """What this seat may tap here."""
        return iter(())

    def run(self, g: Any) -> None:
        """Go on without asking."""
        raise NotImplementedError(f"the step {self.name} has nobody to ask and no way on")

    def refusing(self, g: Any, seat: str, action: Action) -> Line | None:
        """Why something is not offered here, where the rules have more to say than that; None if not."""
        return None

    def asking(self, g: Any, seat: str | None) -> Line:
        """The question as one sentence, as this seat (None: a spectator) reads it."""
        return Line(self.title)

    def helping(self, g: Any, seat: str | None) -> Line:
        """One sentence of help below the question."""
        return Line(self.help)

    def resting_on(self, g: Any) -> str:
        """The id of the rule that this question rests on ("" for none), where `rule` holds for refusals."""
        return self.rule


class FreeActions(Step):
    """What a seat may do beside the open question, whoever that is asked of: to play a card from its hand.

    `offers` yields it and methods named like the verbs carry it out, as at any step; the
    question stays open unless the action calls another.
    """

    name = "free-actions"

    def asked(self, g: Any) -> Iterable[str]:
        return ()


class Corrections(Step):
    """Corrections: always open to everyone seated, at any time, beside the question.

    `offers` yields what may be corrected of one piece (or of the table, for None);
    methods named like the verbs carry it out. Quantities are signed changes.
    """

    name = "corrections"
    headings: ClassVar[tuple[str, ...]] = ()
    """The headings of corrections (`Offer.group`) in the order in which a sheet shows them."""
    folded: ClassVar[frozenset[str]] = frozenset()
    """Headings that a sheet keeps folded: what is rarely wanted."""

    def corrections(self, g: Any, path: str) -> Iterator[Offer]:
        """The corrections of the piece at this path ("unit/wolves", "army/red", "table")."""
        return iter(())

    def follow(self, g: Any) -> None:
        """What has to be seen to after any correction, whichever it was."""

    def paths(self, g: Any) -> Iterator[str]:
        """Every path that has corrections."""
        yield "table"
        yield from (f"army/{key}" for key in g.armies)
        yield from (f"unit/{key}" for key in g.units)
        yield from (f"objective/{key}" for key in g.objectives)


@dataclass(frozen=True, slots=True)
class Choices:
    """What an option of a new table means: the words of each of its values; without values it is a number.

    One that `is_rare` waits folded on the form.
    """

    title: str
    values: Mapping[int, str] = field(default_factory=dict)
    help: str = ""
    is_rare: bool = False


ENDINGS = {"time-out": _("as it stood when time was up"), "adjudication": _("by adjudication")}
"""The ways in which an organiser ends a match, as half sentences after "Red wins"."""


@dataclass(frozen=True)
class Mode:
    """A way to play a system: its first step and the questions that it overrides.

    `summary` says in a few words what is its own.
    """

    slug: str
    title: str
    first: type[Step]
    steps: tuple[type[Step], ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    summary: str = ""


class System:
    """One game. Subclass it, name its parts, and put an instance at `SYSTEM` in the game's package."""

    slug: ClassVar[str]
    title: ClassVar[str]
    featured: ClassVar[bool] = False
    """Whether forms begin with this game while nobody has chosen one."""
    state: ClassVar[type[State]] = State
    seat_names: ClassVar[dict[str, str]] = {"red": _("Red"), "blue": _("Blue")}
    seat_range: ClassVar[tuple[int, int]] = (2, 2)
    steps: ClassVar[tuple[type[Step], ...]] = ()
    modes: ClassVar[tuple[Mode, ...]] = ()
    free_actions: ClassVar[type[FreeActions]] = FreeActions
    corrections: ClassVar[type[Corrections]] = Corrections
    page: ClassVar[Any] = None
    """What the game shows of itself, a `games.view_models.game_page.Page`; None for the plain one."""
    options: ClassVar[dict[str, tuple[int, int, int]]] = {}
    """What may be set when a table is opened: usual value, least and most of each."""
    choices: ClassVar[dict[str, Choices]] = {}
    """The words of the options; one that has words for its values has no others."""
    variants: ClassVar[tuple[dict[str, int], ...]] = ()
    """Options that play differently enough to be held to the contract as well."""
    sizes: ClassVar[tuple[str, ...]] = ()
    """Usual values of the option "points", offered when a table is opened."""
    entry_kinds: ClassVar[dict[str, EntryKind]] = {}
    """The kinds of facts that organisers keep for this game."""
    clock: ClassVar[Clock | None] = None
    """What costs its players time, where a game knows clocks."""
    checklist: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[str] = ""
    """The beginning of an army list, as an empty form shows it."""
    files: ClassVar[tuple[str, ...]] = ()
    """How the files of army lists end that this game reads, such as ".ros"; none where lists are pasted."""
    endings: ClassVar[dict[str, str]] = ENDINGS
    """How a match can end (`result["how"]`) → half a sentence that says so."""
    columns: ClassVar[dict[str, Column]] = COLUMNS
    """How the admin shows the fields of the pieces, by kind and name ("unit/wounds")."""
    round_word: ClassVar[str] = _("Round")
    """What heads a column of rounds."""
    round_names: ClassVar[tuple[str, str]] = (_("Round %(number)s"), _("Round %(number)s of %(rounds)s"))
    """What a round is called: by its number, and by its number of how many."""
    longest: ClassVar[int] = 2000
    """More taps than any match of this game takes: random play that exceeds it has found a loop."""

    def __init__(self) -> None:
        self._mode = {mode.slug: mode for mode in self.modes}
        self._steps = {
            mode.slug: {step.name: step() for step in (*self.steps, *mode.steps)} for mode in self.modes
        }
        self.free_actions_step = self.free_actions()
        self.corrections_step = self.corrections()

    def mode(self, slug: str) -> Mode:
        """The mode of this name; KeyError where there is none."""
        return self._mode[slug]

    def step(self, state: State, name: str) -> Step:
        """The step of this name as the state's mode plays it."""
        return self._steps[state.mode][name]

    def steps_of(self, mode: str) -> tuple[Step, ...]:
        """All steps as a mode plays them, those of every mode first."""
        return tuple(self._steps[mode].values())

    def may_be(self, option: str, value: int) -> bool:
        """Whether an option may have this value: within its bounds, and one of those that have words."""
        _usual, low, high = self.options[option]
        worded = self.asks(option).values
        return low <= value <= high and (not worded or value in worded)

    def asks(self, option: str) -> Choices:
        """How a form asks for an option: in the game's words, else by its name."""
        return self.choices.get(option) or Choices(option.replace("_", " ").capitalize(), is_rare=True)

    def all_steps(self) -> Iterator[Step]:
        """Every step of every mode, once for each mode that it differs in."""
        for steps in self._steps.values():
            yield from steps.values()

    def round_name(self, number: int, rounds: int | None = None) -> Line:
        """A round as this game calls it; 0 is what comes before the first."""
        if not number:
            return Line(_("Set-up"))
        alone, of_all = self.round_names
        return say(of_all, number=number, rounds=rounds) if rounds else say(alone, number=number)

    def rules(self, mode: str) -> dict[str, Any]:
        """The ruleset that a match of this mode starts with and keeps."""
        return dict(self.mode(mode).facts)

    def open(self, mode: str, seats: dict[str, str], seed: str, options: dict[str, int]) -> State:
        """A fresh position: seats (key → player's name) around an empty table, the first question asked."""
        army_type: Any = self.state.piece_type("army")
        state = self.state(
            system=self.slug,
            mode=mode,
            seed=seed,
            rules=self.rules(mode)
            | {name: default for name, (default, _lo, _hi) in self.options.items()}
            | options,
            armies={key: army_type(key=key, name=name) for key, name in seats.items()},
        )
        state.call(self.mode(mode).first)
        return state

    def muster(self, g: Any, seat: str, text: str) -> None:
        """Bring an army as pasted text (the lobby only). Raises `IllegalAction`."""
        raise IllegalAction(Line(_("This game needs no army list.")))

    @property
    def brings_armies(self) -> bool:
        """Whether players bring an army to the table, as a list of theirs or a ready one."""
        return bool(self.demo_armies())

    def lists(self, g: Any, text: str) -> tuple[Listed, ...]:
        """The army lists that a pasted text holds, for its player to choose from."""
        return ()

    def amend(self, g: Any, seat: str, rows: list[RosterRow]) -> None:
        """Bring the army that these corrected rows are (the lobby only). Raises `IllegalAction`."""
        raise IllegalAction(Line(_("This game needs no army list.")))

    def roster(self, g: Any, seat: str) -> Roster | None:
        """The army as it was brought, line by line; None before there is one."""
        return None

    def file_text(self, text: str) -> str:
        """What a file that was opened (`files`) says, as text that could have been pasted; `Unreadable`."""
        return text

    def known_names(self, g: Any, seat: str) -> tuple[str, ...]:
        """Names from which a new line of this army list can be chosen; empty where all are typed."""
        return ()

    def demo_armies(self) -> dict[str, str]:
        """Armies to start with at once: slug → title."""
        return {}

    def demo_summary(self, slug: str) -> Line:
        """What kind of army one of these is, in a few words."""
        return Line("")

    def words(self) -> Iterable[str]:
        """The messages that stand in the game's data, for its catalogue."""
        return ()

    def is_timed(self, g: Any) -> bool:
        """Whether this match is played by the clock."""
        return False

    def problems(self, g: Any) -> Iterator[Line]:
        """What is odd about a position that somebody set by hand. Nothing blocks."""
        return iter(())

    def derived_facts(self, g: Any, seat: str | None) -> dict[str, Any]:
        """Facts for pages and transcripts that are worked out, not stored."""
        return {}

    def summary(self, g: Any) -> str:
        """One line of a transcript: the position as the table would say it."""
        points = " | ".join(f"{seat} {g.points(seat)}" for seat in g.seats)
        return f"r{g.round} | {points}"


_registered: dict[str, System] = {}


def register(found: System) -> System:
    """Make a system known to the engine."""
    _registered[found.slug] = found
    return found


def forget(found: System) -> None:
    """Make a system unknown again."""
    _registered.pop(found.slug, None)


class NotServed(KeyError):
    """There is no such game here: it never was, or the package that brings it is gone or broken."""


def system(slug: str) -> System:
    """The system of this name; `NotServed` (a KeyError) where there is none."""
    try:
        return _registered[slug]
    except KeyError:
        raise NotServed(slug) from None


def systems() -> tuple[System, ...]:
    """All known systems, by slug."""
    return tuple(_registered[slug] for slug in sorted(_registered))


def usual() -> System:
    """The game that forms begin with: the first that is featured, else the first of all."""
    known = systems()
    return next((found for found in known if found.featured), known[0])


def name_of(state: State, seat: str) -> str | Term:
    """What sentences call a seat: its player's name, its colour where nobody gave one."""
    return state.armies[seat].name or Term(system(state.system).seat_names.get(seat, seat))


def author_of(state: State) -> str:
    """Who acts now, as a score keeps it: a name, or a message id (a colour, the organiser)."""
    if state.author not in state.armies:
        return _("the organiser")
    name = name_of(state, state.author)
    return name.message if isinstance(name, Term) else name
