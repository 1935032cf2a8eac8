"""What the templates are given: one shape for each region of a page.

Views fill these with finished values (words already translated, addresses
already reversed, numbers already computed); a template only walks them. A name
here is the name used in the template, so this page is the contract between the
two. Nothing in it knows a game: a system speaks through cards, badges and tiles.

Conventions
    *_url   an address on this host, as `reverse` gives it
    action  an offer's action exactly as `offers` spells it
    change  an adjustment exactly as the `adjust` view reads it
    icon    the name of a symbol in `parts/icons.html` or in the system's own sheet,
            without its leading "i-"; "" for none
    mark    1 to 6: the seat's shape and colour, in seating order (1 circle, 2 triangle,
            3 square, 4 diamond, 5 pentagon, 6 star); 0 for nobody
    label   words for people, translated
"""

from games.shapes.board import (
    Acting,
    Badge,
    Board,
    Card,
    CardGroup,
    Forms,
    Gauge,
    Guide,
    Header,
    Invitee,
    Live,
    Middle,
    Question,
    Result,
    ScoreLine,
    ScoreTable,
    SeatScore,
    Side,
    Space,
    Step,
    TablePage,
    Tile,
    Undo,
    UndoRequest,
)
from games.shapes.controls import (
    Choice,
    Offer,
    OfferGroup,
    numeric_offer,
)
from games.shapes.frame import (
    Language,
    Link,
    Notice,
    Site,
)
from games.shapes.pages import (
    ClaimPage,
    Deed,
    DeedGroup,
    DemoArmy,
    Draw,
    HistoryPage,
    HomePage,
    Invitation,
    JoinPage,
    ListPage,
    ListRow,
    ListWarning,
    MessagePage,
    NewPage,
    Option,
    SeatPost,
    SeatRequest,
    SeatRow,
    SeatsPage,
    TableRow,
    VerifyPage,
)
from games.shapes.sheet import (
    Change,
    Counter,
    Sheet,
    SheetPart,
)

__all__ = [
    "Acting",
    "Badge",
    "Board",
    "Card",
    "CardGroup",
    "Change",
    "Choice",
    "ClaimPage",
    "Counter",
    "Deed",
    "DeedGroup",
    "DemoArmy",
    "Draw",
    "Forms",
    "Gauge",
    "Guide",
    "Header",
    "HistoryPage",
    "HomePage",
    "Invitation",
    "Invitee",
    "JoinPage",
    "Language",
    "Link",
    "ListPage",
    "ListRow",
    "ListWarning",
    "Live",
    "MessagePage",
    "Middle",
    "NewPage",
    "Notice",
    "Offer",
    "OfferGroup",
    "Option",
    "Question",
    "Result",
    "ScoreLine",
    "ScoreTable",
    "SeatPost",
    "SeatRequest",
    "SeatRow",
    "SeatScore",
    "SeatsPage",
    "Sheet",
    "SheetPart",
    "Side",
    "Site",
    "Space",
    "Step",
    "TablePage",
    "TableRow",
    "Tile",
    "Undo",
    "UndoRequest",
    "VerifyPage",
    "numeric_offer",
]
