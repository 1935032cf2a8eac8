"""What Bushido's templates are given beyond what every game shows: models in rows, with what they may do."""

from __future__ import annotations

from games import view_models


class Act(view_models.Offer):
    """A short button beside the name of its `model`: `detail` is its text, its label is read out in full."""

    model: str = ""

    @property
    def seen(self) -> str:
        return f"{self.model} › {self.detail}"


class Row(view_models.Card):
    """A model, and what it may do now: each a short button with a full label."""

    acts: tuple[Act, ...] = ()


class Rows(view_models.CardGroup):
    """Models under a heading; groups that are done wait folded under it."""

    folded: bool = False


class Side(view_models.Side):
    """A warband, and what may be noted about its model in the fight."""

    fight: view_models.Acting | None = None
