// Written by `python -m server.protocol.schema` from the server's models: change those, not this file.

export interface Ack {
  type: "ack";
  id: string;
  result: Record<string, unknown> | null;
}

/** Ask for the best arrangement of my cards; with 14 cards also what each discard would leave. */
export interface Arrange {
  id: string;
  type: "arrange";
  table_id: string;
  hand_id: string;
}

export interface ArrangementView {
  groups: GroupView[];
  deadwood: number[];
  points: number;
  can_declare: boolean;
}

/**
 * What was played for a player who was away, at this table, until they act again.
 *
 * turns: over all hands. hands: the last 5 of them, oldest first.
 */
export interface AutoPlayed {
  turns: number;
  last_card: number | null;
  hands: AwayHand[];
}

/** What the clock did for you in one hand. points, delta: once that hand has ended. */
export interface AwayHand {
  hand_no: number;
  discards: number[];
  dropped: boolean;
  points: number | null;
  delta: number | null;
}

export interface Balance {
  available: number;
  held: number;
}

export interface Balances {
  type: "balances";
  balances: Partial<Record<"HT" | "PT", Balance>>;
}

/** Somebody said something. */
export interface Chat {
  type: "chat";
  table_id: string;
  line: ChatLine;
}

/** The table's last lines, oldest first; sent when a table is watched, and again when you mute or unmute. */
export interface ChatHistory {
  type: "chat_history";
  table_id: string;
  lines: ChatLine[];
}

/** One line: either `text`, already cleaned, or a quick `phrase`. line_id grows with each line of the table. */
export interface ChatLine {
  line_id: number;
  at_ms: number;
  player: Player;
  text: string | null;
  phrase: Phrase | null;
}

/** Step A of the seeds: the hash of this seat's contribution (FAIRNESS_SPEC section 5). */
export interface Contribute {
  id: string;
  type: "contribute";
  table_id: string;
  hand_id: string;
  hash: string;
}

/** Show 13 of 14 cards. Groups are how the player likes to show them and decide nothing; may be empty. */
export interface Declare {
  id: string;
  type: "declare";
  table_id: string;
  hand_id: string;
  turn: number;
  finish_card: number;
  groups?: number[][];
}

export interface Discard {
  id: string;
  type: "discard";
  table_id: string;
  hand_id: string;
  turn: number;
  card: number;
}

export interface Draw {
  id: string;
  type: "draw";
  table_id: string;
  hand_id: string;
  turn: number;
  source: "stock" | "pile";
}

export interface Drop {
  id: string;
  type: "drop";
  table_id: string;
  hand_id: string;
  turn: number;
}

/** Drop at my next turn, or no longer. */
export interface DropNext {
  id: string;
  type: "drop_next";
  table_id: string;
  hand_id: string;
  on: boolean;
}

/** A command was refused and nothing was done. `allowed` names what would be accepted now. */
export interface Error {
  type: "error";
  id: string | null;
  code: ErrorCode;
  message: string;
  allowed: string[];
}

/** Why a command was refused. Clients decide by the code; the words are for people. */
export type ErrorCode = "malformed" | "too_large" | "too_many" | "unsupported_protocol" | "say_hello" | "players_only" | "unknown_table" | "table_closed" | "table_full" | "seat_taken" | "no_such_seat" | "already_seated" | "not_seated" | "not_enough_tokens" | "no_hand" | "stale_hand" | "stale_turn" | "not_in_hand" | "not_your_turn" | "already_drawn" | "draw_first" | "not_your_card" | "wild_not_takeable" | "taken_card_not_returnable" | "drop_too_late" | "bad_groups" | "hand_over" | "not_now" | "contribution_refused" | "stale_match" | "no_offer" | "acting_elsewhere" | "no_table_fits" | "too_many_tables" | "wait_before_sitting" | "own_break" | "account_frozen" | "spectators_forbidden" | "waiting_list_full" | "not_waiting" | "invite_unknown" | "joining_closed" | "not_host" | "rate_not_offered" | "chat_off" | "chat_silenced" | "nothing_to_say" | "no_such_player" | "same_id_other_command" | "busy" | "internal";

export interface GroupView {
  kind: "pure" | "impure" | "set";
  cards: number[];
}

/** The public part of the hand that runs, or of the one that has just ended. */
export interface HandView {
  hand_id: string;
  hand_no: number;
  stage: "hashes" | "reveals" | "playing" | "ended";
  stage_deadline_ms: number | null;
  dealer: number;
  players: number[];
  commitment: string;
  turn: TurnView | null;
  wild_card: number | null;
  wild_rank: number | null;
  stock_count: number;
  discard_pile: number[];
  taken: TakenView[];
  reshuffles: number;
}

