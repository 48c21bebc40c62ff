/** The twelve checks in the person's words: titles, what each is about, what came out, what was wrong. */

import * as m from "../paraglide/messages";
import { count, tokens } from "../app/numbers";
import { cardSign } from "../app/words";
import type { Fact, FactName, Problem, SignedKind, Step, StepId } from "../fair/findings";
import type { HandFile } from "../fair/hand_file";
import { FIRST_HAND_EVENT } from "../fair/play_checks";
import type { Refusal } from "../rummy/hand";
import type { Verification } from "../fair/verify";

/** Seats count from 1 for people. */
export function seatWords(seat: number): string {
  return m.seat_label({ n: count(seat + 1) });
}

export const STEP_TITLES: Readonly<Record<StepId, () => string>> = {
  V1: m.verify_v1_title,
  V2: m.verify_v2_title,
  V3: m.verify_v3_title,
  V4: m.verify_v4_title,
  V5: m.verify_v5_title,
  V6: m.verify_v6_title,
  V7: m.verify_v7_title,
  V8: m.verify_v8_title,
  V9: m.verify_v9_title,
  V10: m.verify_v10_title,
  V11: m.verify_v11_title,
  V12: m.verify_v12_title,
};

/** What was promised, and why it matters. */
export const STEP_TEXTS: Readonly<Record<StepId, () => string>> = {
  V1: m.verify_v1_text,
  V2: m.verify_v2_text,
  V3: m.verify_v3_text,
  V4: m.verify_v4_text,
  V5: m.verify_v5_text,
  V6: m.verify_v6_text,
  V7: m.verify_v7_text,
  V8: m.verify_v8_text,
  V9: m.verify_v9_text,
  V10: m.verify_v10_text,
  V11: m.verify_v11_text,
  V12: m.verify_v12_text,
};

/** What happened, in one line. */
export function outcomeWords(step: Step, { file, replay }: Verification): string {
  if (step.problem !== null) return problemWords(step.problem);
  if (step.status !== "ok" || file === null) return m.verify_step_not_reached_text();
  if (step.id === "V6" && replay !== null && replay.unlawful !== null) {
    return m.verify_v6_partly({ k: count(FIRST_HAND_EVENT + replay.states.length - 1) });
  }
  return OUTCOMES[step.id](file, step);
}

const OUTCOMES: Readonly<Record<StepId, (file: HandFile, step: Step) => string>> = {
  V1: (file) => m.verify_v1_ok({ events: count(file.events.length), players: playersOf(file) }),
  V2: () => m.verify_v2_ok(),
  V3: () => m.verify_v3_ok(),
  V4: (file) => {
    const given = file.contributions.filter((one) => one.status === "given").length;
    return m.verify_v4_ok({ given: count(given), players: playersOf(file) });
  },
  V5: (file) => {
    const cards = file.events.map(({ fact }) => (fact.type === "wild" || fact.type === "open" ? fact.card : null));
    const [wild, opener] = cards.filter((card) => card !== null);
    if (wild === undefined || opener === undefined) return m.verify_v5_undealt();
    return m.verify_v5_ok({ wild: cardSign(wild), opener: cardSign(opener) });
  },
  V6: (file) => m.verify_v6_ok({ events: count(file.events.length) }),
  V7: (file) => {
    const reshuffles = file.events.filter(({ fact }) => fact.type === "reshuffle").length;
    return reshuffles === 0 ? m.verify_v7_none() : m.verify_v7_ok({ count: count(reshuffles) });
  },
  V8: () => m.verify_v8_ok(),
  V9: (file) => {
    const settle = file.events.at(-2)?.fact;
    return m.verify_v9_ok({ commission: tokens(settle?.type === "settle" ? settle.commission : 0) });
  },
  V10: (file) => m.verify_v10_ok({ events: count(file.heads.length), players: playersOf(file) }),
  V11: (_, step) => m.verify_v11_ok({ count: count(step.facts.length) }),
  V12: (file) =>
    m.verify_v12_ok({
      open: count(file.commitReceipt.leaf_index + 1),
      close: count(file.closeIndex + 1),
      size: count(file.treeHead.tree_size),
    }),
};

function playersOf(file: HandFile): string {
  return count(file.terms.players.length);
}

const FACTS: Readonly<Record<FactName, () => string>> = {
  terms_hash: m.verify_fact_terms_hash,
  commitment: m.verify_fact_commitment,
  roster: m.verify_fact_roster,
  contribution: m.verify_fact_contribution,
  hashes: m.verify_fact_hashes,
  hand_key: m.verify_fact_hand_key,
  wild: m.verify_fact_wild,
  opener: m.verify_fact_opener,
  event: m.verify_fact_event,
  reshuffle_count: m.verify_fact_reshuffle_count,
  points: m.verify_fact_points,
  tokens: m.verify_fact_tokens,
  commission: m.verify_fact_commission,
  head: m.verify_fact_head,
  seat_head: m.verify_fact_seat_head,
  commit: m.verify_fact_commit,
  tree_head: m.verify_fact_tree_head,
  reveal: m.verify_fact_reveal,
  state: m.verify_fact_state,
  open_leaf: m.verify_fact_open_leaf,
  consistency: m.verify_fact_consistency,
  close_leaf: m.verify_fact_close_leaf,
};

const SIGNED: Readonly<Record<SignedKind, () => string>> = {
  commit: m.verify_fact_commit,
  hashes: m.verify_fact_signed_hashes,
  tree_head: m.verify_fact_tree_head,
  contribution: m.verify_fact_signed_contribution,
  reveal: m.verify_fact_reveal,
  state: m.verify_fact_state,
};

