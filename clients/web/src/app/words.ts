/** Cards, groups, players and refusals in the person's language. */

import type { Error as ServerError, Player, SeatView, TableSummary } from "../generated/protocol";
import * as m from "../paraglide/messages";
import { PRINTED_JOKER, RANK_NAMES, faceOf, rankOf, suitOf, type Card } from "../rummy/cards";
import type { GroupKind } from "../rummy/groups";
import { count, tokens } from "./numbers";
import type { LogLine } from "./table/table_log";
import type { Refusal, TableStore } from "./table/table_store.svelte";

const SUIT_SIGNS = ["♣", "♦", "♥", "♠"] as const;
const SUIT_WORDS = [m.suit_clubs, m.suit_diamonds, m.suit_hearts, m.suit_spades] as const;
const FACE_WORDS: Readonly<Record<number, () => string>> = {
  1: m.rank_ace,
  11: m.rank_jack,
  12: m.rank_queen,
  13: m.rank_king,
};

/** `7♥`: as it stands on the card, in every language. */
export function cardSign(card: Card): string {
  const face = faceOf(card);
  if (face === PRINTED_JOKER) return m.card_joker_short();
  return `${RANK_NAMES[rankOf(face) - 1]}${SUIT_SIGNS[suitOf(face)]}`;
}

/** `seven of hearts` for a screen reader. */
export function cardWords(card: Card, wild = false): string {
  const face = faceOf(card);
  if (face === PRINTED_JOKER) return m.card_joker();
  const rank = FACE_WORDS[rankOf(face)]?.() ?? count(rankOf(face));
  const words = m.card_of({ rank, suit: SUIT_WORDS[suitOf(face)]?.() ?? "" });
  return wild ? m.card_wild({ card: words }) : words;
}

export function kindWords(kind: GroupKind | null): string {
  switch (kind) {
    case "pure":
      return m.kind_pure();
    case "impure":
      return m.kind_impure();
    case "set":
      return m.kind_set();
    case null:
      return m.kind_none();
  }
}

export function pointsWords(points: number): string {
  return m.points({ count: points, n: count(points) });
}

export function secondsWords(value: number): string {
  return m.seconds({ count: value, n: count(value) });
}

export function minutesWords(value: number): string {
  return m.minutes({ count: value, n: count(value) });
}

/** The house writes "(bot)" behind the names of bots; on the screen they wear it apart. */
export function playerName(player: Player): string {
  return player.bot ? withoutMark(player.name) : player.name;
}

/** A name as hands of the past have it. */
export function withoutMark(name: string): string {
  return name.replace(/ \(bot\)$/, "");
}

export function seatName(table: TableStore, seat: number | null): string {
  if (seat !== null && seat === table.you?.seat) return m.you();
  const player = table.seat(seat)?.player ?? null;
  return player === null ? m.seat_label({ n: count((seat ?? 0) + 1) }) : playerName(player);
}

export function outWords(out: NonNullable<SeatView["out"]>): string {
  switch (out) {
    case "first_drop":
      return m.out_first_drop();
    case "middle_drop":
      return m.out_middle_drop();
    case "left":
      return m.out_left();
    case "missed_turns":
      return m.out_missed_turns();
    case "wrong_declare":
      return m.out_wrong_declare();
  }
}

export function wildRuleWords(rule: TableSummary["rules"]["take_wild_from_pile"]): string {
  switch (rule) {
    case "allowed":
      return m.rule_wild_allowed();
    case "first_turn_only":
      return m.rule_wild_first_turn_only();
    case "never":
      return m.rule_wild_never();
  }
}

export function chatRuleWords(rule: TableSummary["chat"]): string {
  switch (rule) {
    case "free":
      return m.rule_chat_free();
    case "phrases":
      return m.rule_chat_phrases();
    case "off":
      return m.rule_chat_off();
  }
}

export function formatKindWords(kind: "points" | "pool" | "deals"): string {
  switch (kind) {
    case "points":
      return m.format_points();
    case "pool":
      return m.format_pool();
    case "deals":
      return m.format_deals();
  }
}

