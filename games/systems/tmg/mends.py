"""What the rules of this game did otherwise in earlier versions of the program, oldest first."""

from games.core.mends import Mend
from games.systems.tmg.modes.fire_and_blood import MarkEnemies
from games.systems.tmg.rules.cleanup import Discard
from games.systems.tmg.rules.deployment import Deploy
from games.systems.tmg.rules.marks import CANDIDATES, ByWhom
from games.systems.tmg.rules.round import FIRST_TURN
from games.systems.tmg.rules.setup import Muster

MENDS = (
    Mend(
        FIRST_TURN,
        "A round notes that its first turn is over, whether or not a unit has activated.",
    ),
    Mend(
        "round-is-over",
        "While discards are asked for, nothing is noted any more that ends with its round.",
        frozenset({Discard.name}),
    ),
    Mend(
        "lists-by-hand",
        "More army lists that people have typed by hand are read as they are meant.",
        frozenset({Muster.name}),
    ),
    Mend(
        "round-to-come",
        "Before the first round, nothing is noted that ends with one; a unit that is added late comes along.",
        frozenset({Deploy.name, MarkEnemies.name}),
    ),
    Mend(
        CANDIDATES,
        "A marked unit that falls while it is asked who destroyed an enemy may still be the one.",
        frozenset({ByWhom.name}),
    ),
    Mend(
        "lists-by-sub-title",
        "A sub-title in an army list, and what marks its Commander, go before what a name alone means.",
        frozenset({Muster.name}),
    ),
    Mend(
        "lists-by-cost",
        "Lists tell an attachment by its cost, and are read with prices and headings of more kinds.",
        frozenset({Muster.name}),
    ),
    Mend(
        "lists-by-name",
        "Lists are read with sub-titles behind prices and NCUs joined on a line; corrected rows get remarks.",
        frozenset({Muster.name}),
    ),
    Mend(
        "lists-by-title",
        "Lists are read with names that hold “&” beside others, and sub-titles behind a price of any form.",
        frozenset({Muster.name}),
    ),
)
