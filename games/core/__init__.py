"""The rules engine: pure Python, no Django, no randomness of its own, no clock, no input or output.

What the author of a game imports, chapter by chapter. Beside it stand `engine` (what is offered, playing it,
seeing it), `corrections`, `army_lists` and `chance`.
"""

# Sentences; what comes in from outside, and what is refused.
from games.core.words import (
    COMMA,
    NAME_GRAPHEMES,
    NOTE_GRAPHEMES,
    PIECE_GRAPHEMES,
    POINTS_PER_GRAPHEME,
    TEXT_BYTES,
    Argument,
    Line,
    Record,
    RequestRefused,
    Sentence,
    Term,
    Unreadable,
    ViewModel,
    clean_int,
    clean_key,
    clean_name,
    clean_note,
    clean_text,
    closed,
    first_sentence,
    gettext_noop,
    going_on,
    is_clean,
    is_number,
    isolated,
    name_key,
    say,
    say_count,
    together,
    told_apart,
)

# Pieces, the position that holds them, and what an action changed.
from games.core.state import (
    ABSENT,
    KINDS,
    NONE,
    AnyState,
    Army,
    Draw,
    Entries,
    Facts,
    Image,
    Objective,
    Piece,
    Places,
    Position,
    PositionT,
    Question,
    RollingArmy,
    State,
    Unit,
    apply,
    diff,
    in_order,
    is_piece,
    joined,
    overlaps,
    piece_at,
    plain,
    remembered,
    without,
)

# Army lists and clocks.
from games.core.army_lists import Listed, Roster, RosterRow, RowCell
from games.core.clocks import Clock, Thought, Timed

# Steps.
from games.core.steps import (
    Action,
    Corrections,
    FreeActions,
    IllegalAction,
    Malformed,
    Offer,
    Step,
    answer,
    parse_action,
)

# Steps that rulebooks take again and again.
from games.core.kit import (
    Acknowledged,
    Anybody,
    ByTurns,
    InTurn,
    Lobby,
    Roll,
    RollOff,
    Settled,
    Silent,
    Together,
    Window,
)

# Playing: the rest of `engine` is called by its name, such as `engine.view`, the only exit of secrets.
from games.core.engine import advance, asked, is_final, step_of, to_act

# Data that ships with a game.
from games.core.facts import file_names, read_text, read_toml

# The game.
from games.core.steps import (
    ADJUDICATION,
    COLUMNS,
    CONCESSION,
    ENDINGS,
    TIME_OUT,
    Cell,
    Choices,
    Column,
    EntryKind,
    EventKind,
    FirstSteps,
    Hint,
    Mode,
    NotServed,
    System,
    TournamentPoints,
    author_of,
    forget,
    is_served,
    name_of,
    register,
    system,
    systems,
    usual,
)