/** `Pool 101`, `3 deals`: what a table plays. */
export function formatWords(rules: TableSummary["rules"]): string {
  const match = rules.match;
  if (match === null) return m.format_points();
  return match.kind === "pool"
    ? m.format_pool_of({ n: count(match.limit ?? 0) })
    : m.format_deals_of({ n: count(match.deals ?? 0) });
}

/** What a table is played for: the rate of a point, or the buy-in of a match. */
export function priceWords(table: TableSummary): string {
  return table.rules.match === null
    ? m.per_point({ amount: tokens(table.rate), asset: table.asset })
    : m.price_buy_in({ amount: tokens(table.buy_in), asset: table.asset });
}

export function voidWords(reason: string): string {
  switch (reason) {
    case "stock_exhausted":
      return m.void_stock_exhausted();
    case "not_enough_players":
      return m.void_not_enough_players();
    case "operator":
      return m.void_operator();
    default:
      return m.void_server_failure();
  }
}

export function logWords(table: TableStore, line: LogLine): string {
  switch (line.kind) {
    case "draw_stock":
      return byClock(line.auto, m.log_draw_stock({ name: seatName(table, line.seat) }));
    case "draw_pile":
      return byClock(line.auto, m.log_draw_pile({ name: seatName(table, line.seat), card: cardSign(line.card) }));
    case "discard":
      return byClock(line.auto, m.log_discard({ name: seatName(table, line.seat), card: cardSign(line.card) }));
    case "out": {
      const how = outWords(line.how as NonNullable<SeatView["out"]>);
      const points = pointsWords(line.points);
      if (line.seat === table.you?.seat) return m.log_out_you({ how, points });
      return m.log_out({ name: seatName(table, line.seat), how, points });
    }
    case "declare": {
      const name = seatName(table, line.seat);
      return line.valid ? m.log_declare_good({ name }) : m.log_declare_bad({ name });
    }
    case "reshuffle":
      return m.log_reshuffle();
    case "void":
      return m.log_void({ reason: voidWords(line.reason) });
  }
}

function byClock(auto: boolean, line: string): string {
  return auto ? m.log_by_clock({ line }) : line;
}

const REFUSALS: Partial<Record<ServerError["code"], () => string>> = {
  table_full: m.error_table_full,
  seat_taken: m.error_seat_taken,
  already_seated: m.error_already_seated,
  not_enough_tokens: m.error_not_enough_tokens,
  no_hand: m.error_stale,
  stale_hand: m.error_stale,
  stale_turn: m.error_stale,
  hand_over: m.error_stale,
  not_your_turn: m.error_not_your_turn,
  wild_not_takeable: m.error_wild_not_takeable,
  taken_card_not_returnable: m.error_taken_card_not_returnable,
  drop_too_late: m.error_drop_too_late,
  draw_first: m.error_draw_first,
  already_drawn: m.error_already_drawn,
  busy: m.error_busy,
  too_many: m.error_too_many,
  acting_elsewhere: m.acting_elsewhere,
  unknown_table: m.error_unknown_table,
  table_closed: m.phase_closed,
  stale_match: m.error_stale_match,
  no_offer: m.error_no_offer,
  no_table_fits: m.error_no_table_fits,
  too_many_tables: m.error_too_many_tables,
  wait_before_sitting: m.error_wait_before_sitting,
  spectators_forbidden: m.gone_forbidden,
  waiting_list_full: m.error_waiting_list_full,
  invite_unknown: m.invite_unknown,
  joining_closed: m.error_joining_closed,
  not_host: m.error_not_host,
  chat_off: m.error_chat_off,
  chat_silenced: m.error_chat_silenced,
  nothing_to_say: m.error_nothing_to_say,
};

export function refusalWords(refusal: Refusal): string {
  if (refusal.code === "too_many_waiting") return m.error_too_many();
  return REFUSALS[refusal.code]?.() ?? m.error_other({ message: refusal.message });
}
