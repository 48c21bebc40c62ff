/** Signals of players who play for each other, and the cases in which somebody looks into them. */

import { call, post, type Asset } from "../../app/http";
import type { Part } from "../loading.svelte";
import { asked } from "../parts/filters";
import type { Query } from "../route.svelte";

export const SIGNAL_KINDS = ["one_sided_flow", "soft_play", "shared_device", "machine_timing"] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

export interface SignalPlayer {
  readonly player_id: string;
  readonly name: string;
}

/** score: how many usual spreads from what was to be expected. players: who gains or feeds first, then the other. */
export interface Signal {
  readonly signal_id: string;
  readonly kind: SignalKind;
  readonly asset: Asset | null;
  readonly score: number;
  readonly alarm: boolean;
  readonly players: readonly SignalPlayer[];
  readonly evidence: readonly { readonly label: string; readonly value: number | boolean }[];
  readonly first_ms: number;
  readonly updated_ms: number;
  /** Of the newest case on it. */
  readonly case_id: string | null;
}

/** looked_ms: when new hands were last looked for. waiting: closed hands that are not counted yet. */
export interface SignalsPage {
  readonly signals: readonly Signal[];
  readonly next: number | null;
  readonly alarm_score: number;
  readonly looked_ms: number;
  readonly waiting: number;
}

export interface SignalHands {
  readonly signal: Signal;
  readonly hand_ids: readonly string[];
}

export const FINDINGS = ["confirmed", "unfounded", "inconclusive"] as const;
export type Finding = (typeof FINDINGS)[number];

export interface Case {
  readonly case_id: string;
  readonly players: readonly SignalPlayer[];
  readonly signal_id: string | null;
  readonly opened_ms: number;
  readonly open: boolean;
  readonly assignee: SignalPlayer | null;
  readonly finding: Finding | null;
  readonly changed_ms: number;
}

export interface CaseStep {
  readonly step: "opened" | "note" | "assigned" | "closed" | "reopened";
  readonly by_name: string;
  readonly at_ms: number;
  readonly words: string;
  readonly assignee_name: string | null;
  readonly finding: Finding | null;
}

export interface CaseWithSteps {
  readonly case: Case;
  readonly steps: readonly CaseStep[];
}

export interface Colleague {
  readonly player_id: string;
  readonly name: string;
  readonly role: "operator" | "auditor";
}

/** The alarms first. after: how many to pass over. */
export function signals(query: Query, after: string | null): Promise<SignalsPage> {
  const { kind, alarm, player } = query;
  return call(`/api/operator/integrity/signals${asked({ kind, alarm, player_id: player, after, limit: 25 })}`);
}

export function signalHands(signalId: string): Promise<SignalHands> {
  return call(`/api/operator/integrity/signals/${encodeURIComponent(signalId)}`);
}

export async function cases(query: Query, after: string | null): Promise<Part<Case>> {
  const found = await call<{ cases: readonly Case[]; next: number | null }>(
    `/api/operator/integrity/cases${asked({ open: query["open"], after, limit: 25 })}`,
  );
  return { rows: found.cases, next: found.next === null ? null : String(found.next) };
}

export function oneCase(caseId: string): Promise<CaseWithSteps> {
  return call(`/api/operator/integrity/cases/${encodeURIComponent(caseId)}`);
}

/** caseId: made here, so that one sent again opens no second case. */
export function openCase(caseId: string, playerIds: readonly string[], signalId: string | null, words: string): Promise<CaseWithSteps> {
  return post("/api/operator/integrity/cases", { case_id: caseId, player_ids: playerIds, signal_id: signalId, words });
}

export function noteCase(caseId: string, words: string): Promise<CaseWithSteps> {
  return post(`/api/operator/integrity/cases/${caseId}/note`, { words });
}

export function assignCase(caseId: string, operatorId: string, words: string): Promise<CaseWithSteps> {
  return post(`/api/operator/integrity/cases/${caseId}/assign`, { operator_id: operatorId, words });
}

export function closeCase(caseId: string, finding: Finding, words: string): Promise<CaseWithSteps> {
  return post(`/api/operator/integrity/cases/${caseId}/close`, { finding, words });
}

export function reopenCase(caseId: string, words: string): Promise<CaseWithSteps> {
  return post(`/api/operator/integrity/cases/${caseId}/reopen`, { words });
}

export function colleagues(): Promise<readonly Colleague[]> {
  return call("/api/operator/staff");
}
