"""What the house tells a client, as one closed union.

A table message always carries the whole public state of the table, encoded once for everybody, and, for a
seated player, that seat's own part. A client never has to fold events to know where it stands: the events in
a message say what just happened (to animate, to log, to chain), the state says what is.
Cards are the integers of FAIRNESS_SPEC section 2.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, TypeAdapter

from server.protocol.chat_messages import Chat as Chat
from server.protocol.chat_messages import ChatHistory as ChatHistory
from server.protocol.chat_messages import Muted as Muted
from server.protocol.command_base import CommandId
from server.protocol.lobby_commands import ChatRule, Watching
from server.protocol.lobby_messages import WaiterView as WaiterView
from server.protocol.lobby_messages import WaitingPlace as WaitingPlace
from server.protocol.message_base import FormatWord as FormatWord
from server.protocol.message_base import Message as Message
from server.protocol.message_base import Ms as Ms
from server.protocol.message_base import Player as Player
from server.protocol.message_base import Units as Units


class ErrorCode(StrEnum):
    """Why a command was refused. Clients decide by the code; the words are for people."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    UNSUPPORTED_PROTOCOL = "unsupported_protocol"
    SAY_HELLO = "say_hello"
    PLAYERS_ONLY = "players_only"
    UNKNOWN_TABLE = "unknown_table"
    TABLE_CLOSED = "table_closed"
    TABLE_FULL = "table_full"
    SEAT_TAKEN = "seat_taken"
    NO_SUCH_SEAT = "no_such_seat"
    ALREADY_SEATED = "already_seated"
    NOT_SEATED = "not_seated"
    NOT_ENOUGH_TOKENS = "not_enough_tokens"
    NO_HAND = "no_hand"
    STALE_HAND = "stale_hand"
    STALE_TURN = "stale_turn"
    NOT_IN_HAND = "not_in_hand"
    NOT_YOUR_TURN = "not_your_turn"
    ALREADY_DRAWN = "already_drawn"
    DRAW_FIRST = "draw_first"
    NOT_YOUR_CARD = "not_your_card"
    WILD_NOT_TAKEABLE = "wild_not_takeable"
    TAKEN_CARD_NOT_RETURNABLE = "taken_card_not_returnable"
    DROP_TOO_LATE = "drop_too_late"
    BAD_GROUPS = "bad_groups"
    HAND_OVER = "hand_over"
    NOT_NOW = "not_now"
    CONTRIBUTION_REFUSED = "contribution_refused"
    STALE_MATCH = "stale_match"
    NO_OFFER = "no_offer"
    ACTING_ELSEWHERE = "acting_elsewhere"
    NO_TABLE_FITS = "no_table_fits"
    TOO_MANY_TABLES = "too_many_tables"
    WAIT_BEFORE_SITTING = "wait_before_sitting"
    OWN_BREAK = "own_break"
    ACCOUNT_FROZEN = "account_frozen"
    SPECTATORS_FORBIDDEN = "spectators_forbidden"
    WAITING_LIST_FULL = "waiting_list_full"
    NOT_WAITING = "not_waiting"
    INVITE_UNKNOWN = "invite_unknown"
    JOINING_CLOSED = "joining_closed"
    NOT_HOST = "not_host"
    RATE_NOT_OFFERED = "rate_not_offered"
    CHAT_OFF = "chat_off"
    CHAT_SILENCED = "chat_silenced"
    NOTHING_TO_SAY = "nothing_to_say"
    NO_SUCH_PLAYER = "no_such_player"
    SAME_ID_OTHER_COMMAND = "same_id_other_command"
    BUSY = "busy"
    INTERNAL = "internal"


class Balance(Message):
    available: Units
    held: Units


class MatchRules(Message):
    """The numbers of a format that plays matches. limit, rejoins: of a pool; deals, chips: of deals; else None."""

    kind: Literal["pool", "deals"]
    limit: int | None
    rejoins: int | None
    rejoin_at_most: int | None
    deals: int | None
    chips: int | None
    first_drop: int
    middle_drop: int
    full_count: int
    """The most that one hand counts, a wrong declare too."""


class Rules(Message):
    """Every rule of a table, shown before anyone sits down."""

    format: FormatWord = "points"
    match: MatchRules | None = None
    min_players: int
    turn_seconds: int
    time_bank_seconds: int
    missed_turns_to_drop: int
    take_wild_from_pile: Literal["allowed", "first_turn_only", "never"]
    return_taken_card: Literal["forbidden", "allowed"]
    reshuffles_allowed: int


