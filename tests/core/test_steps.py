"""Steps: what they are about, which method carries out a verb, and how its nouns arrive."""

import pytest

from games.core import Army, Corrections, Objective, State, Step, Unit, answer, parse_action


class Wolf(Unit):
    """A game's own kind of unit."""


class Forest(State[Army, Wolf, Objective]):
    """A position whose units are wolves."""


class Hunt(Step):
    """Which wolf hunts what, how often, and who else comes."""

    wolf: str
    times: int = 1
    others: tuple[str, ...] = ()

    @answer
    def run_down(self, g, seat, prey: Wolf, number: int = 0):
        g.told = (self.wolf, prey, number)

    @answer("pass")
    def rest(self, g, seat, where: str):
        g.told = where


class LaterHunt(Hunt):
    """The same step under another rule."""

    name = Hunt.name

    def rest(self, g, seat, where: str):
        g.told = f"not {where}"


class Howl(Step):
    """What else may be done at night."""

    @answer
    def howl(self, g, seat):
        g.told = "howls"


class Night(LaterHunt, Howl):
    """A step with two bases."""


@pytest.fixture
def forest():
    return Forest(units={"grey": Wolf("grey", "red"), "white": Wolf("white", "red")})


@pytest.mark.parametrize(
    ("step", "about"),
    [
        (Hunt("grey"), ("grey",)),
        (Hunt("grey", 2), ("grey", "2")),
        (Hunt("grey", 1, ("white",)), ("grey", "1", "white")),
    ],
)
def test_what_a_step_is_about_is_kept_as_texts_and_read_again(step, about):
    assert step.about() == about
    assert type(step).read(about) == step


def test_a_question_names_its_step_and_what_it_is_about(forest):
    forest.call(Hunt("grey", 3))
    assert (forest.question.step, forest.question.about) == ("hunt", ("grey", "3"))
    forest.goto(Hunt("white"))
    assert [question.about for question in forest.flow] == [("white",)]


def test_a_noun_arrives_as_the_piece_that_its_method_asks_for(forest):
    Hunt("grey").carry_out(forest, "red", parse_action("run-down:white:2"))
    assert forest.told == ("grey", forest.units["white"], 2)


def test_a_noun_that_is_no_piece_arrives_as_text_whatever_the_verb_is_called(forest):
    Hunt("grey").carry_out(forest, "red", parse_action("pass:white"))
    assert forest.told == "white"


def test_a_step_that_overrides_an_answer_keeps_its_verb(forest):
    LaterHunt("grey").carry_out(forest, "red", parse_action("pass:cave"))
    assert forest.told == "not cave"


def test_a_state_takes_the_types_of_its_pieces_from_its_declaration():
    assert Forest.piece_type("unit") is Wolf
    assert Forest.piece_type("army") is Army
    assert State.piece_type("unit") is Unit


def test_a_client_that_asks_what_can_be_corrected_is_told_of_the_table_and_every_piece(forest):
    forest.armies = {"red": Army("red")}
    forest.objectives = {"hill": Objective("hill")}
    paths = ["table", "army/red", "unit/grey", "unit/white", "objective/hill"]
    assert list(Corrections().paths(forest)) == paths
