/**
 * One table as this page knows it: the newest message of the house, what was asked and not answered yet, and how the
 * person has laid and chosen their own cards. Nothing here is ever ahead of the house.
 */

import type {
  ChatLine,
  Error as ServerError,
  ErrorCode,
  HandView,
  MatchPlayer,
  ResultView,
  SeatPrivate,
  SeatView,
  Table,
  TurnView,
} from "../../generated/protocol";
import type { Advice } from "./advice";
import { type Card, type Rank } from "../../rummy/cards";
import type { Answer, Wish } from "../net/connection";
import { bundle, moveCard, reconcile, stepCard, type Groups } from "./hand_groups";
import { loadLaid, saveLaid } from "./laid_cards";
import { SessionScore, type ScoreLine } from "./session_score";
import { extendLog, LINES_KEPT, type NumberedLine } from "./table_log";

export interface Refusal {
  readonly code: ErrorCode | "too_many_waiting";
  readonly message: string;
}

/** A question to the person that only makes sense in one turn; when the turn goes, so does the question. */
export interface Confirm {
  readonly kind: "drop" | "declare" | "leave";
  readonly turn: number;
  readonly card: Card | null;
}

export interface TableSender {
  ask(wish: Wish): Promise<Answer>;
  say(wish: Wish): string | null;
}

type TurnWish = Extract<Wish["type"], "draw" | "discard" | "declare" | "drop">;
const TURN_WISHES: readonly string[] = ["draw", "discard", "declare", "drop"] satisfies readonly TurnWish[];

export class TableStore {
  readonly id: string;
  readonly #sender: TableSender;
  readonly #score: SessionScore;
  #watchId: string | null = null;

  message = $state.raw<Table | null>(null);
  gone = $state.raw<"closed" | "unwatched" | "forbidden" | "unknown_table" | null>(null);
  sending = $state.raw<readonly Wish[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  groups = $state.raw<Groups>([]);
  chosen = $state.raw<readonly Card[]>([]);
  confirm = $state.raw<Confirm | null>(null);
  log = $state.raw<readonly NumberedLine[]>([]);
  /** Whether the newest message directly follows the one before: only then may anything move on the screen. */
  continuous = $state.raw(false);
  score = $state.raw<readonly ScoreLine[]>([]);
  /** What was said lately, oldest first. */
  chat = $state.raw<readonly ChatLine[]>([]);
  /** Lines of others since the chat was last looked at. */
  unread = $state(0);
  /** The result panel of this hand was closed by the person. */
  dismissed = $state.raw<string | null>(null);

  // Getters, no $derived: a store outlives the page that asked for it first, and what is derived inside a page is dead,
  // and says its last word for ever, once that page is closed.

  get view(): Table["public"] | null {
    return this.message?.public ?? null;
  }

  get you(): SeatPrivate | null {
    return this.message?.you ?? null;
  }

  get hand(): HandView | null {
    return this.view?.hand ?? null;
  }

  get turn(): TurnView | null {
    return this.hand?.turn ?? null;
  }

  get wildRank(): Rank | null {
    return this.hand?.wild_rank ?? null;
  }

  get myTurn(): boolean {
    return this.you !== null && this.turn?.seat === this.you.seat;
  }

  get allowed(): readonly string[] {
    return this.you?.allowed ?? [];
  }

  get me(): SeatView | null {
    return this.seat(this.you?.seat ?? null);
  }

  get result(): ResultView | null {
    return this.view?.result ?? null;
  }

  /** How this person stands in the match that is played here; null without one, and for those who play from the next on. */
  get ownStanding(): MatchPlayer["standing"] | null {
    return this.standing(this.you?.seat ?? null);
  }

  standing(seat: number | null): MatchPlayer["standing"] | null {
    return this.#matchPlayer(seat)?.standing ?? null;
  }

  /** Points of a pool, chips of deals, once a match has begun. */
  matchScore(seat: number): number | null {
    return this.#matchPlayer(seat)?.score ?? null;
  }

  #matchPlayer(seat: number | null): MatchPlayer | null {
    return this.view?.match?.players.find((player) => player.seat === seat) ?? null;
  }

