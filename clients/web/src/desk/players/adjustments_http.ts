/** Corrections of balances: asked for by one operator, decided by another. */

import { call, post, type Asset } from "../../app/http";

/** amount: units, above zero for the player. corrects: the entry that was wrong, if one was named. */
export interface Adjustment {
  readonly adjustment_id: string;
  readonly player_id: string;
  readonly player_name: string;
  readonly asset: Asset;
  readonly amount: number;
  readonly reason: string;
  readonly corrects: number | null;
  readonly requested_by: string;
  readonly requested_name: string;
  readonly requested_ms: number;
}

export type AdjustmentWish = Pick<Adjustment, "adjustment_id" | "player_id" | "asset" | "amount" | "reason">;

/** Those that wait, the oldest first. */
export function pendingAdjustments(): Promise<readonly Adjustment[]> {
  return call("/api/operator/adjustments");
}

/** Asked twice under one id, it is asked once. */
export function askAdjustment(wish: AdjustmentWish): Promise<unknown> {
  return post("/api/operator/adjustments", wish);
}

export function approveAdjustment(id: string): Promise<unknown> {
  return post(`/api/operator/adjustments/${id}/approve`);
}

export function rejectAdjustment(id: string, reason: string): Promise<unknown> {
  return post(`/api/operator/adjustments/${id}/reject`, { reason });
}

/** A random UUID (RFC 9562, version 4): crypto.randomUUID is missing on plain-http addresses. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
