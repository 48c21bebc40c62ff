/** V6 to V9: the hand played again from its deck, and its tokens counted again. */

import { cardName } from "../rummy/cards";
import type { HandEvent } from "../rummy/events";
import type { HandSetup } from "../rummy/hand";
import { replay, type Replay, type Unlawful } from "../rummy/replay";
import { matchRuleProblem } from "../rummy/match_rules";
import { readRules, type UnknownRule } from "../rummy/rules";
import { dealOrder, deckOrder, reshuffledStock } from "./deck";
import type { Bytes } from "./encoding";
import { asHandEvent, type Fact, type TranscriptEvent } from "./events";
import { Mismatch, type Findings, type Problem, type StepId } from "./findings";
import type { HandFile } from "./hand_file";
import type { Terms } from "./terms";

type Settle = Fact & { type: "settle" };

/** The replay and what it found unlawful, told by the step that it belongs to. */
export interface PlayedAgain {
  /** Null when no cards were dealt. */
  readonly replay: Replay | null;
  readonly problem: { readonly step: StepId; readonly problem: Problem; readonly unlawful?: Unlawful } | null;
}

/** Index in the file of the first event that the hand itself knows: the roster is before it. */
export const FIRST_HAND_EVENT = 1;

export function isDealt(events: readonly TranscriptEvent[]): boolean {
  return events.some((event) => event.fact.type === "dealt");
}

/** Plays the hand again. Never throws: what is wrong is in the answer. */
export function playAgain(file: HandFile, hk: Bytes): PlayedAgain {
  const { terms, events } = file;
  const rules = readRules(terms.rules, terms.seats);
  if ("name" in rules) return brokenRule(rules);
  const seats = terms.players.map((player) => player.seat);
  const inMatch = matchRuleProblem(terms.rules, terms.rate, seats);
  if (inMatch !== null) return brokenRule(inMatch);
  const frame = frameProblem(events);
  if (!isDealt(events)) {
    const problem = frame ?? undealtProblem(events);
    return problem === null ? { replay: null, problem: null } : broken(problem);
  }
  const setup: HandSetup = {
    rules,
    seatCount: terms.seats,
    dealOrder: dealOrder(seats, terms.dealer),
    deck: deckOrder(hk, terms.decks),
    reshuffle: (number, pile) => reshuffledStock(hk, number, pile),
  };
  const played = replay(setup, handEvents(events));
  if (frame !== null) return { replay: played, problem: { step: "V6", problem: frame } };
  if (played.unlawful === null) return { replay: played, problem: null };
  const k = FIRST_HAND_EVENT + played.states.length;
  return { replay: played, problem: { ...placed(played.unlawful, k), unlawful: played.unlawful } };
}

function brokenRule({ name, value }: UnknownRule): PlayedAgain {
  return broken(value === null ? { code: "rule_missing", rule: name } : { code: "rule_unknown", rule: name, value });
}

function broken(problem: Problem): PlayedAgain {
  return { replay: null, problem: { step: "V6", problem } };
}

function handEvents(events: readonly TranscriptEvent[]): HandEvent[] {
  return events.map((event) => asHandEvent(event.fact)).filter((event) => event !== null);
}

/** The roster first, a settlement and the reveal last, each of them once; time that never runs back. */
function frameProblem(events: readonly TranscriptEvent[]): Problem | null {
  const last = events.length - 1;
  const wanted = (k: number): string | null =>
    k === 0 ? "roster" : k === last ? "reveal" : k === last - 1 ? "settle" : null;
  for (const [k, { fact, at_ms }] of events.entries()) {
    const special = ["roster", "settle", "reveal"].includes(fact.type) ? fact.type : null;
    if (special !== wanted(k)) return { code: "frame_broken", k };
    if (k > 0 && at_ms < (events[k - 1] as TranscriptEvent).at_ms) return { code: "time_runs_back", k };
  }
  return events.length < 3 ? { code: "frame_broken", k: events.length } : null;
}

/** A hand without a deal has one event between roster and settlement: its void. */
function undealtProblem(events: readonly TranscriptEvent[]): Problem | null {
  const fact = events[FIRST_HAND_EVENT]?.fact;
  const isVoid = fact?.type === "void" && fact.reason !== "stock_exhausted" && events.length === 4;
  return isVoid ? null : { code: "not_a_void", k: FIRST_HAND_EVENT };
}

