/** What a verification says, as codes and values: the words for people are the page's. */

import type { Refusal } from "../rummy/hand";

/** The steps of FAIRNESS_SPEC section 11, in the order in which they are taken. */
export const STEP_IDS = ["V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12"] as const;
export type StepId = (typeof STEP_IDS)[number];

/** What stands signed in a hand file. */
export type SignedKind = "commit" | "hashes" | "tree_head" | "contribution" | "reveal" | "state";

/** What was wrong. k: index of an event in the file. seat: as in the file, from 0. Cards and bytes are in the facts. */
export type Problem =
  | { readonly code: "malformed"; readonly words: string }
  | { readonly code: "terms_differ" }
  | { readonly code: "commitment_differs" }
  | { readonly code: "other_seed_revealed"; readonly k: number }
  | { readonly code: "text_not_allowed"; readonly seat: number }
  | { readonly code: "contribution_differs"; readonly seat: number }
  | { readonly code: "roster_not_first" }
  | { readonly code: "roster_differs" }
  | { readonly code: "hashes_missing" }
  | { readonly code: "hashes_differ" }
  | { readonly code: "wild_differs" }
  | { readonly code: "opener_differs" }
  | { readonly code: "rule_missing"; readonly rule: string }
  | { readonly code: "rule_unknown"; readonly rule: string; readonly value: string }
  | { readonly code: "frame_broken"; readonly k: number }
  | { readonly code: "time_runs_back"; readonly k: number }
  | { readonly code: "not_a_void"; readonly k: number }
  | { readonly code: "move_refused"; readonly k: number; readonly refusal: Refusal }
  | { readonly code: "move_of_nobody"; readonly k: number }
  | { readonly code: "event_missing"; readonly k: number }
  | { readonly code: "event_differs"; readonly k: number }
  | { readonly code: "reshuffle_differs"; readonly k: number }
  | { readonly code: "declare_differs"; readonly k: number }
  | { readonly code: "show_differs"; readonly k: number }
  | { readonly code: "drop_differs"; readonly k: number }
  | { readonly code: "result_differs"; readonly k: number }
  | { readonly code: "tokens_differ"; readonly seat: number }
  | { readonly code: "commission_differs" }
  | { readonly code: "heads_missing" }
  | { readonly code: "head_differs"; readonly k: number }
  | { readonly code: "showings_differ"; readonly seat: number }
  | { readonly code: "seat_chain_differs"; readonly seat: number }
  | { readonly code: "receipt_of_other_contribution"; readonly seat: number }
  | { readonly code: "revealed_but_withheld"; readonly seat: number }
  | { readonly code: "receipt_of_missing_event"; readonly seat: number; readonly k: number }
  | { readonly code: "receipt_of_other_history"; readonly seat: number; readonly k: number }
  | { readonly code: "key_days_not_signed"; readonly key: string }
  | { readonly code: "key_not_published"; readonly key: string }
  | { readonly code: "not_signed"; readonly what: SignedKind }
  | { readonly code: "key_not_valid_then"; readonly what: SignedKind }
  | { readonly code: "open_leaf_missing" }
  | { readonly code: "tree_heads_disagree" }
  | { readonly code: "close_leaf_missing" };

export type FactName =
  | "terms_hash"
  | "commitment"
  | "roster"
  | "contribution"
  | "hashes"
  | "hand_key"
  | "wild"
  | "opener"
  | "event"
  | "reshuffle_count"
  | "points"
  | "tokens"
  | "commission"
  | "head"
  | "seat_head"
  | "commit"
  | "tree_head"
  | "reveal"
  | "state"
  | "open_leaf"
  | "consistency"
  | "close_leaf";

/** One thing that was looked at: what the house promised or wrote down, and what came out when it was done again. */
export interface Fact {
  readonly name: FactName;
  readonly seat?: number;
  readonly promised: string;
  readonly found: string;
  readonly matches: boolean;
}

export interface Step {
  readonly id: StepId;
  /** not_reached: an earlier step failed. */
  readonly status: "ok" | "failed" | "not_reached";
  readonly facts: readonly Fact[];
  readonly problem: Problem | null;
}

/** Thrown by a check, caught by the one who runs the steps. */
export class Mismatch extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** Collects the facts of one step; the first that does not match ends it. */
export class Findings {
  readonly facts: Fact[] = [];

  /** Notes that `promised` must be `found`; throws Mismatch with the problem when it is not. */
  compare(name: FactName, promised: string | number, found: string | number, problem: Problem, seat?: number): void {
    const matches = promised === found;
    this.note(name, String(promised), String(found), matches, seat);
    if (!matches) throw new Mismatch(problem);
  }

  note(name: FactName, promised: string, found: string, matches: boolean, seat?: number): void {
    this.facts.push({ name, promised, found, matches, ...(seat === undefined ? {} : { seat }) });
  }
}
