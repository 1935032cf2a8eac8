"""Every field of every game becomes a typed form field, or is left out for a reason."""

import random

import pytest
from django.utils import translation

from games.admin import piece_fields
from games.admin.match_edits import RESERVED
from games.admin.piece_fields import TABLE
from games.core import KINDS, systems
from games.match import random_play
from games.match.storage import LoadedMatch
from games.models import Match
from games.systems.tmg import SYSTEM as TMG
from games.systems.tmg.pieces import Place, Unit


@pytest.fixture(params=[game.slug for game in systems()])
def board(request):
    """A position in the middle of a random match, on a match that is nowhere stored."""
    from games.core import system

    game = system(request.param)
    mode = game.modes[0].slug
    state = random_play.fresh_state(game, mode, 3)
    luck = random.Random(3)
    for count, (_seat, _action, position) in enumerate(random_play.play(state, luck, game.longest)):
        state = position
        if count == 150:
            break
    return LoadedMatch(Match(code="ABCDEF", system=game.slug, mode=mode, version=1), state)


def pieces(board):
    yield TABLE, board.state
    for kind, mapping in KINDS.items():
        if kind != "score":
            yield from ((kind, piece) for piece in getattr(board.state, mapping).values())


def made(board, kind):
    return piece_fields.form_fields(board, kind)


def test_a_house_has_a_number_for_its_power(auction):
    from games.match import storage

    power = made(storage.load(auction), "army")["power"]
    assert isinstance(power, piece_fields.Number)
    assert power.label == "Power"


def test_hidden_values_keys_and_what_is_no_field_are_left_out(board):
    for kind in (TABLE, *KINDS):
        names = set(made(board, kind))
        assert not names & {"hidden", "key", "seed", "drawn", "flow", "asked", "result", "rules"}
        assert not names & RESERVED or kind == "score"


def test_the_names_of_hidden_things_are_never_fields(auction):
    from games.match import storage

    assert set(made(storage.load(auction), TABLE)) == {"round", "order"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("wounds", piece_fields.Number),
        ("pool", piece_fields.Number),
        ("activated", piece_fields.Switch),
        ("title", piece_fields.Text),
        ("place", piece_fields.OneOf),
        ("conditions", piece_fields.Several),
        ("engaged_with", piece_fields.Several),
        ("linked_to", piece_fields.OneOf),
        ("attachments", piece_fields.Rows),
        ("reminders", piece_fields.Several),
    ],
)
def test_a_unit_of_the_miniatures_game_has_a_field_of_the_right_kind(tmg, name, kind):
    from games.match import storage

    assert type(made(storage.load(tmg), "unit")[name]) is kind


def test_an_ncu_may_stand_in_a_sector_and_only_of_a_token_players_say_who_controls_it():
    """A sector is controlled by army points and a zone by who stands there, whatever anybody says."""
    assert piece_fields.has(TMG, "unit", "sector", Unit("sansa", "red", kind="ncu"))
    for field in ("override", "uncontrolled"):
        places = [Place(kind, kind=kind) for kind in ("token", "zone", "sector", "mission")]
        assert [one.kind for one in places if piece_fields.has(TMG, "objective", field, one)] == ["token"], (
            field
        )


def test_what_is_sent_as_it_was_shown_is_the_same_value_and_no_change(board):
    for kind, piece in pieces(board):
        for name, field in made(board, kind).items():
            value = getattr(piece, name)
            if isinstance(field, piece_fields.OneOf | piece_fields.Several):
                field.allow(value)
            posted = field.posted(value)
            raw = posted if isinstance(field, piece_fields.Several) else posted[0] if posted else None
            assert not field.has_changed(value, raw), (kind, name, value)
            assert field.clean(raw) == value, (kind, name, value)


def test_rows_have_the_parts_that_their_game_declares(board):
    game = next(game for game in systems() if game.slug == board.match.system)
    for kind, piece in pieces(board):
        for name in piece_fields.names(game, kind):
            cells = piece_fields.column(game, kind, name).cells
            for row in getattr(piece, name) if cells else ():
                assert [type(cell) for cell in row] == [int if cell is int else str for _n, cell in cells]


def test_what_the_admin_is_told_about_exists():
    for game in systems():
        for path in game.columns:
            kind, _slash, name = path.partition("/")
            declared = game.state if kind == TABLE else game.state.piece_type(kind)
            assert name in declared.field_names(), f"{game.slug}: {path}"


def test_every_label_is_a_message(board):
    game = next(game for game in systems() if game.slug == board.match.system)
    messages = set(piece_fields.messages(game))
    assert "" not in messages
    for kind in (TABLE, *KINDS):
        for name, field in made(board, kind).items():
            assert field.label, f"{kind}/{name}"


@pytest.mark.parametrize(
    ("field", "raw", "value"),
    [
        (piece_fields.Items(tuple), "wolf,  lion，stag、 ", ("wolf", "lion", "stag")),
        (piece_fields.Items(frozenset), "wolf, wolf", frozenset({"wolf"})),
        (
            piece_fields.Rows((("name", str), ("number", int))),
            " Faith | 2 \n\nPillage｜1",
            (("Faith", 2), ("Pillage", 1)),
        ),
        (piece_fields.Number(is_optional=True), "", None),
        (piece_fields.Number(), " 7 ", 7),
        (piece_fields.Text(is_optional=True), "", None),
        (piece_fields.Text(), "  a   b ", "a b"),
    ],
)
def test_text_becomes_a_value(field, raw, value):
    assert field.clean(raw) == value


@pytest.mark.parametrize(
    ("field", "raw", "sentence"),
    [
        (piece_fields.Number(0, 5), "6", "Please enter a whole number from 0 to 5."),
        (piece_fields.Number(0, 5), "1.5", "Please enter a whole number from 0 to 5."),
        (piece_fields.Number(0, 5), "٣", "Please enter a whole number from 0 to 5."),
        (piece_fields.Number(), "", "This field is required."),
        (piece_fields.Slug(12), "On Table", "Please use lower-case letters, digits and hyphens only."),
        (piece_fields.Slug(4), "table", "This is too long: at most 4 characters fit."),
        (
            piece_fields.Rows((("name", str), ("number", int))),
            "Faith",
            "“Faith” needs 2 parts separated by |.",
        ),
        (piece_fields.Rows((("seat", ("red", "blue")),)), "green", "Allowed values: red, blue"),
        (piece_fields.Items(tuple), ",a" * 61, "At most 60 fit here."),
        (piece_fields.Text(), "a\x00b", "Please type this on one line, without control characters."),
        (piece_fields.Text(), "\udc00", "This text arrived damaged: it is not valid UTF-8."),
        (piece_fields.Text(), "x" * 81, "This is too long: at most 80 characters fit."),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(field, raw, sentence):
    from django.core.exceptions import ValidationError

    with pytest.raises(ValidationError) as refused:
        field.clean(raw)
    assert refused.value.messages == [sentence]


def test_every_word_of_the_admin_is_said_in_chinese():
    with translation.override("zh-hans"):
        for game in systems():
            if game.slug in ("auction", "rps"):
                continue
            unsaid = [words for words in piece_fields.messages(game) if translation.gettext(words) == words]
            assert unsaid == []
            labels = {
                piece_fields.label(game, kind, name)
                for kind in KINDS
                for name in piece_fields.names(game, kind)
            }
            assert [label for label in labels if label.isascii()] == []
