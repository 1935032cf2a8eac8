"""What has changed from one view to the next, expressed by what stays: for long boards.

A view is cut where its elements begin. The new one is described as stretches of the old one, by where they
begin and end, and as text where the old one has nothing to offer: `[[0,120],"<b>7</b>",[131,9000]]`. Anyone
who has the old text can join the new one from that. Positions are counted as JavaScript counts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

Stretch: TypeAlias = tuple[int, int]
Change: TypeAlias = list[Stretch | str]

_SEAM = re.compile("<[abdghln]")
"""Where a view is cut: before links, buttons, rows, cards, groups and numbers, most of which stay."""


class View:
    """A view's text, cut into pieces when it is first compared."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def seams(self) -> list[int]:
        """Where pieces begin, and the end of the last one."""
        return [0, *(found.start() for found in _SEAM.finditer(self.text, 1)), len(self.text)]

    @cached_property
    def pieces(self) -> list[str]:
        """The pieces in their order."""
        return [self.text[begin:end] for begin, end in pairwise(self.seams)]

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each piece; for equal pieces, that of the last."""
        return {piece: place for place, piece in enumerate(self.pieces)}

    @cached_property
    def is_countable(self) -> bool:
        """Whether JavaScript counts its characters as Python does."""
        return len(self.text.encode("utf-16-le")) == 2 * len(self.text)


def change(before: View, after: View) -> Change | None:
    """How `after` is joined from `before`; None if JavaScript counts their positions differently."""
    if not (before.is_countable and after.is_countable):
        return None
    return _joined(_trimmed(before.text, _found(before, after)))


def _found(before: View, after: View) -> Iterator[Stretch | str]:
    """The new view as runs of consecutive pieces of the old one, and the text of pieces that it lacks."""
    seams, pieces, places, count = before.seams, before.pieces, before.places, len(before.pieces)
    fresh: list[str] = []
    begin = end = 0
    for piece in after.pieces:
        follows = end < count and pieces[end] == piece
        if follows and not fresh:
            end += 1
            continue
        place = end if follows else places.get(piece)
        if not fresh:
            yield seams[begin], seams[end]
        if place is None:
            fresh.append(piece)
            continue
        if fresh:
            yield "".join(fresh)
            fresh.clear()
        begin, end = place, place + 1
    yield "".join(fresh) if fresh else (seams[begin], seams[end])


def _trimmed(old: str, found: Iterable[Stretch | str]) -> Iterator[Stretch | str]:
    """The same with less text: where a text begins or ends like the old view does there, that stays."""
    begin = 0
    for one, following in pairwise([*found, (len(old), len(old))]):
        if not isinstance(one, str):
            begin = one[1]
            yield one
            continue
        assert not isinstance(following, str), "two texts in a row would be one"
        end = following[0]
        gap = old[begin:end]
        head = _alike(gap, one)
        tail = _alike(gap[head:][::-1], one[head:][::-1])
        yield (begin, begin + head)
        yield one[head : len(one) - tail]
        yield (end - tail, end)


def _alike(one: str, other: str) -> int:
    """The length of the beginning that two texts share."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _joined(stretches: Iterable[Stretch | str]) -> Change:
    """The same without empty parts, and with adjacent stretches joined."""
    joined: Change = []
    for one in stretches:
        last = joined[-1] if joined else ""
        if isinstance(one, str):
            joined += [one] if one else []
        elif one[0] == one[1]:
            continue
        elif not isinstance(last, str) and last[1] == one[0]:
            joined[-1] = (last[0], one[1])
        else:
            joined.append(one)
    return joined