class TableSummary(Message):
    """One line of the lobby."""

    table_id: UUID
    name: str
    game: Literal["rummy"] = "rummy"
    asset: Literal["HT", "PT"]
    practice: bool
    seat_count: int
    seated: int
    bots: int
    """How many of the seated are declared bots."""
    rate: Units
    """Tokens per point; 0 where a match is played for buy-ins."""
    buy_in: Units = 0
    """What each player pays into the pot of a match; 0 in points."""
    commission_bp: int
    rules: Rules
    hand_running: bool
    match_running: bool = False
    """Whoever sits down now plays from the next match on."""
    free: int = 0
    """Chairs that anyone may take now: neither taken nor kept for somebody who waits."""
    waiting: int = 0
    """How many wait for a chair."""
    host: Player | None = None
    """Who opened this private table; None for the house's own."""
    watching: Watching = "anyone"
    chat: ChatRule = "free"


class Welcome(Message):
    type: Literal["welcome"] = "welcome"
    protocol: int
    now_ms: Ms
    player: Player
    balances: dict[Literal["HT", "PT"], Balance]
    seated_at: list[UUID]
    waiting_at: list[UUID] = []
    """Where you wait for a chair. Join again there to be told your place on this connection."""
    hosting: list[UUID] = []
    """The private tables that you opened and that are still open."""
    muted: list[UUID] = []
    """Whom you do not hear."""


class Ack(Message):
    type: Literal["ack"] = "ack"
    id: CommandId
    result: dict[str, Any] | None = None


class Error(Message):
    """A command was refused and nothing was done. `allowed` names what would be accepted now."""

    type: Literal["error"] = "error"
    id: CommandId | None
    code: ErrorCode
    message: str
    allowed: list[str] = []


class Pong(Message):
    type: Literal["pong"] = "pong"
    id: CommandId
    now_ms: Ms


class Lobby(Message):
    """Every open table; sent when the lobby is first watched."""

    type: Literal["lobby"] = "lobby"
    tables: list[TableSummary]


class LobbyTable(Message):
    """One table of the lobby changed or appeared."""

    type: Literal["lobby_table"] = "lobby_table"
    table: TableSummary


class LobbyTableClosed(Message):
    type: Literal["lobby_table_closed"] = "lobby_table_closed"
    table_id: UUID


class SeatView(Message):
    """What everyone sees of one chair."""

    seat: int
    player: Player | None
    connected: bool = False
    ready: bool = False
    sitting_out: bool = False
    leaving: bool = False
    why_waiting: Literal["next_hand", "next_match", "not_enough_tokens", "sitting_out"] | None = None
    in_hand: bool = False
    card_count: int = 0
    out: Literal["first_drop", "middle_drop", "left", "missed_turns", "wrong_declare"] | None = None
    points: int | None = None
    misses: int = 0
    bank_ms: int = 0
    contribution: Literal["waiting", "hashed", "given", "withheld", "none"] | None = None


class TurnView(Message):
    """Whose turn it is. The clock ends at `clock_ms`, then the bank runs until `deadline_ms`."""

    seat: int
    number: int
    stage: Literal["draw", "discard"]
    clock_ms: Ms
    deadline_ms: Ms


class TakenView(Message):
    seat: int
    card: int


class HandView(Message):
    """The public part of the hand that runs, or of the one that has just ended."""

    hand_id: UUID
    hand_no: int
    stage: Literal["hashes", "reveals", "playing", "ended"]
    stage_deadline_ms: Ms | None
    dealer: int
    players: list[int]
    commitment: str
    turn: TurnView | None = None
    wild_card: int | None = None
    wild_rank: int | None = None
    stock_count: int = 0
    discard_pile: list[int] = []
    taken: list[TakenView] = []
    """Who took what from the pile, oldest first; a card leaves the list when its taker discards it."""
    reshuffles: int = 0


class GroupView(Message):
    kind: Literal["pure", "impure", "set"]
    cards: list[int]


class ArrangementView(Message):
    groups: list[GroupView]
    deadwood: list[int]
    points: int
    can_declare: bool


class ResultLine(Message):
    seat: int
    player: Player
    points: int
    match_points: int | None = None
    """What the hand counts in the match, of which it is a part; None in points, for the winner 0."""
    delta: Units
    out: Literal["first_drop", "middle_drop", "left", "missed_turns", "wrong_declare"] | None
    arrangement: ArrangementView | None
    """The shown cards in their best arrangement; None when the seat did not have to show."""


class ResultView(Message):
    hand_id: UUID
    hand_no: int
    outcome: Literal["declared", "last_in", "void"]
    void_reason: str | None
    winner: int | None
    lines: list[ResultLine]
    commission: Units


class MatchPlayer(Message):
    """score: points so far in a pool, chips in deals. Only those who are `in` are dealt cards."""

    seat: int
    player: Player
    score: int
    standing: Literal["in", "out", "left"]
    rejoins: int


class MatchResultLine(Message):
    """staked: all buy-ins. delta: what the match gave or cost in the end."""

    seat: int
    player: Player
    score: int
    standing: Literal["in", "out", "left"]
    staked: Units
    delta: Units


class MatchResult(Message):
    """Deltas and commission sum to zero. void: everybody has their buy-ins back."""

    outcome: Literal["won", "shared", "void"]
    winners: list[int]
    pot: Units
    commission: Units
    lines: list[MatchResultLine]


