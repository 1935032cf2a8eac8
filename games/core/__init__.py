"""The rules engine: pure Python, no Django, no randomness of its own, no clock, no input or output.

What the author of a game imports, chapter by chapter.
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
    name_with_mark,
    say,
    say_count,
    together,
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
from games.core.army_lists import (
    DASHES,
    SURE,
    Element,
    Ledger,
    Likeness,
    Listed,
    Roster,
    RosterRow,
    RowCell,
    document_of,
    folded,
    framed,
    is_document,
    key_of,
    levelled,
    narrowed,
    numbered_rows,
    surest,
    unmarked,
    whole,
    without_unused,
)
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

# Playing, and seeing what a seat may see: `view` is the only exit of secrets.
from games.core.engine import (
    adjust,
    advance,
    answers,
    asked,
    awaited,
    corrections as corrections_of,
    has_to_answer,
    is_among,
    is_final,
    keep,
    offers,
    play,
    problems,
    step_of,
    to_act,
    view,
)

# Corrections: a table of fields.
from games.core.corrections import (
    BY_HAND,
    NEEDS_A_REASON,
    NOBODY,
    Button,
    Choice,
    Counter,
    EndCorrections,
    Extra,
    FieldCorrections,
    Flag,
    HandEnd,
    Switches,
    controllers,
    ends_now,
    give_points,
    label_of,
    others,
    points_row,
    propose,
    reason_for_points,
    refuse_same,
    result_fields,
    seats,
    stepper,
    switch,
    terms,
    written,
)

# Chance, and the fingerprints that prove it.
from games.core.chance import (
    beginning,
    canonical,
    commitment,
    draw,
    draws_hash,
    fingerprint,
    link,
    secret_hash,
)

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
