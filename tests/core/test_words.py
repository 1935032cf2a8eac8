"""Sentences, which are translated when they are read."""

from games.core import Line, Term, say, say_count

GERMAN = {"%(unit)s is %(condition)s": "%(unit)s ist %(condition)s", "panicked": "in Panik", ", ": " und "}


def gettext(message):
    return GERMAN.get(message, message)


def ngettext(one, many, count):
    return one if count == 1 else many


def test_terms_are_translated_and_names_are_not():
    line = say("%(unit)s is %(condition)s", unit="panicked", condition=Term("panicked"))
    assert line.render(gettext, ngettext) == "panicked ist in Panik"


def test_a_name_from_right_to_left_takes_no_number_beside_it_along():
    line = say("%(player)s %(number)s", player="Zoë 🐺 مرحبا", number=9)
    assert str(line) == "\u2068Zoë 🐺 مرحبا\u2069 9"
    assert str(say("%(told)s, %(told)s", told=say("%(a)s", a="שלום"))) == "\u2068שלום\u2069, \u2068שלום\u2069"
    for name in ("Zoë 🐺", "小明0", "Ada", "Müller 12"):
        assert str(say("%(player)s 9", player=name)) == f"{name} 9"


def test_the_count_decides_the_form():
    assert str(say_count("%(count)d wound", "%(count)d wounds", 2)) == "2 wounds"
    assert str(say_count("%(count)d wound", "%(count)d wounds", 1)) == "1 wound"


def test_a_line_can_speak_of_a_line():
    outer = say(
        "takes back: %(action)s",
        action=say("%(unit)s is %(condition)s", unit="A", condition=Term("panicked")),
    )
    assert outer.render(gettext, ngettext) == "takes back: A ist in Panik"


def test_several_arguments_stand_with_the_commas_of_the_language():
    line = say("%(unit)s is %(condition)s", unit=("A", "B"), condition=(Term("panicked"), 2))
    assert line.render(gettext, ngettext) == "A und B ist in Panik und 2"
    assert str(line) == "A, B is panicked, 2"


def test_a_line_survives_storage():
    parts = (Term("z"), 3, "B", (say("v"),))
    line = Line("%(a)s %(b)s", {"a": Term("x"), "b": say("y %(c)s", c=parts)}, "many", 4, "red")
    assert Line.from_json(line.to_json()) == line


def test_a_percent_sign_without_arguments_is_itself():
    assert str(say("100 %")) == "100 %"
