/** Open tables, and what an operator may order of them. */

import { call, post, type Asset } from "../../app/http";
import type { TableSummary } from "../../generated/protocol";
import type { Format } from "../words_of_hands";

/** Of the next hand or match; null leaves as it is. */
export interface ComingStakes {
  readonly rate: number | null;
  readonly commission_bp: number | null;
}

/** closing: it ends once no hand and no match runs there. coming: ordered, and not in force yet. */
export interface DeskTable {
  readonly table: TableSummary;
  readonly closing: boolean;
  readonly coming: ComingStakes | null;
}

/** rate: units a point, of points alone; buy_in: units, of every other format. */
export interface TableWish {
  readonly name: string;
  readonly asset: Asset;
  readonly format: Format;
  readonly seat_count: 4 | 6 | 8;
  readonly rate?: number;
  readonly buy_in?: number;
  readonly commission_bp: number;
  readonly reason: string;
}

export function openTables(): Promise<readonly DeskTable[]> {
  return call("/api/operator/tables");
}

/** The id of the hand that runs at a table; null when none does. */
export async function runningHand(tableId: string): Promise<string | null> {
  const { hands } = await call<{ hands: readonly { hand_id: string; table_id: string; status: string }[] }>(
    "/api/operator/overview",
  );
  return hands.find((hand) => hand.table_id === tableId && hand.status === "open")?.hand_id ?? null;
}

export function openTable(wish: TableWish): Promise<{ table_id: string }> {
  return post("/api/operator/tables", wish);
}

export function closeTable(tableId: string, reason: string): Promise<unknown> {
  return post(`/api/operator/tables/${tableId}/close`, { reason });
}

export function setStakes(tableId: string, stakes: Partial<ComingStakes>, reason: string): Promise<unknown> {
  return post(`/api/operator/tables/${tableId}/stakes`, { ...stakes, reason });
}

export function voidHand(tableId: string, reason: string): Promise<unknown> {
  return post(`/api/operator/tables/${tableId}/void-hand`, { reason });
}

export function voidMatch(tableId: string, reason: string): Promise<unknown> {
  return post(`/api/operator/tables/${tableId}/void-match`, { reason });
}
