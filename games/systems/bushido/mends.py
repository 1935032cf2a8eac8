"""What the rules of this game did otherwise in earlier versions of the program, oldest first."""

from games.core.mends import Mend
from games.systems.bushido.corrections.table import DUEL_CLOCK
from games.systems.bushido.lists.editing import KEPT
from games.systems.bushido.rules.actions import (
    BERSERK_MARKS,
    CONTROL_ENDS_UNPAID,
    DISEASED_ELSEWHERE,
    PRONE_OR_HELD,
    UNMASKED,
    UNMASKED_DISENGAGING,
)
from games.systems.bushido.rules.end_phase import ELSEWHERE_TOO, DamageStates
from games.systems.bushido.rules.ending import CALLED_OFF, LAST_BY_RULE, TIME_ENDS_THE_TURN, Closing
from games.systems.bushido.rules.feats import FeatsAfter
from games.systems.bushido.rules.ki import BEGINS_FULL, CONTROLLED_SPENDS_NONE, ELSEWHERE_SPENDS_NONE, LAST_KI
from games.systems.bushido.rules.muster import RECOUNTED
from games.systems.bushido.rules.objectives import BY_CARD, RESET_TO_NEUTRAL
from games.systems.bushido.rules.overtime import PASSES_ON
from games.systems.bushido.rules.scoring import OF_THE_SCORER, WORTH_AGREED, Decrease, Tally
from games.systems.bushido.rules.setup import JOINS, VIM_DEPLOYS, Muster
from games.systems.bushido.rules.states import BARRED
from games.systems.bushido.rules.victory import RESET_KEPT
from games.systems.bushido.rules.wound_test import TOUGH_TOO
from games.systems.bushido.rules.wounds import BACK_ALIVE, TURN_OF_FALL, VIM_RETURNED