  /** Leaving would give up a match that is being played. */
  get inMatch(): boolean {
    return this.view?.match?.result === null && this.ownStanding === "in";
  }

  /** A command that moves the hand is on its way: no second one is sent in the meantime. */
  get busy(): boolean {
    return this.sending.some((wish) => TURN_WISHES.includes(wish.type));
  }

  get takenCard(): Card | null {
    return this.you?.drawn_card ?? null;
  }

  constructor(id: string, sender: TableSender) {
    this.id = id;
    this.#sender = sender;
    this.#score = new SessionScore(sessionStorage, id);
    this.score = this.#score.lines();
  }

  seat(index: number | null): SeatView | null {
    return this.view?.seats.find((one) => one.seat === index) ?? null;
  }

  /** Take what the house says; false when it is older than what is shown. */
  apply(message: Table): boolean {
    const before = this.message;
    const sameRun = before !== null && before.epoch === message.epoch;
    if (before !== null && message.epoch < before.epoch) return false;
    if (sameRun && message.seq <= before.seq && !message.snapshot) return false;
    this.continuous = sameRun && !message.snapshot && message.seq === before.seq + 1;
    this.message = message;
    this.gone = null;
    this.#followLog(before, message);
    this.#followCards(before, message);
    if (message.public.result !== null) this.score = this.#score.add(message.public.result);
    if (!this.#stillAsked(message)) this.confirm = null;
    if (this.#movedOn(before, message)) this.refusal = null;
    return true;
  }

  #followLog(before: Table | null, message: Table): void {
    const sameHand = before?.public.hand?.hand_id === message.public.hand?.hand_id;
    this.log = extendLog(sameHand ? this.log : [], message.events);
  }

  #followCards(before: Table | null, message: Table): void {
    const handId = message.public.hand?.hand_id ?? null;
    const held = message.you?.cards ?? [];
    const sameHand = before !== null && before.public.hand?.hand_id === handId;
    const laid = sameHand ? this.groups : handId === null ? [] : loadLaid(this.id, handId);
    this.#lay(reconcile(laid, held, message.public.hand?.wild_rank ?? null));
    this.chosen = this.chosen.filter((card) => sameHand && held.includes(card));
  }