/** Which step an unlawful event belongs to, and how it is named there. */
function placed(unlawful: Unlawful, k: number): { step: StepId; problem: Problem } {
  const involved = [
    "found" in unlawful ? unlawful.found.type : null,
    "expected" in unlawful ? unlawful.expected.type : null,
  ];
  if (involved.includes("reshuffle")) return { step: "V7", problem: { code: "reshuffle_differs", k } };
  if (involved.includes("show")) return { step: "V8", problem: { code: "show_differs", k } };
  switch (unlawful.kind) {
    case "refused":
      return { step: "V6", problem: { code: "move_refused", k, refusal: unlawful.refusal } };
    case "no_action":
      return { step: "V6", problem: { code: "move_of_nobody", k } };
    case "missing":
      return { step: "V6", problem: { code: "event_missing", k } };
    case "other":
      return placedDifference(unlawful.found, unlawful.expected, k);
  }
}

function placedDifference(found: HandEvent, expected: HandEvent, k: number): { step: StepId; problem: Problem } {
  const both = found.type === expected.type ? found.type : null;
  if (both === "declare") return { step: "V8", problem: { code: "declare_differs", k } };
  if (both === "out") return { step: "V8", problem: { code: "drop_differs", k } };
  if (both === "settle") return { step: "V9", problem: { code: "result_differs", k } };
  return { step: "V6", problem: { code: "event_differs", k } };
}

/** Throws the problem of the play when it belongs to this step, with the two events side by side. */
export function raiseAt(step: StepId, played: PlayedAgain, findings: Findings): void {
  if (played.problem?.step !== step) return;
  const { unlawful, problem } = played.problem;
  if (unlawful !== undefined) {
    const promised = "found" in unlawful ? eventText(unlawful.found) : "";
    const found = "expected" in unlawful ? eventText(unlawful.expected) : "";
    findings.note("event", promised, found, false);
  }
  throw new Mismatch(problem);
}

/** An event's fields in one line, cards by name: detail for whoever opens it. */
function eventText(event: HandEvent): string {
  const { type, ...rest } = event;
  const words = Object.entries(rest).map(([name, value]) => `${name} ${valueText(name, value)}`);
  return [type, ...words].join(", ");
}

function valueText(name: string, value: unknown): string {
  if (name === "card" || name === "finish_card") return cardName(value as number);
  if (name === "cards") return (value as number[]).map(cardName).join(" ");
  if (name === "groups") return (value as number[][]).map((group) => group.map(cardName).join(" ")).join(" | ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** V8: every point that a show, a drop or a wrong declare wrote down is the one that came out. */
export function checkPoints(file: HandFile, played: PlayedAgain, findings: Findings): void {
  raiseAt("V8", played, findings);
  for (const { fact } of file.events) {
    if (fact.type !== "show" && fact.type !== "out") continue;
    findings.note("points", String(fact.points), String(fact.points), true, fact.seat);
  }
}

/** V9: deltas are points x rate, the winner's less the commission, and everything sums to zero. */
export function checkSettlement(file: HandFile, played: PlayedAgain, findings: Findings): void {
  raiseAt("V9", played, findings);
  const k = file.events.length - 2;
  const settle = file.events[k]?.fact as Settle;
  const everybody = file.terms.players.map((player) => player.seat).join();
  if (settle.lines.map((line) => line.seat).join() !== everybody) throw new Mismatch({ code: "result_differs", k });
  if (played.replay === null && !isNobodys(settle)) throw new Mismatch({ code: "result_differs", k });
  const expected = settlementOf(settle, file.terms);
  for (const line of settle.lines) {
    const delta = expected.deltas.get(line.seat) as bigint;
    findings.compare(
      "tokens",
      String(line.delta),
      String(delta),
      { code: "tokens_differ", seat: line.seat },
      line.seat,
    );
  }
  findings.compare("commission", String(settle.commission), String(expected.commission), {
    code: "commission_differs",
  });
}

/** Whether a settlement is that of a void hand, for which nobody pays. */
function isNobodys({ outcome, winner, lines }: Settle): boolean {
  return outcome === "void" && winner === null && lines.every((line) => line.points === 0);
}

/** Whole token units throughout; a rate may be larger than what plain numbers multiply exactly. */
function settlementOf(settle: Settle, terms: Terms): { deltas: Map<number, bigint>; commission: bigint } {
  const rate = BigInt(terms.rate);
  const deltas = new Map(settle.lines.map((line) => [line.seat, -BigInt(line.points) * rate]));
  if (settle.winner === null) return { deltas, commission: 0n };
  const win = [...deltas.values()].reduce((sum, delta) => sum - delta, 0n);
  const commission = (win * BigInt(terms.commission_bp)) / 10_000n;
  deltas.set(settle.winner, win - commission);
  return { deltas, commission };
}
