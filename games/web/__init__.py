"""What pages, API and commands need of the server around them; `clock`, `keys`, `uploads` stand beside it."""

# Saving and reading, and what may be wrong with the database.
from games.web.database import begin_saving, in_turn, journal, note_key, one_moment, sentence_of, trouble

# Who asks, and how others reach this server.
from games.web.network import (
    address,
    address_for_others,
    address_to_scan,
    client_address,
    device_at_table,
    household,
    own_addresses,
    picture_of,
)

# From which program and data a page was made.
from games.web.program import is_from_elsewhere, is_outdated, origin, restored, tag, with_data

# Refusals, and what may be asked how often.
from games.web.refusals import is_for_programs, refuse, wants_fragment
from games.web.limits import (
    ALL_MOVES,
    IMPORTED,
    IMPORTS,
    JOINS,
    LINKS,
    LISTS,
    LONGEST_LIST,
    LOGIN_NAMES,
    LOGINS,
    MOVES,
    OPENINGS,
    REGISTRATIONS,
    SECOND_FACTORS,
    STATISTICS,
    TAPS,
    Limit,
    limited,
    list_too_soon,
    too_fast,
    wrong_guess,
)