/** First message of every socket: which protocol the client speaks. */
export interface Hello {
  id: string;
  type: "hello";
  protocol: number;
}

/** As the host: close or open joining, forbid or allow spectators, change the chat rule. None leaves as it is. */
export interface HostTable {
  id: string;
  type: "host_table";
  table_id: string;
  joining?: boolean | null;
  watching?: "anyone" | "nobody" | null;
  chat?: "free" | "phrases" | "off" | null;
}

/** Wait in line for a chair; a free one is offered to the first. */
export interface JoinWaiting {
  id: string;
  type: "join_waiting";
  table_id: string;
}

/** Give up the chair: now (in mid-hand that costs 40 points) or once the running hand has ended. */
export interface LeaveTable {
  id: string;
  type: "leave_table";
  table_id: string;
  after_hand?: boolean;
}

export interface LeaveWaiting {
  id: string;
  type: "leave_waiting";
  table_id: string;
}

/** Every open table; sent when the lobby is first watched. */
export interface Lobby {
  type: "lobby";
  tables: TableSummary[];
}

/** One table of the lobby changed or appeared. */
export interface LobbyTable {
  type: "lobby_table";
  table: TableSummary;
}

export interface LobbyTableClosed {
  type: "lobby_table_closed";
  table_id: string;
}

/** score: points so far in a pool, chips in deals. Only those who are `in` are dealt cards. */
export interface MatchPlayer {
  seat: number;
  player: Player;
  score: number;
  standing: "in" | "out" | "left";
  rejoins: number;
}

/** Deltas and commission sum to zero. void: everybody has their buy-ins back. */
export interface MatchResult {
  outcome: "won" | "shared" | "void";
  winners: number[];
  pot: number;
  commission: number;
  lines: MatchResultLine[];
}

/** staked: all buy-ins. delta: what the match gave or cost in the end. */
export interface MatchResultLine {
  seat: number;
  player: Player;
  score: number;
  standing: "in" | "out" | "left";
  staked: number;
  delta: number;
}

/** The numbers of a format that plays matches. limit, rejoins: of a pool; deals, chips: of deals; else None. */
export interface MatchRules {
  kind: "pool" | "deals";
  limit: number | null;
  rejoins: number | null;
  rejoin_at_most: number | null;
  deals: number | null;
  chips: number | null;
  first_drop: number;
  middle_drop: number;
  full_count: number;
}

/** The match that runs, or the one that has just ended (docs/formats.md). */
export interface MatchView {
  match_id: string;
  pot: number;
  hand: number;
  counted: number;
  tie_break: boolean;
  players: MatchPlayer[];
  offers: number[];
  offer_points: number | null;
  result: MatchResult | null;
}

/** No longer hear what a player says, at any table, or hear them again. Nobody is told. */
export interface Mute {
  id: string;
  type: "mute";
  player_id: string;
  on: boolean;
}

/** Whom you do not hear; sent after each change. */
export interface Muted {
  type: "muted";
  players: string[];
}

/** As the host: a new code; the one before lets nobody in any more. */
export interface NewInvite {
  id: string;
  type: "new_invite";
  table_id: string;
}

/** Something the person should know; `code` picks the words in their language. */
export interface Notice {
  type: "notice";
  code: "acting_elsewhere" | "chat_restored" | "chat_silenced" | "draining" | "paused" | "resumed" | "sat_out_cool_off" | "sat_out_frozen" | "sat_out_loss_limit" | "sat_out_no_tokens" | "sat_out_self_exclusion" | "sat_out_session_reminder" | "slow_connection" | "stakes_changed" | "table_closing";
  table_id: string | null;
  message: string;
  until_ms: number | null;
}

/** Open a private table: not in the lobby, found by its invite code alone. The house fixes the commission. */
export interface OpenTable {
  id: string;
  type: "open_table";
  asset: "HT" | "PT";
  seat_count: 4 | 6 | 8;
  format?: "points" | "pool_101" | "pool_201" | "deals_2" | "deals_3" | "deals_6";
  rate?: number | null;
  buy_in?: number | null;
  rules?: PrivateRules;
  watching?: "anyone" | "nobody";
  chat?: "free" | "phrases" | "off";
}

/** Quick phrases: each client shows them in its own language. */
export type Phrase = "hello" | "good_luck" | "well_played" | "thanks" | "sorry" | "oops" | "nice_hand" | "so_close" | "one_moment" | "your_turn" | "last_hand" | "good_game" | "bye";

/** Answered at once; also what keeps a quiet connection alive. */
export interface Ping {
  id: string;
  type: "ping";
}

export interface Player {
  player_id: string;
  name: string;
  bot: boolean;
}

export interface Pong {
  type: "pong";
  id: string;
  now_ms: number;
}

