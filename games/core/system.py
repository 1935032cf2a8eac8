"""What a game is to the engine: pieces, steps, modes, set-up, corrections.

Its steps, and the modes that replace some of them, are the rulebook. Everything has a boring default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Generic

from games.core.army_lists import Listed, Roster, RosterRow
from games.core.clocks import Clock
from games.core.state import AnyState, Facts, State, StateT
from games.core.steps import Corrections, FreeActions, IllegalAction, Step
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Column:
    """How the admin shows a field of a piece, and which values it takes.

    `label` is what people call it (a message id; "": its name says it). `among` is what it is chosen from:
    values with their words, or the kind of piece ("unit") whose keys it holds; with `is_mutual` the named
    piece names this one back. `cells` are the parts of each row of a field of rows: name, and type or kind of
    piece. A field that `is_first` is always shown, the others fold away; one that `is_hidden` is not edited
    by hand, such as a text that is kept whole. `of` tells whether a piece has the field at all; None: every
    piece of its kind has it.
    """

    label: str = ""
    among: Mapping[str, str] | str | None = None
    is_mutual: bool = False
    cells: tuple[tuple[str, type | str], ...] = ()
    is_first: bool = False
    is_hidden: bool = False
    of: Callable[[Any], bool] | None = None


COLUMNS = {
    "army/name": Column(is_first=True),
    "army/faction": Column(is_first=True),
    "army/ready": Column(is_first=True),
    "army/ends": Column(is_hidden=True),
    "army/answered": Column(is_hidden=True),
    "unit/army": Column(among="army", is_first=True),
    "unit/place": Column(is_first=True),
    "unit/activated": Column(is_first=True),
    "unit/wounds": Column(is_first=True),
    "objective/claimed_by": Column(among="unit", is_first=True),
    "objective/override": Column(among="army", is_first=True),
    "round/first": Column(among="army", is_first=True),
    "table/round": Column(is_first=True),
}
"""The fields that every game has, by kind of piece and name; "table" is the position itself."""


@dataclass(frozen=True)
class EventKind:
    """A usual kind of event: its name, its description in one line, its settings by name."""

    slug: str
    title: str
    summary: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TournamentPoints:
    """What a game of two is worth (by a player's victory points and the rival's), and what a bye is worth."""

    title: str
    summary: str
    points: Callable[[int, int], float]
    bye: float


def _always(_g: Any) -> bool:
    return True


@dataclass(frozen=True)
class Hint:
    """A sentence beside a question, and the tap that goes on from there.

    `step` is the name of the question's step, `action` what may be tapped there, with its number if it takes
    one; with a `path` ("unit/wolves") it is a correction of that piece. A hint applies `when` the position is
    so, and while its action is offered; the first that applies is shown.
    """

    step: str
    action: str
    text: str
    path: str = ""
    when: Callable[[Any], bool] = _always


@dataclass(frozen=True)
class FirstSteps:
    """A round for newcomers.

    Its table has the `mode` ("": the game's first), `seats` players (0: the fewest), these `options`, and by
    seat the `armies` as text. `opening` holds the actions up to where the round begins, one a line, as in a
    transcript; first steps end with `last_round`. `teaches` says what they show, `taps` how many taps the
    `hints` take (0: nobody has counted).
    """

    mode: str = ""
    seats: int = 0
    options: Mapping[str, int] = field(default_factory=dict)
    armies: Mapping[str, str] = field(default_factory=dict)
    opening: str = ""
    last_round: int = 1
    teaches: str = ""
    taps: int = 0
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One fact of a catalogue entry: its label, the values it is chosen from (if any), how it is written.

    `among` are the values of which the fact holds one (with only "yes" or nothing it is a tick box). `flags`
    are values of which it holds any number, separated by spaces; a flag that ends in a hyphen takes a number
    after it. `parts` are several values in a row, each with its own choices. `is_listed` heads a column.
    """

    label: str
    among: Mapping[str, str] | None = None
    help: str = ""
    flags: Mapping[str, str] | None = None
    parts: tuple[Mapping[str, str], ...] = ()
    is_listed: bool = False


@dataclass(frozen=True)
class EntryKind:
    """A kind of catalogue entry that a game understands; `title` names all of them, with their game.

    `check` raises `Unreadable` for a slug and facts that the game cannot read; `planted` are the entries that
    ship with the game; `called` says what to call one.
    """

    title: str
    cells: Mapping[str, Cell]
    check: Callable[[str, Facts], object]
    planted: Callable[[], Iterable[tuple[str, Facts]]]
    called: Callable[[Facts], str]


@dataclass(frozen=True, slots=True)
class Choices:
    """What an option of a new table means: the words for each of its values; without values it is a number.

    An option that `is_rare` is folded away on the form.
    """

    title: str
    values: Mapping[int, str] = field(default_factory=dict)
    help: str = ""
    is_rare: bool = False


ENDINGS = {"time-out": _("as it stood when time was up"), "adjudication": _("by adjudication")}
"""The ways in which an organiser ends a match, as phrases that follow "Red wins"."""


@dataclass(frozen=True)
class Mode:
    """A way to play a system: its first step and the questions that it overrides.

    `summary` says in a few words what is special about it.
    """

    slug: str
    title: str
    first: type[Step[Any]]
    steps: tuple[type[Step[Any]], ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    summary: str = ""


class System(Generic[StateT]):
    """One game. Subclass it, name its parts, and put an instance at `SYSTEM` in the game's package."""

    slug: ClassVar[str]
    title: ClassVar[str]
    featured: ClassVar[bool] = False
    """Whether forms start with this game until somebody has chosen one."""
    state: ClassVar[type[AnyState]] = State
    seat_names: ClassVar[dict[str, str]] = {"red": _("Red"), "blue": _("Blue")}
    seat_range: ClassVar[tuple[int, int]] = (2, 2)
    steps: ClassVar[tuple[type[Step[Any]], ...]] = ()
    modes: ClassVar[tuple[Mode, ...]] = ()
    free_actions: ClassVar[type[FreeActions[Any]]] = FreeActions
    corrections: ClassVar[type[Corrections[Any]]] = Corrections
    page: ClassVar[Any] = None
    """How the game shows itself, a `games.view_models.game_page.Page`; None for the plain page."""
    options: ClassVar[dict[str, tuple[int, int, int]]] = {}
    """What may be set when a table is opened: the usual value, the least and the most."""
    choices: ClassVar[dict[str, Choices]] = {}
    """The words of the options; an option with words for its values takes only those values."""
    variants: ClassVar[tuple[dict[str, int], ...]] = ()
    """Sets of options that play differently enough to be tested against the contract as well."""
    sizes: ClassVar[tuple[str, ...]] = ()
    """Usual values of the option "points", offered when a table is opened."""
    size_words: ClassVar[tuple[str, str]] = (_("Army points"), _("%(points)s points a side"))
    """The label of the option "points", and a sentence for a number of them."""
    army_word: ClassVar[str] = _("Your army")
    """The label of the field that asks for a player's army."""
    entry_kinds: ClassVar[dict[str, EntryKind]] = {}
    """The kinds of facts that organisers keep for this game."""
    events: ClassVar[tuple[EventKind, ...]] = ()
    """The usual kinds of event; the first is the default."""
    scorings: ClassVar[dict[str, TournamentPoints]] = {}
    """This game's own ways to give tournament points."""
    places_by_points: ClassVar[bool] = False
    """Whether more points are a better place whenever a game was played to its end."""
    losses: ClassVar[frozenset[str]] = frozenset()
    """The ends without a winner that are no draw: everybody has lost."""
    clock: ClassVar[Clock | None] = None
    """What costs its players time; None for a game without clocks."""
    checklist: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[str] = ""
    """The beginning of an army list, as an empty form shows it."""
    files: ClassVar[tuple[str, ...]] = ()
    """The endings of army list files that this game reads, such as ".ros"; none if lists are pasted."""
    factions: ClassVar[dict[str, str]] = {}
    """What armies store as their faction → its name; none if the seat itself is the faction."""
    faction_word: ClassVar[str] = _("Faction")
    """The heading of a column of factions."""
    endings: ClassVar[dict[str, str]] = ENDINGS
    """How a match can end (`result["how"]`) → a phrase that says so."""
    columns: ClassVar[dict[str, Column]] = COLUMNS
    """How the admin shows the fields of the pieces, by kind and name ("unit/wounds")."""
    round_word: ClassVar[str] = _("Round")
    """The heading of a column of rounds."""
    round_names: ClassVar[tuple[str, str]] = (_("Round %(number)s"), _("Round %(number)s of %(rounds)s"))
    """What a round is called: by its number alone, and with the number of rounds.

    A game whose word for a round differs from the one for an event's rounds, in any language, writes
    `%(round)s`, so that it has a sentence of its own to translate.
    """
    dealt: ClassVar[frozenset[str]] = frozenset()
    """Hidden values dealt at random from what all know, such as a hand: `redeal` deals them again."""
    first_steps: ClassVar[FirstSteps] = FirstSteps()
    """The round that a newcomer plays to see how the app works."""
    longest: ClassVar[int] = 2000
    """More taps than any match of this game takes: random play that needs more has found a loop."""

    def __init__(self) -> None:
        self._mode = {mode.slug: mode for mode in self.modes}
        self._steps = {
            mode.slug: {step.name: step for step in (*self.steps, *mode.steps)} for mode in self.modes
        }
        self._read = lru_cache(maxsize=4096)(self._read_step)
        self.free_actions_step = self.free_actions()
        self.corrections_step = self.corrections()

    def mode(self, slug: str) -> Mode:
        """The mode of this name; KeyError if there is none."""
        return self._mode[slug]

    def step(self, state: AnyState) -> Step[Any]:
        """The step whose question is open, as the state's mode plays it."""
        question = state.flow[-1]
        return self._read(state.mode, question.step, question.about)

    def step_named(self, state: AnyState, name: str) -> type[Step[Any]]:
        """The step of this name as the state's mode plays it."""
        return self._steps[state.mode][name]

    def redeal(self, g: StateT) -> None:
        """Deal the `dealt` values again at random, so that they tell nothing about the old ones."""

    def counts(self, g: StateT, number: int) -> bool:
        """Whether the app counted all points of a round itself: then nobody is asked to confirm them."""
        return False

    def steps_of(self, mode: str) -> tuple[type[Step[Any]], ...]:
        """All steps as a mode plays them, those of every mode first."""
        return tuple(self._steps[mode].values())

    def may_be(self, option: str, value: int) -> bool:
        """Whether an option may have this value: within its bounds, and worded if its values have words."""
        _usual, low, high = self.options[option]
        worded = self.asks(option).values
        return low <= value <= high and (not worded or value in worded)

    def asks(self, option: str) -> Choices:
        """How a form asks for an option: in the game's words, or by its name if it has none."""
        return self.choices.get(option) or Choices(option.replace("_", " ").capitalize(), is_rare=True)

    def _read_step(self, mode: str, name: str, about: tuple[str, ...]) -> Step[Any]:
        return self._steps[mode][name].read(about)

    def round_name(self, number: int, rounds: int | None = None) -> Line:
        """A round as this game calls it; 0 is what comes before the first."""
        if not number:
            return Line(_("Set-up"))
        alone, of_all = self.round_names
        numbers = {"number": number, "round": number}
        return say(of_all, rounds=rounds, **numbers) if rounds else say(alone, **numbers)

    def rules(self, mode: str) -> dict[str, Any]:
        """The ruleset that a match of this mode starts with and keeps."""
        return dict(self.mode(mode).facts)

    def open(self, mode: str, seats: dict[str, str], seed: str, options: dict[str, int]) -> AnyState:
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

    def tally(self, g: StateT) -> dict[str, dict[str, int]]:
        """What an event counts for each seat: "vp", and what else its ranking may ask for.

        Known names are "destroyed" (points of enemy units), "scenario" (points), "vim" (the turn in which the
        rival's was removed) and "place".
        """
        return {seat: {"vp": g.points(seat)} for seat in g.seats}

    def bring(self, g: StateT, seat: str, text: str) -> None:
        """Bring an army as pasted text (the lobby only). Raises `IllegalAction`."""
        raise IllegalAction(Line(_("This game needs no army list.")))

    @property
    def brings_armies(self) -> bool:
        """Whether players bring an army to the table, as a list of their own or a ready-made one."""
        return bool(self.demo_armies())

    def lists(self, g: StateT, text: str) -> tuple[Listed, ...]:
        """The army lists that a pasted text holds, for its player to choose from."""
        return ()

    def amend(self, g: StateT, seat: str, rows: list[RosterRow]) -> None:
        """Bring the army that these corrected rows describe (the lobby only). Raises `IllegalAction`."""
        raise IllegalAction(Line(_("This game needs no army list.")))

    def roster(self, g: StateT, seat: str) -> Roster | None:
        """The army as it was brought, line by line; None if there is none yet."""
        return None

    def file_text(self, text: str) -> str:
        """An opened file (`files`) as text that could have been pasted. Raises `Unreadable`."""
        return text

    def known_names(self, g: StateT, seat: str) -> tuple[str, ...]:
        """The names to choose from for a new line of this army list; empty if names are typed."""
        return ()

    def demo_armies(self) -> dict[str, str]:
        """Ready-made armies: slug → title."""
        return {}

    def demo_summary(self, slug: str) -> Line:
        """What kind of army one of these is, in a few words."""
        return Line("")

    def words(self) -> Iterable[str]:
        """The messages in the game's data, for its translation catalogue."""
        return ()

    def is_timed(self, g: StateT) -> bool:
        """Whether this match is played by the clock."""
        return False

    def problems(self, g: StateT) -> Iterator[Line]:
        """What is odd about a position that somebody set by hand. Nothing blocks."""
        return iter(())

    def list_cost(self, g: StateT, seat: str) -> int | None:
        """What the army list of a seat costs; None if there is none or its cost does not matter."""
        return None

    def tie_breaks(self, g: StateT, seat: str) -> dict[str, int]:
        """What tournaments compare for a seat as well as its points, as far as the position tells."""
        return {}

    def turning_points(self, g: StateT, seat: str) -> dict[str, tuple[str, Any]]:
        """What tournaments ask the round of: a name → a field ("unit/oni/place") and the value it took."""
        return {}

    def places(self, g: StateT) -> dict[str, int]:
        """The place of every seat in a match that is over, from 1; tied seats share one."""
        winner = (g.result or {}).get("winner")
        return {seat: 2 if winner is not None and seat != winner else 1 for seat in g.seats}

    def derived_facts(self, g: StateT, seat: str | None) -> dict[str, Any]:
        """Facts for pages and transcripts that are computed, not stored."""
        return {}

    def summary(self, g: StateT) -> str:
        """One line of a transcript: the position in brief."""
        points = " | ".join(f"{seat} {g.points(seat)}" for seat in g.seats)
        return f"r{g.round} | {points}"


_registered: dict[str, System[Any]] = {}


def register(game: System[Any]) -> System[Any]:
    """Make a system known to the engine."""
    _registered[game.slug] = game
    return game


def forget(game: System[Any]) -> None:
    """Make a system unknown again."""
    _registered.pop(game.slug, None)


class NotServed(KeyError):
    """There is no such game here: it never was, or its package is missing or broken."""


def system(slug: str) -> System[Any]:
    """The system of this name; `NotServed` (a KeyError) if there is none."""
    try:
        return _registered[slug]
    except KeyError:
        raise NotServed(slug) from None


def is_served(slug: str) -> bool:
    """Whether there is a game of this name."""
    return slug in _registered


def systems() -> tuple[System[Any], ...]:
    """All known systems, by slug."""
    return tuple(_registered[slug] for slug in sorted(_registered))


def usual() -> System[Any]:
    """The game that forms start with: the first that is featured, otherwise the first of all."""
    served = systems()
    return next((game for game in served if game.featured), served[0])


def name_of(state: AnyState, seat: str) -> str | Term:
    """What sentences call a seat: its player's name, or its colour if there is none."""
    return state.armies[seat].name or Term(system(state.system).seat_names.get(seat, seat))


def author_of(state: AnyState) -> str:
    """Who is acting, as a score keeps it: a name, or a message id (a colour, the organiser)."""
    if state.author not in state.armies:
        return _("the organiser")
    name = name_of(state, state.author)
    return name.message if isinstance(name, Term) else name
