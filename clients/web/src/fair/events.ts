/** What a transcript records: fourteen types of public events, each with its bytes and its JSON. FAIRNESS_SPEC section 8. */

import { CARDS_PER_HAND, type Card } from "../rummy/cards";
import { HOW_OUT, OUTCOMES, VOID_REASONS, type HandEvent, type Outcome, type PointsLine } from "../rummy/events";
import { isRosterForm } from "./contributions";
import { fromHex, i64, join, u16, u64, u8, type Bytes } from "./encoding";
import { Fields, JSON_INTEGER_LIMIT, readIntegers } from "./json_form";

/** delta: token units, losers negative, the winner positive after commission. */
export interface SettleLine extends PointsLine {
  readonly delta: number;
}

/** What happened, as the hand knows it; beside that the roster, the money and the seed. Bytes as hex. */
export type Fact =
  | Exclude<HandEvent, { type: "settle" }>
  | { readonly type: "roster"; readonly roster: string }
  | {
      readonly type: "settle";
      readonly outcome: Outcome;
      readonly winner: number | null;
      readonly lines: readonly SettleLine[];
      readonly commission: number;
    }
  | { readonly type: "reveal"; readonly server_seed: string };

export type FactType = Fact["type"];

/** at_ms: Unix milliseconds. */
export interface TranscriptEvent {
  readonly at_ms: number;
  readonly fact: Fact;
}

export const HOUSE_SEAT = 255;
export const MAX_SEAT = 7;
export const MAX_CARD = 158;
const MAX_GROUPS = 13;

const TYPE_CODE: Readonly<Record<FactType, number>> = {
  roster: 1,
  dealt: 2,
  wild: 3,
  open: 4,
  draw_stock: 5,
  draw_pile: 6,
  discard: 7,
  out: 8,
  declare: 9,
  reshuffle: 10,
  show: 11,
  settle: 12,
  reveal: 13,
  void: 14,
};
const FACT_TYPES = Object.keys(TYPE_CODE) as FactType[];

export function encodeEvent({ at_ms, fact }: TranscriptEvent): Bytes {
  return join(u8(TYPE_CODE[fact.type]), u64(at_ms), u8(seatOf(fact)), encodeBody(fact));
}

/** The seat in an event's header; 255 for the house. */
function seatOf(fact: Fact): number {
  return "seat" in fact ? fact.seat : HOUSE_SEAT;
}

function encodeBody(fact: Fact): Bytes {
  switch (fact.type) {
    case "roster":
      return fromHex(fact.roster);
    case "dealt":
      return u8(CARDS_PER_HAND);
    case "wild":
    case "open":
      return u16(fact.card);
    case "draw_stock":
      return u8(Number(fact.auto));
    case "draw_pile":
    case "discard":
      return join(u8(Number(fact.auto)), u16(fact.card));
    case "out":
      return join(u8(HOW_OUT.indexOf(fact.how) + 1), u16(fact.points));
    case "declare":
      return join(
        u8(Number(fact.valid)),
        u16(fact.finish_card),
        u8(fact.groups.length),
        ...fact.groups.map(encodeCards),
      );
    case "reshuffle":
      return join(u8(fact.r), u16(fact.stock_count));
    case "show":
      return join(u16(fact.points), encodeCards(fact.cards));
    case "settle":
      return join(
        u8(outcomeCode(fact.outcome)),
        u8(fact.winner ?? HOUSE_SEAT),
        u8(fact.lines.length),
        ...fact.lines.map((line) => join(u8(line.seat), u16(line.points), i64(line.delta))),
        u64(fact.commission),
      );
    case "reveal":
      return fromHex(fact.server_seed);
    case "void":
      return u8(voidReasonCode(fact.reason));
  }
}

export function encodeCards(cards: readonly Card[]): Bytes {
  return join(u8(cards.length), ...cards.map(u16));
}

export function outcomeCode(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome) + 1;
}

/** 1 .. 4; the close leaf writes 0 where there was no void. */
export function voidReasonCode(reason: (typeof VOID_REASONS)[number]): number {
  return VOID_REASONS.indexOf(reason) + 1;
}