/** The rules that whoever opens a private table may choose; the defaults are the house's. */
export interface PrivateRules {
  min_players?: number;
  turn_seconds?: number;
  time_bank_seconds?: number;
  missed_turns_to_drop?: number;
  take_wild_from_pile?: "allowed" | "first_turn_only" | "never";
  return_taken_card?: "forbidden" | "allowed";
  reshuffles_allowed?: number;
}

/** Everything that any watcher of the table may know. */
export interface PublicView {
  table: TableSummary;
  phase: "waiting" | "countdown" | "seeds" | "playing" | "result" | "closed";
  phase_deadline_ms: number | null;
  dealer: number | null;
  seats: SeatView[];
  hand: HandView | null;
  result: ResultView | null;
  match: MatchView | null;
  spectators: number;
  waiting: WaiterView[];
  joining: boolean;
}

/** Take a chair at the open table that suits these wishes best; wishes left out do not matter. */
export interface QuickSeat {
  id: string;
  type: "quick_seat";
  format?: "points" | "pool" | "deals";
  asset?: "HT" | "PT" | null;
  practice?: boolean | null;
  seat_count?: 4 | 6 | 8 | null;
  min_rate?: number | null;
  max_rate?: number | null;
}

/** The pause between hands may end as soon as every seated player is ready. */
export interface Ready {
  id: string;
  type: "ready";
  table_id: string;
}

/**
 * A signed receipt for this player to keep (FAIRNESS_SPEC section 9).
 *
 * `commit` also carries the terms, the commitment and the inclusion proof; `hashes` carries the list.
 */
export interface Receipt {
  type: "receipt";
  table_id: string;
  hand_id: string;
  kind: "commit" | "contribution" | "hashes" | "reveal" | "state";
  receipt: Record<string, unknown>;
}

/** Answer the offer to come back into a pool match: pay the buy-in again, or stay out. */
export interface Rejoin {
  id: string;
  type: "rejoin";
  table_id: string;
  match_id: string;
  accept: boolean;
}

/** As the host: take somebody out of the waiting list. */
export interface RemoveWaiting {
  id: string;
  type: "remove_waiting";
  table_id: string;
  player_id: string;
}

/** Tell the operators what a player said; the table's last lines go along as evidence. */
export interface ReportChat {
  id: string;
  type: "report_chat";
  table_id: string;
  player_id: string;
  reason: "abuse" | "cheating" | "spam" | "other";
  note?: string;
}

export interface ResultLine {
  seat: number;
  player: Player;
  points: number;
  match_points: number | null;
  delta: number;
  out: "first_drop" | "middle_drop" | "left" | "missed_turns" | "wrong_declare" | null;
  arrangement: ArrangementView | null;
}

export interface ResultView {
  hand_id: string;
  hand_no: number;
  outcome: "declared" | "last_in" | "void";
  void_reason: string | null;
  winner: number | null;
  lines: ResultLine[];
  commission: number;
}

/** The last table message that the client has: which run of the table, and its number. */
export interface ResumePoint {
  epoch: number;
  seq: number;
}

/** Step B of the seeds: the contribution itself. */
export interface Reveal {
  id: string;
  type: "reveal";
  table_id: string;
  hand_id: string;
  nonce: string;
  text?: string;
}

/** Every rule of a table, shown before anyone sits down. */
export interface Rules {
  format: "points" | "pool_101" | "pool_201" | "deals_2" | "deals_3" | "deals_6";
  match: MatchRules | null;
  min_players: number;
  turn_seconds: number;
  time_bank_seconds: number;
  missed_turns_to_drop: number;
  take_wild_from_pile: "allowed" | "first_turn_only" | "never";
  return_taken_card: "forbidden" | "allowed";
  reshuffles_allowed: number;
}

/** Say something to everyone at the table, from your chair. */
export interface Say {
  id: string;
  type: "say";
  table_id: string;
  text: string;
}

export interface SayPhrase {
  id: string;
  type: "say_phrase";
  table_id: string;
  phrase: Phrase;
}

/** Only for the player of this seat. */
export interface SeatPrivate {
  seat: number;
  may_act: boolean;
  cards: number[];
  drawn_card: number | null;
  allowed: string[];
  drop_points: number | null;
  drop_cost: number | null;
  drop_next: boolean;
  away: AutoPlayed | null;
}

/** What everyone sees of one chair. */
export interface SeatView {
  seat: number;
  player: Player | null;
  connected: boolean;
  ready: boolean;
  sitting_out: boolean;
  leaving: boolean;
  why_waiting: "next_hand" | "next_match" | "not_enough_tokens" | "sitting_out" | null;
  in_hand: boolean;
  card_count: number;
  out: "first_drop" | "middle_drop" | "left" | "missed_turns" | "wrong_declare" | null;
  points: number | null;
  misses: number;
  bank_ms: number;
  contribution: "waiting" | "hashed" | "given" | "withheld" | "none" | null;
}

