"""Undoing at a table of houses, in short: each returns what a test then looks at."""

import pytest

from games.core import first_sentence
from games.match import play, undoing
from games.match.play import RequestRefused
from games.models import Match


def correct(match, seat, house, change):
    return play.adjust(match.code, seat, f"army/{house}", f"power:{house}:{change}", play.new_key()).version


def ask(match, seat, version):
    return undoing.ask(match.code, seat, version, play.new_key())


def answer(match, seat, agrees):
    return undoing.answer(match.code, seat, agrees, play.new_key())


def request_of(match):
    return Match.objects.get(pk=match.pk).undo_request


def refused(action):
    with pytest.raises(RequestRefused) as found:
        action()
    return found.value.error


def said(match):
    """The newest sentence in the log, and whom it is from."""
    entry = Match.objects.get(pk=match.pk).entries.last()
    return str(first_sentence(entry.lines)), entry.author
