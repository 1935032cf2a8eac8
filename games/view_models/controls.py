"""Controls to tap: an offer, offers under one heading, what explains a score, a choice."""

from __future__ import annotations

from msgspec.structs import replace

from games.core.words import ViewModel

SHORT_RANGE = 21


class Choice(ViewModel):
    """One button of a short number range; `next` is the one that first steps point at."""

    action: str
    label: str
    next: bool = False


class Offer(ViewModel):
    """One thing a seat may tap.

    A plain offer is one button. A numeric offer has `low` and `high`: up to twenty-one
    values become `choices` (one button each), more become a stepper starting at
    `start`. `tone`: "main" for the expected answer, "" for others, "quiet" for ways
    out (pass, decline), "danger" for what ends something.
    A correction beside the board posts the `field` "change" in the `form` "adjust". `next` marks the one
    that first steps point at.
    """

    action: str
    label: str
    detail: str = ""
    icon: str = ""
    mark: int = 0
    tone: str = ""
    low: int | None = None
    high: int | None = None
    start: int | None = None
    choices: tuple[Choice, ...] = ()
    form: str = "table"
    field: str = "action"
    next: bool = False

    @property
    def seen(self) -> str:
        """The words that are read on the screen."""
        return self.label


def signed(offer: Offer, seat: str) -> Offer:
    """The same control on a device with several seats, saying whose answer it is: "blue ready"."""
    choices = tuple(replace(choice, action=f"{seat} {choice.action}") for choice in offer.choices)
    return replace(offer, action=f"{seat} {offer.action}", choices=choices)


def numeric_offer(
    action: str, label: str, low: int, high: int, start: int | None = None, detail: str = ""
) -> Offer:
    """An offer of a number from `low` to `high`, as buttons when the range is short."""
    choices: tuple[Choice, ...] = ()
    if high - low < SHORT_RANGE:
        choices = tuple(Choice(f"{action}:{value}", str(value)) for value in range(low, high + 1))
    first = low if start is None else start
    return Offer(action, label, detail, low=low, high=high, start=first, choices=choices)


class OfferGroup(ViewModel):
    """Offers that belong together under a heading ("" for none), which hides them if they are `folded`.

    `template` is a game's own look for the group, which then draws all its offers as one control. `seat` is
    whose answers these are, on a device that shows those of several.
    """

    offers: tuple[Offer, ...]
    title: str = ""
    folded: bool = False
    template: str = ""
    seat: str = ""

    def signed(self, seat: str) -> OfferGroup:
        """The same controls, each saying whose answer it is."""
        return replace(self, offers=tuple(signed(offer, seat) for offer in self.offers), seat=seat)


class SeatPost(ViewModel):
    """A button that posts to its own address: grant, revoke, move. With a `key` it can be repeated."""

    url: str
    label: str
    name: str = ""
    value: str = ""
    tone: str = ""
    icon: str = ""
    key: str = ""


class Source(ViewModel):
    """What gives points in a round: "Token A → Blue", with which unit and why, and how many.

    `mark` is who scores, 0 if it is contested. `url` opens the sheet that corrects it, "" for spectators.
    """

    title: str
    points: str
    detail: str = ""
    mark: int = 0
    url: str = ""


class Option(ViewModel):
    """One choice of a select or a radio row."""

    value: str
    label: str
    selected: bool = False
    detail: str = ""
    mark: int = 0