MENDS = (
    Mend(
        "order-of-damage",
        "The order of damage is asked for where several states kill a model only together.",
        frozenset({DamageStates.name}),
    ),
    Mend(
        "no-further-check",
        "No check is made once every Victory Point is given.",
        frozenset({Tally.name}),
    ),
    Mend(
        "end-by-hand",
        "Who would lose is asked before an end that only a correction has brought.",
        frozenset({Closing.name}),
    ),
    Mend(
        ELSEWHERE_TOO,
        "Fire, bleeding, poison, fear and regeneration work on models Elsewhere too.",
    ),
    Mend(
        "wipe-out",
        "Who would lose agrees to an end by a wipe-out.",
        frozenset({Closing.name}),
    ),
    Mend(
        LAST_KI,
        "A Kami does not spend its last Ki, and is out of the match without any.",
    ),
    Mend(
        CONTROL_ENDS_UNPAID,
        "A Controlled model that fights back without a counter loses a marker of its control.",
    ),
    Mend(
        LAST_BY_RULE,
        "Who would lose is asked where a turn is called the last though its die has let it go on.",
        frozenset({Closing.name}),
    ),
    Mend(
        "last-window",
        "The last window of a turn is asked of whoever acted, not of whose models it leaves unable to act.",
        frozenset({FeatsAfter.name}),
    ),
    Mend(
        BACK_ALIVE,
        "A model that was out and is Elsewhere instead has a wound left, or one Ki if it lives on that.",
    ),
    Mend(
        "titles-by-hand",
        "Sections and titles of a list that people write without a frame are no models.",
        frozenset({Muster.name}),
    ),
    Mend(
        "point-of-the-last-turn",
        "The Victory Point of a last turn is taken back if it is not the last after all.",
        frozenset({Closing.name, Tally.name, Decrease.name}),
    ),
    Mend(
        WORTH_AGREED,
        "Players agree to what each zone gives, and not only to who controls it.",
    ),
    Mend(
        UNMASKED,
        "A model is no longer Disguised once the enemy that it fights has fought back.",
    ),
    Mend(
        "decided-by-hand",
        "Who would lose is asked where Victory Points that corrections have given or taken decide who wins.",
        frozenset({Closing.name}),
    ),
    Mend(
        CONTROLLED_SPENDS_NONE,
        "A Controlled model spends no Ki, neither for feats nor to be rid of a Death Sentence.",
    ),
    Mend(
        RECOUNTED,
        "A warband's rice counts models that are added or corrected by hand.",
    ),
    Mend(
        JOINS,
        "A model that joins after the lobby is told apart from a namesake of the enemy.",
    ),
    Mend(
        "totals-by-hand",
        "The sum that people write below their list is no model.",
        frozenset({Muster.name}),
    ),
    Mend(
        "terrain-by-hand",
        "A card behind the word terrain or equipment and a colon is no model.",
        frozenset({Muster.name}),
    ),
    Mend(
        KEPT,
        "A corrected list keeps the notes on its models, and the figures noted from their cards.",
    ),
    Mend(
        OF_THE_SCORER,
        "Where the scorer loses an objective, it is one friendly to the scorer, as the opponent chooses.",
    ),
    Mend(
        BERSERK_MARKS,
        "Berserk puts an Impetuous marker on a model, which goes with its first action.",
    ),
    Mend(
        ELSEWHERE_SPENDS_NONE,
        "A model Elsewhere spends no Ki, neither for feats nor to be rid of a Death Sentence.",
    ),
    Mend(
        TOUGH_TOO,
        "Toughness reduces the wounds of a hit too, and not only those of states.",
    ),
    Mend(
        CALLED_OFF,
        "Both players agree that a turn is not the last though its die, or its number, says so.",
    ),
    Mend(
        RESET_KEPT,
        "Scenario Points that a reset takes still count where a tournament breaks a tie by those scored.",
    ),
    Mend(
        "prices-by-hand",
        "A number right behind a name, or rice before it, is what its card costs.",
        frozenset({Muster.name}),
    ),
    Mend(
        "sums-by-hand",
        "A sum at the end of a line, or rice that is not spent, is no model; a faction may begin a line.",
        frozenset({Muster.name}),
    ),
    Mend(
        "headings-by-hand",
        "The headings of a list are read in German and in Chinese too.",
        frozenset({Muster.name}),
    ),
    Mend(
        VIM_DEPLOYS,
        "A Very Important Model does not arrive by a flank.",
    ),
    Mend(
        RESET_TO_NEUTRAL,
        "A reset of alignments makes all objectives neutral, and not as they began.",
    ),
    Mend(
        BY_CARD,
        "The rice of several models on one card counts in a zone only where all of them are inside.",
    ),
    Mend(
        PRONE_OR_HELD,
        "A Prone model only stands up; a Held one gets free, or not, or uses a Ki feat.",
    ),
    Mend(
        PASSES_ON,
        "Once the time for an activation is up, a counter is lost and play passes to the opponent.",
    ),
    Mend(
        DISEASED_ELSEWHERE,
        "A Diseased model Elsewhere loses a marker in the Starting Phase too.",
    ),
    Mend(
        "factions-by-hand",
        "The factions of a list are read in German and in Chinese too.",
        frozenset({Muster.name}),
    ),
    Mend(
        "columns-by-hand",
        "A table of a list has columns for Ki, its cap, wounds and rice in any order.",
        frozenset({Muster.name}),
    ),
    Mend(
        "gear-by-hand",
        "What a model carries may stand in its name, behind “w/”, “with” or a plus sign.",
        frozenset({Muster.name}),
    ),
    Mend(
        TURN_OF_FALL,
        "A match knows in which turn each model fell, for the ties of a tournament.",
    ),
    Mend(
        UNMASKED_DISENGAGING,
        "A model that disengages has been in a melee, and is no longer Disguised.",
    ),
    Mend(
        TIME_ENDS_THE_TURN,
        "A match whose time is up is played to the end of its turn, and what is due then is scored.",
    ),
    Mend(
        BARRED,
        "A Prone model is not made Prone again, and a Kami not poisoned, on fire, bleeding or diseased.",
    ),
    Mend(
        "first-of-a-line",
        "The first card of a line with several is kept, though a label stands before it or nobody knows it.",
        frozenset({Muster.name}),
    ),
    Mend(
        BEGINS_FULL,
        "A Kami whose cap is corrected before the match begins with that much Ki.",
    ),
    Mend(
        "lists-by-form",
        "Lists may have a framed faction, rows behind tabs, a fraction's slash, several names on a line.",
        frozenset({Muster.name}),
    ),
    Mend(
        VIM_RETURNED,
        "A Very Important Model that returns in a later turn than it fell in is none any more.",
    ),
    Mend(
        DUEL_CLOCK,
        "In a duel the limit for an activation is half a minute.",
    ),
)
