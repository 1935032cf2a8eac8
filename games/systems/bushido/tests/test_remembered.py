"""What is worked out once of a position is worked out again for the next: after a tap, after a correction."""

from dataclasses import replace

from games.core import engine
from games.systems.bushido.rules import scenarios
from games.systems.bushido.rules.end_phase import EndEffects
from games.systems.bushido.tests.tables import model, play, table
from tests.positions import asks, offered


def kept(*args, **fields):
    """A position that remembers, and has been asked everything."""
    return asked(engine.keep(table(*args, **fields)))


def asked(g):
    for seat in g.seats:
        engine.offers(g, seat)
    return g


def labels(g, seat, verb):
    return [str(offer.label) for offer in engine.offers(g, seat) if offer.action.startswith(verb)]


def test_models_with_one_key_go_by_their_names_at_each_table():
    here, there = table([model("goshi")]), table([replace(model("goshi"), name="Goshi the Elder")])
    assert labels(here, "red", "simple:") == ["Goshi: simple action"]
    assert labels(there, "red", "simple:") == ["Goshi the Elder: simple action"]
    here, there = table(blue=[model("oni")]), table(blue=[replace(model("oni"), name="Red Oni")])
    assert labels(play(here, "red act:goshi"), "red", "melee:") == ["Oni"]
    assert labels(play(there, "red act:goshi"), "red", "melee:") == ["Red Oni"]


def test_counters_that_are_put_right_change_what_is_offered():
    g = kept([model("goshi"), model("ima")])
    assert "complex:goshi" in offered(g, "red")
    g = asked(play(g, "red unit/goshi counters:goshi:-1"))
    assert "complex:goshi" not in offered(g, "red")
    assert offered(play(g, "red unit/goshi counters:goshi:-1"), "red") == [
        "act:ima",
        "complex:ima",
        "simple:ima",
    ]


def test_who_leaves_the_table_is_fought_no_more_and_who_comes_back_is():
    g = asked(play(kept(blue=[model("oni"), model("imp")]), "red act:goshi"))
    assert labels(g, "red", "melee:") == ["Imp", "Oni"]
    away = asked(play(g, "red unit/imp elsewhere:imp"))
    assert labels(away, "red", "melee:") == ["Oni"]
    assert labels(play(away, "red unit/imp on-table:imp"), "red", "melee:") == ["Imp", "Oni"]
    assert labels(g, "red", "melee:") == ["Imp", "Oni"], "the position before stays as it was"


def test_who_is_controlled_fights_for_the_other_side():
    g = kept(blue=[model("oni"), model("imp")])
    g = asked(play(g, "red unit/imp put-on:imp:controlled"))
    assert "simple:imp" in offered(g, "red")
    assert labels(play(g, "red act:goshi"), "red", "melee:") == ["Oni"]


def test_a_note_that_comes_late_is_remembered_at_its_moment():
    g = play(kept([model("goshi"), model("ima")]), "red unit/goshi note:goshi A blade")
    g = asked(play(g, "red unit/goshi remind:goshi:feats-after"))
    assert asks(play(g, "red simple:goshi")) == "feats-after red"
    g = asked(play(g, "red unit/goshi let-be:goshi:feats-after"))
    assert asks(play(g, "red simple:goshi")) == "turn blue"


def test_models_that_are_moved_into_a_zone_change_what_is_agreed_to():
    changes = {"zones": "n"}
    g = kept([model("goshi", counters=0)], [model("oni", counters=0)], step=EndEffects, changes=changes)
    (zone,) = (place.key for place in g.places(scenarios.ZONE))
    assert "control:" + zone + ":nobody" not in offered(g, "red")
    g = play(g, "red agree")
    g = asked(play(g, f"red unit/goshi inside:goshi:{zone}"))
    assert asks(g) == "score-zones red blue"
    assert f"control:{zone}:red" not in offered(g, "blue")
    assert f"control:{zone}:nobody" in offered(g, "blue")


def test_a_scenario_is_that_of_its_own_match():
    assert scenarios.of(kept(scenario="keii")).slug == "keii"
    changed = {**table().rules["scenario"]["facts"], "prayer": "7"}
    g = kept()
    prayers = scenarios.of(g).prayer
    twin = g.copy()
    twin.rules = {**g.rules, "scenario": {"slug": "keii", "facts": changed}}
    assert (scenarios.of(twin).prayer, scenarios.of(g).prayer) == (7, prayers)


def test_who_belongs_to_nobody_at_the_table_stands_in_nobodys_way():
    """An organiser may have edited who plays a model, or who is active."""
    g = table([model("goshi"), model("lost")])
    g.units["lost"].army = "green"
    assert offered(engine.keep(g), "red") == ["act:goshi", "complex:goshi", "simple:goshi"]
    assert (g.on_table(""), g.on_table("green")) == ([], [g.units["lost"]])
    g = table(active="")
    assert asks(g).startswith("turn")
