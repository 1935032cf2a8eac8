"""Steps: the points of a rulebook at which the game asks somebody or goes on by itself.

The question (`offers`) and its answers (methods marked with `@answer`) stand side by side. The fields of the
step hold what the question is about:

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
from dataclasses import dataclass, fields
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

from games.core.pieces import field_types
from games.core.state import StateT
from games.core.words import Line, Record

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
def parse(text: str) -> Action:
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