class MatchView(Message):
    """The match that runs, or the one that has just ended (docs/formats.md)."""

    match_id: UUID
    pot: Units
    hand: int
    """The number within the match of the hand that runs or comes next; void hands are numbered too."""
    counted: int
    """How many hands have counted."""
    tie_break: bool
    players: list[MatchPlayer]
    offers: list[int]
    """Seats that may rejoin now, for one more buy-in, at `offer_points`, until the phase's deadline."""
    offer_points: int | None
    result: MatchResult | None


class PublicView(Message):
    """Everything that any watcher of the table may know."""

    table: TableSummary
    phase: Literal["waiting", "countdown", "seeds", "playing", "result", "closed"]
    phase_deadline_ms: Ms | None
    dealer: int | None
    seats: list[SeatView]
    hand: HandView | None
    result: ResultView | None
    match: MatchView | None = None
    spectators: int = 0
    """How many people watch without a chair."""
    waiting: list[WaiterView] = []
    joining: bool = True
    """False when the host of a private table lets nobody else sit down."""


class AwayHand(Message):
    """What the clock did for you in one hand. points, delta: once that hand has ended."""

    hand_no: int
    discards: list[int]
    dropped: bool
    """The table dropped you for missed turns."""
    points: int | None = None
    delta: Units | None = None


class AutoPlayed(Message):
    """What was played for a player who was away, at this table, until they act again.

    turns: over all hands. hands: the last 5 of them, oldest first.
    """

    turns: int
    last_card: int | None
    hands: list[AwayHand] = []


class SeatPrivate(Message):
    """Only for the player of this seat."""

    seat: int
    may_act: bool
    """False on a tab or device that is not the newest one to have taken the seat's controls."""
    cards: list[int]
    drawn_card: int | None
    allowed: list[str]
    """Command types that would be accepted now: draw_stock, draw_pile, discard, declare, drop, contribute, ..."""
    drop_points: int | None
    """What a drop counts now: in a match, in match points."""
    drop_cost: Units | None
    """The same in tokens; None in a match, whose hands move none."""
    drop_next: bool
    away: AutoPlayed | None


class Table(Message):
    """The state of one table, with what happened since the message before.

    seq counts this table's messages by one within an epoch; a gap or another epoch means: trust the state,
    animate nothing. A snapshot is for one connection alone and repeats the newest seq; it says where things stand and
    its events are those of the whole hand so far. events: public facts in the form of the hand file (FAIRNESS_SPEC
    section 12), each with its index k in the hand's transcript.
    """

    type: Literal["table"] = "table"
    table_id: UUID
    epoch: int
    seq: int
    now_ms: Ms
    snapshot: bool = False
    events: list[dict[str, Any]] = []
    public: PublicView
    you: SeatPrivate | None = None


class TableGone(Message):
    type: Literal["table_gone"] = "table_gone"
    table_id: UUID
    reason: Literal["closed", "unwatched", "forbidden"]


class Receipt(Message):
    """A signed receipt for this player to keep (FAIRNESS_SPEC section 9).

    `commit` also carries the terms, the commitment and the inclusion proof; `hashes` carries the list.
    """

    type: Literal["receipt"] = "receipt"
    table_id: UUID
    hand_id: UUID
    kind: Literal["commit", "contribution", "hashes", "reveal", "state"]
    receipt: dict[str, Any]


class Balances(Message):
    type: Literal["balances"] = "balances"
    balances: dict[Literal["HT", "PT"], Balance]


NoticeCode = Literal[
    "acting_elsewhere",
    "chat_restored",
    "chat_silenced",
    "draining",
    "paused",
    "resumed",
    "sat_out_cool_off",
    "sat_out_frozen",
    "sat_out_loss_limit",
    "sat_out_no_tokens",
    "sat_out_self_exclusion",
    "sat_out_session_reminder",
    "slow_connection",
    "stakes_changed",
    "table_closing",
]


class SessionReminder(Message):
    """You have played as long as you wanted to be reminded of: no hand starts for you until you have confirmed it.

    Confirmed with `POST /api/me/limits/reminder/seen`. Both in milliseconds.
    """

    type: Literal["session_reminder"] = "session_reminder"
    after_ms: int
    played_ms: int


class Notice(Message):
    """Something the person should know; `code` picks the words in their language."""

    type: Literal["notice"] = "notice"
    code: NoticeCode
    table_id: UUID | None = None
    message: str
    until_ms: Ms | None = None
    """For `draining` when running hands may still end, and for `chat_silenced`: until when."""


ServerMessage = Annotated[
    Welcome
    | Ack
    | Error
    | Pong
    | Lobby
    | LobbyTable
    | LobbyTableClosed
    | Table
    | TableGone
    | Receipt
    | Balances
    | Notice
    | WaitingPlace
    | Chat
    | ChatHistory
    | SessionReminder
    | Muted,
    Field(discriminator="type"),
]

SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)