/** What a fact is about. In the signatures' step the same names mean what was signed. */
export function factWords(fact: Fact, step: StepId): string {
  const words = step === "V11" ? SIGNED[fact.name as SignedKind]() : FACTS[fact.name]();
  return fact.seat === undefined ? words : `${seatWords(fact.seat)}: ${words}`;
}

export function problemWords(problem: Problem): string {
  switch (problem.code) {
    case "malformed":
      return m.verify_problem_malformed(problem);
    case "terms_differ":
      return m.verify_problem_terms_differ();
    case "commitment_differs":
      return m.verify_problem_commitment_differs();
    case "other_seed_revealed":
      return m.verify_problem_other_seed_revealed({ k: count(problem.k) });
    case "text_not_allowed":
      return m.verify_problem_text_not_allowed({ seat: seatWords(problem.seat) });
    case "contribution_differs":
      return m.verify_problem_contribution_differs({ seat: seatWords(problem.seat) });
    case "roster_not_first":
      return m.verify_problem_roster_not_first();
    case "roster_differs":
      return m.verify_problem_roster_differs();
    case "hashes_missing":
      return m.verify_problem_hashes_missing();
    case "hashes_differ":
      return m.verify_problem_hashes_differ();
    case "wild_differs":
      return m.verify_problem_wild_differs();
    case "opener_differs":
      return m.verify_problem_opener_differs();
    case "rule_missing":
      return m.verify_problem_rule_missing(problem);
    case "rule_unknown":
      return m.verify_problem_rule_unknown(problem);
    case "frame_broken":
      return m.verify_problem_frame_broken({ k: count(problem.k) });
    case "time_runs_back":
      return m.verify_problem_time_runs_back({ k: count(problem.k) });
    case "not_a_void":
      return m.verify_problem_not_a_void({ k: count(problem.k) });
    case "move_refused":
      return m.verify_problem_move_refused({ k: count(problem.k), refusal: REFUSALS[problem.refusal]() });
    case "move_of_nobody":
      return m.verify_problem_move_of_nobody({ k: count(problem.k) });
    case "event_missing":
      return m.verify_problem_event_missing({ k: count(problem.k) });
    case "event_differs":
      return m.verify_problem_event_differs({ k: count(problem.k) });
    case "reshuffle_differs":
      return m.verify_problem_reshuffle_differs({ k: count(problem.k) });
    case "declare_differs":
      return m.verify_problem_declare_differs({ k: count(problem.k) });
    case "show_differs":
      return m.verify_problem_show_differs({ k: count(problem.k) });
    case "drop_differs":
      return m.verify_problem_drop_differs({ k: count(problem.k) });
    case "result_differs":
      return m.verify_problem_result_differs({ k: count(problem.k) });
    case "tokens_differ":
      return m.verify_problem_tokens_differ({ seat: seatWords(problem.seat) });
    case "commission_differs":
      return m.verify_problem_commission_differs();
    case "heads_missing":
      return m.verify_problem_heads_missing();
    case "head_differs":
      return m.verify_problem_head_differs({ k: count(problem.k) });
    case "showings_differ":
      return m.verify_problem_showings_differ({ seat: seatWords(problem.seat) });
    case "seat_chain_differs":
      return m.verify_problem_seat_chain_differs({ seat: seatWords(problem.seat) });
    case "receipt_of_other_contribution":
      return m.verify_problem_receipt_of_other_contribution({ seat: seatWords(problem.seat) });
    case "revealed_but_withheld":
      return m.verify_problem_revealed_but_withheld({ seat: seatWords(problem.seat) });
    case "receipt_of_missing_event":
      return m.verify_problem_receipt_of_missing_event({ seat: seatWords(problem.seat), k: count(problem.k) });
    case "receipt_of_other_history":
      return m.verify_problem_receipt_of_other_history({ seat: seatWords(problem.seat), k: count(problem.k) });
    case "key_days_not_signed":
      return m.verify_problem_key_days_not_signed(problem);
    case "key_not_published":
      return m.verify_problem_key_not_published(problem);
    case "not_signed":
      return m.verify_problem_not_signed({ what: SIGNED[problem.what]() });
    case "key_not_valid_then":
      return m.verify_problem_key_not_valid_then({ what: SIGNED[problem.what]() });
    case "open_leaf_missing":
      return m.verify_problem_open_leaf_missing();
    case "tree_heads_disagree":
      return m.verify_problem_tree_heads_disagree();
    case "close_leaf_missing":
      return m.verify_problem_close_leaf_missing();
  }
}

const REFUSALS: Readonly<Record<Refusal, () => string>> = {
  hand_over: m.verify_refusal_hand_over,
  not_in_hand: m.verify_refusal_not_in_hand,
  out_of_hand: m.verify_refusal_out_of_hand,
  not_your_turn: m.verify_refusal_not_your_turn,
  draw_first: m.verify_refusal_draw_first,
  already_drawn: m.verify_refusal_already_drawn,
  drop_before_drawing: m.verify_refusal_drop_before_drawing,
  pile_empty: m.verify_refusal_pile_empty,
  wild_stays_on_pile: m.verify_refusal_wild_stays_on_pile,
  card_not_held: m.verify_refusal_card_not_held,
  taken_card_stays: m.verify_refusal_taken_card_stays,
  groups_are_not_the_cards: m.verify_refusal_groups_are_not_the_cards,
  void_reason_is_the_hands: m.verify_refusal_void_reason_is_the_hands,
};
