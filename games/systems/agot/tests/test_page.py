"""What the page shows of houses and areas, beside the drawing of the map."""

import pytest
from django.utils import translation
from django.utils.translation import gettext, ngettext

from games.core import engine
from games.systems.agot.page import board_page
from games.systems.agot.page.board_page import AgotPage
from games.systems.agot.pieces import COURT, FIEFDOMS, THRONE, TRACKS, stars
from games.systems.agot.tests.tables import asks, at, bids, field, ordered, play, power, table, within


def page_of(g, seat):
    """The page of a position as a seat sees it."""
    return AgotPage(
        engine.view(g, seat), seat, engine.offers(g, seat) if seat else (), str, lambda path: path
    )


def card_of(g, key, seat="stark"):
    """The card of an area."""
    shown = page_of(g, seat)
    return board_page.card(shown, shown.g.objectives[key])


def badges(card):
    return [badge.text for badge in card.badges]


def listed(g, seat):
    """The areas of each region as they are listed, and the note beside its title."""
    return {
        group.title: ([card.key for card in group.cards], group.note)
        for group in page_of(g, seat).middle().regions
    }


def laid(g, **tokens):
    """The same map with these power tokens."""
    g = g.copy()
    for key, house in tokens.items():
        g.objectives[key.replace("_", "-")].token = house
    return g


def bids_shown(g):
    """The cards of the middle that tell bids, each with the first of them."""
    told = {
        card.key: [text for text in badges(card) if " bid " in text]
        for card in page_of(g, None).middle().objectives
    }
    return {key: bids[0] for key, bids in told.items() if bids}


# --- bids ----------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-20")
def test_bids_stand_at_the_track_that_they_were_for():
    g = bids(within(table(), "bid", THRONE), THRONE, stark=3, lannister=3, baratheon=1)
    assert (asks(g), bids_shown(g)) == ("places baratheon", {"track-iron-throne": "Baratheon bid 1"})
    g = play(g, "baratheon place:stark")
    assert (g.question.about, bids_shown(g)) == ((FIEFDOMS,), {"track-iron-throne": "Stark bid 3"})
    g = bids(g, FIEFDOMS, stark=2, lannister=1, baratheon=0)
    assert (g.question.about, bids_shown(g)) == ((COURT,), {"track-fiefdoms": "Stark bid 2"})
    g = bids(g, COURT, lannister=1, baratheon=3)
    assert (g.question.step, bids_shown(g)) == ("planning", {"track-kings-court": "Stark bid 0"})
    attacked = within(g, "attack", "6", bids=g.bids)
    assert (attacked.question.step, bids_shown(attacked)) == ("bid", {"track-kings-court": "Stark bid 0"})


@pytest.mark.rule("AGOT-25")
def test_bids_against_the_wildlings_stand_at_their_threat():
    g = bids(within(table(), "attack", "6"), "wildlings", stark=3, lannister=3, baratheon=1)
    for step, tap in (
        ("foremost", "baratheon pick:stark"),
        ("wildling-card", "stark wildling:the-horde-descends"),
    ):
        assert (g.question.step, bids_shown(g)) == (step, {"wildlings": "Baratheon bid 1"})
        g = play(g, tap)
    assert (g.question.step, bids_shown(g)) == ("carry", {"wildlings": "Baratheon bid 1"})
    assert bids_shown(play(g, "stark carried")) == {}


def sealed(g):
    """The houses that everybody sees as sealed."""
    shown = page_of(g, None)
    return [seat for seat in g.seats if "Sealed" in [fact.text for fact in shown.facts(seat)]]


@pytest.mark.rule("BASE-12")
def test_orders_are_sealed_once_all_of_them_are_placed():
    g = play(table(3, "orders"), "stark order:raid", "stark order:defense")
    assert sealed(g) == []
    assert sealed(play(g, "stark order:defense", "stark placed")) == ["stark"]
    assert sealed(play(g, "stark order:defense", "stark placed", "stark not-yet")) == []


@pytest.mark.rule("AGOT-16")
def test_a_bid_is_sealed():
    g = play(power(at(table(), "bid", "iron-throne"), lannister=3), "lannister bid:iron-throne:2")
    assert sealed(g) == ["lannister"]