/**
 * You have played as long as you wanted to be reminded of: no hand starts for you until you have confirmed it.
 *
 * Confirmed with `POST /api/me/limits/reminder/seen`. Both in milliseconds.
 */
export interface SessionReminder {
  type: "session_reminder";
  after_ms: number;
  played_ms: number;
}

/** Take a chair; the first free one when `seat` is not given. */
export interface Sit {
  id: string;
  type: "sit";
  table_id: string;
  seat?: number | null;
}

/** Keep the chair but skip coming hands, or play again. */
export interface SitOut {
  id: string;
  type: "sit_out";
  table_id: string;
  on: boolean;
}

/**
 * The state of one table, with what happened since the message before.
 *
 * seq counts this table's messages by one within an epoch; a gap or another epoch means: trust the state,
 * animate nothing. A snapshot is for one connection alone and repeats the newest seq; it says where things stand and
 * its events are those of the whole hand so far. events: public facts in the form of the hand file (FAIRNESS_SPEC
 * section 12), each with its index k in the hand's transcript.
 */
export interface Table {
  type: "table";
  table_id: string;
  epoch: number;
  seq: number;
  now_ms: number;
  snapshot: boolean;
  events: Record<string, unknown>[];
  public: PublicView;
  you: SeatPrivate | null;
}

export interface TableGone {
  type: "table_gone";
  table_id: string;
  reason: "closed" | "unwatched" | "forbidden";
}

/** One line of the lobby. */
export interface TableSummary {
  table_id: string;
  name: string;
  game: "rummy";
  asset: "HT" | "PT";
  practice: boolean;
  seat_count: number;
  seated: number;
  bots: number;
  rate: number;
  buy_in: number;
  commission_bp: number;
  rules: Rules;
  hand_running: boolean;
  match_running: boolean;
  free: number;
  waiting: number;
  host: Player | null;
  watching: "anyone" | "nobody";
  chat: "free" | "phrases" | "off";
}

export interface TakenView {
  seat: number;
  card: number;
}

/** Whose turn it is. The clock ends at `clock_ms`, then the bank runs until `deadline_ms`. */
export interface TurnView {
  seat: number;
  number: number;
  stage: "draw" | "discard";
  clock_ms: number;
  deadline_ms: number;
}

export interface UnwatchLobby {
  id: string;
  type: "unwatch_lobby";
}

export interface UnwatchTable {
  id: string;
  type: "unwatch_table";
  table_id: string;
}

/** Be let in to a private table. Once is enough: who was let in needs the code no more. */
export interface UseInvite {
  id: string;
  type: "use_invite";
  code: string;
}

/** Somebody who waits for a chair, in line. offer_until_ms: a chair is theirs to take until then. */
export interface WaiterView {
  player: Player;
  offer_until_ms: number | null;
}

/**
 * Where you stand in a table's waiting list; comes again whenever that changes.
 *
 * position: 1 for the first; None when you no longer wait, and `ended` says why. offer_until_ms: a chair is kept
 * for you until then: take it with `sit`.
 */
export interface WaitingPlace {
  type: "waiting";
  table_id: string;
  position: number | null;
  waiting: number;
  offer_until_ms: number | null;
  ended: "seated" | "left" | "offer_expired" | "removed" | "away" | "closed" | null;
}

export interface WatchLobby {
  id: string;
  type: "watch_lobby";
}

/** Follow a table: a seated player gets their own view, anyone else the public one. */
export interface WatchTable {
  id: string;
  type: "watch_table";
  table_id: string;
  resume?: ResumePoint | null;
}

export interface Welcome {
  type: "welcome";
  protocol: number;
  now_ms: number;
  player: Player;
  balances: Partial<Record<"HT" | "PT", Balance>>;
  seated_at: string[];
  waiting_at: string[];
  hosting: string[];
  muted: string[];
}

export type Command = Hello | Ping | WatchLobby | UnwatchLobby | QuickSeat | OpenTable | UseInvite | NewInvite | HostTable | JoinWaiting | LeaveWaiting | RemoveWaiting | Say | SayPhrase | Mute | ReportChat | WatchTable | UnwatchTable | Sit | LeaveTable | SitOut | Ready | Rejoin | Contribute | Reveal | DropNext | Arrange | Draw | Discard | Declare | Drop;

export type ServerMessage = Welcome | Ack | Error | Pong | Lobby | LobbyTable | LobbyTableClosed | Table | TableGone | Receipt | Balances | Notice | WaitingPlace | Chat | ChatHistory | SessionReminder | Muted;
