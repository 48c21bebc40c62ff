/**
 * Checks a hand file from the promise to the log: V1 to V12, in this order; the first that fails is named.
 *
 * It trusts nothing but hashes, signatures and the rules of the game. It never throws, whatever it is given.
 * Source: FAIRNESS_SPEC section 11; what each step covers is written out in docs/fairness.md.
 */

import { cardName } from "../rummy/cards";
import type { Replay } from "../rummy/replay";
import { commitment } from "./commitment";
import { contributionHash, encodeHashes, encodeRoster, readText, rosterHash, type Contribution } from "./contributions";
import { deal, deckOrder, handKey } from "./deck";
import { fromHex, toHex, type Bytes } from "./encoding";
import { Findings, Mismatch, STEP_IDS, type Problem, type Step, type StepId } from "./findings";
import { readHandFile, type HandFile } from "./hand_file";
import { Malformed } from "./json_form";
import type { KeyRing } from "./key_ring";
import { checkChains, checkLog, checkSignatures } from "./log_checks";
import { checkPoints, checkSettlement, isDealt, playAgain, raiseAt } from "./play_checks";
import { termsHash } from "./terms";

export interface Verification {
  readonly ok: boolean;
  /** All twelve, in order. */
  readonly steps: readonly Step[];
  /** The first step that failed. */
  readonly failed: Step | null;
  /** Null when the file could not be read. */
  readonly file: HandFile | null;
  /** The hand as far as it could be played again; null when nothing was dealt or read. */
  readonly replay: Replay | null;
}

/**
 * Verifies a parsed hand file.
 *
 * houseKeys: the keys that the house published, had from elsewhere than the file. With null the file's own are used:
 * they prove that one house signed everything, not which one.
 */
export function verifyHand(value: unknown, houseKeys: KeyRing | null): Verification {
  let file: HandFile;
  try {
    file = readHandFile(value);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return report([failed("V1", { code: "malformed", words: error.message }, [])], null, null);
  }
  const th = termsHash(file.terms);
  const seed = fromHex(file.serverSeed);
  const C = commitment(th, seed);
  const hk = handKey(seed, th, rosterHash(encodeRoster(file.contributions)));
  const played = playAgain(file, hk);
  const checks: readonly [StepId, (findings: Findings) => void][] = [
    ["V1", () => undefined],
    ["V2", (findings) => checkTerms(file, th, findings)],
    ["V3", (findings) => checkPromise(file, C, findings)],
    ["V4", (findings) => checkContributions(file, th, findings)],
    ["V5", (findings) => checkDeal(file, hk, findings)],
    ["V6", (findings) => raiseAt("V6", played, findings)],
    ["V7", (findings) => checkReshuffles(file, findings, () => raiseAt("V7", played, findings))],
    ["V8", (findings) => checkPoints(file, played, findings)],
    ["V9", (findings) => checkSettlement(file, played, findings)],
    ["V10", (findings) => checkChains(file, th, C, played.replay, findings)],
    ["V11", (findings) => checkSignatures(file, th, C, houseKeys, findings)],
    ["V12", (findings) => checkLog(file, th, C, findings)],
  ];
  return report(runInOrder(checks), file, played.replay);
}

/** The steps as far as they go: the first that fails is the last. */
function runInOrder(checks: readonly [StepId, (findings: Findings) => void][]): Step[] {
  const steps: Step[] = [];
  for (const [id, check] of checks) {
    const findings = new Findings();
    try {
      check(findings);
      steps.push({ id, status: "ok", facts: findings.facts, problem: null });
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      steps.push(failed(id, error.problem, findings.facts));
      break;
    }
  }
  return steps;
}

function failed(id: StepId, problem: Problem, facts: Step["facts"]): Step {
  return { id, status: "failed", facts, problem };
}

function report(taken: readonly Step[], file: HandFile | null, replay: Replay | null): Verification {
  const rest = STEP_IDS.slice(taken.length).map((id): Step => ({
    id,
    status: "not_reached",
    facts: [],
    problem: null,
  }));
  const first = taken.find((step) => step.status === "failed") ?? null;
  return { ok: first === null, steps: [...taken, ...rest], failed: first, file, replay };
}

function checkTerms(file: HandFile, th: Bytes, findings: Findings): void {
  findings.compare("terms_hash", file.claimedTermsHash, toHex(th), { code: "terms_differ" });
}

function checkPromise(file: HandFile, C: Bytes, findings: Findings): void {
  findings.compare("commitment", file.claimedCommitment, toHex(C), { code: "commitment_differs" });
  const other = file.events.findIndex(({ fact }) => fact.type === "reveal" && fact.server_seed !== file.serverSeed);
  if (other >= 0) throw new Mismatch({ code: "other_seed_revealed", k: other });
}

function checkContributions(file: HandFile, th: Bytes, findings: Findings): void {
  for (const one of file.contributions) checkContribution(one, th, findings);
  const roster = toHex(encodeRoster(file.contributions));
  const first = file.events[0]?.fact;
  if (first?.type !== "roster") throw new Mismatch({ code: "roster_not_first" });
  findings.compare("roster", first.roster, roster, { code: "roster_differs" });
  const hashes = toHex(encodeHashes(file.contributions));
  if (file.hashesReceipt !== null) {
    findings.compare("hashes", file.hashesReceipt.hashes, hashes, { code: "hashes_differ" });
  } else if (isDealt(file.events) || file.contributions.some((one) => one.status === "given")) {
    // Nothing may be given without a signed list, and no hand goes on without one.
    throw new Mismatch({ code: "hashes_missing" });
  }
}

function checkContribution(one: Contribution, th: Bytes, findings: Findings): void {
  if (one.status !== "given") return;
  const { seat } = one;
  const text = fromHex(one.text_hex);
  if (readText(text) === null) throw new Mismatch({ code: "text_not_allowed", seat });
  const K = toHex(contributionHash(th, seat, fromHex(one.nonce), text));
  findings.compare("contribution", one.hash, K, { code: "contribution_differs", seat }, seat);
}

function checkDeal(file: HandFile, hk: Bytes, findings: Findings): void {
  findings.note("hand_key", toHex(hk), toHex(hk), true);
  if (!isDealt(file.events)) return;
  const { terms } = file;
  const seats = terms.players.map((player) => player.seat);
  const dealt = deal(deckOrder(hk, terms.decks), seats, terms.dealer);
  for (const { fact } of file.events) {
    if (fact.type === "wild") {
      findings.compare("wild", cardOf(fact.card), cardOf(dealt.wild), { code: "wild_differs" });
    } else if (fact.type === "open") {
      findings.compare("opener", cardOf(fact.card), cardOf(dealt.open), { code: "opener_differs" });
    }
  }
}

/** Its face for people, its number to tell copies apart. */
function cardOf(card: number): string {
  return `${cardName(card)} (${card})`;
}

function checkReshuffles(file: HandFile, findings: Findings, raise: () => void): void {
  raise();
  const count = file.events.filter(({ fact }) => fact.type === "reshuffle").length;
  findings.note("reshuffle_count", String(count), String(count), true);
}
