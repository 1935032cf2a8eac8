"""Glicko-2, as Mark Glickman's paper “Example of the Glicko-2 system” (2022) gives it, step by step.

Pure numbers: no clock, no chance, no rows. docs/events.md says why it is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE, MIDDLE = 173.7178, 1500.0
"""Step 2: from the scale that people read to that of the formulas."""
TAU = 0.5
"""How much the volatility may change; the paper advises 0.3 to 1.2, the lower for games with more luck."""
CLOSE = 0.000001
MOST_DEVIATION = 350.0


@dataclass(frozen=True)
class Rating:
    """A rating with its deviation (the true strength lies within two of them) and its volatility."""

    value: float = MIDDLE
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


START = Rating()
"""Somebody of whom nothing is known."""


def after_period(own: Rating, games: Sequence[tuple[Rating, float]]) -> Rating:
    """A rating after a period with these games: the opponents as they were before, and 1, ½ or 0."""
    mu, phi = (own.value - MIDDLE) / SCALE, own.deviation / SCALE
    if not games:
        return _read(mu, sqrt(phi**2 + own.volatility**2), own.volatility)
    met = [
        (_weight(other.deviation / SCALE), (other.value - MIDDLE) / SCALE, score) for other, score in games
    ]
    expected = [1 / (1 + exp(-weight * (mu - theirs))) for weight, theirs, _score in met]
    # Step 3: the variance that the games alone would give; step 4: the improvement that they show.
    variance = 1 / sum(met[at][0] ** 2 * e * (1 - e) for at, e in enumerate(expected))
    shown = sum(weight * (score - expected[at]) for at, (weight, _theirs, score) in enumerate(met))
    volatility = _volatility(phi, own.volatility, variance, variance * shown)
    # Steps 6 and 7.
    before = phi**2 + volatility**2
    after = 1 / (1 / before + 1 / variance)
    return _read(mu + after * shown, sqrt(after), volatility)


def _read(mu: float, phi: float, volatility: float) -> Rating:
    """Step 8: back to the scale that people read."""
    return Rating(MIDDLE + SCALE * mu, min(SCALE * phi, MOST_DEVIATION), volatility)


def _weight(phi: float) -> float:
    """How much a result against somebody with this deviation says."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _volatility(phi: float, sigma: float, variance: float, improvement: float) -> float:
    """Step 5: the new volatility, by the paper's iteration (regula falsi, the Illinois way)."""
    start = log(sigma**2)

    def f(x: float) -> float:
        whole = phi**2 + variance + exp(x)
        return exp(x) * (improvement**2 - whole) / (2 * whole**2) - (x - start) / TAU**2

    low, high = start, start
    if improvement**2 > phi**2 + variance:
        high = log(improvement**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