/** Reads one event of a file. Throws Malformed. */
export function readEvent(fields: Fields): TranscriptEvent {
  const type = fields.oneOf("type", FACT_TYPES);
  const at_ms = fields.u64("at_ms");
  const fact = readFact(fields, type);
  const seat = fields.integer("seat", 0, HOUSE_SEAT);
  if (seat !== seatOf(fact)) throw fields.wrong("seat", `is ${seat}: a ${type} event belongs to the house, 255`);
  fields.nothingElse();
  return { at_ms, fact };
}

function readFact(fields: Fields, type: FactType): Fact {
  switch (type) {
    case "roster":
      return readRoster(fields);
    case "dealt":
      return { type };
    case "wild":
    case "open":
      return { type, card: cardIn(fields, "card") };
    case "draw_stock":
      return { type, seat: seatIn(fields), auto: fields.flag("auto") };
    case "draw_pile":
    case "discard":
      return { type, seat: seatIn(fields), auto: fields.flag("auto"), card: cardIn(fields, "card") };
    case "out":
      return { type, seat: seatIn(fields), how: fields.oneOf("how", HOW_OUT), points: pointsIn(fields) };
    case "declare":
      return {
        type,
        seat: seatIn(fields),
        valid: fields.flag("valid"),
        finish_card: cardIn(fields, "finish_card"),
        groups: fields.each("groups", MAX_GROUPS, (item, path) =>
          readIntegers(item, path, CARDS_PER_HAND, 0, MAX_CARD),
        ),
      };
    case "reshuffle":
      return { type, r: fields.integer("r", 1, 255), stock_count: fields.integer("stock_count", 1, MAX_CARD) };
    case "show":
      return {
        type,
        seat: seatIn(fields),
        points: pointsIn(fields),
        cards: fields.integers("cards", CARDS_PER_HAND, 0, MAX_CARD),
      };
    case "settle":
      return readSettle(fields);
    case "reveal":
      return { type, server_seed: fields.hex("server_seed", 32) };
    case "void":
      return { type, reason: fields.oneOf("reason", VOID_REASONS) };
  }
}

function readRoster(fields: Fields): Fact {
  const roster = fields.hex("roster");
  if (!isRosterForm(fromHex(roster))) throw fields.wrong("roster", "is no roster");
  return { type: "roster", roster };
}

function readSettle(fields: Fields): Fact {
  const winner = fields.integer("winner", 0, HOUSE_SEAT);
  if (winner > MAX_SEAT && winner < HOUSE_SEAT) {
    throw fields.wrong("winner", `is ${winner}: allowed are a seat, or 255 for nobody`);
  }
  return {
    type: "settle",
    outcome: fields.oneOf("outcome", OUTCOMES),
    winner: winner === HOUSE_SEAT ? null : winner,
    lines: fields.objects("lines", MAX_SEAT + 1, readLine),
    commission: fields.u64("commission"),
  };
}

function readLine(fields: Fields): SettleLine {
  const line = {
    seat: seatIn(fields),
    points: pointsIn(fields),
    delta: fields.integer("delta", 1 - JSON_INTEGER_LIMIT, JSON_INTEGER_LIMIT - 1),
  };
  fields.nothingElse();
  return line;
}

function seatIn(fields: Fields): number {
  return fields.integer("seat", 0, MAX_SEAT);
}

function cardIn(fields: Fields, name: string): Card {
  return fields.integer(name, 0, MAX_CARD);
}

function pointsIn(fields: Fields): number {
  return fields.integer("points", 0, 65_535);
}

/** The event as the hand itself knows it: a settlement without its money; null for what is not the hand's. */
export function asHandEvent(fact: Fact): HandEvent | null {
  switch (fact.type) {
    case "roster":
    case "reveal":
      return null;
    case "settle":
      return {
        type: "settle",
        outcome: fact.outcome,
        winner: fact.winner,
        lines: fact.lines.map(({ seat, points }) => ({ seat, points })),
      };
    default:
      return fact;
  }
}
