"""What the rules of this game did otherwise in earlier versions of the program, oldest first."""

from games.core.mends import Mend
from games.systems.agot.map.combat import Battle, Losses
from games.systems.agot.map.march import LeaveToken, Load, March, Neutral
from games.systems.agot.map.orderless import ORDERLESS
from games.systems.agot.map.ports import TakePort
from games.systems.agot.map.retreat import Retreat, Shed
from games.systems.agot.map.round import COURT_OF_ORDERS
from games.systems.agot.map.westeros_cards import Muster, Reconcile
from games.systems.agot.mode_change import Survey
from games.systems.agot.orders.placing import Swap
from games.systems.agot.tracks.action import Consolidation
from games.systems.agot.tracks.ending import Ending, Reckoning, TimedReckoning
from games.systems.agot.tracks.planning import Planning
from games.systems.agot.tracks.wildlings import Payers

MENDS = (
    Mend(
        "lone-unit",
        "The only unit left to march goes with the tap on its destination.",
        frozenset({Load.name}),
    ),
    Mend(
        "forced-retreat",
        "Beaten units retreat at once where only one area is open to them.",
        frozenset({Retreat.name}),
    ),
    Mend(
        ORDERLESS,
        "The app notes which areas have no order left this round where orders lie on the board.",
    ),
    Mend(
        "given-up",
        "A castle or stronghold that a march gives up does not count while its fight is open.",
        frozenset({Battle.name, Losses.name, Retreat.name, Shed.name}),
    ),
    Mend(
        "start-over",
        "A march that is started over is asked about anew.",
        frozenset({March.name}),
    ),
    Mend(
        "played-on",
        "A table that plays on with seven does so until round ten is over, which nothing puts off.",
        frozenset({Reckoning.name, Ending.name}),
    ),
    Mend(
        "surveyed-markers",
        "A survey removes garrisons and neutral forces once all houses have entered what they have.",
        frozenset({Survey.name}),
    ),
    Mend(
        "order-of-payers",
        "Where the others pay by rising bid, the holder of the Iron Throne orders those who bid the same.",
        frozenset({Payers.name}),
    ),
    Mend(
        "lost-muster",
        "A house musters nothing in an area that a correction has given to another house meanwhile.",
        frozenset({Muster.name}),
    ),
    Mend(
        "dead-attackers",
        "Attackers that a correction removes before the combat is decided are neither lost nor routed in it.",
        frozenset({March.name, Battle.name, Losses.name, Shed.name}),
    ),
    Mend(
        "ports-first",
        "Of a house's Consolidate Power orders that leave no choice, that of a port is resolved first.",
        frozenset({Consolidation.name}),
    ),
    Mend(
        COURT_OF_ORDERS,
        "The app notes the King's Court as it is when orders are placed on the board: a card may change it.",
    ),
    Mend(
        "survey-given-up",
        "A survey ends without a trace if the table would rather play without the map after all.",
        frozenset({Survey.name}),
    ),
    Mend(
        "ports-in-a-fight",
        "How many ships of a port supply allows is tested with attackers where they fight.",
        frozenset({TakePort.name, Battle.name}),
    ),
    Mend(
        "order-again",
        "A house that has placed its orders is asked again where a correction brings its units.",
        frozenset({Planning.name}),
    ),
    Mend(
        "tied-on-time",
        "Houses that are tied when time is up count their land areas, where the app has no map.",
        frozenset({Ending.name, TimedReckoning.name}),
    ),
    Mend(
        "corrected-areas",
        "Corrected units discard another house's power token in their area, and closed areas take none.",
        pieces=frozenset({"objective"}),
    ),
    Mend(
        "off-ground",
        "Units that a correction has put where they do not belong march nowhere else.",
        frozenset({March.name, Load.name}),
    ),
    Mend(
        "lost-port",
        "A house replaces no ships of a port whose land a correction has taken from it meanwhile.",
        frozenset({TakePort.name}),
    ),
    Mend(
        "lost-token",
        "A march leaves no token where a correction has meanwhile taken its start or the house's last one.",
        frozenset({LeaveToken.name}),
    ),
    Mend(
        "lost-units",
        "Units that a correction removes meanwhile count no more against a neutral force.",
        frozenset({Neutral.name}),
    ),
    Mend(
        "one-fight",
        "A march does not set out if corrections have made its plan impossible, as with two combats.",
        frozenset({March.name, LeaveToken.name, Neutral.name}),
    ),
    Mend(
        "retreat-again",
        "Beaten units look for another area where a correction has barred the one that they retreat to.",
        frozenset({Shed.name}),
    ),
    Mend(
        "lost-swap",
        "The Messenger Raven swaps no order in an area that a correction has taken from its holder.",
        frozenset({Swap.name}),
    ),
    Mend(
        "raiders-in-order",
        "Where Rattleshirt's Raiders leave armies too large, the lowest bidder removes units first.",
        frozenset({Reconcile.name}),
    ),
)