  /** Whether an open question still belongs to the turn that the house says it is. */
  #stillAsked(message: Table): boolean {
    const asked = this.confirm;
    if (asked === null) return true;
    if (asked.kind === "leave") return message.you !== null;
    const turn = message.public.hand?.turn ?? null;
    const stage = asked.kind === "drop" ? "draw" : "discard";
    return turn !== null && turn.number === asked.turn && turn.seat === message.you?.seat && turn.stage === stage;
  }

  #movedOn(before: Table | null, message: Table): boolean {
    const was = before?.public.hand?.turn;
    const is = message.public.hand?.turn;
    return was?.number !== is?.number || was?.stage !== is?.stage;
  }

  #lay(groups: Groups): void {
    this.groups = groups;
    const handId = this.hand?.hand_id;
    if (handId !== undefined && groups.length > 0) saveLaid(this.id, handId, groups);
  }

  hear(line: ChatLine): void {
    this.chat = [...this.chat, line].slice(-LINES_KEPT);
    if (line.player.player_id !== this.me?.player?.player_id) this.unread += 1;
  }

  /** The house tells all of it anew: on watching, and when somebody was muted or is heard again. */
  hearAgain(lines: readonly ChatLine[]): void {
    this.chat = lines.slice(-LINES_KEPT);
  }

  // --- the own cards, on this screen only ---

  choose(card: Card): void {
    this.chosen = this.chosen.includes(card) ? this.chosen.filter((one) => one !== card) : [...this.chosen, card];
  }

  chooseNone(): void {
    this.chosen = [];
  }

  layAs(groups: Groups): void {
    this.#lay(groups);
    this.chosen = [];
  }

  bundleChosen(): void {
    this.layAs(bundle(this.groups, this.chosen));
  }

  move(card: Card, toGroup: number, at: number): void {
    this.#lay(moveCard(this.groups, card, toGroup, at));
  }

  step(card: Card, step: -1 | 1): void {
    this.#lay(stepCard(this.groups, card, step));
  }

  // --- questions before what can't be taken back ---

  askDrop(): void {
    if (this.turn !== null) this.confirm = { kind: "drop", turn: this.turn.number, card: null };
  }

  askDeclare(card: Card): void {
    if (this.turn !== null) this.confirm = { kind: "declare", turn: this.turn.number, card };
  }

  askLeave(): void {
    this.confirm = { kind: "leave", turn: this.turn?.number ?? 0, card: null };
  }

  // --- commands ---

  async sit(seat: number | null): Promise<boolean> {
    return this.#ask({ type: "sit", table_id: this.id, seat });
  }

  async leave(afterHand: boolean): Promise<boolean> {
    this.confirm = null;
    return this.#ask({ type: "leave_table", table_id: this.id, after_hand: afterHand });
  }

  async sitOut(on: boolean): Promise<boolean> {
    return this.#ask({ type: "sit_out", table_id: this.id, on });
  }

  /** Answer the offer to come back into a pool match. */
  async rejoin(matchId: string, accept: boolean): Promise<boolean> {
    return this.#ask({ type: "rejoin", table_id: this.id, match_id: matchId, accept });
  }

  async ready(): Promise<boolean> {
    return this.#ask({ type: "ready", table_id: this.id });
  }

  async dropNext(on: boolean): Promise<boolean> {
    const hand = this.hand;
    return hand !== null && this.#ask({ type: "drop_next", table_id: this.id, hand_id: hand.hand_id, on });
  }

  async draw(source: "stock" | "pile"): Promise<boolean> {
    return this.#askInTurn((turn) => ({ type: "draw", source, ...turn }));
  }

  async discard(card: Card): Promise<boolean> {
    return this.#askInTurn((turn) => ({ type: "discard", card, ...turn }));
  }

  async declare(card: Card): Promise<boolean> {
    this.confirm = null;
    const groups = this.groups.map((group) => group.filter((one) => one !== card)).filter((group) => group.length > 0);
    return this.#askInTurn((turn) => ({ type: "declare", finish_card: card, groups, ...turn }));
  }

  async drop(): Promise<boolean> {
    this.confirm = null;
    return this.#askInTurn((turn) => ({ type: "drop", ...turn }));
  }

  /** What the house's solver says of the own cards; null when it refused. */
  async arrange(): Promise<Advice | null> {
    const hand = this.hand;
    if (hand === null) return null;
    const answer = await this.#send({ type: "arrange", table_id: this.id, hand_id: hand.hand_id });
    return answer?.type === "ack" ? (answer.result as unknown as Advice) : null;
  }

  /** Make this page the one that acts for the seat, and get the newest state. */
  watch(): void {
    const at = this.message;
    const resume = at === null ? null : { epoch: at.epoch, seq: at.seq };
    this.#watchId = this.#sender.say({ type: "watch_table", table_id: this.id, resume });
  }

  /** The house may say no to watching: there is no such table for this person, or nobody may look on. */
  refuseWatching(error: ServerError): void {
    if (error.id === null || error.id !== this.#watchId) return;
    if (error.code === "spectators_forbidden") this.gone = "forbidden";
    else if (error.code === "unknown_table" || error.code === "table_closed") this.gone = "unknown_table";
  }

  unwatch(): void {
    this.#sender.say({ type: "unwatch_table", table_id: this.id });
  }

  async #askInTurn(wish: (turn: { table_id: string; hand_id: string; turn: number }) => Wish): Promise<boolean> {
    const { hand, turn } = this;
    if (hand === null || turn === null || this.busy) return false;
    return this.#ask(wish({ table_id: this.id, hand_id: hand.hand_id, turn: turn.number }));
  }

  async #ask(wish: Wish): Promise<boolean> {
    return (await this.#send(wish))?.type === "ack";
  }

  async #send(wish: Wish): Promise<Answer | null> {
    this.refusal = null;
    this.sending = [...this.sending, wish];
    try {
      const answer = await this.#sender.ask(wish);
      if (answer.type === "error") this.refusal = { code: answer.code, message: answer.message };
      return answer;
    } catch {
      this.refusal = { code: "too_many_waiting", message: "" };
      return null;
    } finally {
      this.sending = this.sending.filter((one) => one !== wish);
    }
  }
}

