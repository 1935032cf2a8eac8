"""What a game is to the engine: the steps of its rulebook, and the system that they make up.

A step is a point at which the game asks somebody or goes on by itself.
The question (`offers`) and its answers (methods marked with `@answer`) stand side by side, and the fields of
the step hold what the question is about:

    class Companions(Step[Table]):
        \"\"\"TMG-22: with a master its companions may be activated.\"\"\"

        master: str

        def offers(self, g: Table, seat: str) -> Iterator[Offer]:
            for unit in companions(g, self.master):
                yield Offer(f"with:{unit.key}", say(_("With %(unit)s"), unit=unit.name))

        @answer("with")
        def bring(self, g: Table, seat: str, unit: Unit) -> None:
            acted(g, unit)

    g.call(Companions(master.key))

An action is written `verb[:noun[:noun]]` or `verb[:noun]:number`: the same text is the value of a button, the
`action` of the API, a line of a transcript, and what the fuzzer plays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from inspect import get_annotations, signature
from typing import (
    Any,
    ClassVar,
    Generic,
    Self,
    TypeVar,
    dataclass_transform,
    get_origin,
    get_type_hints,
    overload,
)

from games.core.army_lists import Listed, Roster, RosterRow
from games.core.clocks import Clock
from games.core.state import AnyState, Entries, Facts, State, StateT, field_types
from games.core.words import Line, Record, Term, say
from games.core.words import gettext_noop as _

LONGEST = 120
"""Characters of an action."""
_NOUN = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_ACTION = re.compile(rf"([a-z]+(?:-[a-z]+)*)((?::{_NOUN}){{0,2}})(?::(0|-?[1-9][0-9]{{0,5}}))?")


class Malformed(ValueError):
    """The text is not an action at all."""


class Action(Record):
    """A verb, at most two nouns and at most one number. A noun begins with a letter."""

    verb: str
    nouns: tuple[str, ...] = ()
    number: int | None = None

    @property
    def stem(self) -> str:
        """The action without its number: what a numeric offer is called."""
        return ":".join((self.verb, *self.nouns))

    def __str__(self) -> str:
        return self.stem if self.number is None else f"{self.stem}:{self.number}"


@lru_cache(maxsize=4096)
def parse_action(text: str) -> Action:
    """The action that a text writes; raises `Malformed` for anything else."""
    if len(text) > LONGEST:
        raise Malformed("an action is shorter than that")
    match = _ACTION.fullmatch(text)
    if match is None:
        raise Malformed("not an action")
    verb, nouns, number = match.groups()
    action = Action(verb, tuple(nouns.split(":")[1:]), None if number is None else int(number))
    if action.number is not None and len(action.nouns) > 1:
        raise Malformed("an action with a number has at most one noun")
    return action


Method = TypeVar("Method", bound=Callable[..., None])
Resolver = Callable[[Any, str], Any]


class Offer(Record):
    """Something a seat may tap now.

    `action` is its notation (the stem if a number follows), `label` what the button says, `minimum … maximum`
    the numbers it takes (both None: no number). `about` is the path of the piece whose card carries the
    control ("unit/wolves"), `style` how it looks: "main", "plain", "quiet" for ways out, or "apart" for what
    is destructive. `detail` is a second, smaller sentence. A correction states the current `value` of its
    quantity or whether its switch is `on`, and the heading (`group`, a message id) that it is listed under.
    One of several choices says in `instead_of` which of them holds now; that one is not offered.
    `is_secret` says that its words tell what only its seat may know: a shared device shows it only after
    somebody says that they are that seat.
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
    instead_of: Line | None = None
    is_secret: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether a number belongs to the action."""
        return self.minimum is not None


class IllegalAction(Exception):
    """An action that the rules do not allow now: a sentence for the player, and the rule that forbids it."""

    def __init__(self, line: Line, rule: str = "") -> None:
        super().__init__(str(line))
        self.line = line
        self.rule = rule


@overload
def answer(verb: Method) -> Method: ...
@overload
def answer(verb: str) -> Callable[[Method], Method]: ...
def answer(verb: Any) -> Any:
    """Mark the method of a step that carries out a verb: `@answer`, or `@answer("pass")` where names differ.

    After the position and the seat it takes the action's nouns and number. A noun annotated with a class of
    piece arrives as that piece, any other as text.
    """
    if not isinstance(verb, str):
        verb.verb = verb.__name__.replace("_", "-")
        return verb

    def mark(method: Method) -> Method:
        method.verb = verb  # type: ignore[attr-defined]
        return method

    return mark


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Step(Generic[StateT]):
    """One point of the rulebook. The docstring is the rule in our words, with its id.

    The game waits here while `asked` names a seat that has an offer; otherwise
    `run` carries it on. A step that never waits only has `run`.

    Every step is a frozen dataclass. Its fields are texts and whole numbers, and the last may be a tuple of
    texts; a position keeps them in its `flow` as texts, without trailing ones that have their default.
    """

    name: ClassVar[str] = "step"
    rule: ClassVar[str] = ""
    title: ClassVar[str] = ""
    help: ClassVar[str] = ""
    settles_score: ClassVar[bool] = False
    """Whether all seats agree on the points of the round here: a score card need not ask them again."""
    completes: ClassVar[frozenset[str]] = frozenset()
    """The verbs that complete the tap before them: history and spectators see both as one entry."""
    answers: ClassVar[Mapping[str, str]] = {}
    """The method that carries out each verb, by name."""

    def __init_subclass__(cls) -> None:
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()
        if get_annotations(cls):
            dataclass(frozen=True)(cls)
        # Each base keeps all of its own answers, and a step may have several bases.
        inherited = [base.__dict__.get("answers", {}) for base in cls.__mro__[:0:-1]]
        marked = {method.verb: name for name, method in cls.__dict__.items() if hasattr(method, "verb")}
        cls.answers = {verb: name for answers in (*inherited, marked) for verb, name in answers.items()}

    @classmethod
    def read(cls, about: tuple[str, ...]) -> Self:
        """The step whose fields are these texts, as `about` returns them."""
        values: dict[str, Any] = {}
        for at, (name, declared) in enumerate(field_types(cls).items()):  # type: ignore[arg-type]
            if get_origin(declared) is tuple:
                values[name] = about[at:]
            elif at < len(about):
                values[name] = int(about[at]) if declared is int else about[at]
        return cls(**values)

    def about(self) -> tuple[str, ...]:
        """Its fields as texts, as a position keeps them."""
        texts: list[str] = []
        spare = 0
        for name, default in _defaults(type(self)):  # type: ignore[arg-type]
            value = getattr(self, name)
            if isinstance(value, tuple):
                texts += value
                spare = 0 if value else spare
            else:
                texts.append(str(value))
                spare = spare + 1 if value == default else 0
        return tuple(texts[: len(texts) - spare])

    def asked(self, g: StateT) -> Iterable[str]:
        """The seats that this question is put to (usually all); nobody waits for those without an offer."""
        return tuple(g.seats)

    def offers(self, g: StateT, seat: str) -> Iterator[Offer]:
        """What this seat may tap here."""
        return iter(())

    def run(self, g: StateT) -> None:
        """Go on without asking."""
        raise NotImplementedError(f"the step {self.name} has nobody to ask and no way on")

    def refusing(self, g: StateT, seat: str, action: Action) -> Line | None:
        """Why something is not offered here, if the rules have more to say about it; otherwise None."""
        return None

    def asking(self, g: StateT, seat: str | None) -> Line:
        """The question as one sentence, as this seat (None: a spectator) reads it."""
        return Line(self.title)

    def helping(self, g: StateT, seat: str | None) -> Line:
        """One sentence of help below the question."""
        return Line(self.help)

    def resting_on(self, g: StateT) -> str:
        """The id of the rule that this question rests on ("" for none); refusals cite `rule`."""
        return self.rule

    def at_stake(self, g: StateT) -> str:
        """What an answer decides and its action does not name, such as a tally to agree to; "" if nothing.

        An answer counts only if this is still what its page showed.
        """
        return ""

    def carry_out(self, g: StateT, seat: str, action: Action) -> None:
        """Carry out an offered action."""
        if action.verb not in self.answers:
            raise NotImplementedError(f"the step {self.name} offers {action.verb} and has no answer to it")
        method: Any = getattr(type(self), self.answers[action.verb])
        resolvers = _resolvers(method, type(g))  # type: ignore[arg-type]
        taken: list[Any] = [resolve(g, noun) for resolve, noun in zip(resolvers, action.nouns, strict=False)]
        if action.number is not None:
            taken.append(action.number)
        method(self, g, seat, *taken)


class FreeActions(Step[StateT]):
    """What a seat may do beside the open question, whoever is asked: for example, play a card from its hand.

    The question stays open unless the action calls another.
    """

    name = "free-actions"

    def asked(self, g: StateT) -> Iterable[str]:
        return ()


class Corrections(Step[StateT]):
    """What everyone seated may do at any time, beside the open question.

    `of` yields what may be corrected of one piece or of the table. Quantities are signed changes.
    """

    name = "corrections"
    headings: ClassVar[tuple[str, ...]] = ()
    """The headings of corrections (`Offer.group`) in the order in which a sheet shows them."""
    folded: ClassVar[frozenset[str]] = frozenset()
    """Headings that a sheet keeps folded: rarely wanted corrections."""

    def of(self, g: StateT, path: str) -> Iterator[Offer]:
        """The corrections of the piece at this path ("unit/wolves", "army/red", "table")."""
        return iter(())

    def follow(self, g: StateT) -> None:
        """Bring up to date what depends on a correction; called after each."""

    def paths(self, g: StateT) -> Iterator[str]:
        """Every path that has corrections."""
        yield "table"
        yield from (f"army/{key}" for key in g.armies)
        yield from (f"unit/{key}" for key in g.units)
        yield from (f"objective/{key}" for key in g.objectives)


@cache
def _defaults(step: type[Step[Any]]) -> tuple[tuple[str, Any], ...]:
    """The fields of a step and their defaults."""
    return tuple((field.name, field.default) for field in fields(step))


@cache
def _resolvers(method: Any, state: Any) -> tuple[Resolver, ...]:
    """The functions that turn an action's nouns into a method's arguments, chosen by their annotations."""
    _self, _g, _seat, *taken = signature(method).parameters
    hints = get_type_hints(method)
    return tuple(_resolver(hints.get(name), state) for name in taken)


def _resolver(hint: Any, state: Any) -> Resolver:
    mapping = state.mapping_of(hint) if isinstance(hint, type) else None
    if mapping is None:
        return lambda g, noun: noun
    return lambda g, noun: getattr(g, mapping)[noun]


# --- what a game is to the engine -----------------------------------------------------------------


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
    values: Mapping[Any, str] = field(default_factory=dict)
    help: str = ""
    is_rare: bool = False


ENDINGS = {"time-out": _("as it stood when time was up"), "adjudication": _("by adjudication")}
"""The ways in which an organiser ends a match, as phrases that follow "Red wins"."""
CONCESSION, TIME_OUT, ADJUDICATION = "concession", "time-out", "adjudication"
"""How a match ends by hand (`result["how"]`)."""


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
    tie_order: ClassVar[str] = ""
    """What places players with equal points, in order, as words; "" if they share a place."""
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

    def completes(self, step: str, action: str) -> bool:
        """Whether this answer completes the tap before it: both make one entry of the story."""
        verb = action.partition(":")[0]
        return any(verb in each.completes for each in self.steps if each.name == step)

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

    def round_choices(self, entries: Entries) -> dict[str, Choices]:
        """What an event may set for the tables of a round, by name; a new table has it in its `rules`.

        The values are texts; without one the players choose at the table.
        """
        return {}

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

    def open(self, mode: str, seats: dict[str, str], seed: str, options: Mapping[str, Any]) -> AnyState:
        """A fresh position: seats (key → player's name) around an empty table, the first question asked."""
        army_type: Any = self.state.piece_type("army")
        state = self.state(
            system=self.slug,
            mode=mode,
            seed=seed,
            rules=self.rules(mode)
            | {name: default for name, (default, _lo, _hi) in self.options.items()}
            | dict(options),
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