# --- areas ---------------------------------------------------------------------------------------


def test_an_area_tells_its_units_and_what_is_printed_on_it():
    card = card_of(field(stark="winterfell:FFK"), "winterfell")
    assert (card.name, card.title, card.mark) == ("Winterfell", "2 footmen, 1 knight", 3)
    assert badges(card) == ["Stronghold", "Supply 1", "Power 1"]
    assert card.sheet_url == "objective/winterfell"


@pytest.mark.rule("AGOT-86")
def test_a_closed_area_has_nothing_to_correct():
    assert card_of(field(3), "sunspear").sheet_url == ""
    assert card_of(field(3), "karhold").sheet_url == "objective/karhold"


@pytest.mark.rule("AGOT-59")
def test_an_area_bears_the_mark_of_its_token_and_of_its_crest():
    g = laid(field(), karhold="lannister")
    assert card_of(g, "karhold").mark == 4
    assert badges(card_of(g, "karhold"))[0] == "Power token of Lannister"
    assert card_of(g, "winterfell").mark == 3, "nobody but the crest holds it"
    assert card_of(g, "the-eyrie").mark == 0


def test_an_area_tells_its_markers():
    g = field(stark="winterfell:F").copy()
    g.objectives["winterfell"].routed = ("footman",)
    g.objectives["winterfell"].garrison = 2
    g.objectives["the-eyrie"].neutral = 6
    assert badges(card_of(g, "winterfell"))[:2] == ["Routed", "Garrison 2"]
    assert badges(card_of(g, "the-eyrie"))[0] == "Neutral force 6"


def test_a_closed_area_is_out_of_the_game():
    g = table(3, "full")
    closed = next(key for key, area in g.objectives.items() if area.closed)
    assert (card_of(g, closed).state, card_of(g, closed).state_label) == ("out", "Closed")


def test_ships_in_a_port_whose_land_another_house_holds_may_be_lost():
    g = field(lannister="port-of-lannisport:S")
    assert "These ships may be lost" not in badges(card_of(g, "port-of-lannisport"))
    taken = laid(g, lannisport="stark")
    assert "These ships may be lost" in badges(card_of(taken, "port-of-lannisport"))


def test_an_area_whose_land_changes_hands_is_drawn_again():
    """What follows from another area is no part of the piece with which the card is kept."""
    before = engine.keep(field(lannister="port-of-lannisport:S"))
    assert badges(card_of(before, "port-of-lannisport")) == []
    after = before.copy()
    after.objectives["lannisport"].token = "stark"
    assert badges(card_of(engine.keep(after), "port-of-lannisport")) == ["These ships may be lost"]


# --- orders --------------------------------------------------------------------------------------


def planned():
    """Stark has placed an order of two; Lannister all of its own, which it has confirmed."""
    g = at(field(3, "orders", stark="winterfell:F karhold:F", lannister="lannisport:F"), "planning")
    return play(g, "stark at:winterfell", "stark order:raid", "lannister order:support", "lannister placed")


def shown_orders(g, seat):
    """What a seat sees of the orders that lie face down: on the cards, and on the map."""
    page = page_of(g, seat)
    cards = {key: badges(card_of(g, key, seat)) for key in ("winterfell", "karhold", "lannisport")}
    orders = ("Raid", "Support", "Order face down")
    told = {key: [text for text in texts if text in orders] for key, texts in cards.items()}
    shapes = {shape.key: [glyph.sign for glyph in shape.glyphs] for shape in page.drawing().shapes}
    signs = {key: [sign for sign in shapes[key] if sign.startswith("order")] for key in cards}
    return told, signs


@pytest.mark.rule("AGOT-74")
def test_a_house_sees_its_own_orders_and_that_others_have_placed_theirs():
    told, signs = shown_orders(planned(), "stark")
    assert told == {"winterfell": ["Raid"], "karhold": [], "lannisport": ["Order face down"]}
    assert signs == {"winterfell": ["order-raid"], "karhold": [], "lannisport": ["order-hidden"]}


