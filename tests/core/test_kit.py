"""The kit's questions by themselves: who is asked, what they read meanwhile, how it goes on."""

import pytest

from games.core import Army, InTurn, Lobby, RollingArmy, RollOff, Settled, State, Step


class Outer(Step):
    """What called the question."""


class Plain(Settled):
    """Everybody says that they are done."""

    title = "Are you done?"
    help = "One tap each."


class Answered(Plain):
    """The same, and who is done reads so."""

    answered = "You are done"


class Speech(InTurn):
    """Each says something."""


class First(RollOff):
    """Who has the higher die begins."""

    def won(self, g, seat):
        g.end()


class Bring(Lobby):
    """Everybody brings an army."""

    title = "Bring an army"
    help = "Paste your list."

    def has_army(self, g, seat):
        return bool(g.armies[seat].faction)


@pytest.fixture
def table():
    g = State(armies={"red": Army("red", "Ada"), "blue": Army("blue", "Bo")})
    g.call(Outer)
    return g


def told(g):
    """What the log of this action says."""
    return [str(line) for line in g.lines]


def words(g, step):
    """The question and its help as red, blue and a spectator read them."""
    return [(str(step.asking(g, seat)), str(step.helping(g, seat))) for seat in ("red", "blue", None)]


def test_who_is_done_reads_whom_all_wait_for_and_the_others_what_they_are_asked(table):
    asked = ("Are you done?", "One tap each.")
    assert words(table, Plain()) == words(table, Answered()) == [asked, asked, asked]
    table.mark_answered("red")
    assert words(table, Plain()) == [("Are you done?", "Still waiting for Bo."), asked, asked]
    assert words(table, Answered()) == [("You are done", "Still waiting for Bo."), asked, asked]


def test_who_is_done_may_think_again_until_all_are(table):
    step = Answered()

    def offered():
        return [[offer.action for offer in step.offers(table, seat)] for seat in table.seats]

    assert (tuple(step.asked(table)), offered()) == (("red", "blue"), [["done"], ["done"]])
    table.mark_answered("red")
    assert (tuple(step.asked(table)), offered()) == (("red", "blue"), [["not-yet"], ["done"]])
    step.not_yet(table, "red")
    assert not table.has_answered("red")
    step.done(table, "blue")
    assert table.has_answered("blue")
    assert told(table) == ["Ada will choose again.", "Bo is done."]
    table.mark_answered("red")
    assert step.asked(table) == ()


def test_an_answer_counts_for_its_own_question_only_even_if_the_same_is_asked_again(table):
    table.mark_answered("red")
    assert (table.has_answered("red"), Plain().waiting(table)) == (True, ("blue",))
    table.goto(Outer)
    assert (table.has_answered("red"), Plain().waiting(table)) == (False, ("red", "blue"))
    table.flow = ()
    assert not table.has_answered("blue"), "nothing is asked"


def test_an_answer_stands_while_another_question_comes_in_between(table):
    table.mark_answered("red")
    table.call(Speech())
    assert not table.has_answered("red")
    table.end()
    assert (table.has_answered("red"), table.has_answered("blue")) == (True, False)


def test_players_are_asked_one_after_the_other_and_then_nobody(table):
    table.call(Speech(("red", "blue")))
    first = table.question.number
    step = Speech.read(table.question.about)
    assert step.asked(table) == ("red",)
    step.next(table)
    assert (table.question.step, table.question.about) == ("speech", ("blue",))
    assert table.question.number > first
    Speech.read(table.question.about).next(table)
    assert [question.step for question in table.flow] == ["outer"]


def test_where_nobody_is_left_the_question_before_goes_on(table):
    table.call(Speech())
    step = Speech()
    assert step.asked(table) == ()
    step.run(table)
    assert [question.step for question in table.flow] == ["outer"]


def test_the_log_tells_a_die_and_who_rolled_it_and_whether_it_was_a_real_one():
    g = State(armies={key: RollingArmy(key, key.title()) for key in ("red", "blue")}, seed="seed")
    First().roll(g, "red")
    First().rolled(g, "blue", 5)
    shown = g.draws[0].value + 1
    assert (g.armies["red"].roll, g.armies["blue"].roll) == (shown, 5)
    assert told(g) == [f"Red rolls {shown}.", "Blue rolled 5 with real dice."]


@pytest.mark.parametrize(("red", "blue", "asks"), [(4, 4, "first"), (4, 5, "outer")])
def test_a_tie_is_rolled_again_and_is_another_question(red, blue, asks):
    g = State(armies={"red": RollingArmy("red", roll=red), "blue": RollingArmy("blue", roll=blue)})
    g.call(Outer)
    g.call(First)
    before = g.asked
    First().run(g)
    assert (g.question.step, g.armies["red"].roll, g.armies["blue"].roll) == (asks, None, None)
    assert told(g) == (["A tie. Both roll again."] if red == blue else [])
    assert g.asked > before


def test_in_the_lobby_each_reads_how_far_its_own_army_is_and_a_spectator_what_is_asked(table):
    asked = ("Bring an army", "Paste your list.")
    table.armies["red"].faction = "Wolves"
    (question, _help), *others = words(table, Bring())
    assert (question, others) == ("Ready with Wolves?", [asked, asked])
    table.armies["red"].ready = True
    (question, help_), *others = words(table, Bring())
    assert (question, others) == ("You are ready. Waiting for Bo", [asked, asked])
    assert help_ == "Set-up continues once both players are ready."


def test_an_army_is_brought_then_ready_and_that_can_be_taken_back(table):
    step = Bring()

    def offered():
        return [(offer.action, offer.style) for offer in step.offers(table, "red")]

    assert offered() == [], "there are no samples"
    table.armies["red"].faction = "Wolves"
    assert offered() == [("ready", "main"), ("another", "quiet")]
    step.ready(table, "red")
    assert (offered(), table.armies["red"].ready) == ([("unready", "quiet")], True)
    step.unready(table, "red")
    assert (offered()[0], table.armies["red"].ready) == (("ready", "main"), False)
    assert told(table) == ["Ada is ready.", "Ada is not ready yet."]


def test_who_is_ready_reads_who_is_not_yet_and_the_others_that_they_may_still_change_their_army():
    names = {"red": "Ada", "blue": "Bo", "green": "Cem"}
    g = State(armies={seat: Army(seat, name, "Wolves", ready=seat != "blue") for seat, name in names.items()})
    (red, _help), (blue, help_), _spectator = words(g, Bring())
    assert (red, blue) == ("You are ready. Waiting for Bo", "Ready with Wolves?")
    assert help_ == "You can change or replace your list until you tap Ready."
    g.armies["blue"].faction = ""
    assert words(g, Bring())[1] == ("Bring an army", "Paste your list.")
