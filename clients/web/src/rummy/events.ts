/**
 * What happened in a hand: a closed union of public facts, with the names of the fairness transcript.
 * No event names a card that the table may not see: what a draw from the stock gave follows from the deck.
 */

import type { Card } from "./cards";

export const HOW_OUT = ["first_drop", "middle_drop", "left", "missed_turns"] as const;
export const OUTCOMES = ["declared", "last_in", "void"] as const;
export const VOID_REASONS = ["stock_exhausted", "not_enough_players", "operator", "server_failure"] as const;

export type HowOut = (typeof HOW_OUT)[number];
export type Outcome = (typeof OUTCOMES)[number];
export type VoidReason = (typeof VOID_REASONS)[number];

/** What a player counts at the end. */
export interface PointsLine {
  readonly seat: number;
  readonly points: number;
}

export type HandEvent =
  | { readonly type: "dealt" }
  | { readonly type: "wild"; readonly card: Card }
  | { readonly type: "open"; readonly card: Card }
  | { readonly type: "draw_stock"; readonly seat: number; readonly auto: boolean }
  | { readonly type: "draw_pile"; readonly seat: number; readonly auto: boolean; readonly card: Card }
  | { readonly type: "discard"; readonly seat: number; readonly auto: boolean; readonly card: Card }
  | { readonly type: "out"; readonly seat: number; readonly how: HowOut; readonly points: number }
  | {
      readonly type: "declare";
      readonly seat: number;
      readonly valid: boolean;
      readonly finish_card: Card;
      readonly groups: readonly (readonly Card[])[];
    }
  | { readonly type: "reshuffle"; readonly r: number; readonly stock_count: number }
  | { readonly type: "show"; readonly seat: number; readonly points: number; readonly cards: readonly Card[] }
  | { readonly type: "void"; readonly reason: VoidReason }
  | {
      readonly type: "settle";
      readonly outcome: Outcome;
      readonly winner: number | null;
      readonly lines: readonly PointsLine[];
    };