@pytest.mark.rule("AGOT-74")
def test_nobody_sees_an_order_of_a_house_that_is_not_done():
    told, signs = shown_orders(planned(), "lannister")
    assert told == {"winterfell": [], "karhold": [], "lannisport": ["Support"]}
    assert signs == {"winterfell": [], "karhold": [], "lannisport": ["order-support"]}
    told, signs = shown_orders(planned(), None)
    assert told == {"winterfell": [], "karhold": [], "lannisport": ["Order face down"]}


def test_an_order_that_was_turned_over_lies_open_for_all():
    g = ordered(field(3, "orders", stark="winterfell:F"), winterfell="raid")
    for seat in (*g.seats, None):
        assert "Raid" in badges(card_of(g, "winterfell", seat))


# --- regions -------------------------------------------------------------------------------------


def test_a_region_lists_own_units_then_own_land_then_others_then_what_nobody_holds():
    g = laid(field(stark="karhold:F", lannister="moat-cailin:F"), white_harbor="greyjoy")
    keys, note = listed(g, "stark")["The North"]
    assert keys[:5] == ["karhold", "winterfell", "port-of-winterfell", "moat-cailin", "white-harbor"]
    assert note == f"6 of {len(keys)} held", "the port of White Harbor goes with its land"
    others, _note = listed(g, "lannister")["The North"]
    assert others[:2] == ["moat-cailin", "karhold"]


def test_every_area_stands_in_one_region():
    g = table(6, "full")
    found = [key for keys, _note in listed(g, None).values() for key in keys]
    assert sorted(found) == sorted(g.objectives)


def test_beside_the_board_no_areas_are_listed():
    assert page_of(table(3), "stark").middle().regions == ()


# --- houses --------------------------------------------------------------------------------------


def stock(g, key, seat="stark"):
    """The three cards of a house: power, supply, influence."""
    (side,) = (side for side in page_of(g, seat).sides() if side.key == key)
    (group,) = side.groups
    return group.cards


def test_a_house_shows_what_power_it_has_and_where_the_rest_is():
    g = laid(power(field(3, stark="karhold:F"), stark=3), karhold="stark")
    shown, _supply, _places = stock(g, "stark")
    assert (shown.gauge.left, shown.gauge.of, shown.gauge.label) == (3, 20, "3 power")
    assert shown.title == "On the board 1, in the pool 16"


@pytest.mark.rule("AGOT-01")
def test_a_house_is_told_the_supply_that_comes_where_it_is_another():
    g = field(3, stark="winterfell:F").copy()
    g.armies["stark"].supply = 1
    _power, shown, _places = stock(g, "stark")
    assert (shown.gauge.label, shown.text, shown.badges) == ("Supply 1", "", ())
    g.armies["stark"].supply = 3
    _power, shown, _places = stock(g, "stark")
    assert shown.text.startswith("With the next Supply card 1: ")
    assert shown.badges == ()


@pytest.mark.rule("AGOT-05")
def test_a_house_is_warned_of_armies_that_would_be_too_large():
    g = field(3, stark="winterfell:FFFF").copy()
    g.armies["stark"].supply = 6
    _power, shown, _places = stock(g, "stark")
    assert badges(shown) == ["Armies that would be too large"]


@pytest.mark.rule("BASE-05")
def test_a_house_shows_its_places_and_the_special_orders_that_they_allow():
    g = table(3).copy()
    g.set_track(COURT, ("lannister", "baratheon", "stark"))
    texts = {seat: stock(g, seat)[2].text for seat in g.seats}
    allowed = {seat: stars(3, g.place(COURT, seat)) for seat in g.seats}
    assert len(set(allowed.values())) > 1
    assert texts == {seat: f"Special orders: {count}" for seat, count in allowed.items()}
    places = [f"{name} {g.place(track, 'stark')}" for track, name in TRACKS.items()]
    assert stock(g, "stark")[2].title == " · ".join(places)
    assert places[2] == "King's Court 3"


def test_the_sizes_of_armies_are_listed_as_in_the_reader_s_language():
    shown = AgotPage(engine.view(table(3), "stark"), "stark", (), words, str)
    with translation.override("zh-hans"):
        supply = next(card for card in board_page.stock(shown, "stark") if card.key == "supply-stark")
        assert supply.title == "军团上限3、2"


def words(line):
    """A line in the language of the moment."""
    return line.render(gettext, ngettext)
