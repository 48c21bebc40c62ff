/** Closed hands as the desk finds them. */

import { call, type Asset } from "../../app/http";
import type { Part } from "../loading.svelte";
import { asked, momentOf, unitsOf } from "../parts/filters";
import type { Query } from "../route.svelte";
import type { Format, Outcome } from "../words_of_hands";

/** delta: units, after commission for the winner; 0 in a match, which pays at its end. */
export interface SettledSeat {
  readonly seat: number;
  readonly player_id: string;
  readonly name: string;
  readonly points: number;
  readonly delta: number;
}

/** turnover: what the losers paid; commission: the house's part of it; units. */
export interface SettledHand {
  readonly hand_id: string;
  readonly table_id: string;
  readonly table_name: string;
  readonly format: Format;
  readonly hand_no: number;
  readonly match_id: string | null;
  readonly asset: Asset;
  readonly rate: number;
  readonly commission_bp: number;
  readonly opened_ms: number;
  readonly closed_ms: number;
  readonly outcome: Outcome;
  readonly void_reason: string | null;
  readonly turnover: number;
  readonly commission: number;
  readonly seats: readonly SettledSeat[];
}

/** The page's filters as the house takes them. */
function filtersOf(query: Query): Record<string, string | number | null | undefined> {
  const { hand, player, table, asset, format, outcome } = query;
  return {
    hand_id: hand,
    player,
    table,
    from_ms: momentOf(query["from"]),
    to_ms: momentOf(query["to"]),
    least_units: unitsOf(query["least"]),
    most_units: unitsOf(query["most"]),
    asset,
    format,
    outcome,
    rate: unitsOf(query["rate"]),
  };
}

export async function settlements(query: Query, before: string | null): Promise<Part<SettledHand>> {
  const found = await call<{ hands: readonly SettledHand[]; next: string | null }>(
    `/api/operator/settlements${asked({ ...filtersOf(query), before, limit: 50 })}`,
  );
  return { rows: found.hands, next: found.next };
}

/** Where everything that the filters leave is had as a file. */
export function exportAddress(query: Query, form: "csv" | "json"): string {
  return `/api/operator/settlements.${form}${asked(filtersOf(query))}`;
}
